#!/bin/bash
# Usage: tools/formal.sh BUILD [--bugs] [--force] [--list] [UNIT | UNIT/JOB]...
# Proves properties of the RTL with SymbiYosys: the jobs of tests/formal/UNIT/UNIT.sby, all if none is
# named (docs/formal.md tells how a job file looks). Of each job two tasks run: `check` (the proof)
# and `cover` (every cover statement is reached, so that no proof rests on assumptions that
# contradict each other). One line for each job, then "N proved, N failed". A job whose sources are
# those of its last success is not run again. A failed one leaves BUILD/formal/UNIT.JOB.
#   --bugs    plants tests/formal/UNIT/bug_*.patch one by one: the check of the job named in each
#             patch ("job: NAME", before the first "---") has to find a counterexample
#   --force   runs also what has succeeded with these sources
# A line "#open" in place of "#job" is a property that does not hold, or is not proved yet
# (docs/formal.md): run by name only.
#   --list    prints names and what is proved, runs nothing
# Needs BUILD/gen (target wl_gen) and `tools/setup_tools.sh BUILD formal`. Exit 1 when a job fails.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 1 ] || { sed -n '2s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd) || exit 2
shift
bugs=0 list=0 force=0 wanted=()
for arg in "$@"; do
  case $arg in
    --bugs) bugs=1 ;;
    --list) list=1 ;;
    --force) force=1 ;;
    -*) echo "formal: unknown option $arg" >&2; exit 2 ;;
    *) wanted+=("$arg") ;;
  esac
done
sby=$build/tools/formal/sby
work=$build/formal
passed=0 failed=0 matched=0
if [ $list = 0 ]; then
  [ -x "$sby" ] || { echo "SKIP: no SymbiYosys (tools/setup_tools.sh $build formal)"; exit 77; }
  [ -f "$build/gen/wl_pkg.sv" ] || { echo "formal: no $build/gen (cmake --build $build --target wl_gen)" >&2; exit 2; }
  mkdir -p "$work"
fi

