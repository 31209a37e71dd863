#!/bin/sh
# The recipe of docs/cluster for GNU parallel gives the report of one scan.  parallel.sh SOURCE TOOL
set -eu
SOURCE=$1 TOOL=$2
# moreutils has a program of that name, too.
parallel --version 2> /dev/null | grep -q 'GNU parallel' || { echo "SKIPPED: GNU parallel is not installed"; exit 77; }
WORK=$(mktemp -d) && trap 'rm -rf "$WORK"' EXIT
. "$SOURCE/tests/cluster/made_up_job.sh"

export PARALLEL_HOME="$WORK/parallel"
status=0
OUT="$WORK/report" N=4 sh "$SOURCE/docs/cluster/parallel.sh" --will-cite -j 2 || status=$?
[ "$status" = 1 ] || { echo "status $status: 1 was expected, for a dump is cut"; exit 1; }
same_as_one_scan "$WORK/report/report.json"
