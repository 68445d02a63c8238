// Sparse matrix (compressed rows) times vector, with a work-item for each row.
#include "launch.hpp"

namespace {

void spmv(const bench::arguments &a) {
  const std::int32_t *starts = a.buffer<std::int32_t>(0), *columns = a.buffer<std::int32_t>(1);
  const float *values = a.buffer<float>(2), *x = a.buffer<float>(3);
  float *y = a.buffer<float>(4);
  bench::queue().parallel_for(bench::range1(a), [=](sycl::id<1> row) {
    float sum = 0;
    for (std::int32_t i = starts[row]; i < starts[row + 1]; i++) sum += values[i] * x[columns[i]];
    y[row] = sum;
  });
  bench::finish();
}

bench::kernel registered("spmv", spmv);

}  // namespace
