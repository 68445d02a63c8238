// Quotients and square roots that are computed once for a reduction's result, as functions that generated kernels call:
// dpep_result_divide_float32(result, x, y), all addresses.
//
// A GPU has no instructions for them, and its assembler puts a function for rare cases beside each: kernels that have
// one take eight milliseconds longer to assemble. These have no rare cases. They take doubles, which not every GPU
// computes with quickly, so they are for where few are needed.
#include "device/array/types.hpp"
#include "device/math/reciprocal.hpp"

namespace {

using namespace dpep;

float quotient(float x, float y) {
  return device::has_fast_reciprocals() ? device::by_reciprocal::rounded_quotient(x, y) : x / y;
}
float root(float x) {
  return device::has_fast_reciprocals() ? device::by_reciprocal::rounded_square_root(x) : __builtin_sqrtf(x);
}

}  // namespace

DPEP_EXPORT void dpep_result_divide_float32(void *to, const void *x, const void *y) {
  using namespace dpep::array::gpu;
  write(to, quotient(read<float>(x), read<float>(y)));
}
DPEP_EXPORT void dpep_result_sqrt_float32(void *to, const void *x) {
  using namespace dpep::array::gpu;
  write(to, root(read<float>(x)));
}
