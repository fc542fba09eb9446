/* spec.c: the SPEC grammar of --arg and --symbol (docs/architecture.md 7):
 *   TYPE:VALUE  in:FILE  out:BYTES:FILE  inout:FILE:FILE  zero:BYTES  bytes:HEX  struct:FILE
 * inout splits at the first colon behind the prefix, so its first file name has none. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cli/cli.h"

#define MAX_BUFFER (UINT64_C(1) << 36)

static int bad(const char *what, const char *text, const char *why) {
  return cli_fail(CLI_INPUT, "%s %s: %s", what, text, why);
}

static char *copy(const char *text) {
  char *out = malloc(strlen(text) + 1);
  return out == NULL ? NULL : strcpy(out, text);
}

/* ---- TYPE:VALUE */

static bool parse_signed(const char *text, unsigned bits, uint64_t *out) {
  bool minus = text[0] == '-';
  uint64_t limit = (UINT64_C(1) << (bits - 1)) - (minus ? 0 : 1);
  uint64_t value = 0;
  if (!cli_number(text + (minus ? 1 : 0), limit, &value)) {
    return false;
  }
  *out = minus ? 0 - value : value;
  return true;
}

/* The format a literal is written in: decimal, hexadecimal float, inf, nan. */
static bool parse_float(const char *text, bool single, uint64_t *out) {
  char *end = NULL;
  errno = 0;
  float f = single ? strtof(text, &end) : 0.0f;
  double d = single ? 0.0 : strtod(text, &end);
  if (text[0] == 0 || *end != 0 || (errno == ERANGE && (single ? isinf(f) : isinf(d)))) {
    return false;
  }
  if (single) {
    uint32_t bits = 0;
    memcpy(&bits, &f, sizeof bits);
    *out = bits;
  } else {
    memcpy(out, &d, sizeof *out);
  }
  return true;
}

/* A type name like u32: class letter and bits. */
static bool split_type(const char *type, char *class_letter, unsigned *bits) {
  static const unsigned sizes[] = {8, 16, 32, 64};
  uint64_t value = 0;
  if (type[0] == 0 || strchr("usbf", type[0]) == NULL || !cli_number(type + 1, 64, &value)) {
    return false;
  }
  for (int i = 0; i < 4; i++) {
    if (value == sizes[i] && !(type[0] == 'f' && value < 16)) {
      *class_letter = type[0];
      *bits = sizes[i];
      return true;
    }
  }
  return false;
}

static int parse_scalar(const char *what, const char *text, const char *value, cli_spec_t *out) {
  char letter = 0;
  unsigned bits = 0;
  if (!split_type(out->type, &letter, &bits)) {
    return bad(what, text,
               "expected TYPE:VALUE, in:FILE, out:BYTES:FILE, inout:FILE:FILE, zero:BYTES, "
               "bytes:HEX or struct:FILE");
  }
  if (letter == 'f' && bits == 16) {
    return bad(what, text, "give f16 values as bits: b16:0x3c00");
  }
  bool ok = letter == 'f'   ? parse_float(value, bits == 32, &out->value)
            : letter == 's' ? parse_signed(value, bits, &out->value)
                            : cli_number(value, bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1,
                                         &out->value);
  if (!ok) {
    char why[64];
    (void)snprintf(why, sizeof why, "'%.24s' is not a value of type %s", value, out->type);
    return bad(what, text, why);
  }
  out->kind = CLI_SCALAR;
  out->value_bytes = bits / 8;
  return CLI_OK;
}

/* ---- structures and buffers */

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

static int parse_hex(const char *what, const char *text, const char *hex, cli_spec_t *out) {
  size_t length = strlen(hex);
  out->kind = CLI_BYTES;
  out->data.data = malloc(length / 2 + 1);
  if (out->data.data == NULL) {
    return cli_fail(CLI_INTERNAL, "out of memory");
  }
  if (length == 0 || length % 2 != 0) {
    return bad(what, text, "an even number of hexadecimal digits is needed");
  }
  for (size_t i = 0; i < length; i += 2) {
    int high = hex_digit(hex[i]);
    int low = hex_digit(hex[i + 1]);
    if (high < 0 || low < 0) {
      return bad(what, text, "an even number of hexadecimal digits is needed");
    }
    out->data.data[out->data.size++] = (uint8_t)(high << 4 | low);
  }
  return CLI_OK;
}

