#!/bin/sh
# Usage: decode_table_pkg.sh ROOT BUILD      (SystemVerilog on standard output)
# The legal words of docs/microarchitecture.md 2 straight from isa/def: for each form the bits that
# must be zero, its operands' words and its predicates. Deliberately not made by the generator that
# makes the decoder's tables.
exec awk -F'[(),]' '
BEGIN { forms = 0 }
function trim(s) { gsub(/^[ \t"]+|[ \t"]+$/, "", s); return s }
# Codes of numbers of words (docs/microarchitecture.md 2).
function code(n) { return n == "N" ? 6 : n == 16 ? 5 : n == 8 ? 3 : n + 0 }
function set(low, width,   i) { for (i = low; i < low + width; i++) used[i] = 1 }
function field(name) {
  if (!(name in low)) { print "no field " name >"/dev/stderr"; exit 1 }
  set(low[name], width[name])
}
FILENAME ~ /word.def$/ && /^FIELD\(/ { low[trim($3)] = $4 + 0; width[trim($3)] = $5 + 0 }
FILENAME ~ /shape.def$/ && /^SHAPE\(/ {
  s = trim($2)
  for (i = 0; i < 4; i++) words[s, i] = code(trim($(3 + i)))
  imm[s] = trim($8); preds[s] = trim($9); steps[s] = trim($10)
}
FILENAME ~ /mods.def$/ && /^MODS\(/ { mods[trim($3)] = trim($4) }
FILENAME ~ /unit.def$/ && /^UNIT\(/ { option[trim($2)] = trim($17) }
# Units and kinds of matrices that a configuration may lack. The forms of the probe are not in the table.
FILENAME ~ /unit.def$/ && /^MATRIX\(/ { matrix[trim($2)] = trim($6) }
# Fields and shapes that a configuration may lack.
FILENAME ~ /unit.def$/ && /^NEEDS\(/ { lacks[trim($2)] = trim($3) }
FILENAME ~ /insn.def$/ && /^(MEM)?INSN\(/ {
  id = $2 + 0
  needs = /^MEM/ ? (matrix[trim($8)] == "MatrixBytes" ? "MatrixBytes" : "none") : option[trim($4)]
  if (needs == "Probe") next
  known[id] = needs == "none" ? "" : "1'"'"'(config_pkg::" needs ")"
  at = /^MEM/ ? 9 : 6
  shape_of[id] = trim($at); mods_of[id] = trim($(at + 1))
  if (shape_of[id] in lacks) known[id] = known[id] (known[id] != "" ? " & " : "") "1'"'"'(config_pkg::" lacks[shape_of[id]] ")"
  n = split(mods[mods_of[id]], m, " ")
  for (i = 1; i <= n; i++)
    if (m[i] in lacks) known[id] = known[id] (known[id] != "" ? " & " : "") "1'"'"'(config_pkg::" lacks[m[i]] ")"
  if (!((trim($at), 0) in words) || !(trim($(at + 1)) in mods)) { print "row " $0 >"/dev/stderr"; exit 1 }
  if (id >= forms) forms = id + 1
}
FILENAME ~ /insn.def$/ && /^CVTINSN\(/ {
  id = $2 + 0
  shape_of[id] = trim($7); mods_of[id] = trim($8)
  if (!((trim($7), 0) in words) || !(trim($8) in mods)) { print "row " $0 >"/dev/stderr"; exit 1 }
  if (id >= forms) forms = id + 1
}
FILENAME ~ /insn.def$/ && /^FPINSN\(/ {
  n = split(trim($7), shapes, " ")
  if (!(trim($8) in mods)) { print "row " $0 >"/dev/stderr"; exit 1 }
  for (i = 1; i <= n; i++) {
    id = $2 + i - 1
    shape_of[id] = shapes[i]; mods_of[id] = trim($8)
    if (!((shapes[i], 0) in words)) { print "row " $0 >"/dev/stderr"; exit 1 }
    if (id >= forms) forms = id + 1
  }
}
END {
  print "// Made from isa/def for the decode proof; not the decoder'"'"'s own tables."
  print "package decode_table_pkg;"
  print "  localparam int unsigned Forms = " forms ";"
  # The last form that the configuration has.
  last = ""
  for (f = forms - 1; !(f in shape_of) || known[f] != ""; f--)
    if (f in shape_of) last = last "(" known[f] ") ? " f " : "
  print "  localparam int unsigned Last = " last f ";"
  print "  typedef struct packed {"
  print "    logic known;"
  print "    logic [127:0] mbz;"
  print "    logic [3:0][2:0] words;  // d, a, b, c from the right"
  print "    logic [3:0] preds;       // d, q, s, t from the right"
  print "  } row_t;"
  print "  function automatic row_t row(input logic [12:0] form);"
  print "    unique case (form)"
  for (f = 0; f < forms; f++) {
    if (!(f in shape_of)) continue
    s = shape_of[f]
    split("", used)
    field("form"); field("guard"); field("guard_neg")
    if (words[s, 0] > 0) field("rd")
    if (words[s, 1] > 0) field("ra")
    if (words[s, 2] > 0) field("rb")
    if (words[s, 3] > 0) field("rc")
    p = 0
    for (i = 1; i <= length(preds[s]); i++) {
      l = substr(preds[s], i, 1)
      field("p" l)
      if (l == "s" || l == "t") field("p" l "_neg")
      p += 2 ^ (index("dqst", l) - 1)
    }
    k = imm[s]
    if (k == "T") set(low["imm"], 28)
    else if (k == "S" || k == "X") set(low["imm"], 8)
    else if (k == "N") set(low["imm"], 7)
    else if (k == "L") set(low["imm"], 16)
    else if (k == "G") { set(low["imm"], 4); set(low["imm"] + 8, 6) }
    else if (k != "NONE") field("imm")
    n = split(mods[mods_of[f]], m, " ")
    for (i = 1; i <= n; i++) field(m[i])
    mask = ""
    for (i = 127; i >= 0; i--) mask = mask ((i in used) ? "0" : "1") (i % 16 == 0 && i ? "_" : "")
    printf "      13'"'"'d%d: return {%s, 128'"'"'b%s, 3'"'"'d%d, 3'"'"'d%d, 3'"'"'d%d, 3'"'"'d%d, 4'"'"'d%d};\n", \
      f, known[f] != "" ? known[f] : "1'"'"'b1", mask, words[s, 3], words[s, 2], words[s, 1], words[s, 0], p
  }
  print "      default: return '"'"'0;"
  print "    endcase"
  print "  endfunction"
  print "endpackage"
}' "$1/isa/def/unit.def" "$1/isa/def/word.def" "$1/isa/def/shape.def" "$1/isa/def/mods.def" "$1/isa/def/insn.def"
