#include <math.h>
#include <stddef.h>

#include "tests/silicon/samples.h"

static double reciprocal(double x) { return 1 / x; }
static double reciprocal_root(double x) { return 1 / sqrt(x); }

const curve_t *curve_at(unsigned index) {
  static const curve_t curves[] = {
      {"rcp.approx.f32", 1, 2, reciprocal}, {"rsqrt.approx.f32", 1, 4, reciprocal_root},
      {"sqrt.approx.f32", 1, 4, sqrt},      {"ex2.approx.f32", -1, 1, exp2},
      {"lg2.approx.f32", 0.5F, 2, log2},    {"sin.approx.f32", 0, 8, sin},
      {"cos.approx.f32", 0, 8, cos},        {"tanh.approx.f32", 0, 4, tanh}};
  return index < sizeof curves / sizeof curves[0] ? &curves[index] : NULL;
}

float curve_point(const curve_t *curve, unsigned i) {
  return curve->from + (curve->to - curve->from) * (float)i / CURVE_POINTS;
}
