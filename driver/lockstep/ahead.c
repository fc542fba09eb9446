/* ahead.c: see ahead.h. Caller and thread meet in one word; the lock is only for sleeping. */
#include "driver/lockstep/ahead.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LOOKS = 4000 }; /* at the word before the thread sleeps, or the caller yields */

typedef enum wl_ahead_state { IDLE, OFFERED, TAKEN, DONE, CLOSED } wl_ahead_state_t;

struct wl_ahead {
  void (*work)(void *context);
  void *context;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  _Alignas(64) atomic_int state; /* wl_ahead_state_t */
  _Alignas(64) atomic_bool sleeps;
};

static void pause_core(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static int look(wl_ahead_t *a) { return atomic_load_explicit(&a->state, memory_order_acquire); }

/* Until there is work; false: closed. */
static bool wait_for_work(wl_ahead_t *a) {
  for (unsigned i = 0; i < LOOKS; i++) {
    const int state = look(a);
    if (state == OFFERED || state == CLOSED) return state == OFFERED;
    pause_core();
  }
  pthread_mutex_lock(&a->lock);
  atomic_store(&a->sleeps, true);
  while (atomic_load(&a->state) != OFFERED && atomic_load(&a->state) != CLOSED)
    pthread_cond_wait(&a->wake, &a->lock);
  atomic_store(&a->sleeps, false);
  pthread_mutex_unlock(&a->lock);
  return look(a) != CLOSED;
}

/* Takes what is offered, if nobody has. */
static bool claim(wl_ahead_t *a, wl_ahead_state_t next) {
  int offered = OFFERED;
  return atomic_compare_exchange_strong(&a->state, &offered, next);
}

static void *run(void *context) {
  wl_ahead_t *a = context;
  while (wait_for_work(a)) {
    if (!claim(a, TAKEN)) continue;
    a->work(a->context);
    atomic_store_explicit(&a->state, DONE, memory_order_release);
  }
  return NULL;
}

wl_ahead_t *wl_ahead_open(void (*work)(void *context), void *context) {
  wl_ahead_t *a = aligned_alloc(_Alignof(wl_ahead_t), sizeof *a);
  if (a == NULL) return NULL;
  a->work = work;
  a->context = context;
  atomic_init(&a->state, IDLE);
  atomic_init(&a->sleeps, false);
  pthread_mutex_init(&a->lock, NULL);
  pthread_cond_init(&a->wake, NULL);
  if (pthread_create(&a->thread, NULL, run, a) == 0) return a;
  pthread_cond_destroy(&a->wake);
  pthread_mutex_destroy(&a->lock);
  free(a);
  return NULL;
}

static void offer(wl_ahead_t *a, wl_ahead_state_t state) {
  atomic_store(&a->state, state);
  if (!atomic_load(&a->sleeps)) return;
  pthread_mutex_lock(&a->lock);
  pthread_cond_signal(&a->wake);
  pthread_mutex_unlock(&a->lock);
}

void wl_ahead_begin(wl_ahead_t *a) { offer(a, OFFERED); }

bool wl_ahead_finish(wl_ahead_t *a) {
  if (claim(a, IDLE)) {
    a->work(a->context);
    return true;
  }
  if (look(a) == IDLE) return false;
  for (unsigned i = 0; look(a) != DONE; i++) {
    if (i < LOOKS)
      pause_core();
    else
      sched_yield();
  }
  atomic_store(&a->state, IDLE);
  return true;
}

void wl_ahead_close(wl_ahead_t *a) {
  if (a == NULL) return;
  (void)wl_ahead_finish(a);
  offer(a, CLOSED);
  pthread_join(a->thread, NULL);
  pthread_cond_destroy(&a->wake);
  pthread_mutex_destroy(&a->lock);
  free(a);
}
