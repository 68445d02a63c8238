// Generates the kernels of counts.
#include "array/gpu/count_kernel.hpp"

#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {

generated_kernel generate_count(bool in_local_memory) {
  template_call call(true);
  call.memory(0);
  call.memory(1);
  call.scalar_64(0);
  if (in_local_memory) {
    call.scalar_64(1);
    call.local_memory(std::size_t(most_local_bins) * sizeof(std::uint32_t));
  }
  return call.finish("array_count", in_local_memory ? "dpep_count_locally" : "dpep_count", count_group, 1, 4);
}

generated_kernel generate_added_weights(dtype type) {
  constexpr std::int64_t group = 128;
  template_call call(true);
  for (std::size_t k = 0; k < 4; ++k) call.memory(k);
  call.scalar_64(0);
  call.local_memory(std::size_t(group) * size_of(type));
  return call.finish("array_add_weights", fmt::format("dpep_add_weights_{}", name_of(type)), group, 1, 4);
}

}  // namespace dpep::array::gpu
