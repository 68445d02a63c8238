// Records of a GPU queue's launches that may be incomplete. They name the kernels that may have caused a fault,
// attribute failed assertions to launches, and keep code loaded while it runs.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/abi.hpp"
#include "backend/backend.hpp"
#include "backend/common/fork_guard.hpp"

namespace dpep::backend {

/// The native handle of the stream, or the native queue, that has the work.
using native_stream_handle = const void *;

/// A kernel's last launch in a stream.
struct launch_record {
  ref<const code> kernel;
  native_stream_handle stream;
  std::uint64_t index;  // submission index within the queue
  std::size_t dimensions;
  source_line where;

  /// The kernel and the place of its launch, as messages begin.
  std::string name() const;
};

class launch_records {
public:
  /// Adds or updates the record before a launch. Returns records that are no longer needed; they may hold the last
  /// reference to their code.
  std::vector<launch_record> add(const code &, native_stream_handle, std::uint64_t index, std::size_t dimensions,
                                 source_line where);
  /// Removes the record of a launch that failed because the context is lost.
  void remove(native_stream_handle stream, std::uint64_t index);
  /// Marks the stream's launches complete up to this submission index.
  void mark_complete(native_stream_handle stream, std::uint64_t index);
  /// Describes the failure of a kernel and its launch. If the kernel was launched in several streams: the launch in the
  /// stream where the failure was found, or else the last one.
  std::string describe_failure(const abi::failure_record &, native_stream_handle found_in);
  /// Appends the names of kernels that are not known to be complete, except those that the text already has.
  void append_incomplete_kernels(std::string &text, std::string_view separator);
  /// As event::append_unfinished_kernels, for all tasks of the queue on the device of this name.
  void append_unfinished_kernels(std::string &message, std::string_view device);

private:
  struct progress {
    native_stream_handle stream;
    std::uint64_t completed_index;
  };
  std::uint64_t &completed_index(native_stream_handle);
  std::pair<std::string, std::size_t> launch_of(std::uint64_t kernel, native_stream_handle found_in);

  std::mutex mutex_;
  std::vector<launch_record> launches_;
  std::size_t next_ = 0;  // the likely record of the next launch: programs repeat their sequence of launches
  std::vector<progress> progress_;
};

}  // namespace dpep::backend
