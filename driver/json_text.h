/* json_text.h: a text as a JSON string, in quotation marks. */
#ifndef WL_DRIVER_JSON_TEXT_H
#define WL_DRIVER_JSON_TEXT_H
#include <stdio.h>

static inline void wl_json_text(FILE *file, const char *text) {
  (void)fputc('"', file);
  for (const unsigned char *at = (const unsigned char *)text; *at != 0; at++) {
    if (*at == '"' || *at == '\\')
      (void)fprintf(file, "\\%c", *at);
    else if (*at == '\n')
      (void)fputs("\\n", file);
    else if (*at < 0x20)
      (void)fprintf(file, "\\u%04x", *at);
    else
      (void)fputc(*at, file);
  }
  (void)fputc('"', file);
}

#endif
