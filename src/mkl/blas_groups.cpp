// The calls of a batch in groups.
#include <cstring>

#include "mkl/blas.hpp"

namespace dpep::mkl {

std::vector<call> products_of(const gemm_groups &g) {
  const std::size_t bytes = size_of(g.type);
  std::vector<call> all;
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < g.groups; ++i) {
    call c{.what = function::gemm,
           .type = g.type,
           .row_major = g.row_major,
           .transpose_a = g.transpose_a[i],
           .transpose_b = g.transpose_b[i],
           .m = g.m[i],
           .n = g.n[i],
           .k = g.k[i]};
    std::memcpy(c.alpha.value, static_cast<const std::byte *>(g.alpha) + std::size_t(i) * bytes, bytes);
    std::memcpy(c.beta.value, static_cast<const std::byte *>(g.beta) + std::size_t(i) * bytes, bytes);
    for (std::int64_t j = 0; j < g.sizes[i]; ++j, ++at) {
      c.operands[0] = {.pointer = g.a[at], .step = g.lda[i]};
      c.operands[1] = {.pointer = g.b[at], .step = g.ldb[i]};
      c.operands[2] = {.pointer = g.c[at], .mode = access::read_write, .step = g.ldc[i]};
      check(c);
      all.push_back(c);
    }
  }
  return all;
}

}  // namespace dpep::mkl
