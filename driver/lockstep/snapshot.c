/* snapshot.c: see snapshot.h. A forked process shares all pages with the run until one of them
 * writes; so a snapshot costs the pages that the run changes behind it. It waits in a read: when
 * the run ends in whatever way, its socket closes and the process goes too. */
#include "driver/lockstep/snapshot.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KEPT = 2, CHECK_CYCLES = 256 };

typedef struct snapshot {
  pid_t pid; /* 0: none */
  int socket;
  uint64_t cycle;
} snapshot_t;

struct wl_snapshots {
  uint64_t interval, next; /* by cycles: of the next one; by time: of the next look at the clock */
  struct timespec last;
  bool any;
  snapshot_t kept[KEPT]; /* oldest first */
  int own;               /* in a snapshot: its end of the socket */
};

wl_snapshots_t *wl_snapshots_open(uint64_t interval) {
  wl_snapshots_t *s = calloc(1, sizeof *s);
  if (s != NULL) s->interval = interval;
  return s;
}

static void end(snapshot_t *n) {
  if (n->pid == 0) return;
  (void)close(n->socket);
  (void)kill(n->pid, SIGKILL);
  while (waitpid(n->pid, NULL, 0) < 0 && errno == EINTR) {
  }
  n->pid = 0;
}

void wl_snapshots_close(wl_snapshots_t *s) {
  if (s == NULL) return;
  for (int i = 0; i < KEPT; i++)
    end(&s->kept[i]);
  free(s);
}

static bool is_time(wl_snapshots_t *s, uint64_t cycle) {
  struct timespec now;
  if (s->any && cycle < s->next) return false;
  if (s->interval != 0) {
    s->next = cycle + s->interval;
    return true;
  }
  s->next = cycle + CHECK_CYCLES;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return false;
  if (s->any && now.tv_sec - s->last.tv_sec < 2 &&
      (now.tv_sec == s->last.tv_sec || now.tv_nsec < s->last.tv_nsec))
    return false;
  s->last = now;
  return true;
}

static bool read_all(int file, void *to, size_t size) {
  for (size_t got = 0; got < size;) {
    const ssize_t n = read(file, (char *)to + got, size - got);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    got += (size_t)n;
  }
  return true;
}

static bool write_all(int file, const void *from, size_t size) {
  for (size_t put = 0; put < size;) {
    const ssize_t n = send(file, (const char *)from + put, size - put, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    put += (size_t)n;
  }
  return true;
}

/* The life of a snapshot: waits for an order, or for the end of the run. */
static bool wait_order(wl_snapshots_t *s, int socket, wl_snapshot_order_t *order) {
  for (int i = 0; i < KEPT; i++) {
    if (s->kept[i].pid != 0) (void)close(s->kept[i].socket);
    s->kept[i].pid = 0;
  }
  s->own = socket;
  if (!read_all(socket, order, sizeof *order)) _exit(0);
  return true;
}

bool wl_snapshots_take(wl_snapshots_t *s, uint64_t cycle, wl_snapshot_order_t *order) {
  int pair[2];
  if (s->own != 0 || !is_time(s, cycle)) return false;
  s->any = true;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return false;
  const pid_t pid = fork();
  if (pid == 0) {
    (void)close(pair[0]);
    return wait_order(s, pair[1], order);
  }
  (void)close(pair[1]);
  if (pid < 0) { /* no memory for another process: the older ones stay */
    (void)close(pair[0]);
    return false;
  }
  if (s->kept[KEPT - 1].pid != 0) {
    end(&s->kept[0]);
    memmove(s->kept, s->kept + 1, (KEPT - 1) * sizeof *s->kept);
    s->kept[KEPT - 1].pid = 0;
  }
  int at = 0;
  while (s->kept[at].pid != 0)
    at++;
  s->kept[at] = (snapshot_t){pid, pair[0], cycle};
  return false;
}

bool wl_snapshots_run(wl_snapshots_t *s, const wl_snapshot_order_t *order, uint64_t *began,
                      char *text, size_t cap) {
  snapshot_t *n = &s->kept[0];
  struct {
    bool ok;
    char text[WL_SNAPSHOT_TEXT];
  } answer = {false, "the snapshot ended without an answer"};
  for (int i = 1; i < KEPT; i++)
    if (s->kept[i].pid != 0 && s->kept[i].cycle <= order->from) n = &s->kept[i];
  snprintf(text, cap, "there is no snapshot");
  if (n->pid == 0) return false;
  *began = n->cycle;
  if (write_all(n->socket, order, sizeof *order)) (void)read_all(n->socket, &answer, sizeof answer);
  answer.text[sizeof answer.text - 1] = '\0';
  snprintf(text, cap, "%s", answer.text);
  return answer.ok;
}

void wl_snapshots_done(wl_snapshots_t *s, bool ok, const char *text) {
  struct {
    bool ok;
    char text[WL_SNAPSHOT_TEXT];
  } answer;
  memset(&answer, 0, sizeof answer);
  answer.ok = ok;
  snprintf(answer.text, sizeof answer.text, "%s", text);
  (void)write_all(s->own, &answer, sizeof answer);
  _exit(0); /* nothing of the run's own buffers is written twice */
}
