#!/bin/sh
#SBATCH --job-name=opdebug-merge
#SBATCH --ntasks=1
# Merges the shares of slurm-scan.sh into one report; slurm-submit.sh submits it.
set -eu
: "${FORM:=json}"

status=0
opdebug merge "$OUT"/parts/part-*.jsonl --format "$FORM" -o "$OUT/report.$FORM" || status=$?
# 1: inputs were damaged or a share is missing; the report names them.
[ "$status" -le 1 ]
