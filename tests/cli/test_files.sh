#!/bin/bash
# Files of one run that are the same file, and outputs that cannot be written: exit code 2 before the run,
# nothing written, no input changed (docs/architecture.md 7).  test_files.sh WARPLOCK MAKE_OBJECTS
# shellcheck source-path=SCRIPTDIR
warplock=$1
make_objects=$2
. "$(dirname "$0")/lib.sh"
"$make_objects" . || exit 1
head -c 20 /dev/zero | tr '\0' '\1' >a.in
cp a.in b.in
cp a.in want.bin
mkdir sub
ln -s . here
V=(run vecadd.wlo --grid 1 --block 32)
IN=(--arg in:a.in --arg in:b.in)
N=(--arg s32:5)

# refuse TEXT ARGUMENT...: exit 2 with TEXT; no file appears, none changes.
refuse() {
  find . ! -name got.txt ! -name before.txt -type f -exec cksum {} + | sort >before.txt
  want 2 "$@"
  tests=$((tests + 1))
  find . ! -name got.txt ! -name before.txt -type f -exec cksum {} + | sort | cmp -s - before.txt ||
    fail "warplock ${*:2}: a file changed"
}
both='give each output a name of its own'
input='would overwrite the input'

# ---- two outputs
refuse "--arg 0: out:8:F and --arg 1: out:8:F are one file: $both" "${V[@]}" --arg out:8:F --arg out:8:F --arg zero:20 "${N[@]}"
for second in F ./F sub/../F here/F "$PWD/F"; do
  refuse "$both" "${V[@]}" --arg out:20:F --arg "out:20:$second" --arg zero:20 "${N[@]}"
  refuse "$both" "${V[@]}" --arg out:20:F --arg "inout:a.in:$second" --arg zero:20 "${N[@]}"
  for option in --json --log --dump-state --pipeview --rpx; do
    refuse "--arg 2: out:20:F and $option $second are one file: $both" "${V[@]}" "${IN[@]}" --arg out:20:F "${N[@]}" $option "$second"
  done
done
options=(--json --log --dump-state --pipeview --rpx)
for i in 0 1 2 3 4; do
  for j in 0 1 2 3 4; do
    [ $i = $j ] || refuse "$both" "${V[@]}" "${IN[@]}" --arg zero:20 "${N[@]}" "${options[i]}" F "${options[j]}" ./F
  done
  refuse "$both" "${V[@]}" "${IN[@]}" --arg zero:20 "${N[@]}" --backend model --trace w.vcd "${options[i]}" w.vcd
  refuse "the save file of --trace, w.gtkw" "${V[@]}" "${IN[@]}" --arg zero:20 "${N[@]}" --backend model --trace w.vcd "${options[i]}" w.gtkw
done
P=(run params.wlo --grid 1 --block 8 --arg u8:1 --arg s16:1 --arg f32:1.5 --arg f64:-2 --arg bytes:00112233445566778899aabbccddeeff)
refuse "--arg 0: out:32:F and --symbol table: out:4:F are one file" run params.wlo --grid 1 --block 8 --arg out:32:F "${P[@]:6}" --symbol table=out:4:F
# What is there already: a hard link, a link, a link to nothing yet.
echo old >there
ln there hard
ln -s there soft
ln -s later loose
for second in hard soft; do
  refuse "$both" "${V[@]}" --arg out:20:there --arg "out:20:$second" --arg zero:20 "${N[@]}"
done
refuse "$both" "${V[@]}" --arg out:20:later --arg out:20:loose --arg zero:20 "${N[@]}"

# ---- an output that is an input
for f in a.in ./a.in here/a.in; do
  refuse "--arg 2: out:20:$f $input --arg 0: in:a.in: give" "${V[@]}" "${IN[@]}" --arg "out:20:$f" "${N[@]}"
  for option in "${options[@]}"; do
    refuse "$option $f $input --arg 0: in:a.in: give" "${V[@]}" "${IN[@]}" --arg zero:20 "${N[@]}" "$option" "$f"
  done
