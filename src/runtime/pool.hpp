// USM memory pools: small allocations in segments of equal slots, large ones in segments of their own, which are
// cached.
//
// The bookkeeping is kept outside the memory, since the host may not be able to access a device's memory.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <dpep/memory.hpp>

#include "backend/backend.hpp"

namespace dpep::runtime {

class context_object;
class memory_pool;

/// Statistics and limit of one kind of memory of a context (memory_statistics).
struct memory_account {
  std::atomic<std::uint64_t> in_use{0}, peak{0}, cached{0}, allocations{0}, limit{0};

  void add_allocation(std::uint64_t bytes) noexcept;
  void remove_allocation(std::uint64_t bytes) noexcept;
  /// Whether the limit allows `bytes` more from the system.
  bool within_limit(std::uint64_t bytes) const noexcept;
};

/// The descriptor of a block of system memory that is divided into slots of one size. Descriptors are reused but never
/// deleted, so that any address can be looked up at any time.
struct segment {
  std::atomic<memory_pool *> pool{nullptr};
  std::byte *base = nullptr;
  std::size_t bytes = 0, slot_bytes = 0;
  std::size_t front_bytes = 0;  // of the guard zone's memory before the base
  std::uint32_t slots = 0;
  std::uint32_t used_slots = 0, live_slots = 0;  // used: slots [0, used_slots) have been allocated at least once
  bool is_available = false;                     // whether it is in its size class's list of available segments
  std::vector<std::uint32_t> free_slots;         // the used slots that are free
  std::unique_ptr<std::atomic<std::uint64_t>[]> requested;  // for each slot: the allocation's bytes plus one; 0: free
};

/// A slot of a segment.
struct pool_slot {
  segment *where = nullptr;
  std::uint32_t slot = 0;
};

/// The pool of one kind of memory of a device in a context.
class memory_pool {
public:
  memory_pool(context_object &owner, usm_kind, const device &reported_device, const device &target, memory_account &);
  ~memory_pool();
  memory_pool(const memory_pool &) = delete;

  /// Null if neither the cache nor the system has the memory, or if the limit forbids it.
  void *allocate(std::size_t bytes, std::size_t alignment);
  /// The same, with an alignment of 64, if a slot is free. Null if not, or if another thread has the lock.
  void *allocate_from_cache(std::size_t bytes) noexcept;
  /// Frees a live slot: retire and recycle.
  void free(segment &, std::uint32_t slot);
  /// The first part of free: counts the slot as free. It cannot be allocated yet.
  void retire(const pool_slot &) noexcept;
  /// The second part of free: makes a retired slot available for allocation.
  void recycle(const pool_slot &) noexcept;
  /// Undoes retire, for a new allocation of `bytes` in the slot.
  void *reuse(const pool_slot &, std::size_t bytes) noexcept;
  /// The slot size for an allocation of `bytes`.
  static std::size_t size_of(std::size_t bytes) noexcept;
  /// Returns unused segments to the system; returns the number of bytes.
  std::uint64_t trim();
  /// Checks the guard zones of the segment and appends descriptions of the damage to `found`. Does nothing if the
  /// segment belongs to another pool by now.
  void check_guards(segment &, std::string &found);

  context_object &owner;
  const usm_kind kind;
  const dpep::device reported_device;  // by find_allocation: empty for host memory
  backend::device &target;

  static constexpr std::size_t region = std::size_t{2} << 20;  // a huge page; the alignment of segments
  static constexpr std::size_t largest_class = std::size_t{1} << 20;

private:
  static constexpr std::size_t class_count = 52;
  struct size_class {
    std::vector<segment *> available;  // with free or never used slots
    std::vector<segment *> all;
  };

  void *allocate_small(std::size_t slot_bytes, std::size_t requested);
  void *allocate_large(std::size_t requested, std::size_t alignment);
  segment *new_segment(std::size_t bytes, std::size_t alignment, std::size_t slot_bytes, std::uint32_t slots);
  void drop_segment(segment *) noexcept;
  /// Fills and checks the guard zone from the end of the slot's allocation to the next slot. The check returns a
  /// description of the damage, or an empty string.
  void fill_slot_guard(const segment &, std::uint32_t slot) const noexcept;
  std::string check_slot_guard(const segment &, std::uint32_t slot) const;

  memory_account &account_;
  const dpep::device target_handle_;  // keeps `target` alive
  std::mutex mutex_;
  std::array<size_class, class_count> classes_;
  std::multimap<std::size_t, segment *> large_free_;
};

/// The segment that contains the address, allocated or free; null if it is not USM memory. Takes no lock.
segment *find_segment(const void *address) noexcept;
/// The slot of the live allocation that starts at the address.
std::optional<pool_slot> find_slot(const void *start) noexcept;
/// Returns the slots to their pools.
void recycle(const std::vector<pool_slot> &) noexcept;

}  // namespace dpep::runtime
