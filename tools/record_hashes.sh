#!/bin/bash
# Usage: tools/record_hashes.sh BUILD [OPTION...]
# Runs the smoke cases of the kernel corpus on the model and compares the hashes of its records, by
# kind, with tests/hashes/records.txt (README.md there). The table that was made stays in
# BUILD/tests/hashes/records.txt. Exit status 1: something differs that may not, or a kernel failed.
#   --write               the table becomes the committed one, unless something differs that may not
#   --compare OLD         with another table, for instance <(git show HEAD^:tests/hashes/records.txt)
#   --may-change K,..     kinds whose words may change, but neither number nor cycles: FETCH,PACKET;
#                         or kinds that are new, which the old table does not have
#   --may-change-config C,..   configurations that may change, except the final memory of exact kernels
#   --cycles              also a table of cycles before and after
#   --all                 every line that differs; else 20
#   --kernel K,.. --config C,..   only these
#   --new TABLE           compares this table in place of a new one
#   --program P           runs this in place of BUILD/tests/hashes/wl_record_hashes
set -euo pipefail
usage() {
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
}
fail() {
  echo "record hashes: $1" >&2
  exit 2
}
[ "${1:-}" != --help ] || { usage; exit 0; }
[ $# -ge 1 ] && [ "${1#-}" = "$1" ] || { usage >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
build=$1
shift
committed=$root/tests/hashes/records.txt
old=$committed new='' write='' kinds='' configs='' only_kernels='' only_configs='' cycles=0 all=0
program=$build/tests/hashes/wl_record_hashes
while [ $# -gt 0 ]; do
  case $1 in
    --write) write=1 ;;
    --cycles) cycles=1 ;;
    --all) all=1 ;;
    --compare | --may-change | --may-change-config | --kernel | --config | --new | --program)
      [ $# -ge 2 ] || fail "$1 needs a value"
      case $1 in
        --compare) old=$2 ;;
        --may-change) kinds=$2 ;;
        --may-change-config) configs=$2 ;;
        --kernel) only_kernels=$2 ;;
        --config) only_configs=$2 ;;
        --new) new=$2 ;;
        --program) program=$2 ;;
      esac
      shift ;;
    *) fail "unknown option $1 (--help lists them)" ;;
  esac
  shift
done
for kind in ${kinds//,/ }; do
  grep -q "^JOURNAL($kind," "$root/isa/def/journal.def" || fail "no kind $kind in isa/def/journal.def"
done
[ -z "$write" ] || [ -z "$only_kernels$only_configs$new" ] || fail "--write needs the whole table"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# On which commit; the table of a commit is made before it, so its own changes count as such.
commit() {
  local head
  head=$(git -C "$root" rev-parse --short=12 HEAD 2>/dev/null) || { echo "an unknown commit"; return; }
  git -C "$root" diff --quiet HEAD -- isa cmodel driver tests/kernels 2>/dev/null ||
    head+=" with the changes that came with this table"
  echo "commit $head"
}
make_table() (
  cd "$root"
  echo "# Hashes of the model's records on $(commit)."
  echo "# Made by tools/record_hashes.sh --write; what the columns are: README.md."
  for config in tiny tiny4 base full; do
    [[ -z $only_configs || ,$only_configs, == *,$config,* ]] || continue
    for seed in 1 2; do
      disturb=none
      [ $seed -eq 1 ] || disturb=light
      "$program" --backend model --config $config --seed $seed --disturb $disturb --tier smoke \
        --ptx nvcc,clang,hand --kernel "${only_kernels:-all}" --runs "$work/runs" >"$work/log" ||
        { cat "$work/log" >&2; exit 1; }
      sed 's/ *$//' "$work/runs"
    done
  done
)
if [ -z "$new" ]; then
  [ -x "$program" ] || fail "no program $program (cmake --build $build --target wl_record_hashes)"
  program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
  new=$work/table
  make_table >"$new" || { echo "record hashes: a kernel failed" >&2; exit 1; }
  mkdir -p "$build/tests/hashes"
  cp "$new" "$build/tests/hashes/records.txt"
fi
[ -n "$write" ] && [ ! -e "$old" ] && : >"$work/none" && old=$work/none
[ -r "$old" ] || fail "cannot read $old"
[ -r "$new" ] || fail "cannot read $new"
rc=0
awk -v kinds="$kinds" -v configs="$configs" -v only_kernels="$only_kernels" \
  -v only_configs="$only_configs" -v cycles=$cycles -v all=$all -v most=20 \
  -f "$root/tools/record_hashes.awk" side=old "$old" side=new "$new" || rc=$?
# Without a rule of what may change, all may.
if [ -n "$write" ] && { [ $rc -eq 0 ] || { [ $rc -eq 1 ] && [ -z "$kinds$configs" ]; }; }; then
  cp "$new" "$committed.new"
  mv "$committed.new" "$committed"
  echo "record hashes: wrote tests/hashes/records.txt"
  rc=0
elif [ $rc -eq 1 ]; then
  echo "record hashes: tests/hashes/README.md says what this means" >&2
fi
exit $rc