done
refuse "--arg 2: out:20:vecadd.wlo $input vecadd.wlo" "${V[@]}" "${IN[@]}" --arg out:20:vecadd.wlo "${N[@]}"
refuse "--log here/vecadd.wlo $input vecadd.wlo" "${V[@]}" "${IN[@]}" --arg zero:20 "${N[@]}" --log here/vecadd.wlo
refuse "--arg 2: out:20:want.bin $input --expect 2=want.bin" "${V[@]}" "${IN[@]}" --arg out:20:want.bin "${N[@]}" --expect 2=want.bin
refuse "--arg 1: inout:b.in:a.in $input --arg 0: in:a.in" "${V[@]}" --arg in:a.in --arg inout:b.in:a.in --arg zero:20 "${N[@]}"

# ---- what cannot be written
: >file
for bad in none/F file/F; do
  why='No such file or directory'
  [ $bad = none/F ] || why='Not a directory'
  refuse "cannot write $bad: $why" "${V[@]}" "${IN[@]}" --arg out:20:$bad "${N[@]}"
  for option in "${options[@]}"; do
    refuse "cannot write $bad: $why" "${V[@]}" "${IN[@]}" --arg zero:20 "${N[@]}" "$option" $bad
  done
  refuse "cannot write $bad.vcd: $why" "${V[@]}" "${IN[@]}" --arg zero:20 "${N[@]}" --backend model --trace $bad.vcd
done
refuse "cannot write sub: not a regular file" "${V[@]}" "${IN[@]}" --arg zero:20 "${N[@]}" --rpx sub
if [ "$(id -u)" != 0 ]; then
  mkdir closed && chmod 555 closed
  refuse "cannot write closed/F: Permission denied" "${V[@]}" "${IN[@]}" --arg out:20:closed/F "${N[@]}"
  refuse "cannot write closed/F: Permission denied" "${V[@]}" "${IN[@]}" --arg zero:20 "${N[@]}" --rpx closed/F
else # who may write everywhere, but not there
  refuse "cannot write /proc/F" "${V[@]}" "${IN[@]}" --arg out:20:/proc/F "${N[@]}"
  refuse "cannot write /proc/F" "${V[@]}" "${IN[@]}" --arg zero:20 "${N[@]}" --rpx /proc/F
fi

# ---- warplock as, replay
if "$warplock" as --check /dev/null 2>&1 | grep -q 'not built'; then
  :
else
  cat >k.ptx <<'END'
.version 7.0
.target sm_80
.address_size 64
.visible .entry k() { ret; }
END
  cp k.ptx k.s
  refuse "k.ptx (the object of k.ptx) $input k.ptx" as k.ptx -o k.ptx
  refuse "here/k.ptx (the object of k.ptx) $input k.ptx" as k.ptx -o here/k.ptx
  refuse "k.wlo (the object of k.ptx) and k.wlo (the object of k.s) are one file: $both" as k.ptx k.s
  refuse "--json k.wlo and k.wlo (the object of k.ptx) are one file" as k.ptx --json k.wlo
  refuse "--json k.ptx $input k.ptx" as --check k.ptx --json k.ptx
  cp k.ptx k.wlo
  refuse "k.wlo (the object of k.wlo) $input k.wlo" as k.wlo
  rm k.wlo
  want 0 "" as k.ptx -o K.wlo
fi
echo nothing >k.rpx
for option in --log --pipeview --shrink; do
  refuse "$option here/k.rpx $input k.rpx" replay k.rpx $option here/k.rpx
done
refuse "--log F and --pipeview ./F are one file" replay k.rpx --log F --pipeview ./F

# ---- what is no mistake
want 0 "vecadd on func" "${V[@]}" "${IN[@]}" --arg out:20:F "${N[@]}" --json G
want 0 "vecadd on func" "${V[@]}" --arg in:a.in --arg in:a.in --arg out:20:F "${N[@]}" # read twice, written again
want 0 "vecadd on func" "${V[@]}" --arg in:b.in --arg in:b.in --arg inout:a.in:./a.in "${N[@]}" # in place, as said
want 0 "vecadd on func" "${V[@]}" "${IN[@]}" --arg out:20:/dev/null "${N[@]}" --json /dev/null
want 0 "vecadd on func" "${V[@]}" "${IN[@]}" --arg out:20:sub/F "${N[@]}" --json F
want 0 "vecadd on func" "${V[@]}" "${IN[@]}" --arg zero:20 "${N[@]}" --log - --json -
want 0 "vecadd on func" "${V[@]}" "${IN[@]}" --arg zero:20 "${N[@]}" --rpx -

echo "$tests tests, $failures failures"
[ "$failures" -eq 0 ]
