#!/bin/bash
# Usage: slurm_node.sh start DIR | stop DIR
# A Slurm of one node, this machine, whose configuration, key, state, spool and logs all lie in DIR
# (a new folder, of a short name without blanks) and whose ports are free ones. Needs root and the
# packages slurm-wlm and munge, not systemd. After `start`, clients find it with the printed line
# SLURM_CONF=DIR/slurm.conf in their environment; `stop` ends jobs and daemons and removes DIR.
# Exit 2: wrong arguments; 77: it cannot run here (not root, packages missing); 1: it did not start.
# Not for a shared machine: jobs run as who submits them, without limits of memory or cores.
set -uo pipefail

fail() { # CODE MESSAGE
  echo "slurm_node: $2" >&2
  exit "$1"
}
[ $# -eq 2 ] || fail 2 'usage: slurm_node.sh start DIR | stop DIR'
case $1 in start | stop) ;; *) fail 2 "start or stop, not '$1'" ;; esac
what=$1
dir=$(realpath -m -- "$2")
[[ $dir =~ ^[A-Za-z0-9_./+-]+$ ]] || fail 2 "the folder's name may not have blanks or the like: $dir"
[ ${#dir} -le 80 ] || fail 2 "the folder's name is too long for a socket: $dir"
export SLURM_CONF=$dir/slurm.conf
mark=$dir/made-by-slurm_node
PATH=$PATH:/usr/sbin:/sbin

# Processes of this node: daemons started with its configuration, and what its jobs left.
ours() {
  local p text
  for p in /proc/[0-9]*; do
    [ "$p" != "/proc/$$" ] || continue
    text=$({ tr '\0' '\n' <"$p/environ"; } 2>/dev/null) || continue
    case $(cat "$p/comm" 2>/dev/null) in
      munged | slurmctld | slurmd | slurmstepd | slurmscriptd)
        text+=$({ tr '\0' '\n' <"$p/cmdline"; } 2>/dev/null)
        [[ $text != *"$dir/"* ]] || echo "${p#/proc/}" ;;
      *) [[ $text != *"SLURM_CONF=$SLURM_CONF"* || $text != *SLURM_CLUSTER_NAME=farm* ]] ||
        echo "${p#/proc/}" ;;
    esac
  done
}
wait_for() { # SECONDS COMMAND...: until it succeeds
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.2
  done
}
# shellcheck disable=SC2317 # called by wait_for
no_jobs() { [ -z "$(timeout 5 squeue -h -o %A 2>/dev/null)" ]; }
# shellcheck disable=SC2317
no_processes() { [ -z "$(ours)" ]; }
# shellcheck disable=SC2317
node_idle() { [ "$(timeout 5 sinfo -h -o %T 2>/dev/null)" = idle ]; }

# Nothing of its state is needed any more, so that nobody is asked to end in order but the jobs.
stop() {
  if timeout 5 scancel --user="$(id -un)" 2>/dev/null; then
    wait_for 10 no_jobs
  fi
  # shellcheck disable=SC2046 # a list of numbers
  kill -KILL $(ours) 2>/dev/null
  wait_for 5 no_processes || fail 1 "still running: $(ours | tr '\n' ' ')"
  rm -rf "$dir"
}

if [ "$what" = stop ]; then
  [ -f "$mark" ] || fail 2 "no node was started in $dir"
  stop
  exit 0
fi

[ "$(id -u)" -eq 0 ] || fail 77 'must be root: the daemons of a node start jobs of other users'
missing=()
for program in munged slurmctld slurmd sbatch squeue sinfo scancel scontrol; do
  command -v $program >/dev/null || missing+=("$program")
done
[ ${#missing[@]} -eq 0 ] || fail 77 "no ${missing[*]} (apt install slurm-wlm munge)"
command -v python3 >/dev/null || fail 77 'no python3 (apt install python3)'
if [ -e "$dir" ] && [ -n "$(ls -A "$dir" 2>/dev/null)" ]; then
  fail 2 "the folder is not empty: $dir"
fi

umask 022
mkdir -p "$dir/key" "$dir/run" "$dir/log" "$dir/state" "$dir/spool" || fail 2 "cannot make $dir"
: >"$mark"
chmod 700 "$dir/key"
(umask 077 && head -c 1024 /dev/urandom >"$dir/key/munge.key")
host=$(uname -n)
host=${host%%.*}
cpus=$(nproc)
memory=$(awk '/MemTotal/ { print int($2 / 1024 * 9 / 10) }' /proc/meminfo)
read -r control_port node_port < <(python3 -c 'import socket
s = [socket.socket() for _ in range(2)]
for x in s: x.bind(("127.0.0.1", 0))
print(*(x.getsockname()[1] for x in s))')
cat >"$SLURM_CONF" <<END
ClusterName=farm
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/run/munge.socket
CredType=cred/munge
SlurmctldPort=$control_port
SlurmdPort=$node_port
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd.pid
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.log
SlurmdParameters=config_overrides
MpiDefault=none
SwitchType=switch/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MaxArraySize=1001
KillWait=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=$memory State=UNKNOWN
PartitionName=farm Nodes=$host Default=YES MaxTime=INFINITE State=UP
END

broken() { # MESSAGE
  echo "slurm_node: $1" >&2
  tail -n 15 "$dir"/log/*.log >&2
  stop
  exit 1
}
# Their place tells munged who may write it; --force: a container's root folder may look unsafe.
munged --force --num-threads=2 --key-file="$dir/key/munge.key" --socket="$dir/run/munge.socket" \
  --pid-file="$dir/run/munged.pid" --log-file="$dir/log/munged.log" \
  --seed-file="$dir/key/munged.seed" >"$dir/log/munged.out.log" 2>&1 || broken 'munged does not start'
slurmctld -c -f "$SLURM_CONF" >"$dir/log/slurmctld.out.log" 2>&1 || broken 'slurmctld does not start'
slurmd -f "$SLURM_CONF" >"$dir/log/slurmd.out.log" 2>&1 || broken 'slurmd does not start'
wait_for 30 node_idle || broken 'the node does not become idle within 30 s'
echo "SLURM_CONF=$SLURM_CONF"
