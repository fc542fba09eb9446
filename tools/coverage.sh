#!/bin/bash
# Usage: tools/coverage.sh BUILD
# Line coverage of isa/lower by programs whose results an independent witness checks: host results
# of the kernel corpus, the oracle, records of a GPU, host arithmetic. Tests that look at refusals or
# at the machine instructions themselves do not count. The build (C parts only, gcov) lies in
# BUILD/coverage. Prints the coverage per file and in total; exit 1 when a test failed, the total is
# below 97 %, or an uncovered line is not in tools/coverage.txt or a line there is covered.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 BUILD" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1/coverage"
build=$(cd "$1/coverage" && pwd)
gcov=${GCOV:-gcov}
command -v "$gcov" >/dev/null || { echo "SKIP: no gcov (apt install gcc)"; exit 77; }

tests=(kernels_func_base kernels_func_tiny exact_reference lower/arith lower/calls lower/spaces
  lower/wide lower/special
  oracle/kernels oracle/exact_func_base oracle/forms oracle/forms_alias oracle/forms_constants
  oracle/overlap oracle/overlap_spilled oracle/values oracle/changed random/func random/found
  silicon/scalar silicon/kernels silicon/programs silicon/moves_func tensor/programs tensor/wmma
  silicon/mbarrier_func silicon/copies_func oracle/sync lower/mbar_run lower/bulk_run lower/tmem_alloc
  lower/tmem_run lower/tmem_cp lower/umma_run lower/umma_kinds lower/umma_tensor lower/umma_scaled
  lower/contention)
targets=(wl_kernel_runner test_lower_arith test_lower_calls test_lower_spaces test_lower_wide
  test_lower_special wl_oracle_runner
  wl_oracle_forms wl_oracle_overlap wl_oracle_values wl_oracle_compare wl_random_ptx
  wl_silicon_check wl_silicon_programs wl_silicon_moves wl_tensor_programs wl_tensor_wmma
  wl_silicon_async wl_silicon_copies wl_oracle_sync test_lower_mbar_run
  test_lower_bulk_run test_lower_tmem_alloc test_lower_tmem_run test_lower_tmem_cp test_lower_umma_run
  test_lower_umma_scaled test_lower_contention)

echo "coverage: building, log in $build/build.log"
{ cmake -S "$root" -B "$build" -DWL_SETUP_TOOLS=OFF -DWL_COVERAGE=ON &&
  cmake --build "$build" -j "${JOBS:-2}" --target "${targets[@]}"; } >"$build/build.log" 2>&1 ||
  { tail -n 30 "$build/build.log"; exit 1; }
find "$build" -name '*.gcda' -delete
pattern=$(IFS='|'; echo "^(${tests[*]})\$")
ctest --test-dir "$build" -R "$pattern" -j "${JOBS:-2}" >"$build/tests.log" 2>&1 ||
  { grep -E 'Failed|\*\*\*' "$build/tests.log"; echo "coverage: tests failed, log in $build/tests.log"; exit 1; }
ran=$(grep -cE '^ *[0-9]+/[0-9]+ Test .* Passed' "$build/tests.log" || true)
[ "$ran" -eq ${#tests[@]} ] ||
  { echo "coverage: $ran of ${#tests[@]} tests passed, log in $build/tests.log"; exit 1; }
"$build/tests/random/wl_random_ptx" --seed 4711 --count 150 --side func --save "$build" >"$build/random.log" ||
  { tail -n 3 "$build/random.log"; exit 1; }
echo "coverage: $ran tests and 150 random programs equal what their witnesses say"
objects=$build/isa/lower/CMakeFiles/wl_isa_lower.dir
python3 "$root/tools/coverage.py" --gcov "$gcov" --objects "$objects" --source "$root/isa/lower" \
  --list "$root/tools/coverage.txt" --least 97
