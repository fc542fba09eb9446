/* link.h: a session with a board: requests and responses over a port, sequence, retries and
 * time-outs, and the handshake. docs/fpga.md 3, 4, 7. The commands themselves: board.h. */
#ifndef WL_FPGA_LINK_H
#define WL_FPGA_LINK_H
#include "driver/fpga/frame.h"
#include "driver/fpga/port.h"
#include "gen/wl_config.h"

/* What the board says of itself. */
typedef struct wl_hello {
  uint32_t protocol, config; /* config: index of wl_configs, or beyond */
  uint32_t mem_bytes, clock_khz;
  uint64_t isa_hash, layout_hash, bitstream_hash;
} wl_hello_t;

typedef struct wl_link {
  wl_port_t port;
  wl_receiver_t receiver;
  wl_hello_t hello;
  uint8_t seq;
  unsigned timeout_ms; /* of a try, in the mean */
  bool lost;           /* no request can succeed any more */
  bool stale;          /* a request was left unanswered: the next one begins a session anew */
  bool (*stop)(void *context); /* asked while waiting; may be NULL */
  void *stop_context;
  uint64_t requests, retries, received; /* received: bytes */
  wl_frame_t response;
  char error[512]; /* of the request that failed */
} wl_link_t;

/* Opens the port and begins a session; false with a sentence in link->error. Close either way. */
bool wl_link_open(wl_link_t *link, const char *port);
void wl_link_close(wl_link_t *link);
/* Whether board and driver belong together; config NULL: any. False with a sentence in link->error
 * that has both values and what to do. */
bool wl_link_check(wl_link_t *link, const wl_config_t *config);

/* One request and its response, in link->response; `want`: length of its payload, -1: any. */
bool wl_link_request(wl_link_t *link, wl_link_cmd_t command, const void *payload, size_t len,
                     long want);
/* Sentence into link->error; returns false. */
bool wl_link_fail(wl_link_t *link, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
