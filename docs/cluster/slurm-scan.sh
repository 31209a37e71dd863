#!/bin/sh
#SBATCH --job-name=opdebug-scan
#SBATCH --ntasks=1
# One share of the scan, a member of a job array: slurm-submit.sh submits it.
set -eu

# --shard auto takes the share from SLURM_ARRAY_TASK_ID and the bounds of the array.
status=0
opdebug scan "$DUMPS" ${LOGS:+--logs "$LOGS"} --shard auto --host auto --format jsonl -q \
    -j "${SLURM_CPUS_ON_NODE:-1}" -o "$OUT/parts/part-$SLURM_ARRAY_TASK_ID.jsonl" || status=$?
# 1: some input was damaged; the share is whole and tells of it.
[ "$status" -le 1 ]
