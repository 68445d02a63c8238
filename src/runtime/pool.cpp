// Size classes, the table from addresses to segments, and taking memory from the system.
#include "runtime/pool.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include <fmt/format.h>

#include "runtime/context.hpp"
#include "runtime/device.hpp"
#include "runtime/guard_zones.hpp"

namespace dpep::runtime {
namespace {

// -- From addresses to segments: two levels, by 2 MiB regions. Reading needs no lock.

constexpr unsigned region_bits = 21, leaf_bits = 14, top_bits = 15;  // 2^50 bytes of addresses
using leaf = std::array<std::atomic<segment *>, std::size_t{1} << leaf_bits>;
constinit std::array<std::atomic<leaf *>, std::size_t{1} << top_bits> table{};

std::atomic<segment *> *table_entry(std::uintptr_t address, bool create) {
  const std::uintptr_t region = address >> region_bits, top = region >> leaf_bits;
  if (top >= table.size()) return nullptr;
  leaf *here = table[top].load(std::memory_order_acquire);
  if (!here) {
    if (!create) return nullptr;
    auto fresh = std::make_unique<leaf>();
    if (table[top].compare_exchange_strong(here, fresh.get(), std::memory_order_acq_rel)) here = fresh.release();
  }
  return &(*here)[region & (here->size() - 1)];
}

/// False when the addresses are beyond the table.
bool enter(const segment &s, segment *value) {
  const auto base = reinterpret_cast<std::uintptr_t>(s.base);
  for (std::uintptr_t a = base; a < base + s.bytes; a += memory_pool::region) {
    auto *entry = table_entry(a, value != nullptr);
    if (!entry) return false;
    entry->store(value, std::memory_order_release);
  }
  return true;
}

// -- Descriptors, of two sizes, which are reused but never freed.

constexpr std::uint32_t most_slots = 4096;

class descriptors {
public:
  segment *take(std::uint32_t slots) {
    std::lock_guard lock(mutex_);
    auto &idle = idle_[slots > 1];
    if (!idle.empty()) {
      segment *s = idle.back();
      idle.pop_back();
      return s;
    }
    auto fresh = std::make_unique<segment>();
    fresh->requested = std::make_unique<std::atomic<std::uint64_t>[]>(slots > 1 ? most_slots : 1);
    all_.push_back(std::move(fresh));
    return all_.back().get();
  }
  void give(segment *s) noexcept {
    std::lock_guard lock(mutex_);
    idle_[s->slots > 1].push_back(s);
  }
  std::vector<segment *> all() {
    std::lock_guard lock(mutex_);
    std::vector<segment *> list;
    for (const auto &s : all_) list.push_back(s.get());
    return list;
  }
  static descriptors &get() {
    static auto &the = *new descriptors;
    return the;
  }

private:
  std::mutex mutex_;
  std::vector<segment *> idle_[2];
  std::vector<std::unique_ptr<segment>> all_;
};

/// Pools do not go away, and segments do not change their pools, while zones are looked at.
std::mutex &guard_mutex() {
  static auto &the = *new std::mutex;
  return the;
}

/// With what is kept free behind it.
std::size_t guarded(std::size_t bytes) { return memory_is_guarded() ? bytes + guard_bytes : bytes; }

// -- Size classes: multiples of 64 up to 512, then four to a doubling.

std::size_t slot_size(std::size_t bytes) {
  bytes = std::max<std::size_t>((bytes + 63) & ~std::size_t{63}, 64);
  if (bytes <= 512) return bytes;
  const std::size_t step = std::bit_ceil(bytes) / 8;
  return (bytes + step - 1) / step * step;
}

/// Of what is larger than all classes: whole pages.
std::size_t large_size(std::size_t bytes) { return std::max<std::size_t>((bytes + 4095) & ~std::size_t{4095}, 4096); }

std::size_t class_index(std::size_t slot_bytes) {
  if (slot_bytes <= 512) return slot_bytes / 64 - 1;
  const auto doubling = static_cast<std::size_t>(std::bit_width(slot_bytes - 1) - 10);  // 0 for 513 to 1024
  return 8 + 4 * doubling + slot_bytes / (std::size_t{128} << doubling) - 5;
}

}  // namespace

void memory_account::take(std::uint64_t bytes) noexcept {
  const std::uint64_t now = in_use.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::uint64_t before = peak.load(std::memory_order_relaxed);
  while (before < now && !peak.compare_exchange_weak(before, now, std::memory_order_relaxed)) {}
  allocations.fetch_add(1, std::memory_order_relaxed);
}

void memory_account::give(std::uint64_t bytes) noexcept {
  in_use.fetch_sub(bytes, std::memory_order_relaxed);
  allocations.fetch_sub(1, std::memory_order_relaxed);
}

bool memory_account::allows(std::uint64_t bytes) const noexcept {
  const std::uint64_t most = limit.load(std::memory_order_relaxed);
  if (most == 0) return true;
  const std::uint64_t have = in_use.load(std::memory_order_relaxed) + cached.load(std::memory_order_relaxed);
  return bytes <= most && have <= most - bytes;
}

segment *find_segment(const void *address) noexcept {
  const auto *entry = table_entry(reinterpret_cast<std::uintptr_t>(address), false);
  segment *const s = entry ? entry->load(std::memory_order_acquire) : nullptr;
  // the region's part behind the segment's end is someone else's
  return s && static_cast<const std::byte *>(address) < s->base + s->bytes ? s : nullptr;
}

std::optional<pool_slot> find_slot(const void *start) noexcept {
  segment *const s = find_segment(start);
  if (!s) return std::nullopt;
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte *>(start) - s->base);
  const auto slot = static_cast<std::uint32_t>(offset / s->slot_bytes);
  if (slot >= s->slots || offset % s->slot_bytes || !s->requested[slot].load(std::memory_order_acquire))
    return std::nullopt;
  return pool_slot{s, slot};
}

