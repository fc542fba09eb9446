#!/bin/bash
# Usage: test_venv.sh install|pytest|cocotb BUILD SOURCE
# The Python package installed by pip into environments below BUILD, without a network, from the wheels
# that `tools/setup_tools.sh BUILD python` has fetched:
#   install  with numpy and without: the tests of the package run on what pip installed; an installed
#            tree is found by its program on the path
#   pytest   examples/pytest
#   cocotb   examples/cocotb, right and with a planted bug
set -euo pipefail
what=$1
build=$(cd "$2" && pwd)
source=$(cd "$3" && pwd)
wheels=$build/tools/wheels
place=$build/tests/python
full=$place/full
bare=$place/bare
skip() { echo "SKIP: $*"; exit 77; }
wrong() { echo "FAILED: $*"; exit 1; }

[ -f "$build/tools/python.downloaded" ] || skip "no wheels (tools/setup_tools.sh BUILD python)"
python3 -c 'import venv, ensurepip' 2>/dev/null || skip "no venv (apt install python3-venv)"
cmp -s "$source/tools/python.txt" "$build/tools/python.downloaded" ||
  skip "the wheels are of another list (tools/setup_tools.sh BUILD python)"
if [ "$what" = cocotb ]; then
  command -v iverilog >/dev/null || skip "no Icarus Verilog (apt install iverilog)"
fi

# What the environments are made of; they are made again when it changes.
state() {
  python3 -c 'import sys; print(sys.version, sys.executable)'
  (cd "$source" && find python tools/python.txt -type f ! -name '*.pyc' -print0 | sort -z |
    xargs -0 sha256sum)
}
pip_install() { # INTERPRETER ARGUMENT...
  local target=$1
  shift
  "$full/bin/python" -m pip --isolated --python "$target" install --quiet --no-index --no-deps \
    --disable-pip-version-check --find-links "$wheels" "$@"
}
make_environments() {
  rm -rf "$full" "$bare" "$place/state" "$place/wheel"
  python3 -m venv "$full"
  python3 -m venv --without-pip "$bare"
  pip_install "$full/bin/python" --require-hashes -r "$source/tools/python.txt"
  pip_install "$full/bin/python" --no-build-isolation "$source/python"
  # The backend builds a wheel in the environment of pip; what is installed is that wheel.
  "$full/bin/python" -m pip --isolated wheel --quiet --no-index --no-deps --no-build-isolation \
    --disable-pip-version-check --wheel-dir "$place/wheel" "$source/python"
  pip_install "$bare/bin/python" "$place"/wheel/warplock-*.whl
}
# The tests that need them may run at once. An error ends the test: no `||` here, which would hide it.
mkdir -p "$place"
(
  flock 9
  if [ "$(state)" != "$(cat "$place/state" 2>/dev/null)" ]; then
    make_environments
    state >"$place/state"
  fi
) 9>"$place/lock"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset PYTHONPATH
# suite INTERPRETER TEST...: the package that they import is the installed one.
suite() {
  local interpreter=$1 from
  shift
  from=$("$interpreter" -c 'import warplock; print(warplock.__file__)')
  case $from in
  "$(dirname "$(dirname "$interpreter")")"/lib/*) ;;
  *) wrong "the package is that of $from" ;;
  esac
  PYTHONPATH=$source/tests/python "$interpreter" -m unittest "$@" 2>&1 | tee "$work/log"
}

case $what in
install)
  "$bare/bin/python" -c 'import numpy' 2>/dev/null && wrong "numpy is in the environment without it"
  suite "$bare/bin/python" test_api test_arguments test_report test_lifetime
  # Without numpy two tests are skipped, and without the RTL that of the planted bug.
  grep -q "OK (skipped=$([ "${WL_PLANTED:-}" ] && echo 2 || echo 3))" "$work/log" || wrong "other tests are skipped"
  suite "$full/bin/python" test_api test_arguments
  grep -q 'OK (skipped=1)' "$work/log" || wrong "with numpy one test is skipped, no others"
  # The quick start of the guide, as it stands there.
  awk '/^```python/ { n++; next } /^```/ { if (n == 1) exit } n == 1' "$source/docs/python.md" >start.py
  [ "${WL_PLANTED:-}" ] || sed -i 's/"lockstep"/"func"/' start.py
  (cd "$source" && "$bare/bin/python" "$work/start.py") | tee "$work/log"
  grep -qxF '[2.0, 5.0, 7.0]' "$work/log" || wrong "the guide's quick start"
  unset WARPLOCK_LIBRARY
  cmake --install "$build" --prefix "$work/a prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  "$bare/bin/python" -m warplock --version >"$work/log" 2>&1 &&
    wrong "a library was found before one was named: $(cat "$work/log")"
  PATH="$work/a prefix/bin:$PATH" "$bare/bin/python" -m warplock --version | tee "$work/log"
  found=$(sed -n 's/^library: //p' "$work/log")
  [ "$found" = "$(find "$work/a prefix" -name libwarplock.so)" ] || wrong "the library is $found"
  # The package also comes with the installed tree, and finds the library beside it.
  env PYTHONPATH="$work/a prefix/share/warplock/python" PYTHONDONTWRITEBYTECODE=1 \
    python3 -m warplock --version | grep -F "library: $found" || wrong "not found from the prefix"
  ;;
pytest)
  "$full/bin/python" -m pytest -p no:cacheprovider -q --junit-xml="$work/tests.xml" \
    "$source/examples/pytest" | tee "$work/log"
  # 5 sizes and a trap on 3 backends; without the RTL lockstep is skipped.
  grep -Eq '^(18 passed|12 passed, 6 skipped) in' "$work/log" || wrong "not all have run"
  # A test that must fail does.
  sed 's/1\.5 \* a + b/1.5 * a - b/; s,__file__),"'"$source"'/examples/pytest/x"),' \
    "$source/examples/pytest/test_saxpy.py" >test_wrong.py
  ! "$full/bin/python" -m pytest -p no:cacheprovider -q test_wrong.py >"$work/log" ||
    wrong "a wrong expectation passes"
  grep -Eq '^(15|10) failed, (3|2) passed' "$work/log" || { cat "$work/log"; wrong "failures expected"; }
  ;;
cocotb)
  "$full/bin/python" -c 'import sys, find_libpython; sys.exit(not find_libpython.find_libpython())' ||
    skip "no shared libpython (apt install libpython3-dev)"
  run=$source/examples/cocotb/run.py
  "$full/bin/python" "$run" "$source/examples/cocotb/mac.sv" "$work/right" >"$work/log" 2>&1 ||
    { cat "$work/log"; wrong "mac.sv is not dot.ptx"; }
  tail -n 1 "$work/log"
  # The highest bit of one factor is lost.
  sed 's/a_i \* b_i/a_i * b_i[30:0]/' "$source/examples/cocotb/mac.sv" >bug.sv
  ! "$full/bin/python" "$run" bug.sv "$work/bug" >"$work/log" 2>&1 || wrong "a planted bug passes"
  grep -Eo 'AssertionError: row [0-9]+, step [0-9]+: [0-9a-f]{8}, kernel [0-9a-f]{8}' "$work/log" ||
    { cat "$work/log"; wrong "the report of the planted bug"; }
  ;;
*) wrong "which part? $what" ;;
esac