is_wanted() {  # UNIT JOB
  local name
  [ ${#wanted[@]} -eq 0 ] && return 0
  for name in "${wanted[@]}"; do
    [ "$name" = "$1" ] || [ "$name" = "$1/$2" ] && return 0
  done
  return 1
}

# directive UNIT NAME: the words after '#NAME' in the unit's job file, all lines together.
directive() { sed -n "s/^#$2 //p" "$root/tests/formal/$1/$1.sby"; }

# Sets configuration parameters NAME=value in the two generated packages of a staged source folder.
set_parameters() {  # SRC ASSIGNMENT...
  local src=$1 a
  shift
  for a in "$@"; do
    grep -qE "localparam [^=]*\b${a%%=*} *=" "$src"/*_pkg.sv || { echo "no parameter ${a%%=*}"; return 1; }
    sed -i -E "s/(localparam [^=]*\b${a%%=*} *=)[^;]*;/\1 ${a#*=};/" "$src"/*_pkg.sv
  done
}

# stage UNIT JOB CONFIG "ASSIGNMENTS" FOLDER [PATCH]: sources and job.sby in FOLDER.
stage() {
  local unit=$1 job=$2 config=$3 assignments=$4 folder=$5 patch=${6:-} file sources script a
  local template=$root/tests/formal/$unit/$unit.sby parameters=() defines=()
  rm -rf "$folder"
  mkdir -p "$folder/tree" "$folder/src"
  for file in $(directive "$unit" files) $(cd "$root" && ls tests/formal/"$unit"/*.sv); do
    mkdir -p "$folder/tree/$(dirname "$file")"
    cp "$root/$file" "$folder/tree/$file" || return 1
  done
  if [ -n "$patch" ]; then
    (cd "$folder/tree" && GIT_CEILING_DIRECTORIES=$folder git apply "$patch") || return 1
  fi
  cp "$build/gen/wl_pkg.sv" "$root/tests/formal/ecp5_cells.v" "$folder/src/" || return 1
  cp "$build/gen/config_${config}_pkg.sv" "$folder/src/config_pkg.sv" || return 1
  cp "$root/rtl/cells/assert.svh" "$folder/src/" || return 1
  for a in $assignments; do
    case $a in
      -D*) defines+=("-D" "${a#-D}") ;;
      *) parameters+=("$a") ;;
    esac
  done
  set_parameters "$folder/src" ${parameters[@]+"${parameters[@]}"} || return 1
  sources="wl_pkg.sv config_pkg.sv"
  for file in $(directive "$unit" generate); do
    "$root/$file" "$root" "$build" >"$folder/src/$(basename "$file" .sh).sv" || return 1
    sources+=" $(basename "$file" .sh).sv"
  done
  for file in $(directive "$unit" files) $(cd "$root" && ls tests/formal/"$unit"/*.sv); do
    mv "$folder/tree/$file" "$folder/src/" || return 1
    sources+=" $(basename "$file")"
  done
  rm -r "$folder/tree"
  script="read_slang --top ${unit}_properties -D SYNTHESIS -D FORMAL -I . ${defines[*]+"${defines[*]}"} $sources"
  {
    printf '[tasks]\ncheck %s %s_check\ncover %s\n' "$job" "$job" "$job"
    # The other jobs only so that their tags are known.
    sed -n -E "/^#(job|open) $job /d; s/^#(job|open) ([^ ]+) .*/other_\2 \2 \2_check/p" "$template"
    sed '/^#/d' "$template"
    # Tables stay logic: as memories they would be free in an induction step.
    if ! grep -q '^\[script\]' "$template"; then
      printf '[script]\n%s\ntechmap -map ecp5_cells.v\nmemory_map -rom-only\nprep -top %s_properties\n' "$script" "$unit"
    fi
    printf '[files]\nsrc/ecp5_cells.v\ncells/assert.svh src/assert.svh\n'
    for file in $sources; do printf 'src/%s\n' "$file"; done
  } | sed "s|@READ@|$script|" >"$folder/job.sby"
}

# How the check of a job is made, from the file that SymbiYosys resolved for it.
method() {
  awk '/^\[/ { part = $0 } part == "[options]" && $1 == "mode" { mode = $2 }
       part == "[options]" && $1 == "depth" { depth = $2 }
       part == "[engines]" && NF && !/^\[/ { engine = engine " " $0 }
       END { if (mode == "bmc") print "bounded, " depth " cycles"
             else if (engine ~ /pdr/) print "unbounded, pdr"
             else print "unbounded, induction over " depth }' "$1/config.sby" 2>/dev/null
}

# run_task FOLDER TASK: prints SymbiYosys' verdict (PASS, FAIL, UNKNOWN, ERROR, TIMEOUT).
run_task() {
  (cd "$1" && "$sby" -f -d "$2" job.sby "$2") >"$1/$2.log" 2>&1
  if [ -f "$1/$2/status" ]; then cut -d' ' -f1 "$1/$2/status"; else echo ERROR; fi
}

# Processor seconds of everything that has run so far: the machine may be shared.
seconds() {  # sets `now`; in no subshell, whose times would be its own
  times >"$work/times.$$"
  now=$(awk '{ for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } }
             END { printf "%.0f", sum }' "$work/times.$$")
  rm -f "$work/times.$$"
}

explain() {  # FOLDER TASK VERDICT
  local log=$1/$2.log
  case $3 in
    FAIL)
      grep -oE 'failed assertion .*|unreached cover statement .*|counterexample trace: .*' "$log" |
        sort -u | sed "s|counterexample trace: |trace: $1/|; s/^/    /" ;;
    *) grep -hE 'ERROR|Unknown|unknown' "$log" "$1/$2"/model/*.log 2>/dev/null | sort -u | tail -n 8 | sed 's/^/    /' ;;
  esac
  echo "    log: $log"
}

hash_of() {  # FOLDER
  (cd "$1" && cat job.sby src/* "$root/tools/formal.txt" "$root/tools/yosys.txt" | sha256sum | cut -d' ' -f1)
}

# prepare FOLDER FAILURE UNIT JOB CONFIG ASSIGNMENTS [PATCH]: stages in FOLDER and sets `key`. False when
# nothing is left to run: the staging failed (told as FAILURE), or it has succeeded with these sources.
prepare() {
  local folder=$1 failure=$2
  shift 2
  if ! stage "$1" "$2" "$3" "$4" "$folder.new" ${5+"$5"} >"$folder.log" 2>&1; then
    echo "$failure"; cat "$folder.log"
    failed=$((failed + 1)); return 1
  fi
  key=$(hash_of "$folder.new")
  if [ $force = 0 ] && [ "$(head -n 1 "$folder.ok" 2>/dev/null)" = "$key" ]; then
    rm -rf "$folder.new" "$folder.log"
    printf '%s (unchanged)\n' "$(tail -n 1 "$folder.ok")"
    passed=$((passed + 1)); return 1
  fi
  rm -rf "$folder" "$folder.ok" "$folder.log"
  mv "$folder.new" "$folder"
}

# succeeded FOLDER LINE: prints it, now and when the job is asked for again with the sources of `key`.
succeeded() {
  printf '%s\n' "$key" "$2" >"$1.ok"
  printf '%s\n' "$2"
  passed=$((passed + 1))
}

run_job() {  # UNIT JOB CONFIG ASSIGNMENTS TEXT
  local unit=$1 job=$2 folder=$work/$1.$2 start verdict cover key text=$5 covers
  prepare "$folder" "$(printf '%-26s FAILED (no sources): %s' "$unit/$job" "$text")" "${@:1:4}" || return
  seconds; start=$now
  verdict=$(run_task "$folder" check)
  cover=NONE
  [ "$verdict" = PASS ] && cover=$(run_task "$folder" cover)
  covers=$(grep -c 'Reached cover statement' "$folder/cover.log" 2>/dev/null)
  [ "$cover" = PASS ] && [ "$covers" = 0 ] && cover=EMPTY
  seconds
  if [ "$verdict $cover" = "PASS PASS" ]; then
    succeeded "$folder" "$(printf '%-26s proved: %s [%s; %s covers; %s s]' "$unit/$job" "$text" \
      "$(method "$folder/check")" "$covers" "$((now - start))")"
  else
    printf '%-26s FAILED (check %s, cover %s, %s s): %s\n' "$unit/$job" "$verdict" "$cover" \
      "$((now - start))" "$text"
    if [ "$verdict" = PASS ]; then explain "$folder" cover "$cover"; else explain "$folder" check "$verdict"; fi
    failed=$((failed + 1))
  fi
}

run_bug() {  # UNIT JOB CONFIG ASSIGNMENTS PATCH
  local unit=$1 job=$2 name folder key start verdict
  name=$(basename "$5" .patch)
  folder=$work/$unit.$job.$name
  prepare "$folder" "$(printf '%-42s FAILED (patch does not apply)' "$unit/$job $name")" "$@" || return
  seconds; start=$now
  verdict=$(run_task "$folder" check)
  seconds
  if [ "$verdict" = FAIL ]; then
    succeeded "$folder" "$(printf '%-42s found: %s [%s s]' "$unit/$job $name" \
      "$(grep -oE 'failed assertion .*' "$folder/check.log" | head -n 1)" "$((now - start))")"
  else
    printf '%-42s NOT FOUND (check %s, %s s)\n' "$unit/$job $name" "$verdict" "$((now - start))"
    failed=$((failed + 1))
  fi
}

for file in "$root"/tests/formal/*/*.sby; do
  unit=$(basename "$file" .sby)
  # "#job NAME CONFIG ASSIGNMENTS... : TEXT"
  while IFS= read -r line; do
    open=0
    [ "${line%% *}" = "#open" ] && open=1
    line=${line#* }
    text=${line#* : }
    read -r job config assignments <<<"${line%% : *}"
    is_wanted "$unit" "$job" || continue
    if [ $open = 1 ] && [[ " ${wanted[*]} " != *" $unit/$job "* ]] && [ $list = 0 ]; then continue; fi
    matched=$((matched + 1))
    if [ $list = 1 ]; then
      printf '%-26s %s%s\n' "$unit/$job" "$([ $open = 1 ] && echo 'open: ')" "$text"
    elif [ $bugs = 1 ]; then
      for patch in "$root/tests/formal/$unit"/bug_*.patch; do
        [ -f "$patch" ] || continue
        for name in $(sed -n '/^---/q; s/^job: *//p' "$patch"); do
          [ "$name" = "$job" ] && run_bug "$unit" "$job" "$config" "$assignments" "$patch"
        done
      done
    else
      run_job "$unit" "$job" "$config" "$assignments" "$text"
    fi
  done < <(grep -E '^#(job|open) ' "$file")
done
[ $list = 1 ] && exit 0
[ $matched -gt 0 ] || { echo "formal: no such job" >&2; exit 2; }
if [ $bugs = 1 ]; then echo "formal: $passed planted bugs found, $failed not"
else echo "formal: $passed proved, $failed failed"; fi
[ $failed -eq 0 ]
