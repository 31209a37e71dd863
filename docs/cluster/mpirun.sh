#!/bin/sh
# Scans the dumps below DUMPS with the processes of one mpirun, and merges their shares.
#
#   DUMPS=/shared/job/dump [LOGS=/shared/job/logs] OUT=/shared/report [N=16] [FORM=html] sh mpirun.sh [options of mpirun]
#
# With LOCAL=1 the dumps lie on local disks: every process scans all that its host has. Start one process a host then:
#   LOCAL=1 DUMPS=/local/dump OUT=/shared/report N=8 sh mpirun.sh --hostfile hosts --map-by ppr:1:node
set -eu

: "${DUMPS:?the folder with the dumps}" "${OUT:?the folder for the report}" "${N:=16}" "${LOGS:=}" "${FORM:=json}" "${LOCAL:=}"
mkdir -p "$OUT/parts"
# Parts of an earlier run would be merged as well.
[ -z "$(ls -A "$OUT/parts")" ] || { echo "$OUT/parts is not empty" >&2; exit 2; }
export DUMPS OUT LOGS LOCAL

# --shard auto takes the share from OMPI_COMM_WORLD_RANK and OMPI_COMM_WORLD_SIZE (Open MPI), PMI_* or PMIX_* (others).
# A process that fails would end the others: damaged inputs (1) are told in the report, and a host without dumps gives a part (0).
# Another status means that there is no part, as where DUMPS is not there: it is told here and counted below.
mpirun -n "$N" -x DUMPS -x OUT -x LOGS -x LOCAL "$@" sh -c '
    rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}}
    [ -n "$LOCAL" ] && shard= || shard="--shard auto"
    status=0
    opdebug scan "$DUMPS" ${LOGS:+--logs "$LOGS"} $shard --host auto --format jsonl -q -j 1 \
        -o "$OUT/parts/part-$rank.jsonl" || status=$?
    [ "$status" -le 1 ] || echo "process $rank on $(uname -n) wrote no part: opdebug ended with $status" >&2'

status=0
opdebug merge "$OUT"/parts/part-*.jsonl --format "$FORM" -o "$OUT/report.$FORM" || status=$?
parts=$(ls "$OUT/parts" | wc -l)
[ "$parts" -eq "$N" ] || { echo "there are $parts parts of $N: the report is not of all" >&2; [ "$status" -ne 0 ] || status=1; }
exit "$status"
