/* model.h: the design's model, compared with the same in C. */
#ifndef OWN_MODEL_H
#define OWN_MODEL_H
/* Runs `clocks` clocks; 0, or the clock in which the model differs. Verilator's number in *version.
 */
#ifdef __cplusplus
extern "C"
#endif
    __attribute__((visibility("default"))) int
    own_run(int clocks, const char **version);
#endif
