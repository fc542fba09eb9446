# Sourced: logs of the model for outside/replay.c, which prepares the same x and y. Needs $program
# (warplock) and saxpy.ptx in this folder.
# The bytes of x = i / 2 and y = i, i < 100, little-endian float.
awk 'function f(v, e, m) { if (v == 0) return "0 0 0 0"; e = 127; m = v
       while (m >= 2) { m /= 2; e++ } while (m < 1) { m *= 2; e-- }
       m = int((m - 1) * 8388608); return (m % 256) " " (int(m / 256) % 256) " " \
         (int(m / 65536) + 128 * (e % 2)) " " int(e / 2) }
     BEGIN { for (i = 0; i < 100; i++) { print f(i / 2) > "x"; print f(i) > "y" } }'
for file in x y; do
  while read -r a b c d; do
    printf "$(printf '\\%03o\\%03o\\%03o\\%03o' "$a" "$b" "$c" "$d")"
  done <$file >$file.bin
done
# record LEVEL: a run of the model with this disturbance, its records as LEVEL.log
record() {
  "$program" run saxpy.ptx --backend model --config tiny --grid 4 --block 32 --seed 3 \
    --disturb "$1" --log "$1.log" --arg f32:2.0 --arg in:x.bin --arg inout:y.bin:o.bin \
    --arg u32:100 >/dev/null || exit 1
}
# The cycle and the warp of the N-th (from 0) record of a kind in a log.
nth() { awk -v kind="$2" -v n="$3" '$2 == kind && n-- == 0 { print $1, $4 }' "$1.log"; }

