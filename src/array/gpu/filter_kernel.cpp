// Generates the kernels of filters of neighbourhoods.
#include "array/gpu/filter_kernel.hpp"

#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {

generated_kernel generate_filter(filter_kind kind, dtype type, bool in_pairs, bool subtract, bool weighted) {
  constexpr const char *names[] = {"sum", "least", "greatest", "rank"};
  template_call call(true);
  for (std::size_t k = 0; k < 6; ++k) call.memory(k);
  for (std::uint16_t k = 0; k < 4; ++k) call.scalar_64(k);
  call.constant("i1", in_pairs);
  call.constant("i1", subtract);
  call.constant("i1", weighted);
  const dtype stored = type == dtype::boolean ? dtype::uint8 : type;
  return call.finish("array_filter", fmt::format("dpep_filter_{}_{}", names[int(kind)], name_of(stored)), filter_group,
                     1, 4);
}

}  // namespace dpep::array::gpu
