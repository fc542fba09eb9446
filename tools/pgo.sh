#!/bin/bash
# Usage: tools/pgo.sh BUILD demo|bench [cmake argument...]
# Profile-guided optimisation of the Verilated models, with gcc: builds the program of the demo
# (warplock, base) or of the bench (warplock_bench) in BUILD/pgo with counters in the models, and runs
# kernels of the corpus. BUILD, configured with -DWL_PGO=use, takes the profiles from there.
# Nothing is done again while the models are the same. The profiles change no result.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 2 ] || { sed -n 's/^# Usage/usage/p' "$0" >&2; exit 2; }
mkdir -p "$1"
build=$(cd "$1" && pwd)
part=$2
shift 2
tree=$build/pgo
case $part in
  demo) program=warplock configs=base ;;
  bench) program=warplock_bench configs='tiny;base;full' ;;
  *) echo "pgo: unknown part: $part" >&2; exit 2 ;;
esac
if ! "${CXX:-c++}" --version | grep -q 'Free Software Foundation'; then
  echo "pgo: the compiler is not gcc; the models are built without a profile"
  exit 0
fi

mkdir -p "$tree/tools"
cmp -s "$build/tools/verilator.cmake" "$tree/tools/verilator.cmake" ||
  cp "$build/tools/verilator.cmake" "$tree/tools/verilator.cmake"
"$root/tools/configure.sh" "$tree" -DWL_PGO=generate "$@" "-DWL_RTL_CONFIGS=$configs"
echo "pgo: building $program with counters in $tree"
cmake --build "$tree" -j "${JOBS:-2}" --target "$program" wl_kernel_tool

# The models as they were at the last training.
models=$(find "$tree/verilated" -name 'fast_*.cpp' -exec cksum {} + | sort)
stamp=$tree/trained_$part.txt
if [ -f "$stamp" ] && [ "$models" = "$(cat "$stamp")" ]; then
  exit 0
fi
rm -f "$tree"/trained_*.txt
find "$tree/rtl" -name '*.gcda' -delete

# train CONFIG KERNEL CASE: other kernels than those that the bench measures.
train() {
  local ptx=$root/tests/kernels/$2/$2.nvcc.ptx arguments files=$tree/train
  rm -rf "$files"
  mkdir -p "$files"
  arguments=$(cd "$files" && "$tree/tests/kernels/wl_kernel_tool" export "$2" "$3" .)
  # shellcheck disable=SC2086 # one word per argument: names in "." have no blank
  (cd "$files" && "$tree/$program" lockstep "$ptx" --config "$1" $arguments >/dev/null)
}
for config in ${configs//;/ }; do
  echo "pgo: training $config"
  for case in stencil:19x13 scan:chained1031 histogram:shared1003 nbody:n13 transpose:padded35x33 \
    mandelbrot:13x11; do
    train "$config" "${case%:*}" "${case#*:}"
  done
done
# The models without journal are only in the program of the bench: no other kernels can train them.
if [ "$part" = bench ]; then
  "$tree/$program" bench --quick --ptx-dir "$root/tests/kernels" >/dev/null
fi
printf '%s\n' "$models" >"$stamp"
rm -f "$build/configured.txt" # BUILD then looks for the new profiles
