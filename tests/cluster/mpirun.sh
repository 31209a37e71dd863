#!/bin/sh
# The recipe of docs/cluster for mpirun gives the report of one scan, on a real Open MPI.  mpirun.sh SOURCE TOOL
set -eu
SOURCE=$1 TOOL=$2
mpirun --version 2> /dev/null | grep -q 'Open MPI' || { echo "SKIPPED: Open MPI is not installed"; exit 77; }
WORK=$(mktemp -d) && trap 'rm -rf "$WORK"' EXIT
. "$SOURCE/tests/cluster/made_up_job.sh"

# Only this host, by loopback; more processes than cores, and root in containers.
export TMPDIR="$WORK" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader
export OMPI_MCA_oob_tcp_if_include=lo OMPI_MCA_plm_rsh_agent=
status=0
OUT="$WORK/report" N=4 sh "$SOURCE/docs/cluster/mpirun.sh" --oversubscribe || status=$?
[ "$status" = 1 ] || { echo "status $status: 1 was expected, for a dump is cut"; exit 1; }
same_as_one_scan "$WORK/report/report.json"

# Local disks: each process scans what its host has, here the dumps of four ranks of eight.
mkdir "$WORK/local" && cp -r "$DUMPS"/rank_[0-3] "$WORK/local"
LOCAL=1 DUMPS="$WORK/local" OUT="$WORK/local-report" N=1 sh "$SOURCE/docs/cluster/mpirun.sh" --oversubscribe
grep -q '"overflowed":16' "$WORK/local-report/report.json"

# Of two processes one finds a disk without dumps, which is a part; then one without the folder, which is reported and ends no other.
# Both run on this host, so a program earlier in PATH gives the second its own folder.
mkdir "$WORK/bin" "$WORK/local-none"
cat > "$WORK/bin/opdebug" << END
#!/bin/sh
[ "\$1" = scan ] && [ "\$OMPI_COMM_WORLD_RANK" = 1 ] || exec "$TOOL" "\$@"
shift 2
exec "$TOOL" scan "$WORK/local-none" "\$@"
END
chmod +x "$WORK/bin/opdebug" && export PATH="$WORK/bin:$PATH"
LOCAL=1 DUMPS="$WORK/local" OUT="$WORK/none-report" N=2 sh "$SOURCE/docs/cluster/mpirun.sh" --oversubscribe
grep -q '"overflowed":16' "$WORK/none-report/report.json"
grep -q '"no_dumps"' "$WORK/none-report/report.json"
rmdir "$WORK/local-none"
status=0
LOCAL=1 DUMPS="$WORK/local" OUT="$WORK/absent-report" N=2 sh "$SOURCE/docs/cluster/mpirun.sh" --oversubscribe \
    2> "$WORK/absent.txt" || status=$?
[ "$status" = 1 ] || { echo "status $status: 1 was expected, for a folder is not there"; cat "$WORK/absent.txt"; exit 1; }
grep -q 'process 1 on .* wrote no part' "$WORK/absent.txt"
grep -q '"overflowed":16' "$WORK/absent-report/report.json"
