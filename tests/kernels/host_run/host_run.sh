#!/bin/sh
# Builds and runs the kernels of the corpus on the host: host_run.sh BUILD_DIR [KERNEL [CASE]].
# Needs clang (vector types): exits 77 without; CXX and CC name others.
set -eu
for suffix in -14 '' -19; do
  if [ -z "${CXX:-}" ] && command -v "clang++$suffix" > /dev/null && command -v "clang$suffix" > /dev/null; then
    CXX=clang++$suffix
    CC=clang$suffix
  fi
done
if [ -z "${CXX:-}" ]; then
  echo "skipped: needs clang (Debian package clang)"
  exit 77
fi
build=$1
shift
here=$(cd "$(dirname "$0")/.." && pwd -P)
root=$(cd "$here/../.." && pwd -P)
mkdir -p "$build"
{
  echo '#include "wl_device_host.h"'
  echo '#include "wl_wmma.h"' # of two kernels
  echo '#include "wl_formats.h"'
  echo '#include "wl_half.h"'
  echo '#include "wl_mbar.h"'
  echo '#include "wl_copy.h"'
  echo '#include "wl_bulk.h"'
  echo '#include "wl_wide.h"'
  echo '#include "wl_umma_scaled.h"'
  echo '#include "wl_tmem.h"'
  for source in "$here"/*/*.cu; do
    echo "namespace ns_$(basename "$source" .cu) {"
    echo "#include \"$source\""
    echo "}"
  done
  echo 'static void call_entry(const char *entry, const wl_kernel_launch_t *l,'
  echo '                       unsigned char *const *buffer) {'
  for source in "$here"/*/*.cu; do
    kernel=$(basename "$source" .cu)
    sed -n 's/^WL_KERNEL void \([a-z0-9_]*\)(.*/\1/p' "$source" | while read -r entry; do
      echo "  if (strcmp(entry, \"$entry\") == 0) { return call(ns_$kernel::$entry, l, buffer); }"
    done
  done
  echo '  abort();'
  echo '}'
} > "$build/host_run_entries.inc"
rm -f "$build"/*.o
for source in "$here"/common/kernel_case.c "$here"/*/host.c; do
  object=$build/$(basename "$(dirname "$source")").o
  $CC -std=c11 -O1 -ffp-contract=off -I"$root" -c -o "$object" "$source"
done
$CXX -std=c++17 -O1 -fno-strict-aliasing -fwrapv -ffp-contract=off -Wno-unused \
  -I"$root" -I"$here/include" -I"$build" -o "$build/host_run" "$here/host_run/host_run.cpp" "$build"/*.o -lm
exec "$build/host_run" "$@"
