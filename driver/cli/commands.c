/* commands.c: the table of commands and options, but for `run`, `lockstep` and `compare`
 * (commands_run.c) and `explain-mma` (commands_explain.c). */
#include <string.h>

#include "driver/cli/commands.h"

#define END {NULL, NULL, NULL}

const cli_option_t cli_general[] = {
    {"--help", NULL, "this text"}, {"--version", NULL, "version, machine ISA, backends"}, END};

const cli_exit_t cli_exits[] = {
    {0, "success"},
    {1, "an --expect check failed, --checked found something, or a replay did not come to its "
        "divergence"},
    {2, "wrong usage, or input that cannot be read or is malformed"},
    {3, "divergence: the two sides of a lockstep differ"},
    {4, "trap in the program"},
    {5, "hang, --max-cycles reached, or stopped by Ctrl-C"},
    {6, "legal input that this build or configuration does not support"},
    {70, "internal error"},
    {0, NULL}};

#define EXIT_INPUT       {2, "wrong usage, or input that cannot be read or is malformed"}
#define EXIT_UNSUPPORTED {6, "legal PTX that is not implemented; the message names the clause"}
#define EXIT_END                                                                                   \
  {70, "internal error"}, { 0, NULL }

/* ---- as */
static const cli_option_t as_options[] = {
    {"-o", "FILE", "object to write; default: IN.wlo beside each input"},
    {"--check", NULL, "diagnostics only, no object"},
    {"--max-regs", "N", "registers per thread, 24 to 255 (default 255)"},
    {"--target", "sm_XX", "refuse inputs with a .target above it"},
    {"--kernel", "NAME", "exit code 6 if this kernel cannot be launched"},
    {"--strict", NULL, "exit code 6 if any kernel cannot be launched"},
    {"--strict-tmem", NULL,
     "errors where an address of tensor memory leaves its registers or its function, or may be used "
     "before tcgen05.alloc (docs/checked.md)"},
    {"--histogram", NULL, "print the instruction forms of the inputs, most frequent first"},
    {"--json", "FILE", "write result and histogram as JSON (- is standard output)"},
    END};
static const cli_option_t as_later[] = {{"-D", "NAME", NULL},
                                        {"-I", "DIR", NULL},
                                        {"-W", "NAME", NULL},
                                        {"--explain-spaces", NULL, NULL},
                                        END};
static const cli_group_t as_groups[] = {{"Options", as_options}, {NULL, as_later}, {NULL, NULL}};
static const cli_exit_t as_exits[] = {
    {0, "an object was written for every input"}, EXIT_INPUT, EXIT_UNSUPPORTED, EXIT_END};
const cli_command_t cli_as = {
    .name = "as",
    .summary = "assemble PTX into an object",
    .usage = "IN.ptx... [OPTION...]",
    .about =
        "Assembles PTX text into machine instructions. Diagnostics name file, line, column and "
        "the clause of the PTX ISA; all errors of a file come in one run. - is standard "
        "input, whose object is a.wlo.\n"
        "A kernel that reaches legal PTX which is not implemented cannot be launched. What is "
        "missing is listed with the kernels that need it, and the object marks them (warplock "
        "info). The exit code is 6, and no object is written, if no kernel is left, or as "
        "--kernel and --strict say.",
    .files = "ptx",
    .groups = as_groups,
    .exits = as_exits,
    .example = "warplock as k.ptx -o k.wlo"};

/* ---- dis, info */
static const cli_option_t dis_options[] = {
    {"--source", NULL, "PTX lines and .loc places between the instructions"}, END};
static const cli_group_t dis_groups[] = {{"Options", dis_options}, {NULL, NULL}};
static const cli_exit_t read_exits[] = {{0, "success"}, EXIT_INPUT, EXIT_UNSUPPORTED, EXIT_END};
const cli_command_t cli_dis = {
    .name = "dis",
    .summary = "list an object's instructions",
    .usage = "FILE.(wlo|ptx) [OPTION...]",
    .about =
        "Lists the machine instructions of an object, or of PTX text, which is assembled first. "
        "docs/isa.md says what they mean.",
    .files = "wlo ptx",
    .groups = dis_groups,
    .exits = read_exits,
    .example = "warplock dis --source k.wlo"};

static const cli_option_t info_options[] = {
    {"--config", "tiny|tiny4|base|full", "figures of one configuration (default: of all)"},
    {"--registers", NULL, "of a file: where PTX registers live after the lines that write them"},
    END};