memory_pool::memory_pool(context_object &owner, usm_kind kind, const device &label, const device &target,
                         memory_account &account)
    : owner(owner), kind(kind), label(label), target(backend_of(target)), account_(account), keeps_target_(target) {}

memory_pool::~memory_pool() {
  std::unique_lock lock(guard_mutex(), std::defer_lock);
  if (memory_is_guarded()) lock.lock();
  trim();
}

void *memory_pool::allocate(std::size_t bytes, std::size_t alignment) {
  std::lock_guard lock(mutex_);
  // segments start at 2 MiB, so slots of a power of two are aligned to their size
  const std::size_t slot =
      alignment <= 64 ? slot_size(guarded(bytes)) : std::bit_ceil(std::max(guarded(bytes), alignment));
  return slot <= largest_class ? allocate_small(slot, bytes) : allocate_large(bytes, alignment);
}

void *memory_pool::allocate_small(std::size_t slot_bytes, std::size_t requested) {
  size_class &mine = classes_[class_index(slot_bytes)];
  std::uint32_t slot;
  segment *s = mine.with_room.empty() ? nullptr : mine.with_room.back();
  if (s && !s->free_slots.empty()) {
    slot = s->free_slots.back();
    s->free_slots.pop_back();
    account_.cached.fetch_sub(slot_bytes, std::memory_order_relaxed);
  } else {
    if (!account_.allows(slot_bytes)) return nullptr;
    if (!s) {
      const auto slots = static_cast<std::uint32_t>(std::min<std::size_t>(region / slot_bytes, most_slots));
      s = new_segment(region, region, slot_bytes, slots);
      if (!s) return nullptr;
      if (memory_is_guarded()) s->carved = 1;  // the first slot is the zone before the second
      mine.all.push_back(s);
      mine.with_room.push_back(s);
      s->has_room = true;
    }
    slot = s->carved++;
  }
  if (s->free_slots.empty() && s->carved == s->slots) {
    mine.with_room.pop_back();
    s->has_room = false;
  }
  ++s->live;
  s->requested[slot].store(requested + 1, std::memory_order_release);
  if (memory_is_guarded()) guard(*s, slot);
  account_.take(slot_bytes);
  return s->base + slot * slot_bytes;
}

