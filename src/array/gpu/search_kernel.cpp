// Generates the kernels of binary searches.
#include "array/gpu/search_kernel.hpp"

#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {

generated_kernel generate_search(dtype type, bool is_contiguous, bool right, std::int64_t sub_group) {
  template_call call(true);
  call.function(fmt::format("dpep_sort_key_{}", name_of(type)), {"ptr", "ptr"});
  for (std::size_t k = 0; k < 3; ++k) call.memory(k);
  for (std::uint16_t k = 0; k < 3; ++k) call.scalar_64(k);
  call.constant("i1", is_contiguous);
  call.constant("i1", right);
  call.constant("i32", sub_group);
  generated_kernel kernel = call.finish(
      "array_search", fmt::format("dpep_search_{}_{}", size_of(type), size_of(real_of(type))), search_group, 1, 4);
  kernel.sub_group = std::uint32_t(sub_group);
  return kernel;
}

}  // namespace dpep::array::gpu
