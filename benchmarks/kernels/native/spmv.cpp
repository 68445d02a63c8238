// Sparse matrix (compressed rows) times vector.
#include "library.hpp"

namespace {

void spmv(const bench::arguments &a) {
  const std::int32_t *starts = a.buffer<std::int32_t>(0), *columns = a.buffer<std::int32_t>(1);
  const float *values = a.buffer<float>(2), *x = a.buffer<float>(3);
  float *y = a.buffer<float>(4);
#pragma omp parallel for schedule(dynamic, 512)
  for (std::int64_t row = 0; row < a.sizes[0]; row++) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int32_t i = starts[row]; i < starts[row + 1]; i++) sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}

bench::kernel registered("spmv", spmv);

}  // namespace
