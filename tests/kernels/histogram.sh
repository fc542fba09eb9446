#!/bin/sh
# Writes histogram.txt: how often each opcode with its modifiers occurs in the committed PTX, by maker,
# and in how many kernels; then special registers and directives. histogram.sh > histogram.txt
set -eu
cd "$(dirname "$0")"
LC_ALL=C
export LC_ALL

# One statement per line: no comments, no debug sections, vector and list braces folded.
statements() {
  sed -e 's,//.*,,' -e 's/"[^"]*"/"s"/g' "$1" | awk '
    /^[ \t]*\.section/ { skipping = 1 }
    skipping { if ($0 ~ /}/) { skipping = 0 } next }
    { gsub(/=[ \t]*\{[^{}]*\}/, "= LIST"); gsub(/\{[^{}]*\}/, "VECTOR")
      text = text " " $0
      if ($0 ~ /^[ \t]*\.(loc|file|version|target|address_size)/) { text = text ";" } }
    END { gsub(/[;{}]/, "\n", text); print text }' |
    sed -e 's/[ \t][ \t]*/ /g' -e 's/^ //' -e ':label' -e 's/^[A-Za-z_$%][A-Za-z0-9_$]*: *//' \
      -e 't label' -e 's/^@!*%*[A-Za-z0-9_$]* *//' -e '/^$/d'
}

for file in */*.ptx; do
  maker=${file%.ptx}
  maker=${maker##*.}
  statements "$file" | awk -v maker="$maker" -v kernel="${file%%/*}" '
    $1 !~ /^\./ && $1 != ")" { print "op", $1, maker, kernel }
    $1 ~ /^\./ { print "dir", ($2 ~ /^\./ ? $1 "_" $2 : $1), maker, kernel }
    { line = $0
      while (match(line, /%[a-z_]+[0-9]*(\.[xyz])?/)) {
        name = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (name ~ /^%(n?tid|n?ctaid)\.[xyz]$|^%(laneid|warpid|nwarpid|lanemask_[a-z]+|clock|clock64|smid|nsmid|gridid)$/) {
          print "reg", name, maker, kernel
        }
      } }'
done | awk '
  { kind = $1 == "op" ? "1 opcode" : $1 == "reg" ? "2 special register" : "3 directive"
    name = $2; sub(/_\./, " .", name); maker = $3; kernel = $4 }
  { key = kind "\t" name
    total[key]++
    count[key, maker]++
    if (!((key, kernel) in seen)) { seen[key, kernel] = 1; kernels[key]++ } }
  END {
    for (key in total) {
      printf "%s\t%d\t%d\t%d\t%d\t%d\t%d\n", key, total[key], kernels[key],
        count[key, "nvcc"] + count[key, "nvcc_lineinfo"] + count[key, "nvcc_sm90"] + count[key, "nvcc_sm100"],
        count[key, "nvcc_g"], count[key, "clang"], count[key, "hand"]
    } }' | sort -t "$(printf '\t')" -k1,1 -k3,3nr -k2,2 | sed 's/^[1-3] //' | awk -F '\t' '
  $1 != last { if (last != "") { print "" }
    printf "%-34s %6s %7s %6s %6s %6s %6s\n", $1, "total", "kernels", "nvcc", "-G", "clang", "hand"; last = $1 }
  { printf "%-34s %6d %7d %6d %6d %6d %6d\n", $2, $3, $4, $5, $6, $7, $8 }'
