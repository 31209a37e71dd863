#!/bin/sh
# The recipe of docs/cluster for Slurm gives the report of one scan: a job array of four, and a merge job that depends on it. It runs on a
# real Slurm of one node that lives in a temporary folder and on loopback.  slurm.sh SOURCE TOOL
set -eu
SOURCE=$1 TOOL=$2
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd sbatch munged; do
    command -v $program > /dev/null || { echo "SKIPPED: $program is not installed"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "SKIPPED: slurmd starts jobs as root only"; exit 77; }
# Sockets have short paths.
WORK=$(mktemp -d /tmp/opdebug-slurm.XXXXXX)

munged= slurmctld= slurmd=
end() {
    for process in $slurmd $slurmctld $munged; do
        kill "$process" 2> /dev/null || true
    done
    for process in $slurmd $slurmctld $munged; do
        wait "$process" 2> /dev/null || true
    done
    rm -rf "$WORK"
}
trap end EXIT
trap 'exit 1' INT TERM
failed() {
    echo "$1"
    tail -n 40 "$WORK"/*.log "$WORK"/report/*.out 2> /dev/null || true
    exit 1
}

# Two ports that nobody listens on, by the kernel's choice.
ports=$(python3 -c 'import socket
s = [socket.socket() for _ in range(2)]
[x.bind(("127.0.0.1", 0)) for x in s]
print(*[x.getsockname()[1] for x in s])')
host=$(hostname -s)
mkdir -p "$WORK/state" "$WORK/spool"
dd if=/dev/urandom of="$WORK/munge.key" bs=1024 count=1 2> /dev/null
chmod 700 "$WORK" && chmod 400 "$WORK/munge.key"
cat > "$WORK/slurm.conf" << END
ClusterName=opdebug
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$WORK/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$WORK/state
SlurmdSpoolDir=$WORK/spool
SlurmctldPidFile=$WORK/slurmctld.pid
SlurmdPidFile=$WORK/slurmd.pid
SlurmctldLogFile=$WORK/slurmctld.log
SlurmdLogFile=$WORK/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=5 State=UP
END
printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' > "$WORK/cgroup.conf"
export SLURM_CONF="$WORK/slurm.conf"

munged --foreground --force --key-file="$WORK/munge.key" --socket="$WORK/munge.socket" --pid-file="$WORK/munge.pid" \
    --log-file="$WORK/munged.log" --seed-file="$WORK/munge.seed" > "$WORK/munged.log" 2>&1 &
munged=$!
slurmctld -D -i > "$WORK/slurmctld.log" 2>&1 &
slurmctld=$!
slurmd -D -N "$host" > "$WORK/slurmd.log" 2>&1 &
slurmd=$!

await() {  # a condition that comes within a minute
    for _ in $(seq 300); do
        if eval "$1"; then return 0; fi
        sleep 0.2
    done
    return 1
}
await '[ "$(sinfo -h -o %t 2> /dev/null)" = idle ]' || failed "Slurm's node did not become idle"

. "$SOURCE/tests/cluster/made_up_job.sh"
OUT="$WORK/report" N=4 sh "$SOURCE/docs/cluster/slurm-submit.sh" > "$WORK/job"
await '[ -z "$(squeue -h)" ]' || failed "the jobs did not end"
[ -f "$WORK/report/report.json" ] || failed "there is no report"
[ "$(ls "$WORK/report/parts" | wc -l)" = 4 ] || failed "there are not four shares"
same_as_one_scan "$WORK/report/report.json" || failed "the merged report is not that of one scan"
