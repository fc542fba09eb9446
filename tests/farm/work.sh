#!/bin/sh
# Stands for a program of the farm. work.sh WHAT SHARD WORK RESULT LOG: appends "WHAT SHARD" to LOG and
#   good     writes counts that only depend on SHARD and WORK
#   bad      like good, but shard 1 ends with exit code 3
#   slow     shard 0 like good; others make a process group of their own that lasts 300 s, and write
#            LOG.restored when they are told to end
#   alone    fails when another of its kind runs at the same time
#   dies     the first time takes what watches it with it, as a machine that goes down
#   silent   writes no result;  garbage  writes nonsense
what=$1 shard=$2 work=$3 result=$4 log=$5
if [ "$what" = slow ]; then
  trap 'echo "$shard" >>"$log.restored"; exit 1' TERM # before the test can see that it runs
fi
echo "$what $shard" >>"$log"
good() {
  cat >"$result" <<END
{"kinds": {"a": $((shard * work)), "b": $((shard % 2)), "c": 0}, "failed": 0,
 "outcomes": {"o$((shard % 3))": $((work + shard))}}
END
}
case $what in
  good) good ;;
  bad)
    good
    [ "$shard" -ne 1 ] || exit 3 ;;
  slow)
    if [ "$shard" -eq 0 ]; then
      good
      exit 0
    fi
    timeout 300 sleep 300 ;;
  alone)
    mkdir "$log.alone" || exit 4
    sleep 0.3
    rmdir "$log.alone"
    good ;;
  dies)
    if [ "$(grep -c '^dies' "$log")" -eq 1 ]; then
      kill -KILL $PPID
      exit 1
    fi
    good ;;
  silent) ;;
  garbage) echo '{"kinds"' >"$result" ;;
esac
