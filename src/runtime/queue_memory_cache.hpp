// A queue's cache of freed device memory, as CUDA's stream-ordered allocator: later work of the queue can reuse the
// memory while earlier work still uses it. Other users get it when the earlier work is complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "runtime/context.hpp"
#include "runtime/pool.hpp"

namespace dpep::runtime {

class queue_memory_cache final : public slot_cache {
public:
  /// A cache of device memory for a queue of this context and device.
  queue_memory_cache(const dpep::context &, const device &);
  /// The queue's work must be complete.
  ~queue_memory_cache() override;
  queue_memory_cache(const queue_memory_cache &) = delete;

  /// Memory from the cache; null if it has none of this size. find_allocation and dpep::free accept it as any other.
  void *allocate(std::size_t bytes);
  /// Puts an allocation into the cache instead of dpep::free. False for memory of another pool, or if the cache is
  /// full: the caller must then wait for the work and call dpep::free.
  bool free(void *) noexcept;

  /// Moves all slots of the cache to the vector.
  void take_all(std::vector<pool_slot> &) override;

private:
  const dpep::context context_handle_;
  context_object &context_;
  memory_pool &pool_;
  std::mutex mutex_;
  std::map<std::size_t, std::vector<pool_slot>> free_slots_;  // by slot size
  std::uint64_t bytes_ = 0;
};

}  // namespace dpep::runtime
