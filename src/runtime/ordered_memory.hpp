// Memory that work of one queue used last and the program no longer wants: what comes later in that queue's order may
// have it at once, while the work is still running, and everybody else when it is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include <dpep/context.hpp>

#include "runtime/pool.hpp"

namespace dpep::runtime {

class ordered_memory {
public:
  /// Of device memory, for a queue of this context and device.
  ordered_memory(const dpep::context &, const device &);
  /// The queue's work must be complete.
  ~ordered_memory();
  ordered_memory(const ordered_memory &) = delete;

  /// Null when there is none of that size. An allocation as all others to who asks or frees.
  void *take(std::size_t bytes);
  /// Instead of dpep::free. False for what is not of this memory, and when enough is kept as it is: then who calls
  /// waits, and frees it.
  bool give(void *) noexcept;

  /// Adds everything that is kept: recycle() it when the queue's work so far is complete.
  void collect(std::vector<pool_slot> &);

private:
  const dpep::context keeps_context_;
  context_object &context_;
  memory_pool &pool_;
  std::mutex mutex_;
  std::map<std::size_t, std::vector<pool_slot>> kept_;  // by their sizes
  std::uint64_t bytes_ = 0;
};

/// Back to the pools that they are of.
void recycle(const std::vector<pool_slot> &) noexcept;

}  // namespace dpep::runtime
