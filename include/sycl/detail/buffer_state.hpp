// What all copies, sub-buffers and reinterpretations of a SYCL buffer share.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <dpep/buffer.hpp>

#include <sycl/access.hpp>
#include <sycl/context.hpp>
#include <sycl/id.hpp>

namespace sycl::detail {

class buffer_state {
public:
  buffer_state(dpep::buffer memory, const property_list &properties)
      : memory(std::move(memory)), properties(properties) {
    if (properties.has_property<property::buffer::context_bound>())
      bound_ = properties.get_property<property::buffer::context_bound>().get_context();
    if (properties.has_property<property::buffer::use_mutex>())
      mutex_ = properties.get_property<property::buffer::use_mutex>().get_mutex_ptr();
  }
  buffer_state(const buffer_state &) = delete;
  buffer_state &operator=(const buffer_state &) = delete;

  /// Waits for the commands that use the buffer, and writes back. What fails has been reported to the queues.
  ~buffer_state() {
    try {
      std::unique_lock<std::mutex> lock;
      if (mutex_) lock = std::unique_lock(*mutex_);
      memory.finish();
    } catch (...) {}
  }

  void check(const dpep::queue &user) const {
    if (bound_ && !(*bound_ == user.get_context()))
      throw exception(errc::invalid, "buffer: it was made with property::buffer::context_bound, and the queue has "
                                     "another context; use a queue of that context");
  }

  /// The memory is the program's own. Where the property use_host_ptr does not insist on that, leave_host may end it.
  void is_on_host(void *host, std::size_t alignment) {
    if (!properties.has_property<property::buffer::use_host_ptr>()) host_ = host, alignment_ = alignment;
  }
  void set_write_back(bool enabled) {
    if (!enabled)
      leave_host();
    else if (left_)
      memory.set_final([to = left_, count = memory.bytes()](const void *from) { std::memcpy(to, from, count); });
    memory.set_write_back(enabled);
  }
  /// Nothing is to be written to the program's memory any more, so the contents move to memory of the buffer's own.
  void leave_host() {
    if (!host_) return;
    const void *const contents = memory.acquire_host(dpep::access::read);
    dpep::buffer own(memory.bytes(), alignment_, contents, dpep::buffer::host_storage::copy, false);
    memory.release_host(dpep::access::read);
    memory = std::move(own);
    left_ = std::exchange(host_, nullptr);
  }

  dpep::buffer memory;
  const property_list properties;
  std::shared_ptr<const void> host_owner;  // of the host memory that the buffer uses, when it came as a shared_ptr

private:
  void *host_ = nullptr;  // the program's memory while it is the buffer's
  void *left_ = nullptr;  // the program's memory since it is not
  std::size_t alignment_ = 0;
  std::optional<context> bound_;
  std::mutex *mutex_ = nullptr;
};

/// A part of a buffer, in bytes.
struct byte_span {
  std::size_t offset = 0, bytes = 0;
};

/// The bytes from the first to the last element of a box in an array, and whether the box fills them.
template <int D>
std::pair<byte_span, bool> hull(const range<D> &extent, const id<D> &offset, const range<D> &box, std::size_t element) {
  if (box.size() == 0) return {{}, true};
  const std::size_t first = linear(offset, extent), last = linear(offset + id<D>(box - 1), extent);
  int longest = 0;  // the first dimension that is longer than 1: all after it must be complete
  while (longest < D - 1 && box[longest] == 1) longest++;
  bool contiguous = true;
  for (int i = longest + 1; i < D; i++) contiguous = contiguous && box[i] == extent[i];
  return {{first * element, (last - first + 1) * element}, contiguous};
}

constexpr dpep::access to_dpep(access_mode mode, bool discard) {
  switch (mode) {
  case access_mode::read:
    return dpep::access::read;
  case access_mode::write:
    return discard ? dpep::access::discard : dpep::access::write;
  case access_mode::discard_write:
  case access_mode::discard_read_write:
    return discard ? dpep::access::discard : dpep::access::write;
  case access_mode::read_write:
  case access_mode::atomic:
    break;
  }
  return discard ? dpep::access::discard : dpep::access::read_write;
}

constexpr bool discards(access_mode mode) {
  return mode == access_mode::discard_write || mode == access_mode::discard_read_write;
}

}  // namespace sycl::detail
