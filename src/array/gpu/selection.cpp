// Selections by masks, and scatters, on devices that do not run host code.
#include "array/gpu/selection.hpp"

#include <algorithm>
#include <bit>

#include "array/gpu/kernel_list.hpp"
#include "array/gpu/launch.hpp"
#include "array/gpu/selection_kernel.hpp"

namespace dpep::array::gpu {
event select(const queue &where, selection_step step, const selection_arguments &s, const ordered_dependencies &after) {
  static auto &kernels = *new kernel_list<std::pair<selection_step, std::int64_t>>;
  runtime::queue_object &q = runtime::implementation_of(where, "selection");
  const bool is_scatter = step == selection_step::scatter;
  std::int64_t word = 8;
  if (step >= selection_step::extract) {
    const auto all = reinterpret_cast<std::uintptr_t>(s.from) | reinterpret_cast<std::uintptr_t>(s.to) |
                     static_cast<std::uintptr_t>(s.row) | (is_scatter ? 16u : 8u);
    word = std::int64_t(1) << std::countr_zero(all);
  }
  // a row is copied by as many work-items as it has words, rounded up to a power of two
  const auto words = static_cast<std::uint64_t>(s.row / word);
  const int log2_items = std::bit_width(std::min<std::uint64_t>(words, selection_group) - 1);
  const std::int64_t each = is_scatter ? (selection_group >> log2_items) * scattered_rows : selection_block;
  const prepared_kernel kernel = kernels.find({step, word}, q.code_target, (s.count + each - 1) / each,
                                              [&] { return generate_selection(step, word); });
  std::byte *const memory[] = {const_cast<std::byte *>(s.mask), reinterpret_cast<std::byte *>(s.sums),
                               const_cast<std::byte *>(s.from), s.to};
  const scalar numbers[] = {scalar::of(s.count), scalar::of(s.row / word), scalar::of(s.period),
                            scalar::of(std::int64_t{log2_items})};
  const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, nullptr);
  return launch(q, kernel, filled.bytes(), after);
}

}  // namespace dpep::array::gpu
