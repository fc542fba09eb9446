/* record: the parts of the recorder (record.c, README.md). Each runs on the device that cuda_open()
 * has found and writes to `out`; what fails is told on stderr and counted. */
#ifndef WL_TESTS_SILICON_RECORD_H
#define WL_TESTS_SILICON_RECORD_H
#include <stdbool.h>
#include <stdio.h>

#include "tests/silicon/op.h"

typedef struct job {
  const char *date, *dir;
  FILE *out;
  unsigned first; /* case to begin with, of parts whose cases may fail */
  unsigned failed;
  char ptx[32768];
} job_t;

void record_failed(job_t *j, const char *what); /* with cuda_error() */
/* A kernel that failed leaves a process in which nothing works any more: a new one goes on with case
 * `next` of the part, and this one ends. */
void record_go_on(job_t *j, const char *part, unsigned next);
void record_bytes(job_t *j, const char *name, const void *bytes, size_t size); /* DIR/NAME.bin */
/* Results of OP_ITEMS items of an operation. */
bool record_op(job_t *j, const op_t *op, const uint64_t (*operand)[OP_OPERANDS], uint64_t *result);
/* How many units in the last place bits are off the right value, as a character (samples.h). */
char record_off(float right, uint32_t bits);
void record_scalar(job_t *j);
void record_scalar2(job_t *j);
void record_scalar3(job_t *j);
void record_samples(job_t *j);
void record_curves(job_t *j);
void record_halves(job_t *j);
void record_dense(job_t *j);
void record_bulk(job_t *j);
void record_moves(job_t *j);
void record_async(job_t *j);
void record_copies(job_t *j);
void record_sweep(job_t *j);
void record_sweep2(job_t *j);              /* of what scalar3.txt has */
void record_raw(job_t *j, const char *op); /* all results of one operation, to DIR/OP.bin */
/* A random program's file; images: all bytes of its buffers to DIR/NAME.bin, too. */
void record_program(job_t *j, const char *path, bool images);
void record_tensor(job_t *j, const char *part); /* a part of tensor.h; all results: DIR/PART.bin */
void record_kernels(job_t *j);
#endif
