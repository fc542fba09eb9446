#!/bin/bash
# Usage: tools/run_tests.sh BUILD [--junit FILE] [ctest argument...]
# Runs ctest and ends with the line "N passed, N failed, N skipped"; failed and skipped tests are
# listed before it, a skipped one with its reason and package. Exit 1 when a test failed or when
# no test ran at all.
#   --junit FILE   also writes a report as JUnit XML (needs python3): failures with their output,
#                  skipped tests with their reason; FILE is replaced when the tests have run
set -uo pipefail
tools=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n 's/^# \{0,1\}//; 2,7p' "$0"; }
case ${1:-} in
-h | --help) usage; exit 0 ;;
'' | -*) usage >&2; exit 2 ;;
esac
build=$(cd "$1" && pwd) || exit 2
shift
junit=
if [ "${1:-}" = --junit ]; then
  [ $# -ge 2 ] && [ -n "$2" ] || { echo "run_tests: --junit needs a file" >&2; exit 2; }
  junit=$2
  shift 2
  command -v python3 >/dev/null ||
    { echo "run_tests: --junit needs python3 (apt install python3)" >&2; exit 2; }
  if [ -d "$junit" ] || [ ! -w "$(dirname "$junit")" ]; then
    echo "run_tests: --junit: cannot write $junit" >&2
    exit 2
  fi
  rm -f "$junit"
fi
report=$build/tests.xml
rm -f "$report"
# Tests that mostly wait (WAITS of wl_add_test) run beside the JOBS that need a processor.
jobs=${JOBS:-1} waiting=6
resources=$build/test_resources.json
printf '{"version": {"major": 1, "minor": 0}, "local": [{%s, %s}]}\n' \
  "\"processors\": [{\"id\": \"0\", \"slots\": $jobs}]" \
  "\"waits\": [{\"id\": \"0\", \"slots\": $waiting}]" >"$resources"
ctest --test-dir "$build" --output-on-failure --no-tests=error -j $((jobs + waiting)) \
  --resource-spec-file "$resources" \
  --output-junit "$report" "$@"
ctest_rc=$?
if [ ! -f "$report" ]; then
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi
junit_rc=0
if [ -n "$junit" ]; then
  python3 "$tools/junit.py" "$report" "$junit"
  junit_rc=$?
fi
awk -f "$tools/test_summary.awk" "$report"
awk_rc=$?
# ctest and the summary must agree: a failure seen by only one of them is still a failure.
[ $ctest_rc -eq 0 ] && [ $awk_rc -eq 0 ] && [ $junit_rc -eq 0 ]
