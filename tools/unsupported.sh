#!/bin/bash
# Usage: tools/unsupported.sh [--write]
# Checks that README.md has the tables of refused PTX that unsupported.awk makes; --write renews them.
set -euo pipefail
cd "$(dirname "$0")/.."
begin='<!-- made by tools/unsupported.sh --write -->'
end='<!-- end of what tools/unsupported.sh made -->'
tables=$(mktemp)
trap 'rm -f "$tables"' EXIT
LC_ALL=C awk -f tools/unsupported.awk isa/def/ptx_op.def isa/ptx/*.c isa/lower/*.c >"$tables"
# Too few rows: the sources no longer look as the script expects.
rows=$(grep -c '^|' "$tables")
if [ "$rows" -lt 60 ]; then
  echo "unsupported: only $rows rows were found" >&2
  exit 1
fi
if [ "${1:-}" = --write ]; then
  awk -v begin="$begin" -v end="$end" -v tables="$tables" '
    $0 == begin { print; while ((getline line <tables) > 0) print line; inside = 1 }
    $0 == end { inside = 0 }
    !inside || $0 == end { if ($0 != begin) print }' README.md >README.md.new
  mv README.md.new README.md
fi
if ! diff <(awk -v begin="$begin" -v end="$end" '$0 == end { on = 0 } on; $0 == begin { on = 1 }' \
  README.md) "$tables"; then
  echo "unsupported: README.md is not what isa/ says; run tools/unsupported.sh --write" >&2
  exit 1
fi
