/* port.c: see port.h. docs/fpga.md 7. Two drivers on one port are kept apart by flock, which ends
 * with the process whatever happens to it, and on real ports by TIOCEXCL, which other programs
 * obey too; the kernel ends that with the last close. */
#define _GNU_SOURCE
#include "driver/fpga/port.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/serial.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "gen/wl_link.h"

_Static_assert(WL_LINK_BAUD == 3000000, "the speed that set_raw asks for");
enum { FIRST_PTY = 136, LAST_PTY = 143 /* major numbers of pseudo-terminals (Linux devices.txt) */ };

static bool no_permission(const char *path, char *err, size_t cap) {
  struct stat s;
  const struct group *g = stat(path, &s) == 0 ? getgrgid(s.st_gid) : NULL;
  if (g != NULL && (s.st_mode & 060) == 060)
    snprintf(err, cap,
             "no permission for port %s: it belongs to group %s; `sudo usermod -aG %s $USER`, then "
             "log in again",
             path, g->gr_name, g->gr_name);
  else
    snprintf(err, cap,
             "no permission for port %s: its group %s has none either; `sudo chmod 660 %s`, and a "
             "udev rule to keep it",
             path, g != NULL ? g->gr_name : "(no name)", path);
  return false;
}

static bool busy(const char *path, char *err, size_t cap) {
  snprintf(err, cap, "port %s is busy: another program uses it (`fuser -v %s` names it)", path,
           path);
  return false;
}

static bool cannot_open(const char *path, int why, char *err, size_t cap) {
  if (why == EACCES || why == EPERM) return no_permission(path, err, cap);
  if (why == EBUSY) return busy(path, err, cap);
  if (why == ENOENT || why == ENXIO || why == ENODEV || why == EIO || why == ENOTDIR)
    snprintf(err, cap,
             "no device %s: is the board plugged in? `ls /dev/serial/by-id` lists serial ports; name "
             "one with --port or WL_PORT",
             path);
  else
    snprintf(err, cap, "cannot open port %s: %s", path, strerror(why));
  return false;
}

/* 8N1, no flow control, no translation. A pseudo-terminal has no speed, which is no error. */
static bool set_raw(wl_port_t *p, char *err, size_t cap) {
  struct termios t = p->before;
  cfmakeraw(&t);
  t.c_cflag = (t.c_cflag & ~(tcflag_t)(CSTOPB | CRTSCTS | HUPCL)) | CLOCAL | CREAD;
  t.c_cc[VMIN] = 0;
  t.c_cc[VTIME] = 0;
  if (cfsetspeed(&t, B3000000) != 0 || tcsetattr(p->file, TCSANOW, &t) != 0) {
    snprintf(err, cap, "port %s does not run at %u baud: %s", p->path, WL_LINK_BAUD,
             strerror(errno));
    return false;
  }
  struct serial_struct serial; /* USB adapters else keep what came for up to 16 ms */
  if (!p->pty && ioctl(p->file, TIOCGSERIAL, &serial) == 0) {
    serial.flags = (int)((unsigned)serial.flags | ASYNC_LOW_LATENCY);
    (void)ioctl(p->file, TIOCSSERIAL, &serial);
  }
  (void)tcflush(p->file, TCIOFLUSH);
  return true;
}

bool wl_port_open(wl_port_t *p, const char *path, char *err, size_t cap) {
  struct stat s;
  *p = (wl_port_t){.file = -1};
  if (strlen(path) >= sizeof p->path) {
    snprintf(err, cap, "the name of the port is too long");
    return false;
  }
  memcpy(p->path, path, strlen(path) + 1);
  p->file = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (p->file < 0) return cannot_open(path, errno, err, cap);
  if (fstat(p->file, &s) != 0 || !S_ISCHR(s.st_mode) || tcgetattr(p->file, &p->before) != 0) {
    snprintf(err, cap, "%s is no serial port: name one with --port or WL_PORT", path);
    (void)close(p->file);
    p->file = -1;
    return false;
  }
  p->pty = major(s.st_rdev) >= FIRST_PTY && major(s.st_rdev) <= LAST_PTY;
  if (flock(p->file, LOCK_EX | LOCK_NB) != 0) {
    (void)close(p->file);
    p->file = -1;
    return busy(path, err, cap);
  }
  if (!p->pty) (void)ioctl(p->file, TIOCEXCL);
  return set_raw(p, err, cap);
}

void wl_port_close(wl_port_t *p) {
  if (p->file < 0) return;
  if (!p->pty) (void)ioctl(p->file, TIOCNXCL);
  (void)tcsetattr(p->file, TCSANOW, &p->before);
  (void)flock(p->file, LOCK_UN);
  (void)close(p->file);
  p->file = -1;
}

static void lost(const wl_port_t *p, const char *why, char *err, size_t cap) {
  snprintf(err, cap,
           "port %s is gone (%s): the board was unplugged, or its program ended; plug it in and "
           "start again",
           p->path, why);
}

static long now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* 1: ready, 0: time is over or a signal came, -1: lost. */
static int wait_for(const wl_port_t *p, short what, long ms, char *err, size_t cap) {
  struct pollfd f = {.fd = p->file, .events = what};
  const int n = poll(&f, 1, (int)(ms > 0 ? ms : 0));
  if (n < 0 && errno != EINTR) {
    lost(p, strerror(errno), err, cap);
    return -1;
  }
  if (n <= 0) return 0;
  if ((f.revents & what) == 0 && (f.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
    lost(p, "hang-up", err, cap);
    return -1;
  }
  return 1;
}

int wl_port_send(wl_port_t *p, const void *bytes, size_t n, unsigned ms, char *err, size_t cap) {
  const char *from = bytes;
  const long end = now_ms() + (long)ms;
  while (n > 0) {
    const ssize_t done = write(p->file, from, n);
    if (done > 0) {
      from += done;
      n -= (size_t)done;
      continue;
    }
    if (done < 0 && errno != EAGAIN && errno != EINTR) {
      lost(p, strerror(errno), err, cap);
      return -1;
    }
    const long left = end - now_ms();
    if (left <= 0) return 1;
    if (wait_for(p, POLLOUT, left, err, cap) < 0) return -1;
  }
  return 0;
}

long wl_port_receive(wl_port_t *p, void *bytes, size_t n, unsigned ms, char *err, size_t cap) {
  const int ready = wait_for(p, POLLIN, (long)ms, err, cap);
  if (ready <= 0) return ready;
  const ssize_t got = read(p->file, bytes, n);
  if (got > 0) return (long)got;
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  lost(p, got < 0 ? strerror(errno) : "end of file", err, cap);
  return -1;
}
