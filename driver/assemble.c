/* assemble.c: see assemble.h. In a build without the PTX front end every text is refused, so that
 * the driver can be used with objects alone. */
#include "driver/assemble.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wl_assemble_free_histogram(wl_assemble_output_t *out) {
  for (size_t i = 0; i < out->histogram_count; i++) {
    free(out->histogram[i].form);
  }
  free(out->histogram);
  out->histogram = NULL;
  out->histogram_count = 0;
}

#ifdef WL_HAVE_PTX
#include "isa/lower/lower.h"
#include "isa/ptx/ptx.h"

static bool take_histogram(const wl_ptx_module_t *m, wl_assemble_output_t *out) {
  wl_ptx_hist_t h = {0};
  if (wl_ptx_histogram(m, &h) != 0) {
    return false;
  }
  out->histogram = calloc(h.count + 1, sizeof out->histogram[0]);
  bool ok = out->histogram != NULL;
  for (size_t i = 0; ok && i < h.count; i++) {
    char *form = malloc(strlen(h.rows[i].form) + 1);
    ok = form != NULL;
    if (ok) {
      strcpy(form, h.rows[i].form);
      out->histogram[out->histogram_count].form = form;
      out->histogram[out->histogram_count++].count = h.rows[i].count;
    }
  }
  wl_ptx_histogram_free(&h);
  return ok;
}

static wl_status_t lower(const wl_assemble_input_t *in, const wl_ptx_module_t *m,
                         wl_diag_list_t *diags, wl_assemble_output_t *out) {
  wl_lower_options_t options = {.max_regs = in->max_regs};
  int rc = wl_lower_module(m, &options, diags, &out->obj);
  if (rc != 0) {
    return (wl_status_t)rc;
  }
  if (out->obj->ptx_text == NULL && !wl_obj_set_ptx(out->obj, in->name, in->text, in->bytes)) {
    return WL_ERR_INTERNAL;
  }
  char why[256];
  if (wl_obj_verify(out->obj, why, sizeof why) != NULL) {
    wl_diag_add(diags, WL_DIAG_INTERNAL, (wl_ptx_pos_t){0, 0}, NULL, "%s", why);
    return WL_ERR_INTERNAL;
  }
  return WL_OK;
}

static bool target_fits(const wl_assemble_input_t *in, const wl_ptx_module_t *m,
                        wl_diag_list_t *diags) {
  unsigned long limit = in->target == NULL ? ULONG_MAX : strtoul(in->target + 3, NULL, 10);
  if (m->sm <= limit) {
    return true;
  }
  wl_diag_add(diags, WL_DIAG_MALFORMED, (wl_ptx_pos_t){0, 0}, "11.1.2",
              ".target sm_%u is above the requested %s", m->sm, in->target);
  return false;
}

wl_status_t wl_assemble_text(const wl_assemble_input_t *in, wl_assemble_output_t *out) {
  wl_diag_list_t diags;
  wl_ptx_module_t *m = NULL;
  memset(out, 0, sizeof *out);
  wl_diag_init(&diags);
  wl_diag_set_source(&diags, in->name, in->text, in->bytes);
  wl_status_t status = (wl_status_t)wl_ptx_parse(in->name, in->text, in->bytes, &diags, &m);
  if (status == WL_OK && in->histogram && !take_histogram(m, out)) {
    status = WL_ERR_INTERNAL;
  }
  if (status == WL_OK && !target_fits(in, m, &diags)) {
    status = WL_ERR_INPUT;
  }
  if (status == WL_OK) {
    status = lower(in, m, &diags, out);
  }
  out->log = diags.count != 0 ? wl_diag_format_all(&diags) : NULL;
  if (status != WL_OK || in->check_only) {
    wl_obj_free(out->obj);
    out->obj = NULL;
  }
  wl_ptx_module_free(m);
  wl_diag_free(&diags);
  return status;
}
#else
wl_status_t wl_assemble_text(const wl_assemble_input_t *in, wl_assemble_output_t *out) {
  static const char message[] = ": error: this build has no PTX front end\n";
  memset(out, 0, sizeof *out);
  size_t cap = strlen(in->name) + sizeof message;
  out->log = malloc(cap);
  if (out->log != NULL) {
    (void)snprintf(out->log, cap, "%s%s", in->name, message);
  }
  return WL_ERR_UNSUPPORTED;
}
#endif
