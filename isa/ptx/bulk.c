/* bulk.c: rules of bulk copies, st.bulk, st.async and red.async that a form row cannot say: the space
 * of each operand, ranges of constants [PTX 9.7.9.25.4, 9.7.9.12, 9.7.9.13, 9.7.13.7]. */
#include "isa/ptx/ptx.h"
#include "isa/ptx/px.h"

enum {
  COPY_UNIT = 16,            /* the size of a copy is a multiple of it */
  COPY_MOST = (1 << 20) - 1, /* transaction counts go so far */
  IGNORED_MOST = 15,
  ZERO_UNIT = 8,
  ZERO_MOST = 1 << 24
};

static const wl_form_t *form_of(const wl_px_t *p, const wl_ptx_insn_t *insn) {
  return &p->forms->forms[insn->form];
}

/* The spaces of the form's first two addresses; an mbarrier's object is behind them. */
static void spaces_of(const wl_form_t *form, wl_ptx_space_t out[2]) {
  unsigned n = 0;
  for (uint8_t s = 0; s < form->nslots && n < 2; s++)
    if (form->slots[s].items[0].kind == WL_ITEM_SPACE)
      out[n++] = (wl_ptx_space_t)form->slots[s].items[0].id;
}

static bool check_addresses(wl_px_t *p, wl_ptx_insn_t *insn) {
  wl_ptx_space_t spaces[3] = {WL_PTX_SPACE_GLOBAL, WL_PTX_SPACE_GLOBAL,
                              WL_PTX_SPACE_SHARED_CLUSTER};
  const wl_ptx_space_t written = insn->space;
  bool ok = true;
  unsigned n = 0;
  spaces_of(form_of(p, insn), spaces);
  for (uint32_t i = 0; i < insn->noperands; i++) {
    wl_ptx_operand_t *o = &insn->operands[i];
    if (o->kind != WL_PTX_OPD_ADDR && o->kind != WL_PTX_OPD_VAR) continue;
    insn->space = spaces[n < 2 ? n++ : 2];
    ok = wl_px_check_address(p, insn, o) && ok;
  }
  insn->space = written;
  return ok;
}

static bool check_size(wl_px_t *p, const wl_ptx_operand_t *o, const char *clause) {
  const uint32_t size = (uint32_t)o->imm;
  if (o->kind != WL_PTX_OPD_INT) return true;
  if (size % COPY_UNIT != 0)
    return wl_px_error(p, o->pos, clause, "the size is a multiple of %d", COPY_UNIT);
  return size <= COPY_MOST || wl_px_error(p, o->pos, clause, "the size is at most %d", COPY_MOST);
}

/* cp.async.bulk, cp.reduce.async.bulk and their groups */
bool wl_px_check_bulk(wl_px_t *p, wl_ptx_insn_t *insn) {
  const char *clause = form_of(p, insn)->clause;
  const wl_ptx_operand_t *o = insn->operands;
  if (!check_addresses(p, insn)) return false;
  for (uint32_t i = 0; i < insn->noperands && insn->noperands > 1; i++) {
    if (o[i].kind == WL_PTX_OPD_ADDR) continue;
    if (!check_size(p, &o[i], clause)) return false;
    break; /* the operand behind the addresses; what follows is another matter */
  }
  if ((insn->flags & WL_PTX_F(IGNORE_OOB)) == 0) return true;
  for (uint32_t i = 3; i < 5; i++)
    if (o[i].kind == WL_PTX_OPD_INT && (uint32_t)o[i].imm > IGNORED_MOST)
      return wl_px_error(p, o[i].pos, clause, "at most %d bytes are ignored", IGNORED_MOST);
  return true;
}

static bool check_zero(wl_px_t *p, const wl_ptx_insn_t *insn, const char *clause) {
  const wl_ptx_operand_t *size = &insn->operands[1], *value = &insn->operands[2];
  if (insn->space != WL_PTX_SPACE_GENERIC && insn->space != WL_PTX_SPACE_SHARED)
    return wl_px_error(p, insn->pos, clause, "the memory is in .shared, not in .%s",
                       wl_ptx_space_name(insn->space));
  if (value->imm != 0) return wl_px_error(p, value->pos, clause, "the value is 0");
  if (size->kind == WL_PTX_OPD_REG)
    return wl_ptx_type_bits(size->reg->type) != 32 || p->version10 >= 90 ||
           wl_px_error(p, size->pos, clause, "a size of 32 bits needs .version 9.0 or later");
  if (size->imm % ZERO_UNIT != 0)
    return wl_px_error(p, size->pos, clause, "the size is a multiple of %d", ZERO_UNIT);
  return size->imm <= ZERO_MOST ||
         wl_px_error(p, size->pos, clause, "the size is at most %d", ZERO_MOST);
}

bool wl_px_check_async_access(wl_px_t *p, const wl_ptx_insn_t *insn) {
  const char *clause = form_of(p, insn)->clause;
  if (insn->mode[0] == WL_PTX_M_BULK) return check_zero(p, insn, clause);
  return insn->space == WL_PTX_SPACE_GENERIC || insn->space == WL_PTX_SPACE_GLOBAL ||
         wl_px_error(p, insn->pos, clause, "the memory is in .global, not in .%s",
                     wl_ptx_space_name(insn->space));
}
