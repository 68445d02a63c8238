// Filters of neighbourhoods on devices that do not run host code: a work-item for each element of the result.
#include "array/gpu/filter.hpp"

#include <tuple>

#include "array/gpu/filter_kernel.hpp"
#include "array/gpu/kernel_list.hpp"
#include "array/gpu/launch.hpp"

namespace dpep::array::gpu {
event filter(const queue &where, const filter_arguments &f, const ordered_dependencies &after) {
  static auto &kernels = *new kernel_list<std::tuple<filter_kind, dtype, bool, bool, bool>>;
  runtime::queue_object &q = runtime::implementation_of(where, "filter");
  const bool in_pairs = f.opposites, weighted = f.weights;
  const std::int64_t count = f.rows * f.columns;
  const prepared_kernel kernel = kernels.find(
      {f.kind, f.type, in_pairs, f.subtract, weighted}, q.code_target, (count + filter_group - 1) / filter_group,
      [&] { return generate_filter(f.kind, f.type, in_pairs, f.subtract, weighted); });
  // Kernels do not read operands that a filter does not have.
  const std::int64_t *const opposites = in_pairs ? f.opposites : f.distances;
  const std::byte *const weights = weighted ? f.weights : f.from;
  std::byte *const memory[] = {const_cast<std::byte *>(f.from),
                               f.to,
                               reinterpret_cast<std::byte *>(const_cast<std::int64_t *>(f.starts)),
                               reinterpret_cast<std::byte *>(const_cast<std::int64_t *>(f.distances)),
                               reinterpret_cast<std::byte *>(const_cast<std::int64_t *>(opposites)),
                               const_cast<std::byte *>(weights)};
  const scalar numbers[] = {scalar::of(f.columns), scalar::of(count), scalar::of(f.taps), scalar::of(f.rank)};
  const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, nullptr);
  return launch(q, kernel, filled.bytes(), after);
}

}  // namespace dpep::array::gpu
