// Which kernels a queue has in flight: who may be to blame for a fault, whose assertions may have failed, and whose
// code must not be unloaded yet.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/code.hpp"
#include "backend/common/forks.hpp"

namespace dpep::backend::cuda {

/// A kernel's last launch in a stream, and its place in the queue's order.
struct launch_note {
  ref<const code> kernel;
  stream_handle stream;
  std::uint64_t place;
  std::size_t dimensions;
  source_line where;

  /// As messages begin.
  std::string name() const;
};

class launch_notes {
public:
  /// Before a launch. Returns notes that are of no use any more, which may be the last to hold their code.
  std::vector<launch_note> add(const loaded_code &, stream_handle, std::uint64_t place, std::size_t dimensions,
                               source_line where);
  /// It was not launched after all, as the context is lost.
  void withdraw(stream_handle stream, std::uint64_t place);
  /// What is in the stream up to there is complete.
  void finish(stream_handle stream, std::uint64_t place);
  /// Of a kernel that a failure_record names: its name, and of how many dimensions it was launched. Where it was in
  /// several streams, in the one that the failure was found in, or else last.
  std::pair<std::string, std::size_t> launch_of(std::uint64_t kernel, stream_handle found_in);
  /// The names of kernels that are not complete as far as anybody knows, for a message: adds those that it has not yet.
  void add_suspects(std::string &, std::string_view separator);

private:
  struct progress {
    stream_handle stream;
    std::uint64_t finished;
  };
  std::uint64_t &finished(stream_handle);

  std::mutex mutex_;
  std::vector<launch_note> notes_;
  std::size_t next_ = 0;  // where the note is likely that is wanted next: programs repeat themselves
  std::vector<progress> progress_;
};

}  // namespace dpep::backend::cuda
