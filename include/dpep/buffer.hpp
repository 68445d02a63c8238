// The untyped memory behind a SYCL buffer: its storage, the commands that use it, and the write-back to the host.
//
// Untyped, so that data hazards are handled once, in the library; <sycl/buffer.hpp> adds types and ranges.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

#include <dpep/queue.hpp>

namespace dpep {

/// How a command uses bytes of a buffer. `discard`: overwrites all of them, so that the old content is not needed.
enum class access { read, write, read_write, discard };

/// A handle: copies refer to the same buffer. The last one waits for the buffer's commands and writes the content back.
class DPEP_API buffer : public handle {
public:
  using handle::handle;
  /// How a buffer uses the program's memory. `use`: as its storage (SYCL's use_host_ptr); `copy`: as initial content.
  enum class host_storage { none, use, copy };

  /// Uninitialized. Storage is allocated at the first use, for the device that uses it.
  buffer(std::size_t bytes, std::size_t alignment);
  /// `use`: `host` must stay valid; if `writable`, it holds the result after the buffer's destruction.
  /// `copy`: the bytes are copied by the constructor.
  buffer(std::size_t bytes, std::size_t alignment, const void *host, host_storage, bool writable);

  std::size_t bytes() const noexcept;

  /// Locks the process-wide submission mutex. It is held from a command's first acquire to its last record, so that two
  /// threads' commands that share buffers are ordered one after the other. Otherwise each could wait for the other, or
  /// miss a dependency.
  static std::unique_lock<std::mutex> lock_submission();

  /// Prepares the bytes [offset, offset + size) for a command on the queue. Returns the address of byte 0 of the buffer
  /// on the queue's device. Appends to `wait_for` the events that the command must wait for.
  /// Throws errc::invalid for bytes beyond the buffer's end.
  void *acquire(const queue &, access, std::size_t offset, std::size_t size, std::vector<event> &wait_for) const;
  /// Records `done` as the event of the command that acquired the bytes. An empty event means a complete command, which
  /// later commands need not wait for.
  void record(const event &done, access, std::size_t offset, std::size_t size) const;

  /// Acquires the whole buffer for a host accessor: waits for conflicting commands, and blocks later conflicting
  /// commands until release_host with the same access. Host accessors do not wait for each other.
  void *acquire_host(access) const;
  void release_host(access) const noexcept;

  /// Copies the content to the program's memory after the events `after`, where that memory was given with
  /// host_storage::use and the storage is elsewhere (devices with memory of their own).
  event update_host(const queue &, dependencies after) const;

  /// Sets the function that the final content is passed to (SYCL's set_final_data). Empty: no write-back.
  void set_final(std::function<void(const void *)> write_back) const;
  void set_write_back(bool enabled) const noexcept;
  /// Waits for the commands and writes the content back. Only the first call writes. The destructor of the last handle
  /// does the same, but reports errors on standard error, since it cannot throw them.
  void finish() const;
};

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::buffer);
