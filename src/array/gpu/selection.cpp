// Selections by masks, and scatters, on devices that do not run host code.
#include "array/gpu/selection.hpp"

#include <algorithm>
#include <bit>

#include "array/gpu/kernel_list.hpp"
#include "array/gpu/launch.hpp"
#include "array/gpu/scan.hpp"
#include "array/gpu/selection_kernel.hpp"

namespace dpep::array::gpu {
namespace {

kernel_list<std::pair<selection_step, std::int64_t>> &kernels() {
  static auto &list = *new kernel_list<std::pair<selection_step, std::int64_t>>;
  return list;
}

/// Bytes that a work-item copies at once: the largest power of two that divides `alignments`, addresses and sizes.
std::int64_t word_of(selection_step step, std::uintptr_t alignments) {
  constexpr std::uintptr_t most = 8, most_of_scatter = 16;
  if (step < selection_step::extract) return most;
  return std::int64_t(1) << std::countr_zero(alignments | (step == selection_step::scatter ? most_of_scatter : most));
}

}  // namespace

void expect_selection(const queue &where, selection_step last, std::int64_t count, std::int64_t row) {
  backend::device &device = runtime::implementation_of(where, "selection").code_target;
  const auto expect = [&](selection_step step, std::uintptr_t alignments) {
    const std::int64_t word = word_of(step, alignments);
    return kernels().expect({step, word}, device, [&] { return generate_selection(step, word); });
  };
  const bool is_new = expect(last, static_cast<std::uintptr_t>(row));
  const std::int64_t blocks = (count + selection_block - 1) / selection_block;
  if (is_new && blocks > 1) expect_sum(where, blocks);
}

event select(const queue &where, selection_step step, const selection_arguments &s, const ordered_dependencies &after) {
  runtime::queue_object &q = runtime::implementation_of(where, "selection");
  const bool is_scatter = step == selection_step::scatter;
  const std::int64_t word =
      word_of(step, reinterpret_cast<std::uintptr_t>(s.from) | reinterpret_cast<std::uintptr_t>(s.to) |
                        static_cast<std::uintptr_t>(s.row));
  // a row is copied by as many work-items as it has words, rounded up to a power of two
  const auto words = static_cast<std::uint64_t>(s.row / word);
  const int log2_items = std::bit_width(std::min<std::uint64_t>(words, selection_group) - 1);
  const std::int64_t each = is_scatter ? (selection_group >> log2_items) * scattered_rows : selection_block;
  const prepared_kernel kernel = kernels().find({step, word}, q.code_target, (s.count + each - 1) / each,
                                                [&] { return generate_selection(step, word); });
  std::byte *const memory[] = {const_cast<std::byte *>(s.mask), reinterpret_cast<std::byte *>(s.sums),
                               const_cast<std::byte *>(s.from), s.to};
  const scalar numbers[] = {scalar::of(s.count), scalar::of(s.row / word), scalar::of(s.period),
                            scalar::of(std::int64_t{log2_items})};
  const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, nullptr);
  return launch(q, kernel, filled.bytes(), after);
}

}  // namespace dpep::array::gpu