static const cli_group_t info_groups[] = {{"Options", info_options}, {NULL, NULL}};
const cli_command_t cli_info = {
    .name = "info",
    .summary = "describe this build, a configuration or an object",
    .usage = "[FILE.(wlo|ptx)] [OPTION...]",
    .about = "Without a file: version, backends and configurations of this build. With one: its "
             "kernels with parameters, registers, shared memory in bytes, and its variables.",
    .files = "wlo ptx",
    .groups = info_groups,
    .exits = read_exits,
    .example = "warplock info k.wlo"};

/* ---- replay */
static const cli_option_t replay_options[] = {
    {"--info", NULL, "what is in FILE; nothing is run"},
    {"--log", "FILE", "one line per event of the model"},
    {"--pipeview", "FILE", "what every warp did in every cycle, as of warplock lockstep"},
    {"--trace", "FILE", "waves, as of warplock lockstep"},
    {"--trace-window", "FROM:TO", "cycles of the waves (default: around the divergence)"},
    END};
static const cli_option_t shrink_options[] = {
    {"--shrink", "OUT.rpx",
     "writes a smaller launch that differs alike: fewer CTAs, threads, "
     "instructions, data; exit code 0"},
    {"--seconds", "N", "at most so long for it (default 60; 0: no limit)"},
    END};
static const cli_group_t replay_groups[] = {
    {"Options", replay_options}, {"A smaller one", shrink_options}, {NULL, NULL}};
static const cli_exit_t replay_exits[] = {
    {0, "--info or --shrink has done its work"},
    {1, "the launch does not come to the recorded divergence"},
    {2, "wrong usage, or FILE cannot be read or is damaged"},
    {3, "the recorded divergence came again"},
    {5, "stopped by Ctrl-C"},
    {6, "FILE was recorded with other tables than this build's"},
    EXIT_END};
const cli_command_t cli_replay = {
    .name = "replay",
    .summary = "run a divergence again from the file that lockstep wrote",
    .usage = "FILE.rpx [OPTION...]",
    .about = "Runs the launch that diverged again, on the model and the RTL; it must come to the "
             "same first difference. docs/replay.md, and step by step docs/first-divergence.md.",
    .files = "rpx",
    .groups = replay_groups,
    .exits = replay_exits,
    .example = "warplock replay k.48213.rpx --trace k.vcd"};

/* ---- bench */
static const cli_option_t bench_options[] = {
    {"--config", "tiny|tiny4|base|full", "only this one (default: tiny, base and full)"},
    {"--rounds", "N", "measured rounds (default 5); figures are medians"},
    {"--quick", NULL, "one round, without lockstep full"},
    {"--products", NULL, "only the cycles of products in tensor memory, which the model counts"},
    {"--ptx-dir", "DIR", "the kernels' PTX (default tests/kernels)"},
    {"--json", "FILE", "figures as JSON"},
    END};
static const cli_group_t bench_groups[] = {{"Options", bench_options}, {NULL, NULL}};
static const cli_exit_t bench_exits[] = {
    {0, "measured"},
    {1, "a result was not what the host computes, or cycles differ between backends"},
    EXIT_INPUT,
    EXIT_END};
const cli_command_t cli_bench = {
    .name = "bench",
    .summary = "measure the speed of the backends",
    .usage = "[OPTION...]",
    .about =
        "Measures the speed of all backends side by side, on sgemm and other kernels. Figures: "
        "processor time in milliseconds, cycles and instructions per second; and how long the "
        "engine of products in tensor memory works, by their size. docs/bench.md.",
    .groups = bench_groups,
    .exits = bench_exits,
    .example = "warplock bench --config tiny --quick"};

/* ---- fpga */
static const cli_option_t fpga_options[] = {
    {"--status", NULL, "what board it is, what its core does"},
    {"--selftest", NULL,
     "LEDs, loopback, memory, sums, core clock; no kernel is needed. Memory of "
     "the board is overwritten"},
    {"--freeze", "SEED:DENSITY",
     "from now on the core stands in DENSITY of 8 board cycles, at "
     "random (0: never): nothing that is compared may change by it"},
    {"--port", "DEV", "serial port of the board (default: environment WL_PORT)"},
    END};
static const cli_group_t fpga_groups[] = {{"Options", fpga_options}, {NULL, NULL}};
static const cli_exit_t fpga_exits[] = {
    {0, "success"},
    {2, "wrong usage"},
    {6, "no such port, no answer of a board, another board than is wanted, or a failed self-test"},
    EXIT_END};
