# Compares two tables of tests/hashes (README.md there): awk -v ... -f record_hashes.awk side=old OLD side=new NEW
# kinds, configs: what may differ. A kind that no line of OLD has is a new record: it may be anything. only_kernels, only_configs: which lines count. all=1: every line is
# printed, else `most`. cycles=1: also a table of cycles. Exit status 1: something differs that may not.
function listed(list, name) { return index("," list ",", "," name ",") > 0 }
function wanted(list, name) { return list == "" || listed(list, name) }
function fail(text) { print "record hashes: " text >"/dev/stderr"; bad = 1; exit 2 }

# One difference of the line under way.
function differs(text, allowed) {
  differences++
  if (!allowed) wrong++
  if (all || !allowed) told = told (told == "" ? "" : ", ") text
}

# The records of a line by kind: number, cycles, words. Hashes are texts: 12e4 is no number here.
function split_kinds(side, first, n, field,    i, part) {
  for (i = first; i <= n; i++) {
    split(field[i], part, ":")
    has[side, part[1]] = 1; count[side, part[1]] = part[2]
    when[side, part[1]] = part[3]; words[side, part[1]] = part[4]
    if (!(part[1] in in_line)) { in_line[part[1]] = 1; name[++names] = part[1] }
  }
}

function compare_kind(k, config_allowed,    old, new) {
  old = (("old", k) in has) ? count["old", k] : 0
  new = (("new", k) in has) ? count["new", k] : 0
  if (!(k in known)) { known[k] = 1; kind_order[++kinds_seen] = k }
  if (when["old", k] "" != when["new", k] "" || old != new) {
    moved[k]++
    differs(k " " (old != new ? old " -> " new " records" : "other cycles"),
      config_allowed || (listed(kinds, k) && !(k in old_kind)))
  } else if (words["old", k] "" != words["new", k] "") {
    reworded[k]++
    differs(k " words", config_allowed || listed(kinds, k))
  }
}

function compare_value(what, a, b, allowed) {
  if (a "" == b "") return
  changed[what]++
  differs(what " " a " -> " b, allowed)
}

function compare_lines(key,    a, b, na, nb, i, may) {
  na = split(line["old", key], a, " ")
  nb = split(line["new", key], b, " ")
  may = listed(configs, a[4])
  compare_value("outcome", a[7], b[7], may)
  if (a[7] != b[7]) return
  sum_cycles(a[4], a[1], a[8], b[8])
  compare_value("cycles", a[8], b[8], may)
  compare_value("instructions", a[9], b[9], may)
  compare_value(a[10] == "exact" ? "exact memory" : "memory", a[11], b[11], may && a[10] != "exact")
  split("", has); split("", count); split("", when); split("", words); split("", in_line)
  names = 0
  split_kinds("old", 12, na, a)
  split_kinds("new", 12, nb, b)
  for (i = 1; i <= names; i++) compare_kind(name[i], may)
}

function sum_cycles(config, kernel, before, after,    at) {
  at = config " " kernel
  if (!(at in cycles_before)) cycle_order[++cycle_rows] = at
  cycles_before[at] += before; cycles_after[at] += after
  cycles_before[config] += before; cycles_after[config] += after
}

function print_cycles(    i, part, at, config) {
  print "| configuration | kernel | cycles before | after | change |\n|---|---|---|---|---|"
  for (i = 1; i <= cycle_rows; i++) {
    at = cycle_order[i]; split(at, part, " ")
    if (cycles_before[at] != cycles_after[at]) print_row(part[1], part[2], at)
  }
  for (i = 1; i <= configs_seen; i++)
    print_row(config_order[i], "all", config_order[i])
}
function print_row(config, kernel, at) {
  if (cycles_before[at] > 0)
    printf "| %s | %s | %d | %d | %+.2f %% |\n", config, kernel, cycles_before[at], cycles_after[at],
      100 * (cycles_after[at] / cycles_before[at] - 1)
}

function tell(key, text, wrong_line) {
  if (wrong_line) wrong_lines++
  if (text == "") return
  if (all || printed < most) print key ": " text
  printed++
}

/^#/ || NF == 0 { next }
NF < 11 { fail(FILENAME ":" FNR ": not a line of such a table") }
!wanted(only_kernels, $1) || !wanted(only_configs, $4) { next }
{
  key = $1 " " $2 " " $3 " " $4 " seed " $5 " " $6
  if ((side, key) in line) fail(FILENAME ":" FNR ": the line of " key " is there twice")
  line[side, key] = $0
  lines[side]++
  if (side == "old")
    for (i = 12; i <= NF; i++) { split($i, part, ":"); old_kind[part[1]] = 1 }
  if (!(key in seen)) { seen[key] = $4; order[++keys] = key }
  if (!($4 in config_seen)) { config_seen[$4] = 1; config_order[++configs_seen] = $4 }
}

END {
  if (bad) exit 2
  if (lines["new"] == 0) fail("no line is left to compare")
  n = split(configs, part, ",")
  for (i = 1; i <= n; i++) if (!(part[i] in config_seen)) fail("no line has the configuration " part[i])
  for (i = 1; i <= keys; i++) {
    key = order[i]; told = ""; differences = 0; wrong = 0
    if (!(("new", key) in line)) { lost++; differs("the line is gone", 0) }
    else if (!(("old", key) in line)) { added++; differs("the line is new", 0) }
    else compare_lines(key)
    if (differences) { differing++; by_config[seen[key]]++ }
    tell(key, told, wrong > 0)
  }
  if (!all && printed > most) print "... and " printed - most " more lines (--all prints them)"
  if (cycles) print_cycles()
  summary()
  exit wrong_lines > 0
}

function summary(    i, k, text) {
  printf "record hashes: %d lines, %d differ", keys, differing
  print kinds configs != "" ? sprintf(", %d in what may not change", wrong_lines) : ""
  if (!differing) return
  for (i = 1; i <= kinds_seen; i++) {
    k = kind_order[i]
    if (moved[k] || reworded[k])
      text = text (text == "" ? "" : "; ") k ":" (reworded[k] ? " only words in " reworded[k] : "") \
        (moved[k] && reworded[k] ? "," : "") (moved[k] ? " number or cycles in " moved[k] : "")
  }
  print "  kinds (in how many lines): " (text != "" ? text : "none")
  text = ""
  for (i = 1; i <= configs_seen; i++)
    if (by_config[config_order[i]]) text = text " " config_order[i] " " by_config[config_order[i]]
  print "  configurations:" text
  text = ""
  n = split("outcome,cycles,instructions,exact memory,memory", part, ",")
  for (i = 1; i <= n; i++) if (changed[part[i]]) text = text "; " part[i] " " changed[part[i]]
  if (lost) text = text "; lines gone " lost
  if (added) text = text "; new lines " added
  print "  beside records: " (text != "" ? substr(text, 3) : "nothing")
}
