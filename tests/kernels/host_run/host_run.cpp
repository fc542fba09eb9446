/*
 * Runs kernels of the corpus on the host (wl_device_host.h): fibers, round robin, preempted by a
 * timer so that spinning threads let others run. At most RESIDENT CTAs at a time; shared variables
 * lie in one section that is copied out and in when another CTA's thread runs.
 * No model of a GPU: no timing, no races on purpose, sequentially consistent memory.
 *   host_run [KERNEL [CASE]]     default: every smoke case; exit status 1 when one differs
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#include <functional>
#include <utility>
#include <vector>

extern "C" {
#include "tests/kernels/common/kernel_case.h"
}
#include "wl_device_host.h"

namespace {

const size_t kStack = 64 * 1024;
const unsigned kResident = 4;

struct Barrier {
  unsigned arrived = 0, sum = 0, result = 0, generation = 0;
};

struct Cta {
  std::vector<char> shared, dynamic;
  Barrier barrier[16];
  unsigned live = 0;
};

struct Fiber {
  wl_host_thread self;
  Cta *cta;
  unsigned warp_base; /* index of lane 0 among the fibers of the CTA */
  ucontext_t context;
  char *stack = nullptr;
  bool done = false, meeting = false;
  uint32_t mask = 0, value = 0, met[32];
  Fiber **warp; /* the fibers of the warp, by lane; null where there is none */
};

ucontext_t scheduler;
Fiber *current;
volatile sig_atomic_t in_fiber;
std::function<void()> body;
std::vector<char *> free_stacks;

} // namespace

extern "C" char __start_wl_shared[], __stop_wl_shared[];
/* So that the section exists even when no kernel has shared variables. */
static char shared_anchor __attribute__((section("wl_shared"), used));

/* Fibers change only inside swapcontext, so `current` is this fiber again when it returns. */
extern "C" void wl_host_yield(void) {
  in_fiber = 0;
  swapcontext(&current->context, &scheduler);
  in_fiber = 1;
}

extern "C" void wl_host_hold(bool on) { in_fiber = !on; }

static void on_timer(int) {
  if (in_fiber) {
    wl_host_yield();
  }
}

extern "C" const wl_host_thread *wl_host_self(void) { return &current->self; }
extern "C" void *wl_host_dynamic_shared(void) { return current->cta->dynamic.data(); }

extern "C" const uint32_t *wl_host_meet(uint32_t mask, uint32_t value) {
  in_fiber = 0; /* no preemption while the rendezvous is in between states */
  Fiber *me = current;
  me->meeting = true;
  me->mask = mask;
  me->value = value;
  bool complete = true;
  for (unsigned lane = 0; lane < 32; lane++) {
    Fiber *other = me->warp[lane];
    if (mask >> lane & 1 && other != nullptr && !other->done) {
      complete = complete && other->meeting && other->mask == mask;
    }
  }
  if (complete) {
    for (unsigned lane = 0; lane < 32; lane++) {
      Fiber *other = me->warp[lane];
      if (mask >> lane & 1 && other != nullptr) {
        for (unsigned from = 0; from < 32; from++) {
          other->met[from] = me->warp[from] != nullptr ? me->warp[from]->value : 0;
        }
        other->meeting = false;
      }
    }
  }
  while (me->meeting) {
    swapcontext(&me->context, &scheduler);
    in_fiber = 0;
  }
  in_fiber = 1;
  return me->met;
}

extern "C" unsigned wl_host_barrier(unsigned id, unsigned threads, int value, int wait) {
  in_fiber = 0;
  Fiber *me = current;
  Barrier *b = &me->cta->barrier[id];
  unsigned generation = b->generation;
  b->arrived++;
  b->sum += (unsigned)value;
  if (b->arrived >= (threads != 0 ? threads : me->cta->live)) {
    b->result = b->sum;
    b->arrived = b->sum = 0;
    b->generation++;
  }
  while (wait && b->generation == generation) {
    swapcontext(&me->context, &scheduler);
    in_fiber = 0;
  }
  unsigned result = b->result;
  in_fiber = 1;
  return result;
}

static void fiber_main() {
  in_fiber = 1;
  body();
  in_fiber = 0;
  current->done = true;
  current->cta->live--;
  swapcontext(&current->context, &scheduler);
}

static wl_dim3 unflatten(unsigned i, const uint32_t d[3]) {
  return {i % d[0], i / d[0] % d[1], i / (d[0] * d[1])};
}

static void start_cta(const wl_kernel_case_t *k, unsigned index, Cta *cta,
                      std::vector<Fiber *> *fibers) {
  unsigned threads = wl_kernel_threads_per_cta(k);
  cta->shared.assign((size_t)(__stop_wl_shared - __start_wl_shared), (char)0xa5);
  cta->dynamic.assign(k->dynamic_shared + 1, (char)0x5a);
  cta->live = threads;
  Fiber **warps = new Fiber *[(threads + 31) / 32 * 32]();
  for (unsigned t = 0; t < threads; t++) {
    Fiber *f = new Fiber;
    f->self.thread = unflatten(t, k->block);
    f->self.block = {k->block[0], k->block[1], k->block[2]};
    f->self.cta = unflatten(index, k->grid);
    f->self.grid = {k->grid[0], k->grid[1], k->grid[2]};
    f->self.lane = t % 32;
    f->cta = cta;
    f->warp = warps + t / 32 * 32;
    warps[t] = f;
    if (free_stacks.empty()) {
      free_stacks.push_back(new char[kStack]);
    }
    f->stack = free_stacks.back();
    free_stacks.pop_back();
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = kStack;
    f->context.uc_link = nullptr;
    makecontext(&f->context, fiber_main, 0);
    fibers->push_back(f);
  }
}