const cli_command_t cli_fpga = {
    .name = "fpga",
    .summary = "say what board is at a port, and test it",
    .usage = "--selftest|--status|--freeze SEED:DENSITY [--port DEV]",
    .about = "Speaks with a board, or a simulated one, at a serial port. Kernels run on it by "
             "warplock run FILE --backend fpga [--lockstep]. docs/fpga.md 7.",
    .groups = fpga_groups,
    .exits = fpga_exits,
    .notes = "Environment: WL_PORT: the port. WL_LINK_TIMEOUT: milliseconds before a request is "
             "sent again (default 280; a simulated board needs more). WL_BITSTREAM: hash of the "
             "bitstream that is wanted.",
    .example = "warplock fpga --status --port /dev/ttyUSB0"};

/* ---- faults: the program warplock-faults */
static const cli_option_t faults_options[] = {
    {"--count", "N", "flips, uniform over bits and cycles"},
    {"--first", "I", "number of the first one (default 0): ranges of one seed add up"},
    {"--seed", "S", "of the flips (default 1)"},
    {"--registers", "GLOB,...",
     "only of registers whose name ends so, '*' = any text without a dot, '**' = any text"},
    {"--not-arrays", NULL, "only of what is not compared in place"},
    {"--flip-flops", NULL, "only of flip-flops"},
    {"--only", "REG:BIT@CYCLE", "this one flip, with the report"},
    END};
static const cli_option_t faults_run_options[] = {
    {"--kernel", "K,...",
     "corpus kernels NAME[:CASE], in turn (default reduction,warp_ops,barriers)"},
    {"--ptx", "VARIANT", "which PTX of them (default nvcc)"},
    {"--kernel-dir", "DIR", "the corpus (default: that of the source tree)"},
    {"--mode", "journal|full", "comparison of arrays (default journal)"},
    {"--run-seed", "S", "seed of the run (default 1)"},
    {"--disturb", "none|light|heavy", "disturbance of the run (default none)"},
    {"--config", "tiny", "the only one"},
    {"--jobs", "J", "processes at once, 1 to 256 (default 2)"},
    {"--population", "FILE", "the list of registers (default: that of the build)"},
    {"--rows", "FILE", "which row shows which register (default: that of the source tree)"},
    END};
static const cli_option_t faults_out_options[] = {
    {"--verbose", NULL, "one line per flip"},
    {"--json", "FILE", "figures and flips as JSON"},
    {"--list", NULL, "prints the population by entry, and ends"},
    {"--list-all", NULL, "prints the population by register, and ends"},
    END};
static const cli_group_t faults_groups[] = {{"Flips", faults_options},
                                            {"Runs", faults_run_options},
                                            {"Output", faults_out_options},
                                            {NULL, NULL}};
static const cli_exit_t faults_exits[] = {
    {0, "every flip of a compared row was reported, or proved dead"},
    {1, "a flip was missed, or the list of bits not compared is above 5 %"},
    {2, "wrong usage, or an input that cannot be read"},
    {6, "this build has no warplock-faults, or another configuration than tiny"},
    EXIT_END};
const cli_command_t cli_faults = {
    .name = "faults",
    .summary = "flip bits of the RTL in lockstep and tell what became of them",
    .usage = "--count N [OPTION...]\n--only REG:BIT@CYCLE [OPTION...]\n--list|--list-all",
    .about = "Flips single bits of the RTL's flip-flops and memories in lockstep and tells what "
             "became of each: reported, dead (proved), latent in undefined content, or missed. It "
             "is a program of its own: cmake --build BUILD --target warplock_faults. "
             "docs/faults.md.",
    .groups = faults_groups,
    .exits = faults_exits,
    .example = "warplock faults --count 100 --kernel reduction --jobs 4"};

const cli_command_t *const cli_commands[] = {&cli_as,       &cli_dis,     &cli_info,   &cli_run,
                                             &cli_lockstep, &cli_compare, &cli_replay, &cli_bench,
                                             &cli_explain,  &cli_fpga,    &cli_faults, NULL};

static const cli_option_t *find(const cli_option_t *options, const char *name) {
  while (options->name != NULL && strcmp(options->name, name) != 0) {
    options++;
  }
  return options->name != NULL ? options : NULL;
}

const cli_option_t *cli_find_option(const cli_command_t *command, const char *name, int *later) {
  *later = 0;
  for (const cli_group_t *g = command->groups; g->options != NULL; g++) {
    const cli_option_t *o = find(g->options, name);
    if (o != NULL) {
      *later = g->title == NULL;
      return o;
    }
  }
  return find(cli_general, name);
}
