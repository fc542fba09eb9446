# Reads ctest's JUnit file; prints the failed and skipped tests and "N passed, N failed, N skipped".
# ctest also writes <skipped> for a test whose program is missing: that one has failed.
function attribute(line, name,   at, rest) {
  at = index(line, " " name "=\"")
  if (at == 0) return ""
  rest = substr(line, at + length(name) + 3)
  return substr(rest, 1, index(rest, "\"") - 1)
}
function plain(text) {
  gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text)
  gsub(/&apos;/, "'", text); gsub(/&amp;/, "\\&", text)
  return text
}
/^\t*<testcase / { name = plain(attribute($0, "name")); status = attribute($0, "status")
                   skipped = 0; reason = ""; inside = 1 }
inside && /<skipped message="SKIP_/ { skipped = 1 }
inside && reason == "" && match($0, /SKIP: /) {
  reason = plain(substr($0, RSTART + 6)); sub(/<\/system-out>.*/, "", reason)
}
/<\/testcase>/ {
  inside = 0
  if (status == "run") passed++
  else if (skipped || status == "disabled") {
    if (reason == "") reason = (status == "disabled") ? "disabled" : "no reason given"
    skips[++nskipped] = name ": " reason
  } else failures[++nfailed] = name (status == "notrun" ? " (program missing)" : "")
}
END {
  print ""
  for (i = 1; i <= nskipped; i++) print "skipped " skips[i]
  for (i = 1; i <= nfailed; i++) print "failed  " failures[i]
  printf "%d passed, %d failed, %d skipped\n", passed, nfailed, nskipped
  exit (nfailed > 0 || passed + nskipped == 0) ? 1 : 0
}
