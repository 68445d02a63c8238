// The state that all copies, sub-buffers and reinterpretations of a SYCL buffer share.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
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

  /// Waits for the commands that use the buffer, and writes back. Errors have been reported to the queues already.
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

  /// Throws if a sub-buffer begins at a byte that is no multiple of the device's alignment.
  static void check_origin(const dpep::queue &user, std::size_t first_byte) {
    const std::size_t alignment = user.get_device().info().mem_base_addr_align / 8;
    if (first_byte % alignment)
      throw exception(errc::invalid, "accessor: the sub-buffer begins at byte " + std::to_string(first_byte) +
                                         " of its buffer, which is no multiple of the device's alignment of " +
                                         std::to_string(alignment) +
                                         " bytes (info::device::mem_base_addr_align, in bits)");
  }

  /// Records that the buffer uses the program's memory. With the property use_host_ptr it always does; otherwise
  /// detach_host_memory may move the contents.
  void use_host_memory(void *host, std::size_t alignment) {
    if (!properties.has_property<property::buffer::use_host_ptr>()) host_ = host, alignment_ = alignment;
  }
  void set_write_back(bool enabled) {
    if (!enabled)
      detach_host_memory();
    else if (detached_host_)
      memory.set_final(
          [to = detached_host_, count = memory.bytes()](const void *from) { std::memcpy(to, from, count); });
    memory.set_write_back(enabled);
  }
  /// Moves the contents to memory that the buffer owns, since the program's memory must not be written any more.
  void detach_host_memory() {
    if (!host_) return;
    const void *const contents = memory.acquire_host(dpep::access::read);
    dpep::buffer own(memory.bytes(), alignment_, contents, dpep::buffer::host_storage::copy, false);
    memory.release_host(dpep::access::read);
    memory = std::move(own);
    detached_host_ = std::exchange(host_, nullptr);
  }
  /// Sets the function that receives the contents, in place of the program's memory.
  template <class F> void set_final(F receive) {
    detach_host_memory();
    detached_host_ = nullptr;  // set_write_back(true) keeps the function
    memory.set_write_back(true);
    memory.set_final(std::move(receive));
  }

  dpep::buffer memory;
  const property_list properties;
  std::shared_ptr<const void> host_owner;  // owner of the host memory if it was given as a shared_ptr

private:
  void *host_ = nullptr;           // the program's memory while the buffer uses it
  void *detached_host_ = nullptr;  // the program's memory after detach_host_memory
  std::size_t alignment_ = 0;
  std::optional<context> bound_;
  std::mutex *mutex_ = nullptr;
};

/// A contiguous part of a buffer, in bytes.
struct byte_span {
  std::size_t offset = 0, bytes = 0;
};

/// Returns the bytes from the first to the last element of a box in an array, and whether the box fills them.
template <int D>
std::pair<byte_span, bool> hull(const range<D> &extent, const id<D> &offset, const range<D> &box, std::size_t element) {
  if (box.size() == 0) return {{}, true};
  const std::size_t first = linear(offset, extent), last = linear(offset + id<D>(box - 1), extent);
  int longest = 0;  // the first dimension longer than 1; the box is contiguous if all further ones are complete
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
