// Submits calls of cuSOLVER and cuBLAS as native commands.
#include "array/gpu/cuda_solver.hpp"

#include "array/gpu/launch.hpp"
#include "array/gpu/native_calls.hpp"

namespace dpep::array::gpu {
namespace {

/// The device with native handles behind a queue.
backend::native_device &native_device_of(const queue &q, const char *operation) {
  if (backend::native_device *const found = find_native_device(q)) return *found;
  throw exception(errc::feature_not_supported,
                  std::string(operation) + ": '" + q.get_device().info().name +
                      "' has no library of linear algebra; copy the array to a CPU's queue");
}

}  // namespace

cuda_solver::cuda_solver(const queue &q, const char *operation)
    : solver((static_cast<void>(native_device_of(q, operation)), libs::require_cusolver(q.get_device(), operation))),
      blas(libs::require_cublas(q.get_device(), operation)),
      queue_(q) {}

scratch_sizes cuda_solver::query(const std::function<void(libs::cusolver_handle, scratch_sizes &)> &ask) const {
  scratch_sizes sizes;
  backend::native_device &device = native_device_of(queue_, "linear algebra");
  device.with_context([&] {
    const libs::cusolver_session session(solver, device.native_context(), 0);
    ask(session.handle(), sizes);
  });
  return sizes;
}

event cuda_solver::submit(std::vector<ndarray> used, scratch_sizes sizes,
                          std::function<void(libs::cuda_stream, const scratch_memory &)> calls) const {
  owner_list owners;
  ref<storage> memory;
  scratch_memory scratch{sizes};
  if (sizes.device) {
    memory = allocate_workspace(queue_, sizes.device, owners);
    scratch.device_memory = memory->base();
  }
  if (sizes.host) {
    owners.emplace_back(std::make_shared_for_overwrite<std::byte[]>(sizes.host));
    scratch.host_memory = static_cast<std::byte *>(owners.back().get());
  }
  return submit_native(queue_, "linear algebra", used, std::move(owners),
                       [calls = std::move(calls), scratch](std::uintptr_t stream) { calls(stream, scratch); });
}

event cuda_solver::submit(std::vector<ndarray> used, scratch_sizes sizes,
                          std::function<void(libs::cusolver_handle, const scratch_memory &)> calls) const {
  const std::uintptr_t context = native_device_of(queue_, "linear algebra").native_context();
  return submit(std::move(used), sizes,
                std::function([&library = solver, context, calls = std::move(calls)](libs::cuda_stream stream,
                                                                                     const scratch_memory &scratch) {
                  const libs::cusolver_session session(library, context, stream);
                  calls(session.handle(), scratch);
                }));
}

event cuda_solver::submit(std::vector<ndarray> used, std::function<void(libs::cublas_handle)> calls) const {
  const std::uintptr_t context = native_device_of(queue_, "linear algebra").native_context();
  return submit(std::move(used), {libs::cublas_scratch_bytes, 0},
                std::function([&library = blas, context, calls = std::move(calls)](libs::cuda_stream stream,
                                                                                   const scratch_memory &scratch) {
                  const libs::cublas_session session(library, context, stream, scratch.device_memory, scratch.device);
                  calls(session.handle());
                }));
}

}  // namespace dpep::array::gpu
