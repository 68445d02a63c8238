// Submits calls of libraries as native commands.
#include "array/gpu/native_calls.hpp"

#include "array/graph/deferred_queue.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::gpu {

backend::native_device *find_native_device(const queue &q) {
  return dynamic_cast<backend::native_device *>(&runtime::implementation_of(q).code_target);
}

event submit_native(const queue &q, const char *operation, const std::vector<ndarray> &used,
                    std::vector<std::shared_ptr<void>> owners, std::function<void(std::uintptr_t stream)> calls) {
  for (const ndarray &x : used)
    if (x) owners.push_back(std::make_shared<ref<storage>>(implementation_of(x, operation).memory()));
  event done;
  deferred_queue::of(q).in_turn([&](const ordered_dependencies &after) {
    done = runtime::implementation_of(q).submit(backend::native_command{std::move(calls)}, after, operation);
    if (done)
      for (std::shared_ptr<void> &owner : owners) done.keep_alive(std::move(owner));
    return done;
  });
  return done;
}

}  // namespace dpep::array::gpu
