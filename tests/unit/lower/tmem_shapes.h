/* tmem_shapes.h: where the shapes of tcgen05.ld and .st have the words of their threads, for tests (PTX 9.7.16.2.3). */
#ifndef WL_TESTS_UNIT_LOWER_TMEM_SHAPES_H
#define WL_TESTS_UNIT_LOWER_TMEM_SHAPES_H

/* `row` words make up a lane's part of one repetition with `regs` registers; thread and register name a word of it,
 * the lanes one after the other. */
typedef struct shape {
  const char *name;
  unsigned regs, row, lanes;
  unsigned (*word)(unsigned t, unsigned r);
} shape_t;
static inline unsigned word_32x32b(unsigned t, unsigned r) { return t + r; }
static inline unsigned word_64b(unsigned t, unsigned r) {
  return 16 * (t % 2) + t / 2 % 2 + 2 * (t / 4) + r;
}
static inline unsigned word_128b(unsigned t, unsigned r) { return t % 4 + 4 * (t / 4) + 32 * r; }
static inline unsigned word_256b(unsigned t, unsigned r) {
  return 2 * (t % 4) + 8 * (t / 4) + r % 2 + 64 * (r / 2);
}
static inline unsigned word_32bx2(unsigned t, unsigned r) { return t % 16 + r; }
static const shape_t shapes[] = {{"32x32b", 1, 1, 32, word_32x32b},
                                 {"16x64b", 1, 2, 16, word_64b},
                                 {"16x128b", 2, 4, 16, word_128b},
                                 {"16x256b", 4, 8, 16, word_256b},
                                 {"16x32bx2", 1, 1, 16, word_32bx2}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

#endif
