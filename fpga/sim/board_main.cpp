// wl_sim_board: the board of docs/fpga.md, its RTL under Verilator, behind a pseudo-terminal, for the
// unchanged driver. Prints the terminal's name, then runs until it is ended by a signal (a second
// line tells its speed). The terminal carries bytes; they go bit by bit through the UART's pins.
// It can spoil frames, cut the link, be silent, and freeze the core from the start.
#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "fpga/sim/frames.h"
#include "fpga/sim/pins.h"
#include "gen/wl_link.h"

namespace {

volatile sig_atomic_t ended = 0;
void on_signal(int) { ended = 1; }

struct Options {
  const char *link = nullptr;
  impair_t impair = {};
  uint64_t cut = 0;  // frames, 0: never
  uint64_t rate = 0; // clocks per second, 0: as fast as it goes
  bool silent = false, freeze = false;
  uint32_t seed = 0;
  unsigned density = 0, divide = 1;
};

int usage() {
  fputs(
      "usage: wl_sim_board [--link PATH] [--impair drop=N,corrupt=N,duplicate=N,reorder=N,seed=S]\n"
      "                    [--cut FRAMES] [--silent] [--freeze SEED:DENSITY]\n"
      "                    [--core-divide N] [--cycles-per-second N]\n"
      "  --link    a symbolic link to the terminal\n"
      "  --impair  per cent of the frames in each direction\n"
      "  --cut     closes the terminal when so many frames have come from the host\n"
      "  --silent  takes everything and answers nothing\n"
      "  --freeze  freezes the core at random in DENSITY of 8 cycles (0 to 7)\n"
      "  --core-divide  cycles of the board's clock in a core cycle, 1 (default) to 15\n"
      "  --cycles-per-second  at most so many cycles of the board's clock\n",
      stderr);
  return 2;
}

bool parse(int argc, char **argv, Options *o) {
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (strcmp(name, "--silent") == 0) {
      o->silent = true;
      continue;
    }
    if (++i == argc) return false;
    const char *value = argv[i];
    char *end = nullptr;
    if (strcmp(name, "--link") == 0) {
      o->link = value;
    } else if (strcmp(name, "--impair") == 0) {
      if (!impair_parse(value, &o->impair)) return false;
    } else if (strcmp(name, "--cut") == 0) {
      o->cut = strtoull(value, &end, 0);
    } else if (strcmp(name, "--core-divide") == 0) {
      o->divide = static_cast<unsigned>(strtoul(value, &end, 0));
      if (o->divide < 1 || o->divide > 15) return false;
    } else if (strcmp(name, "--cycles-per-second") == 0) {
      o->rate = strtoull(value, &end, 0);
    } else if (strcmp(name, "--freeze") == 0) {
      o->freeze = true;
      o->seed = static_cast<uint32_t>(strtoul(value, &end, 0));
      if (*end != ':') return false;
      o->density = static_cast<unsigned>(strtoul(end + 1, &end, 0));
      if (o->density > 7) return false;
    } else {
      return false;
    }
    if (end != nullptr && (*end != '\0' || end == value)) return false;
  }
  return true;
}

// A terminal in raw mode; the slave stays open here, so that the host may come and go.
int open_terminal(int *slave, const char **name) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) return -1;
  *name = ptsname(master);
  *slave = *name == nullptr ? -1 : open(*name, O_RDWR | O_NOCTTY);
  struct termios raw;
  if (*slave < 0 || tcgetattr(*slave, &raw) != 0) return -1;
  cfmakeraw(&raw);
  if (tcsetattr(*slave, TCSANOW, &raw) != 0) return -1;
  if (fcntl(master, F_SETFL, O_NONBLOCK) != 0) return -1;
  return master;
}

// Sends a request to the board's pins itself and waits for the end of its answer.
void ask(Board *board, uint8_t type, uint8_t seq, const frame_bytes_t &payload) {
  const frame_bytes_t frame = frame_make(type, seq, payload);
  board->to_board.insert(board->to_board.end(), frame.begin(), frame.end());
  for (uint64_t quiet = 0; quiet < 4000;) {
    board->clock();
    quiet = board->quiet() ? quiet + 1 : 0;
  }
  board->from_board.clear();
}

