/* test_load.c: libwarplock.so loaded at run time by a C program that does not link it: nothing of
 * it is seen by others, it can be left and taken again, and two copies work side by side in two
 * threads. test_load LIBRARY SAXPY.ptx RTL     RTL: 1 where the RTL of tiny is built, else 0 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/common/read_file.h"
#include "tests/library/use.h"

static const char *const backend[] = {"func", "model", "rtl", "lockstep"};
static unsigned backends; /* of them, those that this build has */
static char *text;
static size_t size;

static void need(bool right, const char *what) {
  if (right) return;
  const char *error = dlerror();
  fprintf(stderr, "load: %s: %s\n", what, error != NULL ? error : "");
  exit(1);
}

static void *take(const char *path, wl_library_t *l) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  need(handle != NULL, path);
#define TAKE(name)                                                                                 \
  do {                                                                                             \
    void *at = dlsym(handle, #name);                                                               \
    need(at != NULL, #name);                                                                       \
    memcpy(&l->name, &at, sizeof at);                                                              \
  } while (0);
  WL_USED(TAKE)
#undef TAKE
  return handle;
}

static void *run_all(void *library) {
  const wl_library_t *l = library;
  for (unsigned i = 0; i < backends; i++)
    need(use_saxpy(l, backend[i], text, size), backend[i]);
  return NULL;
}

/* Verilator's run time leaves a destructor with each thread that ran it, until whose end the
 * library stays: so in a thread. */
static void run_in_thread(wl_library_t *l) {
  pthread_t thread;
  need(pthread_create(&thread, NULL, run_all, l) == 0, "thread");
  pthread_join(thread, NULL);
}

static void copy(const char *from, const char *to) {
  size_t bytes;
  char *data = wl_read_file(from, &bytes);
  FILE *out = fopen(to, "wb");
  need(data != NULL && out != NULL && fwrite(data, 1, bytes, out) == bytes, to);
  need(fclose(out) == 0, to);
  free(data);
}

static void side_by_side(const char *path) {
  char other[] = "/tmp/libwarplock.XXXXXX";
  const int file = mkstemp(other);
  need(file >= 0 && close(file) == 0, other);
  copy(path, other);
  wl_library_t l[2];
  void *handle[2] = {take(path, &l[0]), take(other, &l[1])};
  unlink(other);
  need(l[0].wl_launch != l[1].wl_launch, "two copies are one");
  pthread_t thread;
  need(pthread_create(&thread, NULL, run_all, &l[1]) == 0, "thread");
  run_all(&l[0]);
  pthread_join(thread, NULL);
  need(dlclose(handle[0]) == 0 && dlclose(handle[1]) == 0, "dlclose");
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  backends = strcmp(argv[3], "1") == 0 ? 4 : 2;
  text = wl_read_file(argv[2], &size);
  need(text != NULL, argv[2]);
  for (int turn = 0; turn < 2; turn++) {
    wl_library_t l;
    void *handle = take(argv[1], &l);
    need(dlsym(RTLD_DEFAULT, "wl_version") == NULL, "its names are seen by all");
    run_in_thread(&l);
    need(dlclose(handle) == 0, "dlclose");
    /* A unique symbol would keep it for ever. */
    need(dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) == NULL, "it is still there after dlclose");
  }
  side_by_side(argv[1]);
  free(text);
  printf("load: %u backends, twice, and two copies\n", backends);
  return 0;
}
