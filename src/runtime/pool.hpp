// USM memory pools: blocks of size classes cut out of larger ones, and large blocks kept for reuse.
//
// What the pools know lies beside the memory, not in it, since the host may not be able to read a device's memory.
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

/// The books of one kind of memory of a context.
struct memory_account {
  std::atomic<std::uint64_t> in_use{0}, peak{0}, cached{0}, allocations{0}, limit{0};

  void take(std::uint64_t bytes) noexcept;
  void give(std::uint64_t bytes) noexcept;
  /// Whether `bytes` more from the system stay within the limit.
  bool allows(std::uint64_t bytes) const noexcept;
};

/// A block of the system's memory in slots of one size. Never deleted but reused, so that looking up any address at
/// any time is safe.
struct segment {
  std::atomic<memory_pool *> pool{nullptr};
  std::byte *base = nullptr;
  std::size_t bytes = 0, slot_bytes = 0, front = 0;         // front: of a guard zone's before the base
  std::uint32_t slots = 0, carved = 0, live = 0;            // carved: slots ever used, from the start
  bool has_room = false;                                    // listed in its size class as having free slots
  std::vector<std::uint32_t> free_slots;                    // of those carved
  std::unique_ptr<std::atomic<std::uint64_t>[]> requested;  // a slot: bytes asked for plus one; 0: free
};

struct pool_slot {
  segment *where = nullptr;
  std::uint32_t slot = 0;
};

class memory_pool {
public:
  memory_pool(context_object &owner, usm_kind, const device &label, const device &target, memory_account &);
  ~memory_pool();
  memory_pool(const memory_pool &) = delete;

  /// Null when neither cache nor system has it, or the limit forbids it.
  void *allocate(std::size_t bytes, std::size_t alignment);
  /// `slot` of the segment is live and no longer used.
  void free(segment &, std::uint32_t slot);
  /// The two halves of free: the slot is free in all books but given to nobody, and then given to whoever wants it.
  void retire(const pool_slot &) noexcept;
  void recycle(const pool_slot &) noexcept;
  /// Undoes retire, for an allocation of so many bytes.
  void *reuse(const pool_slot &, std::size_t bytes) noexcept;
  /// Of the slot that an allocation gets.
  static std::size_t size_of(std::size_t bytes) noexcept;
  /// Gives back what nobody uses; returns how many bytes.
  std::uint64_t trim();
  /// What was written around the segment's allocations, appended to `found`; nothing if it is another pool's by now.
  void look_at_guards(segment &, std::string &found);

  context_object &owner;
  const usm_kind kind;
  const dpep::device label;  // what find_allocation reports: empty for host memory
  backend::device &target;

  static constexpr std::size_t region = std::size_t{2} << 20;  // segments start at multiples: a huge page
  static constexpr std::size_t largest_class = std::size_t{1} << 20;

private:
  static constexpr std::size_t class_count = 52;
  struct size_class {
    std::vector<segment *> with_room;
    std::vector<segment *> all;
  };

  void *allocate_small(std::size_t slot_bytes, std::size_t requested);
  void *allocate_large(std::size_t requested, std::size_t alignment);
  segment *new_segment(std::size_t bytes, std::size_t alignment, std::size_t slot_bytes, std::uint32_t slots);
  void drop_segment(segment *) noexcept;
  std::string damage_behind(const segment &, std::uint32_t slot) const;
  /// Behind what the slot's allocation asked for, up to the next slot.
  void guard(const segment &, std::uint32_t slot) const noexcept;

  memory_account &account_;
  const dpep::device keeps_target_;
  std::mutex mutex_;
  std::array<size_class, class_count> classes_;
  std::multimap<std::size_t, segment *> large_free_;
};

/// The segment that the address lies in, live or not; null when it is no USM memory. Takes no lock.
segment *find_segment(const void *address) noexcept;
/// The slot of a live allocation that begins there.
std::optional<pool_slot> find_slot(const void *start) noexcept;

}  // namespace dpep::runtime