void freeze(Board *board, const Options &o) {
  frame_bytes_t payload;
  for (int i = 0; i < 4; i++)
    payload.push_back(static_cast<uint8_t>(o.seed >> 8 * i));
  payload.push_back(static_cast<uint8_t>(o.density));
  ask(board, WL_LINK_CMD_HELLO, 0, {0x66, 0x72, 0x65, 0x7a});
  ask(board, WL_LINK_CMD_FREEZE, 1, payload);
}

class Bridge {
public:
  Bridge(Board *board, int master, const Options &o)
      : board_(board), master_(master), o_(o), in_(o.impair, 0), out_(o.impair, 1) {}
  bool step(); // some clocks; false when the link is cut

private:
  void read_host(int wait_ms);
  void write_host();
  Board *board_;
  int master_;
  const Options &o_;
  Impaired in_, out_;
  frame_bytes_t pending_;
  unsigned idle_ = 0;
};

void Bridge::read_host(int wait_ms) {
  struct pollfd p = {master_, POLLIN, 0};
  if (wait_ms > 0) poll(&p, 1, wait_ms);
  uint8_t buffer[512];
  const ssize_t n = read(master_, buffer, sizeof buffer);
  if (n <= 0) {
    if (wait_ms > 0) in_.flush();
    return;
  }
  idle_ = 0;
  if (o_.silent) return;
  for (ssize_t i = 0; i < n; i++)
    in_.put(buffer[i]);
  for (uint8_t byte; in_.get(&byte);)
    board_->to_board.push_back(byte);
}

void Bridge::write_host() {
  for (; !board_->from_board.empty(); board_->from_board.pop_front())
    out_.put(board_->from_board.front());
  for (uint8_t byte; out_.get(&byte);)
    pending_.push_back(byte);
  if (pending_.empty()) return;
  const ssize_t n = write(master_, pending_.data(), pending_.size());
  if (n > 0) pending_.erase(pending_.begin(), pending_.begin() + n);
}

bool Bridge::step() {
  enum { kBatch = 256, kRest = 64 };
  idle_ = board_->quiet() ? idle_ + 1 : 0;
  // Asleep when nothing is under way; time goes on slowly then.
  if (board_->to_board.size() < 64) read_host(idle_ > kRest ? 5 : 0);
  for (int i = 0; i < kBatch; i++)
    board_->clock();
  write_host();
  return o_.cut == 0 || in_.frames < o_.cut;
}

} // namespace

int main(int argc, char **argv) {
  Options o;
  if (!parse(argc, argv, &o)) return usage();
  int slave = -1;
  const char *name = nullptr;
  const int master = open_terminal(&slave, &name);
  if (master < 0) {
    fprintf(stderr, "wl_sim_board: no pseudo-terminal: %s\n", strerror(errno));
    return 1;
  }
  Board board(o.divide);
  if (o.freeze) freeze(&board, o);
  if (o.link != nullptr) {
    unlink(o.link);
    if (symlink(name, o.link) != 0) {
      fprintf(stderr, "wl_sim_board: %s: %s\n", o.link, strerror(errno));
      return 1;
    }
  }
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  printf("%s\n", name);
  fflush(stdout);

  Bridge bridge(&board, master, o);
  const auto start = std::chrono::steady_clock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const uint64_t first = board.clocks;
  bool open = true;
  while (open && ended == 0) {
    open = bridge.step();
    if (o.rate == 0) continue;
    const double ahead =
        static_cast<double>(board.clocks - first) / static_cast<double>(o.rate) - seconds();
    if (ahead > 0.001) std::this_thread::sleep_for(std::chrono::duration<double>(ahead));
  }
  close(slave);
  close(master);
  if (o.link != nullptr) unlink(o.link);
  const double time = seconds();
  printf("%llu clocks, %llu bytes, %.2f s: %.0f clocks/s, %.0f bytes/s\n",
         static_cast<unsigned long long>(board.clocks),
         static_cast<unsigned long long>(board.bytes), time,
         static_cast<double>(board.clocks) / time, static_cast<double>(board.bytes) / time);
  return 0;
}
