#!/bin/sh
# Scans the dumps below DUMPS as a Slurm job array of N shares, and merges the shares when all have ended.
#
#   DUMPS=/shared/job/dump [LOGS=/shared/job/logs] OUT=/shared/report [N=16] sh slurm-submit.sh [options of sbatch]
#
# DUMPS and OUT lie on a file system that all nodes share. The report is OUT/report.json, or of another FORM: html, text, csv, jsonl. Prints the number of the merge job.
set -eu

: "${DUMPS:?the folder with the dumps}" "${OUT:?the folder for the report}" "${N:=16}" "${LOGS:=}" "${FORM:=json}"
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$OUT/parts"
# Parts of an earlier run would be merged as well.
[ -z "$(ls -A "$OUT/parts")" ] || { echo "$OUT/parts is not empty" >&2; exit 2; }
export DUMPS OUT LOGS FORM

scan=$(sbatch --parsable --export=ALL --array="0-$((N - 1))" --output="$OUT/scan-%a.out" "$@" "$here/slurm-scan.sh")
# afterany, not afterok: where a share failed, the merge reports what there is and names what is missing.
sbatch --parsable --export=ALL --dependency="afterany:${scan%%;*}" --output="$OUT/merge.out" "$@" "$here/slurm-merge.sh"
