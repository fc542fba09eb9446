#!/bin/sh
# Compares every committed manifest with what host.c says; `check_manifests.sh TOOL --write` makes
# them anew. Also asks that each PTX file that a manifest names is there.
set -u
tool=$1
cd "$(dirname "$0")" || exit 2
failures=0
for kernel in $("$tool" list | cut -d' ' -f1 | uniq); do
  if [ "${2:-}" = --write ]; then
    "$tool" manifest "$kernel" > "$kernel/manifest"
  elif ! "$tool" manifest "$kernel" | cmp -s - "$kernel/manifest"; then
    echo "$kernel/manifest: differs from host.c (make it anew with --write)"
    failures=$((failures + 1))
  fi
  for variant in $(sed -n 's/^ptx://p' "$kernel/manifest"); do
    if [ ! -f "$kernel/$kernel.$variant.ptx" ]; then
      echo "$kernel/$kernel.$variant.ptx: missing"
      failures=$((failures + 1))
    fi
  done
done
echo "$failures failures"
[ "$failures" -eq 0 ]
