#!/bin/bash
# Usage: tools/area.sh BUILD [CONFIG]     (default: tiny)
# ECP5 estimate by module: table on the terminal, BUILD/area_CONFIG.json, BUILD/area_CONFIG.log.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
config=${2:-tiny}
if [ ! -f "$root/rtl/files.txt" ]; then
  echo "area: rtl/files.txt is not there yet: nothing to estimate" >&2
  exit 1
fi
work=$(mktemp -d)
log=$build/area_$config.log
echo "area: synthesising $config for ECP5, minutes; log in $log"
"$build/tools/venv/bin/python" "$root/tools/yosys_rtl.py" area "$build" "$config" "$work" >"$log" 2>&1
rc=$?
rm -rf "$work"
if grep -q '^area: ' "$log"; then
  sed -n '/^module (all/,$p' "$log"
else
  tail -n 20 "$log"
fi
exit $rc
