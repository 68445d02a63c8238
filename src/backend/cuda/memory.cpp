// Taking memory from the driver, at the addresses that the pools want.
//
// Segments of the pools own whole regions of 2 MiB. The driver's larger blocks begin at such addresses as a rule, but
// it does not say so: a block that begins elsewhere is taken again, larger, and used from the first good address.
#include "backend/cuda/memory.hpp"

#include <algorithm>

#include "backend/common/host_memory.hpp"

namespace dpep::backend::cuda {
namespace {

constexpr std::size_t region = std::size_t{2} << 20;

/// Pinned memory cannot be moved or swapped. The driver gives what there is, and who runs out of it is killed.
bool leaves_the_host_enough(std::uint64_t held, std::uint64_t bytes) {
  static const std::uint64_t total = total_memory(), reserve = total / 16;
  return held + bytes <= total - reserve && bytes + reserve <= available_memory();
}

constexpr address up(address at, std::size_t alignment) { return (at + alignment - 1) & ~address(alignment - 1); }

}  // namespace

address memory::take(usm_kind kind, std::size_t bytes) {
  const driver_api &api = card_.api;
  if (kind == usm_kind::host) {
    if (!leaves_the_host_enough(host_, bytes)) return 0;
    void *start = nullptr;
    return api.allocate_host(&start, bytes, host_portable | host_device_map) == results::success
               ? reinterpret_cast<address>(start)
               : 0;
  }
  if (!leaves_managed_its_place(kind, bytes)) return 0;
  address start = 0;
  const result code = kind == usm_kind::device ? api.allocate(&start, bytes)
                                               : api.allocate_managed(&start, bytes, managed_attach_global);
  return code == results::success ? start : 0;
}

/// More managed memory than the card has place for would be moved back and forth, which can hang a GPU. The driver
/// counts what has been touched there only, so all of it is counted here.
bool memory::leaves_managed_its_place(usm_kind kind, std::size_t bytes) noexcept {
  if (kind == usm_kind::device && !managed_) return true;
  std::size_t available = 0, total = 0;
  if (card_.api.memory_info(&available, &total) != results::success) return false;
  // Others' part is known while there is none, and later between bounds: between none and all of it is on the card.
  const std::uint64_t used = total - available, not_device = used - std::min<std::uint64_t>(used, device_);
  if (!managed_) others_ = not_device;
  others_ = std::clamp(others_, not_device - std::min(not_device, managed_), not_device);
  if (kind == usm_kind::shared && (bytes > available || managed_ + bytes > total - total / 16)) return false;
  return others_ + device_ + managed_ + bytes <= total;
}

void memory::give(usm_kind kind, block b) noexcept {
  if (kind == usm_kind::host)
    card_.api.free_host(reinterpret_cast<void *>(b.start));
  else
    card_.api.free(b.start);
  count(kind) -= b.bytes;
}

void *memory::allocate(usm_kind kind, std::size_t bytes, std::size_t alignment) noexcept try {
  card_.check_not_lost();
  const scoped_context here(card_);
  const no_fork_lock lock(mutex_);
  const std::size_t whole = up(std::max<std::size_t>(bytes, 1), region);
  block b{0, whole};
  b.start = take(kind, b.bytes);
  if (b.start && b.start != up(b.start, alignment)) {
    count(kind) += b.bytes;
    give(kind, b);
    b.bytes = whole + alignment;
    b.start = take(kind, b.bytes);
  }
  if (!b.start) return nullptr;
  count(kind) += b.bytes;
  void *const place = reinterpret_cast<void *>(up(b.start, alignment));
  blocks_.emplace(place, b);
  return place;
} catch (...) {
  return nullptr;  // the runtime says what was wanted and what is there
}

void memory::free(usm_kind kind, void *place) noexcept try {
  const no_fork_lock lock(mutex_);
  const auto found = blocks_.find(place);
  if (found == blocks_.end()) return;
  const block b = found->second;
  blocks_.erase(found);
  const scoped_context here(card_);
  give(kind, b);
} catch (...) {  // the context is gone, and its memory with it
}

std::uint64_t memory::free_bytes() const noexcept try {
  const scoped_context here(card_);
  std::size_t available = 0, total = 0;
  return card_.api.memory_info(&available, &total) == results::success ? available : 0;
} catch (...) {
  return 0;
}

}  // namespace dpep::backend::cuda
