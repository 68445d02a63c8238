// Functions of one or a few instructions: rounding, signs, minimum and maximum, square roots.
//
// With -fno-math-errno, the builtins become LLVM intrinsics and these instructions, not calls of the functions defined
// here.
#define DPEP_SIMPLE [[gnu::always_inline]]

extern "C" {

#define DPEP_UNARY(name)                                                                                               \
  DPEP_SIMPLE double name(double x) { return __builtin_##name(x); }                                                    \
  DPEP_SIMPLE float name##f(float x) { return __builtin_##name##f(x); }
#define DPEP_BINARY(name)                                                                                              \
  DPEP_SIMPLE double name(double x, double y) { return __builtin_##name(x, y); }                                       \
  DPEP_SIMPLE float name##f(float x, float y) { return __builtin_##name##f(x, y); }

DPEP_UNARY(fabs)
DPEP_UNARY(floor)
DPEP_UNARY(ceil)
DPEP_UNARY(trunc)
DPEP_UNARY(rint)
DPEP_UNARY(nearbyint)
DPEP_UNARY(roundeven)
DPEP_UNARY(round)
DPEP_UNARY(sqrt)
DPEP_BINARY(copysign)
DPEP_BINARY(fmin)
DPEP_BINARY(fmax)

DPEP_SIMPLE double fdim(double x, double y) { return x <= y ? 0.0 : x - y; }  // NaN: the difference, NaN too
DPEP_SIMPLE float fdimf(float x, float y) { return x <= y ? 0.0f : x - y; }
DPEP_SIMPLE double rsqrt(double x) { return 1 / __builtin_sqrt(x); }
DPEP_SIMPLE float rsqrtf(float x) { return 1 / __builtin_sqrtf(x); }
}
