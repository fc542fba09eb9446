/* isa_id.h: identity of the machine ISA of this build, kept in every object's note. */
#ifndef WL_ISA_OBJ_ISA_ID_H
#define WL_ISA_OBJ_ISA_ID_H
#include <stdint.h>

uint64_t wl_obj_isa_hash(void);

#endif
