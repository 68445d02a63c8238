// The memory behind SYCL buffers: where a buffer's bytes are, who used them last, and writing them back.
//
// Untyped, so that the hazards are handled once, in the library; <sycl/buffer.hpp> puts types and ranges on it.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

#include <dpep/queue.hpp>

namespace dpep {

enum class access { read, write, read_write, discard };  // discard: overwrites everything, old bytes not needed

class DPEP_API buffer : public handle {
public:
  using handle::handle;
  enum class host_storage { none, use, copy };  // use: the program's own memory is the storage (use_host_ptr)

  /// Storage is made with the first use, where that is.
  buffer(std::size_t bytes, std::size_t alignment);
  /// `use`: the pointer must stay valid, and holds the result after destruction when writable.
  /// `copy`: the bytes are copied now.
  buffer(std::size_t bytes, std::size_t alignment, const void *host, host_storage, bool writable);

  std::size_t bytes() const noexcept;

  /// One lock for the process, held from a command's first acquire to its last record, so that of two threads' commands
  /// that share buffers one is wholly before the other (otherwise each could wait for the other, or miss it).
  static std::unique_lock<std::mutex> submission();

  /// Prepares the bytes [offset, offset + size) for a command on `where`: returns the address of byte 0 of the buffer
  /// as the device sees it and appends to `wait_for` what the command must wait for.
  /// Throws errc::invalid for bytes beyond the buffer's.
  void *acquire(const queue &where, access, std::size_t offset, std::size_t size, std::vector<event> &wait_for) const;
  /// The command that acquired has been submitted as `done`; an empty event is complete, and nobody waits for it.
  void record(const event &done, access, std::size_t offset, std::size_t size) const;

  /// For host accessors: waits for conflicting commands, and holds later conflicting ones back until release_host with
  /// the same access. Host accessors do not wait for each other.
  void *acquire_host(access) const;
  void release_host(access) const noexcept;

  /// Brings the program's memory up to date, where that was given to use and the storage is elsewhere: on devices with
  /// memory of their own. After `after`.
  event update_host(const queue &where, dependencies after) const;

  /// Where the contents go when the last reference is gone; empty: nowhere.
  void set_final(std::function<void(const void *)> write_back) const;
  void set_write_back(bool enabled) const noexcept;
  /// Waits for the commands and writes back, once: later ones write nothing. The last reference does it too, but cannot
  /// throw what goes wrong, only say it on standard error.
  void finish() const;
};

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::buffer);
