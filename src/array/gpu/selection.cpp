// Selections by masks, and scatters, on devices that do not run host code.
#include "array/gpu/selection.hpp"

#include <bit>

#include "array/gpu/kernel_list.hpp"
#include "array/gpu/launch.hpp"
#include "array/gpu/selection_kernel.hpp"

namespace dpep::array::gpu {
event select(const queue &where, selection_step step, const selection_arguments &s, const ordered_dependencies &after) {
  static auto &kernels = *new kernel_list<std::pair<selection_step, std::int64_t>>;
  runtime::queue_object &q = runtime::implementation_of(where, "selection");
  std::int64_t word = 8;
  if (step >= selection_step::extract) {
    const auto all = reinterpret_cast<std::uintptr_t>(s.from) | reinterpret_cast<std::uintptr_t>(s.to) |
                     static_cast<std::uintptr_t>(s.row) | 8;
    word = std::int64_t(1) << std::countr_zero(all);
  }
  const std::int64_t each = step == selection_step::scatter ? selection_group : selection_block;
  const prepared_kernel kernel = kernels.find({step, word}, q.code_target, (s.count + each - 1) / each,
                                              [&] { return generate_selection(step, word); });
  std::byte *const memory[] = {const_cast<std::byte *>(s.mask), reinterpret_cast<std::byte *>(s.sums),
                               const_cast<std::byte *>(s.from), s.to};
  const scalar numbers[] = {scalar::of(s.count), scalar::of(s.row / word), scalar::of(s.period)};
  const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, nullptr);
  return launch(q, kernel, filled.bytes(), after);
}

}  // namespace dpep::array::gpu
