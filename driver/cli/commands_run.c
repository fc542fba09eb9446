/* commands_run.c: the options of `warplock run`, `lockstep` and `compare`. docs/architecture.md 7.
 */
#include <stddef.h>

#include "driver/cli/commands.h"

#define END {NULL, NULL, NULL}

static const cli_option_t launch_options[] = {
    {"--kernel", "K", "entry to run; may be left out when there is one"},
    {"--grid", "X[,Y,Z]", "extents of the grid, in CTAs (needed)"},
    {"--block", "X[,Y,Z]", "extents of a CTA, in threads (needed)"},
    {"--cluster", "X[,Y,Z]", "extents of a cluster, in CTAs: 1 (default; more is refused)"},
    {"--shared", "BYTES", "dynamic shared memory per CTA (default 0)"},
    {"--stack", "BYTES", "local memory per thread of recursive kernels (default 4096)"},
    {"--mem", "BYTES",
     "device memory, 1 MiB to 4 GiB (default 67108864; backend fpga: what it has)"},
    {"--max-cycles", "N", "ends a launch with exit code 5 (default: no limit)"},
    END};
static const cli_option_t data_options[] = {
    {"--arg", "SPEC",
     "an argument, once per parameter, in order:\n"
     "TYPE:VALUE\tu8 to u64, s8 to s64, b8 to b64, f32, f64\n"
     "in:FILE\tbuffer with the file's bytes, its address is passed\n"
     "out:BYTES:FILE\tzeroed buffer, written to FILE afterwards\n"
     "inout:FILE:FILE\tboth; the first name must not have a colon\n"
     "zero:BYTES\tzeroed buffer\n"
     "bytes:HEX\tstructure by value\n"
     "struct:FILE\tstructure by value, the file's bytes"},
    {"--symbol", "NAME=SPEC",
     "contents of a .global or .const variable before the launch (out:BYTES:FILE: writes it "
     "afterwards)"},
    END};
static const cli_option_t check_options[] = {
    {"--expect", "N=FILE[:ulp=K|:abs=X]",
     "compares buffer N (from 0) with a file; with a tolerance: as f32 words, at most K units in "
     "the last place or X apart"},
    {"--checked", NULL,
     "backend func: reports what depends on registers or memory that nothing wrote, and misuse of "
     "mbarriers (docs/checked.md)"},
    END};
static const cli_option_t run_backend_options[] = {
    {"--backend", "func|model|rtl|lockstep|fpga", "what runs the kernel (default func)"},
    {"--lockstep", NULL, "backend fpga: the board beside the model, compared"},
    END};
static const cli_option_t lockstep_backend_options[] = {
    {"--backend", "rtl|fpga", "what is compared with the model (default rtl; fpga: a board)"}, END};
static const cli_option_t machine_options[] = {
    {"--config", "tiny|tiny4|base|full", "configuration (default base; backend fpga: the board's)"},
    {"--port", "DEV", "backend fpga: serial port of the board (default: environment WL_PORT)"},
    {"--seed", "N", "of memory and registers without initialiser, and of disturbance (default 0)"},
    {"--disturb", "none|light|heavy", "random stalls, where the backend has them (default none)"},
    {"--compare", "journal|full|inside",
     "what lockstep compares: records (default), arrays too, internal state too"},
    {"--threads", "1|2",
     "lockstep: 2: the model beside the RTL in a thread of its own, for a machine with two free "
     "processors (default 1)"},
    END};
static const cli_option_t watch_options[] = {
    {"--json", "FILE", "result as JSON"},
    {"--log", "FILE", "one line per issued instruction"},
    {"--effects", "FILE",
     "backend func: what every instruction wrote, as a log for warplock compare (docs/compare.md)"},
    {"--dump-state", "FILE", "state after the launch"},
    {"--pipeview", "FILE",
     "what every warp did in every cycle, and counters (backends model and lockstep); FILE.json: "
     "for ui.perfetto.dev, FILE.kanata: for Konata"},
    {"--trace", "FILE",
     "waves, and a GTKWave save file, FILE without its ending + .gtkw:\n"
     "FILE.fst\tall signals of the RTL and the records of both sides (needs a build by make "
     "trace)\n"
     "FILE.vcd\tthe records of model, RTL or both, as signals by unit and warp"},
    {"--trace-window", "FROM:TO|failure",
     "cycles of the waves (default all); failure: lockstep: the cycles around the first "
     "difference; "
     "the process is forked every second, and the copy runs again from there"},
    {"--snapshots", "N", "with --trace-window failure: forked every N cycles instead, 512 or more"},
    {"--rpx", "FILE",
     "where a divergence is written for warplock replay (default KERNEL.CYCLE.rpx; -: nowhere)"},
    END};

