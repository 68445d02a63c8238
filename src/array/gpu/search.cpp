// Binary searches in sorted elements on devices that do not run host code: a work-item for each needle.
#include "array/gpu/search.hpp"

#include "array/gpu/kernel_list.hpp"
#include "array/gpu/launch.hpp"
#include "array/gpu/search_kernel.hpp"

namespace dpep::array::gpu {
event search(const queue &where, const search_arguments &s, const ordered_dependencies &after) {
  static auto &kernels = *new kernel_list<std::tuple<dtype, bool, bool>>;
  runtime::queue_object &q = runtime::implementation_of(where, "search");
  const prepared_kernel kernel =
      kernels.find({s.type, s.stride == 1, s.right}, q.code_target, (s.count + search_group - 1) / search_group, [&] {
        return generate_search(s.type, s.stride == 1, s.right, device_sizes(q.code_target.info()).sub_group);
      });
  std::byte *const memory[] = {const_cast<std::byte *>(s.sorted), const_cast<std::byte *>(s.needles),
                               reinterpret_cast<std::byte *>(s.positions)};
  const scalar numbers[] = {scalar::of(s.length), scalar::of(s.stride), scalar::of(s.count)};
  const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, nullptr);
  return launch(q, kernel, filled.bytes(), after);
}

}  // namespace dpep::array::gpu
