# Prints README's tables of refused PTX from isa/def/ptx_op.def (rows with status U, opcodes without
# forms) and from the refusals in the sources of isa/ptx and isa/lower, given behind it.
function text(s) { gsub(/\|/, "/", s); return s }
function chapter(clause,   part) { split(clause, part, "."); return part[1] "." part[2] "." part[3] }
FILENAME ~ /ptx_op.def$/ && /^WL_PTX_OP\(/ {
  split($0, field, "\""); split(field[1], a, /[(,]/)
  id = a[2]; name[id] = field[2]; clause[id] = field[4]; order[++ops] = id
}
FILENAME ~ /ptx_op.def$/ && /^WL_PTX_FORM\(/ {
  split($0, field, "\""); split(field[1], a, /[(,] */)
  if (a[3] == "S") supported[a[2]]++
  else if (!listed[a[2], field[4]]++) # forms that differ in their operands only: once
    forms[a[2]] = forms[a[2]] (forms[a[2]] == "" ? "" : ", ") "`" text(field[4]) "`"
}
FILENAME !~ /ptx_op.def$/ { source = source $0 " " }
# Each call of a refusing function: its clause and its sentence are its first and last strings.
function refusals(   call, part, n, i, what) {
  while (match(source, /(wl_not_yet|wl_px_unsupported)\([^;]*;/)) {
    call = substr(source, RSTART, RLENGTH)
    source = substr(source, RSTART + RLENGTH)
    n = split(call, part, "\"")
    if (n < 2) continue
    what = part[n - 1]
    sub(/ (is|are) not implemented$/, "", what)
    gsub(/%\.[0-9*]*s/, "*", what); gsub(/%l*[du]/, "N", what)
    line = "| " (part[2] ~ /^[0-9]+\./ ? part[2] : "its own") " | " text(what) " |"
    if (!(line in printed) && what != "") print line
    printed[line] = 1
  }
}
END {
  print "Opcodes without any form (from `isa/def/ptx_op.def`):\n\n| clause | opcodes |\n|---|---|"
  for (i = 1; i <= ops; i++) {
    id = order[i]
    if (supported[id]) continue
    c = chapter(clause[id])
    if (!(c in none)) chapters[++count] = c
    none[c] = none[c] (none[c] == "" ? "" : ", ") name[id]
  }
  for (i = 1; i <= count; i++) print "| " chapters[i] " | " none[chapters[i]] " |"
  print "\nForms of supported opcodes (`A/B`: one of them, `{A}`: with or without):\n\n| opcode | forms |\n|---|---|"
  for (i = 1; i <= ops; i++) {
    id = order[i]
    if (supported[id] && forms[id] != "") print "| " name[id] " | " forms[id] " |"
  }
  print "\nOther refusals, by the front end and by instruction selection:\n\n| clause | what |\n|---|---|"
  print "| 9.7.3, 9.7.4 | arithmetic, comparison and conversion of f64 and f16 (moves, loads, stores, selp work) |"
  print "| 9.7.3 | sin, cos, ex2, lg2, tanh |"
  refusals()
}
