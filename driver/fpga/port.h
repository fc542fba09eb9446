/* port.h: a serial port, or a pseudo-terminal in its place, opened for one driver alone.
 * docs/fpga.md 3, 7. Knows bytes only. */
#ifndef WL_FPGA_PORT_H
#define WL_FPGA_PORT_H
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

typedef struct wl_port {
  int file; /* -1: not open */
  bool pty;
  struct termios before;
  char path[256];
} wl_port_t;

/* False with one sentence in err that says what to do. Close is right also then. */
bool wl_port_open(wl_port_t *port, const char *path, char *err, size_t cap);
void wl_port_close(wl_port_t *port);

/* Sends all bytes within the time; 0, 1: time is over, -1 with a sentence: the port is lost. */
int wl_port_send(wl_port_t *port, const void *bytes, size_t n, unsigned ms, char *err, size_t cap);
/* Takes what is there, waiting for it at most ms; 0: nothing came, -1 with a sentence: lost. */
long wl_port_receive(wl_port_t *port, void *bytes, size_t n, unsigned ms, char *err, size_t cap);

#endif
