#!/bin/bash
# Usage: tools/run_tests.sh BUILD [ctest argument...]
# Runs ctest and ends with the line "N passed, N failed, N skipped"; failed and skipped tests are
# listed before it, a skipped one with its reason and package. Exit 1 when a test failed or when
# no test ran at all.
set -uo pipefail
tools=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) || exit 2
shift
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
awk -f "$tools/test_summary.awk" "$report"
awk_rc=$?
# ctest and the summary must agree: a failure seen by only one of them is still a failure.
[ $ctest_rc -eq 0 ] && [ $awk_rc -eq 0 ]
