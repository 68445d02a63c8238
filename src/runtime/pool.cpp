// Memory pools: size classes, the table of segments by address, and memory from the system.
#include "runtime/pool.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "runtime/device.hpp"
#include "runtime/guard_zones.hpp"

namespace dpep::runtime {
namespace {

// -- The table of segments by address: two levels, an entry for each 2 MiB region. Readers take no lock.

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

/// Sets the entries of the segment's addresses. False if the addresses are beyond the table.
bool set_table_entries(const segment &s, segment *value) {
  const auto base = reinterpret_cast<std::uintptr_t>(s.base);
  for (std::uintptr_t a = base; a < base + s.bytes; a += memory_pool::region) {
    auto *entry = table_entry(a, value != nullptr);
    if (!entry) return false;
    entry->store(value, std::memory_order_release);
  }
  return true;
}

// -- Segment descriptors of two sizes, for one slot and for several, which are reused but never freed.

constexpr std::uint32_t max_slots = 4096;
// The size of slots from which on a few arrays use most of a segment.
constexpr std::size_t densely_used_slot = std::size_t{64} << 10;

class segment_descriptors {
public:
  segment *acquire(std::uint32_t slots) {
    std::lock_guard lock(mutex_);
    auto &idle = idle_[slots > 1];
    if (!idle.empty()) {
      segment *s = idle.back();
      idle.pop_back();
      return s;
    }
    auto fresh = std::make_unique<segment>();
    fresh->requested = std::make_unique<std::atomic<std::uint64_t>[]>(slots > 1 ? max_slots : 1);
    all_.push_back(std::move(fresh));
    return all_.back().get();
  }
  void release(segment *s) noexcept {
    std::lock_guard lock(mutex_);
    idle_[s->slots > 1].push_back(s);
  }
  std::vector<segment *> all() {
    std::lock_guard lock(mutex_);
    std::vector<segment *> list;
    for (const auto &s : all_) list.push_back(s.get());
    return list;
  }
  static segment_descriptors &get() {
    static auto &instance = *new segment_descriptors;
    return instance;
  }

private:
  std::mutex mutex_;
  std::vector<segment *> idle_[2];
  std::vector<std::unique_ptr<segment>> all_;
};

/// Held while guard zones are checked, so that meanwhile no pool is destroyed and no segment changes its pool.
std::mutex &guard_mutex() {
  static auto &instance = *new std::mutex;
  return instance;
}

/// The size with a guard zone, if memory is guarded.
std::size_t with_guard(std::size_t bytes) { return memory_is_guarded() ? bytes + guard_bytes : bytes; }

// -- Size classes: multiples of 64 up to 512, then four for each power of two.

std::size_t slot_size(std::size_t bytes) {
  bytes = std::max<std::size_t>((bytes + 63) & ~std::size_t{63}, 64);
  if (bytes <= 512) return bytes;
  const std::size_t step = std::bit_ceil(bytes) / 8;
  return (bytes + step - 1) / step * step;
}

/// The size of a segment for an allocation above the largest class: whole pages.
std::size_t large_size(std::size_t bytes) { return std::max<std::size_t>((bytes + 4095) & ~std::size_t{4095}, 4096); }

std::size_t class_index(std::size_t slot_bytes) {
  if (slot_bytes <= 512) return slot_bytes / 64 - 1;
  const auto doubling = static_cast<std::size_t>(std::bit_width(slot_bytes - 1) - 10);  // 0 for 513 to 1024
  return 8 + 4 * doubling + slot_bytes / (std::size_t{128} << doubling) - 5;
}

}  // namespace

void memory_account::add_allocation(std::uint64_t bytes) noexcept {
  const std::uint64_t now = in_use.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::uint64_t before = peak.load(std::memory_order_relaxed);
  while (before < now && !peak.compare_exchange_weak(before, now, std::memory_order_relaxed)) {}
  allocations.fetch_add(1, std::memory_order_relaxed);
}

void memory_account::remove_allocation(std::uint64_t bytes) noexcept {
  in_use.fetch_sub(bytes, std::memory_order_relaxed);
  allocations.fetch_sub(1, std::memory_order_relaxed);
}

bool memory_account::within_limit(std::uint64_t bytes) const noexcept {
  const std::uint64_t maximum = limit.load(std::memory_order_relaxed);
  if (maximum == 0) return true;
  const std::uint64_t held = in_use.load(std::memory_order_relaxed) + cached.load(std::memory_order_relaxed);
  return bytes <= maximum && held <= maximum - bytes;
}

segment *find_segment(const void *address) noexcept {
  const auto *entry = table_entry(reinterpret_cast<std::uintptr_t>(address), false);
  segment *const s = entry ? entry->load(std::memory_order_acquire) : nullptr;
  // The rest of the region after the segment's end belongs to other memory.
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

memory_pool::memory_pool(context_object &owner, usm_kind kind, const device &reported_device, const device &target,
                         memory_account &account)
    : owner(owner),
      kind(kind),
      reported_device(reported_device),
      target(backend_of(target)),
      account_(account),
      target_handle_(target) {}

memory_pool::~memory_pool() {
  std::unique_lock lock(guard_mutex(), std::defer_lock);
  if (memory_is_guarded()) lock.lock();
  trim();
}

void *memory_pool::allocate(std::size_t bytes, std::size_t alignment) {
  std::lock_guard lock(mutex_);
  // Segments start at multiples of 2 MiB, so slots whose size is a power of two are aligned to it.
  const std::size_t slot =
      alignment <= 64 ? slot_size(with_guard(bytes)) : std::bit_ceil(std::max(with_guard(bytes), alignment));
  return slot <= largest_class ? allocate_small(slot, bytes) : allocate_large(bytes, alignment);
}

void *memory_pool::allocate_from_cache(std::size_t bytes) noexcept {
  if (memory_is_guarded()) return nullptr;  // guard zones of a device's memory are filled by copies, which wait
  const std::unique_lock lock(mutex_, std::try_to_lock);
  const std::size_t slot = slot_size(bytes);
  if (!lock || slot > largest_class) return nullptr;
  const std::vector<segment *> &available = classes_[class_index(slot)].available;
  if (available.empty() || available.back()->free_slots.empty()) return nullptr;
  return allocate_small(slot, bytes);  // takes the free slot, so that it allocates nothing
}

void *memory_pool::allocate_small(std::size_t slot_bytes, std::size_t requested) {
  size_class &mine = classes_[class_index(slot_bytes)];
  std::uint32_t slot;
  segment *s = mine.available.empty() ? nullptr : mine.available.back();
  if (s && !s->free_slots.empty()) {
    slot = s->free_slots.back();
    s->free_slots.pop_back();
    account_.cached.fetch_sub(slot_bytes, std::memory_order_relaxed);
  } else {
    if (!account_.within_limit(slot_bytes)) return nullptr;
    if (!s) {
      const auto slots = static_cast<std::uint32_t>(std::min<std::size_t>(region / slot_bytes, max_slots));
      s = new_segment(region, region, slot_bytes, slots);
      if (!s) return nullptr;
      if (memory_is_guarded()) s->used_slots = 1;  // the first slot is the guard zone before the second
      mine.all.push_back(s);
      mine.available.push_back(s);
      s->is_available = true;
    }
    slot = s->used_slots++;
  }
  if (s->free_slots.empty() && s->used_slots == s->slots) {
    mine.available.pop_back();
    s->is_available = false;
  }
  ++s->live_slots;
  s->requested[slot].store(requested + 1, std::memory_order_release);
  if (memory_is_guarded()) fill_slot_guard(*s, slot);
  account_.add_allocation(slot_bytes);
  return s->base + slot * slot_bytes;
}

void *memory_pool::allocate_large(std::size_t requested, std::size_t alignment) {
  const std::size_t bytes = large_size(with_guard(requested));
  segment *s = nullptr;
  // A cached segment may be larger by at most a quarter, since the rest of it would be wasted.
  for (auto it = large_free_.lower_bound(bytes); it != large_free_.end() && it->first <= bytes + bytes / 4; ++it) {
    if (reinterpret_cast<std::uintptr_t>(it->second->base) % alignment) continue;
    s = it->second;
    large_free_.erase(it);
    account_.cached.fetch_sub(s->bytes, std::memory_order_relaxed);
    break;
  }
  if (!s) {
    if (!account_.within_limit(bytes)) return nullptr;
    s = new_segment(bytes, std::max(alignment, region), bytes, 1);
    if (!s) return nullptr;
    s->used_slots = 1;
  }
  s->live_slots = 1;
  s->requested[0].store(requested + 1, std::memory_order_release);
  if (memory_is_guarded()) fill_slot_guard(*s, 0);
  account_.add_allocation(s->bytes);
  return s->base;
}

void memory_pool::free(segment &s, std::uint32_t slot) {
  if (memory_is_guarded())
    if (std::string damage = check_slot_guard(s, slot); !damage.empty()) record_damage(std::move(damage));
  retire({&s, slot});
  recycle({&s, slot});
}

void memory_pool::retire(const pool_slot &p) noexcept {
  p.where->requested[p.slot].store(0, std::memory_order_release);
  account_.remove_allocation(p.where->slot_bytes);
  account_.cached.fetch_add(p.where->slot_bytes, std::memory_order_relaxed);
}

void *memory_pool::reuse(const pool_slot &p, std::size_t bytes) noexcept {
  account_.cached.fetch_sub(p.where->slot_bytes, std::memory_order_relaxed);
  account_.add_allocation(p.where->slot_bytes);
  p.where->requested[p.slot].store(bytes + 1, std::memory_order_release);
  if (memory_is_guarded()) fill_slot_guard(*p.where, p.slot);
  return p.where->base + p.slot * p.where->slot_bytes;
}

std::size_t memory_pool::size_of(std::size_t bytes) noexcept {
  const std::size_t slot = slot_size(with_guard(bytes));
  return slot <= largest_class ? slot : large_size(with_guard(bytes));
}

void memory_pool::recycle(const pool_slot &p) noexcept {
  std::lock_guard lock(mutex_);
  segment &s = *p.where;
  const std::uint32_t slot = p.slot;
  --s.live_slots;
  if (s.slots == 1) {
    // Caches at most an eighth of the device's memory, so that enough is left for other programs.
    const std::uint64_t maximum = target.info().global_mem_size / 8;
    bool keep = account_.cached.load(std::memory_order_relaxed) <= maximum;
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
  } catch (const std::bad_alloc &) {  // the slot stays unused until its segment is freed
    account_.cached.fetch_sub(s.slot_bytes, std::memory_order_relaxed);
    return;
  }
  try {
    if (!s.is_available) classes_[class_index(s.slot_bytes)].available.push_back(&s);
    s.is_available = true;
  } catch (const std::bad_alloc &) {  // listed when another of its slots is freed
  }
}

std::uint64_t memory_pool::trim() {
  std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  // A descriptor that is released belongs to whichever pool acquires it next, so it is removed from the lists at once.
  for (auto &[size, s] : std::exchange(large_free_, {})) {
    bytes += size;
    drop_segment(s);
  }
  for (size_class &c : classes_) {
    std::erase_if(c.available, [](const segment *s) { return s->live_slots == 0; });
    std::erase_if(c.all, [&](segment *s) {
      if (s->live_slots != 0) return false;
      bytes += s->free_slots.size() * s->slot_bytes;
      drop_segment(s);
      return true;
    });
  }
  account_.cached.fetch_sub(bytes, std::memory_order_relaxed);
  return bytes;
}

segment *memory_pool::new_segment(std::size_t bytes, std::size_t alignment, std::size_t slot_bytes,
                                  std::uint32_t slots) {
  // Only for a single slot: among several slots, the first one contains the guard zone before the others.
  const std::size_t front_bytes = memory_is_guarded() && slots == 1 ? std::max(alignment, region) : 0;
  const auto use =
      slots == 1 || slot_bytes >= densely_used_slot ? backend::block_use::dense : backend::block_use::sparse;
  void *const memory = target.allocate(kind, front_bytes + bytes, alignment, use);
  if (!memory) return nullptr;
  segment *s = segment_descriptors::get().acquire(slots);
  s->base = static_cast<std::byte *>(memory) + front_bytes;
  s->front_bytes = front_bytes;
  s->bytes = bytes;
  s->slot_bytes = slot_bytes;
  s->slots = slots;
  s->used_slots = s->live_slots = 0;
  s->is_available = false;
  s->free_slots.clear();
  s->pool.store(this, std::memory_order_release);
  if (front_bytes) fill_guard(target, kind, s->base - guard_bytes, guard_bytes);
  if (memory_is_guarded() && slots > 1) fill_guard(target, kind, s->base + slot_bytes - guard_bytes, guard_bytes);
  if (!set_table_entries(*s, s)) {
    drop_segment(s);
    return nullptr;
  }
  return s;
}

void memory_pool::drop_segment(segment *s) noexcept {
  set_table_entries(*s, nullptr);
  s->pool.store(nullptr, std::memory_order_release);
  target.free(kind, s->base - s->front_bytes, s->front_bytes + s->bytes);
  s->base = nullptr;
  segment_descriptors::get().release(s);
}

void recycle(const std::vector<pool_slot> &slots) noexcept {
  for (const pool_slot &s : slots) s.where->pool.load(std::memory_order_acquire)->recycle(s);
}

// -- Guard zones

void memory_pool::fill_slot_guard(const segment &s, std::uint32_t slot) const noexcept {
  const std::uint64_t size = s.requested[slot].load(std::memory_order_relaxed) - 1;
  fill_guard(target, kind, s.base + slot * s.slot_bytes + size, s.slot_bytes - size);
}

std::string memory_pool::check_slot_guard(const segment &s, std::uint32_t slot) const {
  const std::uint64_t requested = s.requested[slot].load(std::memory_order_acquire);
  if (!requested) return {};
  std::byte *const start = s.base + slot * s.slot_bytes;
  const std::uint64_t size = requested - 1;
  const guard_damage damage = check_guard(target, kind, start + size, s.slot_bytes - size);
  if (!damage.any) return {};
  return fmt::format(
      "{} memory on '{}' was overwritten past the end of the allocation of {} bytes at {}: bytes {} to {}",
      name_of(kind), target.info().name, size, fmt::ptr(start), size + damage.first, size + damage.last);
}

void memory_pool::check_guards(segment &s, std::string &found) {
  std::lock_guard lock(mutex_);
  if (s.pool.load(std::memory_order_acquire) != this || !s.base) return;
  const auto add = [&](const std::string &text) {
    if (!text.empty()) found += (found.empty() ? "" : "; ") + text;
  };
  // The zone before the first allocation: before the segment's base, or in its first slot, which is never allocated.
  if (std::byte *const first = s.front_bytes ? s.base : s.slots > 1 ? s.base + s.slot_bytes : nullptr)
    if (const guard_damage damage = check_guard(target, kind, first - guard_bytes, guard_bytes); damage.any)
      add(fmt::format("{} memory on '{}' was overwritten before the allocation at {}: bytes -{} to -{}", name_of(kind),
                      target.info().name, fmt::ptr(first), guard_bytes - damage.first, guard_bytes - damage.last));
  for (std::uint32_t slot = 0; slot < s.used_slots; ++slot) add(check_slot_guard(s, slot));
}

std::exception_ptr check_all_guards() noexcept try {
  std::string found = take_recorded_damage();
  {
    const std::lock_guard lock(guard_mutex());
    for (segment *s : segment_descriptors::get().all())
      if (memory_pool *const pool = s->pool.load(std::memory_order_acquire)) pool->check_guards(*s, found);
  }
  const std::string launches = take_recorded_launches();
  if (found.empty()) return nullptr;
  return std::make_exception_ptr(
      exception(errc::kernel, fmt::format("{} ({}; found by DPEP_CHECK=memory)", found, launches)));
} catch (...) {
  return std::current_exception();
}

}  // namespace dpep::runtime