void *memory_pool::allocate_large(std::size_t requested, std::size_t alignment) {
  const std::size_t bytes = large_size(guarded(requested));
  segment *s = nullptr;
  // a cached block may be larger by a quarter, no more: the rest of it would be wasted
  for (auto it = large_free_.lower_bound(bytes); it != large_free_.end() && it->first <= bytes + bytes / 4; ++it) {
    if (reinterpret_cast<std::uintptr_t>(it->second->base) % alignment) continue;
    s = it->second;
    large_free_.erase(it);
    account_.cached.fetch_sub(s->bytes, std::memory_order_relaxed);
    break;
  }
  if (!s) {
    if (!account_.allows(bytes)) return nullptr;
    s = new_segment(bytes, std::max(alignment, region), bytes, 1);
    if (!s) return nullptr;
    s->carved = 1;
  }
  s->live = 1;
  s->requested[0].store(requested + 1, std::memory_order_release);
  if (memory_is_guarded()) guard(*s, 0);
  account_.take(s->bytes);
  return s->base;
}

void memory_pool::free(segment &s, std::uint32_t slot) {
  if (memory_is_guarded())
    if (std::string damage = damage_behind(s, slot); !damage.empty()) keep_damage(std::move(damage));
  retire({&s, slot});
  recycle({&s, slot});
}

void memory_pool::retire(const pool_slot &p) noexcept {
  p.where->requested[p.slot].store(0, std::memory_order_release);
  account_.give(p.where->slot_bytes);
  account_.cached.fetch_add(p.where->slot_bytes, std::memory_order_relaxed);
}

void *memory_pool::reuse(const pool_slot &p, std::size_t bytes) noexcept {
  account_.cached.fetch_sub(p.where->slot_bytes, std::memory_order_relaxed);
  account_.take(p.where->slot_bytes);
  p.where->requested[p.slot].store(bytes + 1, std::memory_order_release);
  if (memory_is_guarded()) guard(*p.where, p.slot);
  return p.where->base + p.slot * p.where->slot_bytes;
}

std::size_t memory_pool::size_of(std::size_t bytes) noexcept {
  const std::size_t slot = slot_size(guarded(bytes));
  return slot <= largest_class ? slot : large_size(guarded(bytes));
}

void memory_pool::recycle(const pool_slot &p) noexcept {
  std::lock_guard lock(mutex_);
  segment &s = *p.where;
  const std::uint32_t slot = p.slot;
  --s.live;
  if (s.slots == 1) {
    // a cache is no reason to keep the machine's memory from others
    const std::uint64_t most = target.info().global_mem_size / 8;
    bool keep = account_.cached.load(std::memory_order_relaxed) <= most;
    try {
      if (keep) large_free_.emplace(s.bytes, &s);
    } catch (const std::bad_alloc &) {
      keep = false;
    }
    if (keep) return;
    account_.cached.fetch_sub(s.slot_bytes, std::memory_order_relaxed);
    return drop_segment(&s);
  }
  try {
    s.free_slots.push_back(slot);
  } catch (const std::bad_alloc &) {  // nowhere to note it: it comes back with its segment
    account_.cached.fetch_sub(s.slot_bytes, std::memory_order_relaxed);
    return;
  }
  try {
    if (!s.has_room) classes_[class_index(s.slot_bytes)].with_room.push_back(&s);
    s.has_room = true;
  } catch (const std::bad_alloc &) {  // found when another of its slots comes back
  }
}

std::uint64_t memory_pool::trim() {
  std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  for (auto &[size, s] : large_free_) {
    bytes += size;
    drop_segment(s);
  }
  large_free_.clear();
  for (size_class &c : classes_) {
    const auto idle = [](const segment *s) { return s->live == 0; };
    std::erase_if(c.with_room, idle);
    for (segment *s : c.all) {
      if (!idle(s)) continue;
      bytes += s->free_slots.size() * s->slot_bytes;
      drop_segment(s);
    }
    std::erase_if(c.all, [](const segment *s) { return s->base == nullptr; });
  }
  account_.cached.fetch_sub(bytes, std::memory_order_relaxed);
  return bytes;
}

