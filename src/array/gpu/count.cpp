// Counts of elements in bins on devices that do not run host code.
#include "array/gpu/count.hpp"

#include <algorithm>

#include "array/gpu/count_kernel.hpp"
#include "array/gpu/device_sizes.hpp"
#include "array/gpu/kernel_list.hpp"
#include "array/gpu/launch.hpp"
#include "array/gpu/sort.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t elements_each = 32, groups_each = 8;  // of a work-item, of a compute unit

/// Launches the kernel in order with the queue's array work.
void submit(const queue &where, const prepared_kernel &kernel, std::span<array_object *const> arrays,
            std::span<const scalar> numbers) {
  std::vector<std::byte *> memory;
  std::vector<std::shared_ptr<void>> owners;
  for (array_object *a : arrays) {
    memory.push_back(a->first());
    owners.push_back(std::make_shared<ref<storage>>(a->memory()));
  }
  deferred_queue::of(where).in_turn([&](const ordered_dependencies &after) {
    const filled_arguments filled(kernel.arguments, {memory, numbers}, nullptr, nullptr);
    event done = launch(runtime::implementation_of(where, "count"), kernel, filled.bytes(), after);
    if (done)
      for (std::shared_ptr<void> &owner : owners) done.keep_alive(std::move(owner));
    return done;
  });
}

void add_weights(array_object &bins, array_object &weights, array_object &sums) {
  static auto &kernels = *new kernel_list<dtype>;
  const queue &where = bins.queue;
  const layout list = layout::contiguous(std::array{bins.layout.size});
  const ndarray sorted = make_empty(where, dtype::int64, list, usm_kind::device),
                positions = make_empty(where, dtype::int64, list, usm_kind::device);
  array_object *const arrays[] = {&implementation_of(sorted, "count"), &implementation_of(positions, "count"), &weights,
                                  &sums};
  sort(bins, arrays[0], arrays[1], false);
  backend::device &device = runtime::implementation_of(where, "count").code_target;
  const prepared_kernel kernel =
      kernels.find(sums.type, device, sums.layout.size, [&] { return generate_added_weights(sums.type); });
  const scalar numbers[] = {scalar::of(bins.layout.size)};
  submit(where, kernel, arrays, numbers);
}

}  // namespace

void count(array_object &bins, array_object *weights, array_object &sums) {
  const std::int64_t elements = bins.layout.size, length = sums.layout.size;
  if (elements == 0 || length == 0) return;
  if (weights) return add_weights(bins, *weights, sums);
  static auto &kernels = *new kernel_list<bool>;
  backend::device &device = runtime::implementation_of(bins.queue, "count").code_target;
  const bool is_local = length <= most_local_bins;
  // in local memory, a work-item has enough elements to be worth clearing and adding the bins
  const std::int64_t each = is_local ? std::max(elements_each, length / count_group) : 1;
  const std::int64_t most = device_sizes(device.info()).compute_units * groups_each;
  const std::int64_t groups =
      std::clamp<std::int64_t>((elements + count_group * each - 1) / (count_group * each), 1, most);
  const prepared_kernel kernel = kernels.find(is_local, device, groups, [&] { return generate_count(is_local); });
  array_object *const arrays[] = {&bins, &sums};
  const scalar numbers[] = {scalar::of(elements), scalar::of(length)};
  submit(bins.queue, kernel, arrays, numbers);
}

}  // namespace dpep::array::gpu
