#!/bin/bash
# An operation in the tables without its C function or arm does not build. Usage:
# test_missing_op.sh WLGEN ROOT BUILD CC. Generates the headers from tables with one more operation of
# a unit and compiles the file that must name it; with the tables as they are it compiles.
set -uo pipefail
wlgen=$1 root=$2 build=$3 cc=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# generate DIR [ROW]: DIR/gen from the tables, with ROW appended to insn.def.
generate() {
  mkdir -p "$work/$1/gen" "$work/$1/def"
  cp "$root"/isa/def/*.def "$work/$1/def/"
  [ $# -lt 2 ] || echo "$2" >>"$work/$1/def/insn.def"
  "$wlgen" --def "$work/$1/def" --out "$work/$1/gen"
}

compiles() {
  "$cc" -std=c11 -fsyntax-only -Wall -Werror=switch -D_POSIX_C_SOURCE=200809L "-I$work/$1" \
    "-I$work/$1/gen" "-I$root" "-I$build" "$root/$2" 2>"$work/log"
}

generate same || exit 1
next=$(sed -n 's/.*WL_NUM_FORMS = \([0-9]*\).*/\1/p' "$work/same/gen/wl_insn.h")
for case in ALU:cmodel/sem/sem_alu.c MUL:cmodel/sem/sem_mul.c FPU:cmodel/sem/sem_fpu.c \
  SYNC:cmodel/sem/sem_exchange.c CTL:cmodel/core/path_resolve.c CTL:driver/func/exec.c \
  BAR:cmodel/core/path_resolve.c; do
  unit=${case%%:*} file=${case#*:}
  if ! compiles same "$file"; then
    echo "$file does not compile with the tables as they are" && cat "$work/log"
    failures=$((failures + 1))
  fi
  generate "$unit" "INSN($next, probe.x, $unit, PROBE, NONE, NONE, \"-\", \"nothing\")" || exit 1
  if compiles "$unit" "$file"; then
    echo "$file compiles although $unit has an operation PROBE"
    failures=$((failures + 1))
  elif ! grep -qi "probe" "$work/log"; then
    echo "$file: the error does not name the operation" && head -5 "$work/log"
    failures=$((failures + 1))
  fi
done
[ $failures -eq 0 ] && echo "an operation without its function does not build: 7 cases"
exit $((failures != 0))