segment *memory_pool::new_segment(std::size_t bytes, std::size_t alignment, std::size_t slot_bytes,
                                  std::uint32_t slots) {
  // of several slots, the first is what the zone before the others is in
  const std::size_t front = memory_is_guarded() && slots == 1 ? std::max(alignment, region) : 0;
  void *const memory = target.allocate(kind, front + bytes, alignment);
  if (!memory) return nullptr;
  segment *s = descriptors::get().take(slots);
  s->base = static_cast<std::byte *>(memory) + front;
  s->front = front;
  s->bytes = bytes;
  s->slot_bytes = slot_bytes;
  s->slots = slots;
  s->carved = s->live = 0;
  s->has_room = false;
  s->free_slots.clear();
  s->pool.store(this, std::memory_order_release);
  if (front) fill_guard(target, kind, s->base - guard_bytes, guard_bytes);
  if (memory_is_guarded() && slots > 1) fill_guard(target, kind, s->base + slot_bytes - guard_bytes, guard_bytes);
  if (!enter(*s, s)) {
    drop_segment(s);
    return nullptr;
  }
  return s;
}

void memory_pool::drop_segment(segment *s) noexcept {
  enter(*s, nullptr);
  s->pool.store(nullptr, std::memory_order_release);
  target.free(kind, s->base - s->front, s->front + s->bytes);
  s->base = nullptr;
  descriptors::get().give(s);
}

// -- Guard zones

void memory_pool::guard(const segment &s, std::uint32_t slot) const noexcept {
  const std::uint64_t size = s.requested[slot].load(std::memory_order_relaxed) - 1;
  fill_guard(target, kind, s.base + slot * s.slot_bytes + size, s.slot_bytes - size);
}

std::string memory_pool::damage_behind(const segment &s, std::uint32_t slot) const {
  const std::uint64_t present = s.requested[slot].load(std::memory_order_acquire);
  if (!present) return {};
  std::byte *const start = s.base + slot * s.slot_bytes;
  const std::uint64_t size = present - 1;
  const guard_damage damage = take_damage(target, kind, start + size, s.slot_bytes - size);
  if (!damage.any) return {};
  return fmt::format("{} memory on '{}' was overwritten behind the allocation of {} bytes at {}: bytes {} to {}",
                     name_of(kind), target.info().name, size, fmt::ptr(start), size + damage.first, size + damage.last);
}

void memory_pool::look_at_guards(segment &s, std::string &found) {
  std::lock_guard lock(mutex_);
  if (s.pool.load(std::memory_order_acquire) != this || !s.base) return;
  const auto add = [&](const std::string &text) {
    if (!text.empty()) found += (found.empty() ? "" : "; ") + text;
  };
  // before its first allocation: in a part of its own, or in the slot that nobody gets
  if (std::byte *const first = s.front ? s.base : s.slots > 1 ? s.base + s.slot_bytes : nullptr)
    if (const guard_damage damage = take_damage(target, kind, first - guard_bytes, guard_bytes); damage.any)
      add(fmt::format("{} memory on '{}' was overwritten before the allocation at {}: bytes -{} to -{}", name_of(kind),
                      target.info().name, fmt::ptr(first), guard_bytes - damage.first, guard_bytes - damage.last));
  for (std::uint32_t slot = 0; slot < s.carved; ++slot) add(damage_behind(s, slot));
}

std::exception_ptr guard_error() noexcept try {
  std::string found = kept_damage();
  {
    const std::lock_guard lock(guard_mutex());
    for (segment *s : descriptors::get().all())
      if (memory_pool *const pool = s->pool.load(std::memory_order_acquire)) pool->look_at_guards(*s, found);
  }
  const std::string launches = launches_since();
  if (found.empty()) return nullptr;
  return std::make_exception_ptr(
      exception(errc::kernel, fmt::format("{} ({}; found by DPEP_CHECK=memory)", found, launches)));
} catch (...) {
  return std::current_exception();
}

}  // namespace dpep::runtime