static int parse_size(const char *what, const char *text, const char *number, cli_spec_t *out) {
  uint64_t bytes = 0;
  if (!cli_number(number, MAX_BUFFER, &bytes) || bytes == 0) {
    return bad(what, text, "the size must be 1 to 2^36 bytes");
  }
  out->data.size = (size_t)bytes;
  return CLI_OK;
}

static int parse_out(const char *what, const char *text, const char *rest, cli_spec_t *out) {
  const char *colon = strchr(rest, ':');
  char number[32];
  out->kind = CLI_OUT;
  if (colon == NULL || colon[1] == 0 || (size_t)(colon - rest) >= sizeof number) {
    return bad(what, text, "expected out:BYTES:FILE");
  }
  (void)snprintf(number, sizeof number, "%.*s", (int)(colon - rest), rest);
  out->out_path = copy(colon + 1);
  return parse_size(what, text, number, out);
}

static int parse_inout(const char *what, const char *text, const char *rest, cli_spec_t *out) {
  const char *colon = strchr(rest, ':');
  out->kind = CLI_INOUT;
  if (colon == NULL || colon == rest || colon[1] == 0) {
    return bad(what, text, "expected inout:FILE:FILE");
  }
  out->in_path = copy(rest);
  out->out_path = copy(colon + 1);
  if (out->in_path == NULL || out->out_path == NULL) {
    return cli_fail(CLI_INTERNAL, "out of memory");
  }
  out->in_path[colon - rest] = 0;
  return cli_read(out->in_path, &out->data);
}

static int read_input(const char *path, cli_spec_kind_t kind, cli_spec_t *out) {
  out->kind = kind;
  out->in_path = copy(path);
  return out->in_path != NULL ? cli_read(path, &out->data)
                              : cli_fail(CLI_INTERNAL, "out of memory");
}

int cli_spec_parse(const char *what, const char *text, cli_spec_t *out) {
  *out = (cli_spec_t){.text = text};
  const char *colon = strchr(text, ':');
  if (colon == NULL) {
    return bad(what, text,
               "expected TYPE:VALUE, in:FILE, out:BYTES:FILE, inout:FILE:FILE, zero:BYTES, "
               "bytes:HEX or struct:FILE");
  }
  (void)snprintf(out->type, sizeof out->type, "%.*s", (int)(colon - text), text);
  const char *rest = colon + 1;
  if (strcmp(out->type, "in") == 0) {
    return read_input(rest, CLI_IN, out);
  }
  if (strcmp(out->type, "struct") == 0) {
    return read_input(rest, CLI_BYTES, out);
  }
  if (strcmp(out->type, "zero") == 0) {
    out->kind = CLI_ZERO;
    return parse_size(what, text, rest, out);
  }
  if (strcmp(out->type, "bytes") == 0) {
    return parse_hex(what, text, rest, out);
  }
  if (strcmp(out->type, "out") == 0) {
    return parse_out(what, text, rest, out);
  }
  if (strcmp(out->type, "inout") == 0) {
    return parse_inout(what, text, rest, out);
  }
  return parse_scalar(what, text, rest, out);
}

bool cli_spec_is_buffer(const cli_spec_t *spec) {
  return spec->kind == CLI_IN || spec->kind == CLI_OUT || spec->kind == CLI_INOUT ||
         spec->kind == CLI_ZERO;
}

void cli_spec_free(cli_spec_t *spec) {
  free(spec->data.data);
  free(spec->in_path);
  free(spec->out_path);
  cli_out_discard(&spec->out);
  *spec = (cli_spec_t){0};
}
