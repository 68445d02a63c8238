// sycl::interop_handle: what a host task learns of the queue that it runs for.
#pragma once

#include <dpep/queue.hpp>

#include <sycl/backend.hpp>

namespace sycl {

class handler;

class interop_handle {
public:
  backend get_backend() const noexcept { return detail::to_sycl(queue_.get_device().info().backend); }

private:
  friend handler;
  explicit interop_handle(dpep::queue queue) : queue_(std::move(queue)) {}
  dpep::queue queue_;
};

}  // namespace sycl
