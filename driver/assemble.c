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

/* ---- kernels that cannot be launched */
static void add_name(char *list, size_t cap, const char *name) {
  size_t used = strlen(list);
  (void)snprintf(list + used, cap - used, "%s%s", used == 0 ? "" : ", ", name);
  if (strlen(list) == cap - 1) {
    strcpy(list + cap - 4, "...");
  }
}

/* "2 of 3 kernels cannot be launched: a, b". What is refused is told as warnings from here on, for
 * there is an object all the same. */
static void tell_refused(const wl_assemble_input_t *in, const wl_obj_t *obj, wl_diag_list_t *diags,
                         unsigned refused) {
  char list[400] = "";
  for (uint32_t i = 0; i < obj->entry_count; i++) {
    if (wl_obj_refusal(obj, i, 0) != NULL) {
      add_name(list, sizeof list, obj->entries[i].name);
    }
  }
  for (size_t i = 0; i < diags->count; i++) {
    if (diags->items[i].owner != 0) {
      diags->items[i].cls = WL_DIAG_WARNING;
      diags->items[i].hidden |= in->brief;
    }
  }
  if (refused != 0) {
    wl_diag_add(diags, WL_DIAG_NOTE, (wl_ptx_pos_t){0, 0}, NULL,
                "%u of %u kernels cannot be launched: %s", refused, obj->entry_count, list);
  }
}

/* The kernels that are asked for must be usable; in a module without any, all of it. */
static wl_status_t check_refused(const wl_assemble_input_t *in, const wl_obj_t *obj,
                                 wl_diag_list_t *diags) {
  const bool any = diags->refused != 0;
  unsigned refused = 0;
  bool found = in->kernel == NULL;
  bool usable = true;
  for (uint32_t i = 0; i < obj->entry_count; i++) {
    bool is_refused = wl_obj_refusal(obj, i, 0) != NULL;
    bool asked = in->kernel != NULL && strcmp(obj->entries[i].name, in->kernel) == 0;
    found = found || asked;
    usable = usable && !(asked && is_refused);
    refused += is_refused;
  }
  if (!found) {
    wl_diag_add(diags, WL_DIAG_MALFORMED, (wl_ptx_pos_t){0, 0}, NULL, "no kernel %s", in->kernel);
    return WL_ERR_INPUT;
  }
  if (!usable || (in->strict && refused != 0) || (any && refused == obj->entry_count)) {
    return WL_ERR_UNSUPPORTED;
  }
  if (any) {
    tell_refused(in, obj, diags, refused);
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
  diags.by_owner = true;
  wl_diag_set_source(&diags, in->name, in->text, in->bytes);
  wl_status_t status = (wl_status_t)wl_ptx_parse(in->name, in->text, in->bytes, &diags, &m);
  if (status == WL_OK && in->strict_tmem) {
    status = (wl_status_t)wl_ptx_strict_tmem(m, &diags);
  }
  if (status == WL_OK && in->histogram && !take_histogram(m, out)) {
    status = WL_ERR_INTERNAL;
  }
  if (status == WL_OK && !target_fits(in, m, &diags)) {
    status = WL_ERR_INPUT;
  }
  if (status == WL_OK) {
    status = lower(in, m, &diags, out);
  }
  if (status == WL_OK) {
    status = check_refused(in, out->obj, &diags);
  }
  out->log = diags.count != 0 ? wl_diag_format_all(&diags) : NULL;
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
