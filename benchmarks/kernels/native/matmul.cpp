// Matrix product: one operand is packed into panels of the register block's width, whose blocks fit the second-level
// cache.
#include <vector>

#include "library.hpp"

namespace {

typedef float lanes __attribute__((vector_size(64), aligned(4)));
constexpr int rows = 8, vectors = 2, panel = vectors * 16, depth = 256;

/// rows x panel elements of c += rows of a * a packed panel of b.
void multiply_block(const float *a, const float *b, float *c, std::int64_t n) {
  lanes sum[rows][vectors];
  for (int i = 0; i < rows; i++)
    for (int v = 0; v < vectors; v++) sum[i][v] = *reinterpret_cast<const lanes *>(c + i * n + 16 * v);
  for (int k = 0; k < depth; k++) {
    const lanes b0 = *reinterpret_cast<const lanes *>(b + k * panel);
    const lanes b1 = *reinterpret_cast<const lanes *>(b + k * panel + 16);
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++) {
      sum[i][0] += a[i * n + k] * b0;
      sum[i][1] += a[i * n + k] * b1;
    }
  }
  for (int i = 0; i < rows; i++)
    for (int v = 0; v < vectors; v++) *reinterpret_cast<lanes *>(c + i * n + 16 * v) = sum[i][v];
}

void matmul(const bench::arguments &arguments) {
  const float *a = arguments.buffer<float>(0), *b = arguments.buffer<float>(1);
  float *c = arguments.buffer<float>(2);
  const std::int64_t n = arguments.sizes[0];  // a multiple of `depth`
  std::vector<float> packed(n * n);
#pragma omp parallel for
  for (std::int64_t p = 0; p < n / panel; p++)
    for (std::int64_t k = 0; k < n; k++)
      for (int j = 0; j < panel; j++) packed[(p * n + k) * panel + j] = b[k * n + p * panel + j];
  constexpr int block = 64;  // rows of a
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t first = 0; first < n; first += block) {
    for (std::int64_t i = first * n; i < (first + block) * n; i++) c[i] = 0;
    for (std::int64_t k = 0; k < n; k += depth)
      for (std::int64_t p = 0; p < n / panel; p++)
        for (std::int64_t i = first; i < first + block; i += rows)
          multiply_block(a + i * n + k, packed.data() + (p * n + k) * panel, c + i * n + p * panel, n);
  }
}

bench::kernel registered("matmul", matmul);

}  // namespace
