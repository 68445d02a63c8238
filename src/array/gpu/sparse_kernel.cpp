// Generates the kernels of products of sparse matrices with dense ones.
#include "array/gpu/sparse_kernel.hpp"

#include <algorithm>

#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {

generated_kernel generate_sparse_multiply(dtype type, dtype index, bool sums) {
  template_call call(true);
  for (std::size_t k = 0; k < 5; ++k) call.memory(k);
  for (std::uint16_t k = 0; k < 3; ++k) call.scalar_64(k);
  call.constant("i1", sums);
  // bools are summed in 32 bits
  call.local_memory(std::size_t(sparse_group) * std::max<std::size_t>(size_of(type), 4));
  return call.finish("array_sparse_multiply", fmt::format("dpep_sparse_multiply_{}_{}", name_of(type), name_of(index)),
                     sparse_group, 1, 4);
}

}  // namespace dpep::array::gpu
