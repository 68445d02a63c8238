// Launches prepared kernels.
#include "array/gpu/launch.hpp"

#include <algorithm>
#include <cstring>

#include "array/base/scalars.hpp"
#include "array/blocks/numbers.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array::gpu {

filled_arguments::filled_arguments(const argument_block &block, const argument_values &from, std::byte *workspace,
                                   std::byte *counters)
    : bytes_(block.bytes.size()) {
  if (bytes_ > sizeof inline_) heap_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
  std::byte *const to = heap_ ? heap_.get() : inline_;
  if (bytes_) std::memcpy(to, block.bytes.data(), bytes_);
  for (const argument_patch &p : block.patches) {
    std::byte *const at = to + p.offset;
    const auto address = [&](const std::byte *value) { std::memcpy(at, &value, sizeof value); };
    switch (p.what) {
    case argument_patch::kind::memory:
      address(from.memory[p.index]);
      break;
    case argument_patch::kind::workspace:
      address(workspace + p.index);
      break;
    case argument_patch::kind::counters:
      address(counters);
      break;
    case argument_patch::kind::scalar:
      write_element(at, p.type, from.scalars[p.index]);
      break;
    case argument_patch::kind::ramp: {
      const blocks::numbers start = blocks::numbers_of(from.ramps[p.index].first);
      const blocks::numbers step = blocks::numbers_of(from.ramps[p.index].second);
      new (at) ramp_argument{start.integer, step.integer, {start.real, start.imaginary, step.real, step.imaginary}};
      break;
    }
    }
  }
}

event launch(runtime::queue_object &q, const prepared_kernel &kernel, std::span<const std::byte> arguments,
             const ordered_dependencies &after) {
  backend::launch_command command{kernel.code.get(),
                                  {1, {kernel.groups * kernel.local, 1, 1}, {kernel.local, 1, 1}, {}},
                                  arguments,
                                  0,
                                  {},    // the call site in the user's program is unknown here
                                  true,  // only the deferred queue waits for the event, and only for its last one
                                  after.replaced};
  return q.launch(command, after);
}

ref<storage> allocate_workspace(const queue &q, std::size_t bytes, owner_list &owners) {
  // allocations of 1,024 bytes and more start at multiples of 256 bytes
  ref<storage> memory = deferred_queue::of(q).allocate(q, usm_kind::device, std::max<std::size_t>(bytes, 1024));
  if (!memory->in_order) owners.push_back(std::make_shared<ref<storage>>(memory));
  return memory;
}

event run_kernels(const queue &where, const prepared_kernels &prepared, const program_arguments &arguments,
                  const ordered_dependencies &after, owner_list owners) {
  runtime::queue_object &q = runtime::implementation_of(where, "array program");
  ref<storage> workspace;
  if (prepared.workspace_bytes) workspace = allocate_workspace(where, prepared.workspace_bytes, owners);
  std::byte *const first = workspace ? workspace->base() : nullptr;
  std::byte *const counters = prepared.uses_counters ? deferred_queue::of(where).counters() : nullptr;
  return submit_steps(owners, [&](event &last) {
    for (const prepared_kernel &kernel : prepared.kernels) {
      const filled_arguments filled(kernel.arguments, arguments, first, counters);
      last = launch(q, kernel, filled.bytes(), last ? ordered_dependencies({&last, 1}, &last) : after);
    }
  });
}

}  // namespace dpep::array::gpu