#define GROUPS                                                                                     \
  {"Launch", launch_options}, {"Data", data_options}, {"Checks", check_options},                   \
      {"Machine", machine_options}, {"Output", watch_options}, {                                   \
    NULL, NULL                                                                                     \
  }
static const cli_group_t run_groups[] = {{"Backend", run_backend_options}, GROUPS};
static const cli_group_t lockstep_groups[] = {{"Backend", lockstep_backend_options}, GROUPS};

#define NOTES                                                                                      \
  "FILE - is standard input or output. Outputs are opened before the run; one that cannot be "     \
  "written, or would overwrite another or an input, is an error with exit code 2. After a launch " \
  "that failed, buffers are not written."

const cli_command_t cli_run = {
    .name = "run",
    .summary = "run a kernel of a PTX file or object",
    .usage = "FILE.(ptx|wlo) --grid X[,Y,Z] --block X[,Y,Z] [OPTION...]",
    .about = "Runs one launch of a kernel on one backend: the interpreter (func), the cycle-exact "
             "model in C (model), the Verilated RTL (rtl), the last two compared in every cycle "
             "(lockstep), or a board (fpga).",
    .files = "ptx wlo",
    .groups = run_groups,
    .exits = cli_exits,
    .notes = NOTES,
    .example = "warplock run k.ptx --grid 1 --block 64 --arg in:a.bin --arg out:256:c.bin "
               "--arg u32:64"};

const cli_command_t cli_lockstep = {
    .name = "lockstep",
    .summary = "run a kernel on the model and the RTL (or a board), comparing every cycle",
    .usage = "FILE.(ptx|wlo) --grid X[,Y,Z] --block X[,Y,Z] [OPTION...]",
    .about =
        "Runs one launch of a kernel on the model and the RTL (or a board) and compares them in "
        "every cycle. A divergence is reported with cycle, warp, register, instruction and PTX "
        "line, and written to a file that warplock replay runs again. docs/lockstep.md.",
    .files = "ptx wlo",
    .groups = lockstep_groups,
    .exits = cli_exits,
    .notes = NOTES,
    .example = "warplock lockstep k.ptx --config tiny --grid 1 --block 64 --arg zero:256 "
               "--disturb heavy --seed 7"};

static const cli_option_t compare_options[] = {
    {"--follow-loads", NULL,
     "loaded values, and results of atomics and exchanges, are the log's: for programs with races; "
     "they are counted"},
    {"--json", "FILE", "the report as JSON"},
    {"--start", "FILE", "writes what a foreign core needs to run the launch, as JSON, and ends"},
    {"--config", "tiny|tiny4|base|full", "configuration (default base)"},
    END};
static const cli_group_t compare_groups[] = {
    {"Options", compare_options}, {"Launch", launch_options}, {"Data", data_options}, {NULL, NULL}};
static const cli_exit_t compare_exits[] = {
    {0, "the log and the reference are equal in all that was compared"},
    {2, "wrong usage, or a wrong or truncated log"},
    {3, "a difference"},
    {4, "trap in the program"},
    {5, "--max-cycles reached"},
    {6, "legal input that is not supported; the message names the clause"},
    {70, "internal error"},
    {0, NULL}};
const cli_command_t cli_compare = {
    .name = "compare",
    .summary = "compare the log of a foreign core with the reference",
    .usage = "LOG FILE.(ptx|wlo) --grid X[,Y,Z] --block X[,Y,Z] [OPTION...]\n"
             "--start START.json FILE.(ptx|wlo) --grid X[,Y,Z] --block X[,Y,Z] [OPTION...]",
    .about = "Compares what a foreign core wrote down of a launch (JSON lines) with the reference, "
             "thread by thread. LOG - is standard input. docs/compare.md.",
    .files = "jsonl ptx wlo",
    .groups = compare_groups,
    .exits = compare_exits,
    .notes = NOTES,
    .example = "warplock compare core.jsonl k.wlo --kernel k --grid 1 --block 64 --arg zero:256"};
