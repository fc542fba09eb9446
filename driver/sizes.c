/* sizes.c: sizes of the public structures, for programs that do not read the headers. */
#include <string.h>

#include "driver/include/warplock_compare.h"

#define SIZE(type) {#type, sizeof(type)}
static const struct {
  const char *name;
  size_t bytes;
} sizes[] = {SIZE(wl_device_options_t),
             SIZE(wl_device_info_t),
             SIZE(wl_module_options_t),
             SIZE(wl_param_info_t),
             SIZE(wl_function_info_t),
             SIZE(wl_refusal_info_t),
             SIZE(wl_arg_t),
             SIZE(wl_launch_t),
             SIZE(wl_trap_info_t),
             SIZE(wl_result_t),
             SIZE(wl_divergence_t),
             SIZE(wl_finding_t),
             SIZE(wl_place_t),
             SIZE(wl_replay_info_t),
             SIZE(wl_shrink_options_t),
             SIZE(wl_shrink_size_t),
             SIZE(wl_shrink_result_t),
             SIZE(wl_board_options_t),
             SIZE(wl_assemble_options_t),
             SIZE(wl_compare_options_t)};

size_t wl_sizeof(const char *structure) {
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    if (strcmp(sizes[i].name, structure) == 0) {
      return sizes[i].bytes;
    }
  }
  return 0;
}
