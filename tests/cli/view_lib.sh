# Shared by the tests of the pipeline view; to be sourced behind lib.sh.
# has FILE TEXT: a line of the file is or starts with TEXT.
has() {
  tests=$((tests + 1))
  grep -q "^$2" "$1" || fail "$1: expected '$2', got: $(grep -E "^${2%%:*}" "$1" | head -1)"
}

# number NAME: of the run's JSON result.
number() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" result.json | head -1; }

# sums FILE WARPS [SUB-CORES]: the lines against the table at the end and against the run's own result.
sums() {
  tests=$((tests + 1))
  awk -v warps="$2" -v subs="${3:-1}" -v cycles="$(number cycles)" -v issued="$(number warp_instructions)" '
    function bad(text) { print FILENAME ": " text; errors++ }
    /configuration tiny/ { ahead = 1 } # IssueAhead
    /^#/ { next }
    /^cycles per warp/ { table = 1; getline; for (i = 2; i <= NF; i++) name[i] = $i; next }
    table {
      row = 0
      for (i = 2; i <= NF; i++) {
        row += $i
        key = $1 == "all" ? name[i] : $1 " " name[i]
        if ($i != seen[key] + 0)
          bad("warp " $1 ", " name[i] ": table " $i ", lines " seen[key] + 0)
      }
      rows++
      if (row != ($1 == "all" ? cycles * warps : cycles))
        bad("warp " $1 ": reasons add up to " row ", the run has " cycles " cycles")
      next
    }
    $2 ~ /^[0-9]+x$/ {
      times = substr($2, 1, length($2) - 1)
      if ($1 != next_cycle + 0) bad("line of cycle " $1 ", expected " next_cycle + 0)
      next_cycle = $1 + times
      split("", here); split("", lost); split("", chosen)
      for (w = 0; w < warps; w++) {
        cell = substr($0, 21 + 17 * w, 16)
        sub(/ +$/, "", cell)
        if (cell ~ /^[0-9]+ [a-z]/) { cell = "issued"; here[w % subs]++ }
        if (cell == "arb") lost[w % subs]++
        # The warp chosen before it issues.
        if (ahead && cell ~ /^(slots|wb|held)$/) chosen[w % subs]++
        seen[w " " cell] += times
        seen[cell] += times
      }
      for (k = 0; k < subs; k++) {
        if (here[k] > 1 || (here[k] == 1 && times != 1))
          bad("cycle " $1 ": " here[k] " issues, " $2)
        if (lost[k] > 0 && here[k] + chosen[k] == 0)
          bad("cycle " $1 ": lost arbitration without an issue")
      }
    }
    END {
      if (next_cycle != cycles) bad("lines for " next_cycle " cycles, the run has " cycles)
      if (seen["issued"] != issued) bad(seen["issued"] " issues, the run has " issued)
      if (rows != warps + 1) bad(rows " rows in the table")
      exit errors > 0
    }' "$1" || fail "sums of $1 are wrong"
}
