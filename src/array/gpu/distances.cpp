// Distances between points on devices that do not run host code: a work-item for each pair.
#include "array/gpu/distances.hpp"

#include <tuple>

#include "array/gpu/kernel_list.hpp"
#include "array/gpu/launch.hpp"
#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t group = 256;

/// A call of a function of device/array/distances.cpp. Operands 0 to 3 are the points, the others, the weights and the
/// result; scalars 0 to 2 are the rows, columns and components.
generated_kernel generate(distance_kind kind, dtype type, bool weighted, bool condensed) {
  template_call call(true);
  for (std::size_t k = 0; k < 4; ++k) call.memory(k);
  for (std::uint16_t k = 0; k < 3; ++k) call.scalar_64(k);
  call.constant("i32", int(kind));
  call.constant("i1", weighted);
  call.constant("i1", condensed);
  return call.finish("array_distances", fmt::format("dpep_distances_{}", name_of(type)), group, 1, 4);
}

}  // namespace

event measure(const queue &where, const distance_arguments &d, const ordered_dependencies &after) {
  static auto &kernels = *new kernel_list<std::tuple<distance_kind, dtype, bool, bool>>;
  runtime::queue_object &q = runtime::implementation_of(where, "distances");
  const bool weighted = d.weights;
  const prepared_kernel kernel =
      kernels.find({d.kind, d.type, weighted, d.condensed}, q.code_target, (d.rows * d.columns + group - 1) / group,
                   [&] { return generate(d.kind, d.type, weighted, d.condensed); });
  std::byte *const memory[] = {const_cast<std::byte *>(d.first), const_cast<std::byte *>(d.second),
                               const_cast<std::byte *>(weighted ? d.weights : d.first), d.to};
  const scalar numbers[] = {scalar::of(d.rows), scalar::of(d.columns), scalar::of(d.components)};
  const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, nullptr);
  return launch(q, kernel, filled.bytes(), after);
}

}  // namespace dpep::array::gpu
