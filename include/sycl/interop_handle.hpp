// sycl::interop_handle: gives a host task access to native objects of its queue.
#pragma once

#include <dpep/queue.hpp>

#include <sycl/native.hpp>

namespace sycl {

class handler;

class interop_handle {
public:
  backend get_backend() const noexcept { return detail::to_sycl(queue_.get_device().info().backend); }
  /// A stream for work that the host task submits to the device. The host task must wait for that work before it
  /// returns.
  template <backend Of> backend_return_t<Of, queue> get_native_queue() const { return detail::native<Of>::of(queue_); }
  template <backend Of> backend_return_t<Of, device> get_native_device() const {
    return detail::native<Of>::of(queue_.get_device());
  }
  template <backend Of> backend_return_t<Of, context> get_native_context() const {
    return detail::native<Of>::of(queue_.get_context());
  }
  /// The address of the accessed buffer on the queue's device.
  template <backend Of, class Accessor> auto get_native_mem(const Accessor &memory) const {
    return memory.get_pointer().get();
  }

private:
  friend handler;
  explicit interop_handle(dpep::queue queue) : queue_(std::move(queue)) {}
  dpep::queue queue_;
};

}  // namespace sycl
