#!/bin/sh
# Scans the dumps below DUMPS with GNU parallel, and merges the shares.
#
#   DUMPS=/shared/job/dump [LOGS=/shared/job/logs] OUT=/shared/report [N=16] [FORM=html] sh parallel.sh [options of parallel]
#
# On several hosts that share the file system: sh parallel.sh --sshloginfile hosts --env PATH
set -eu

: "${DUMPS:?the folder with the dumps}" "${OUT:?the folder for the report}" "${N:=16}" "${LOGS:=}" "${FORM:=json}"
mkdir -p "$OUT/parts"
# Parts of an earlier run would be merged as well.
[ -z "$(ls -A "$OUT/parts")" ] || { echo "$OUT/parts is not empty" >&2; exit 2; }

# --quote: names with blanks stay whole, also in the shells of other hosts. --halt never: one share that fails does not end
# the others; the merge names it.
status=0
seq 0 "$((N - 1))" | parallel --quote --halt never "$@" \
    opdebug scan "$DUMPS" ${LOGS:+--logs "$LOGS"} --shard "{}/$N" --host auto --format jsonl -q -j 1 \
    -o "$OUT/parts/part-{}.jsonl" || status=$?
# parallel's status is the number of shares that did not end with 0: damaged inputs are among them, and the report tells.
[ "$status" -le 101 ]

status=0
opdebug merge "$OUT"/parts/part-*.jsonl --format "$FORM" -o "$OUT/report.$FORM" || status=$?
exit "$status"
