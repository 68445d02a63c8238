// A queue's cache of freed device memory: free slots by size.
#include "runtime/queue_memory_cache.hpp"

#include <exception>

#include "runtime/guard_zones.hpp"

namespace dpep::runtime {
namespace {

// A cache holds at most an eighth of the device's memory, so that enough is left for other queues.
constexpr std::uint64_t memory_divisor = 8;

}  // namespace

queue_memory_cache::queue_memory_cache(const dpep::context &where, const device &on)
    : context_handle_(where), context_(implementation_of(where)), pool_(context_.pool(usm_kind::device, on)) {
  context_.add_queue_cache(*this);
}

queue_memory_cache::~queue_memory_cache() {
  context_.remove_queue_cache(*this);
  for (const auto &[size, slots] : free_slots_) recycle(slots);
}

void *queue_memory_cache::allocate(std::size_t bytes) {
  const std::size_t size = memory_pool::size_of(bytes);
  pool_slot found;
  {
    const std::lock_guard lock(mutex_);
    // As in the pool: a slot is not used for less than four fifths of its size, since the rest would be wasted.
    auto here = free_slots_.lower_bound(size);
    while (here != free_slots_.end() && here->second.empty()) ++here;
    if (here == free_slots_.end() ||
        (here->first != size && (size <= memory_pool::largest_class || here->first > size + size / 4)))
      return nullptr;
    found = here->second.back();
    here->second.pop_back();
    bytes_ -= here->first;
    // Entries of size classes are few and used again; those of large sizes would accumulate.
    if (here->second.empty() && here->first > memory_pool::largest_class) free_slots_.erase(here);
  }
  context_.retain();  // as dpep::allocate
  return pool_.reuse(found, bytes);
}

bool queue_memory_cache::free(void *pointer) noexcept try {
  if (memory_is_guarded()) return false;  // earlier work could still write to the next allocation's guard zone
  const auto found = find_slot(pointer);
  if (!found || found->where->pool.load(std::memory_order_acquire) != &pool_) return false;
  {
    const std::lock_guard lock(mutex_);
    const std::size_t size = found->where->slot_bytes;
    if (bytes_ + size > pool_.target.info().global_mem_size / memory_divisor) return false;
    free_slots_[size].push_back(*found);
    bytes_ += size;
    pool_.retire(*found);
  }
  context_.release();
  return true;
} catch (const std::exception &) {
  return false;
}

void queue_memory_cache::take_all(std::vector<pool_slot> &all) {
  const std::lock_guard lock(mutex_);
  std::size_t count = all.size();
  for (const auto &[size, slots] : free_slots_) count += slots.size();
  all.reserve(count);  // throws before anything is taken
  for (const auto &[size, slots] : free_slots_) all.insert(all.end(), slots.begin(), slots.end());
  free_slots_.clear();
  bytes_ = 0;
}

}  // namespace dpep::runtime