static void run_fiber(Fiber *f) {
  static Cta *loaded;
  if (loaded != f->cta) { /* the other CTA was saved when it was switched away from */
    memcpy(__start_wl_shared, f->cta->shared.data(), f->cta->shared.size());
    loaded = f->cta;
  }
  current = f;
  swapcontext(&scheduler, &f->context);
  in_fiber = 0;
  memcpy(f->cta->shared.data(), __start_wl_shared, f->cta->shared.size());
  loaded = nullptr;
}

static void run_grid(const wl_kernel_case_t *k) {
  unsigned total = k->grid[0] * k->grid[1] * k->grid[2];
  unsigned next = 0;
  std::vector<Fiber *> fibers;
  std::vector<Cta *> ctas;
  while (next < total || !fibers.empty()) {
    unsigned live = 0;
    for (Cta *cta : ctas) {
      live += cta->live != 0 ? 1 : 0;
    }
    for (; live < kResident && next < total; live++) {
      ctas.push_back(new Cta);
      start_cta(k, next++, ctas.back(), &fibers);
    }
    std::vector<Fiber *> left;
    for (Fiber *f : fibers) {
      run_fiber(f);
      if (f->done) { /* the rest of it is kept: other lanes look at it; the process is short */
        free_stacks.push_back(f->stack);
      } else {
        left.push_back(f);
      }
    }
    fibers = left;
    while (!ctas.empty() && ctas.front()->live == 0) {
      delete ctas.front();
      ctas.erase(ctas.begin());
    }
  }
}

/* Calls a kernel of any signature: its arguments are the launch's, buffers by host address. */
template <typename T>
static T argument(const wl_kernel_launch_t *l, unsigned char *const *buffer, size_t i) {
  T value;
  if (l->arg[i].kind == WL_ARG_BUFFER) {
    if (sizeof value != sizeof buffer[i]) {
      abort();
    }
    memcpy((void *)&value, &buffer[i], sizeof buffer[i]);
  } else {
    if (sizeof value != l->arg[i].size) {
      abort();
    }
    memcpy((void *)&value, l->arg[i].data, sizeof value);
  }
  return value;
}

template <typename... A, size_t... I>
static void call_with(void (*f)(A...), const wl_kernel_launch_t *l, unsigned char *const *buffer,
                      std::index_sequence<I...>) {
  if (sizeof...(A) != l->arg_count) {
    fprintf(stderr, "argument count\n");
    abort();
  }
  f(argument<A>(l, buffer, I)...);
}

template <typename... A>
static void call(void (*f)(A...), const wl_kernel_launch_t *l, unsigned char *const *buffer) {
  call_with(f, l, buffer, std::make_index_sequence<sizeof...(A)>());
}

#include "host_run_entries.inc" /* made by host_run.sh: call_entry() */

static bool run_case(const wl_kernel_t *kernel, const wl_kernel_case_t *k) {
  wl_kernel_launch_t l;
  unsigned char *buffer[WL_KERNEL_MAX_ARGS] = {nullptr};
  const unsigned char *result[WL_KERNEL_MAX_ARGS] = {nullptr};
  char message[256] = "out of memory";
  bool ok = wl_kernel_prepare(k, &l);
  for (size_t i = 0; ok && i < l.arg_count; i++) {
    result[i] = buffer[i] = (unsigned char *)malloc(l.arg[i].size + 1);
    memcpy(buffer[i], l.arg[i].data, l.arg[i].size);
  }
  if (ok) {
    body = [&] { call_entry(k->entry, &l, buffer); };
    run_grid(k);
    ok = wl_kernel_verify(k, &l, result, message, sizeof message);
  }
  printf("%s %s/%s%s%s\n", ok ? "ok  " : "FAIL", kernel->name, k->name, ok ? "" : ": ",
         ok ? "" : message);
  fflush(stdout);
  wl_kernel_launch_free(&l);
  return ok;
}

/* What begins with sm_90 and is in wl_bulk.h and wl_umma.h. */
static bool has_host_code(const char *kernel) {
  return strncmp(kernel, "bulk_", 5) == 0 || strncmp(kernel, "umma_", 5) == 0;
}

int main(int argc, char **argv) {
  struct itimerval every = {{0, 100}, {0, 100}};
  struct sigaction action = {};
  int failures = 0;
  size_t count = 0;
  action.sa_handler = on_timer;
  action.sa_flags = SA_RESTART | SA_NODEFER;
  sigaction(SIGALRM, &action, nullptr);
  setitimer(ITIMER_REAL, &every, nullptr);
  const wl_kernel_t *const *kernels = wl_kernel_cases(&count);
  for (size_t n = 0; n < count; n++) {
    for (size_t i = 0; i < kernels[n]->case_count; i++) {
      const wl_kernel_case_t *k = &kernels[n]->cases[i];
      uint32_t variants = k->variants != 0 ? k->variants : kernels[n]->variants;
      if ((variants & (WL_PTX_NVCC | WL_PTX_CLANG)) == 0 && !has_host_code(kernels[n]->name)) {
        continue; /* no CUDA C source, or one that needs CUDA's headers */
      }
      bool wanted = argc < 2 ? k->tier == WL_TIER_SMOKE : strcmp(argv[1], kernels[n]->name) == 0;
      if (wanted && (argc < 3 || strcmp(argv[2], k->name) == 0)) {
        failures += run_case(kernels[n], k) ? 0 : 1;
      }
    }
  }
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
