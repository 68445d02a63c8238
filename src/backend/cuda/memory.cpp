// Allocates memory from the driver, aligned as the pools require.
//
// Segments of the pools own whole regions of 2 MiB. The driver's larger blocks usually begin at such addresses, but
// this is not documented: a block that begins elsewhere is allocated again, larger, and used from the first aligned
// address.
#include "backend/cuda/memory.hpp"

#include <algorithm>

#include "backend/common/host_memory.hpp"

namespace dpep::backend::cuda {
namespace {

constexpr std::size_t region = std::size_t{2} << 20;

/// Pinned memory cannot be moved or swapped. The driver allocates all there is, and then Linux kills a process.
bool fits_in_host_memory(std::uint64_t held, std::uint64_t bytes) {
  static const std::uint64_t total = total_memory(), reserve = total / 16;
  return held + bytes <= total - reserve && bytes + reserve <= available_memory();
}

constexpr address up(address at, std::size_t alignment) { return (at + alignment - 1) & ~address(alignment - 1); }

}  // namespace

address memory::take(usm_kind kind, std::size_t bytes) {
  const driver_api &api = context_.api;
  if (kind == usm_kind::host) {
    if (!fits_in_host_memory(host_, bytes)) return 0;
    void *start = nullptr;
    return api.allocate_host(&start, bytes, host_portable | host_device_map) == results::success
               ? reinterpret_cast<address>(start)
               : 0;
  }
  if (!fits_with_managed(kind, bytes)) return 0;
  address start = 0;
  const result code = kind == usm_kind::device ? api.allocate(&start, bytes)
                                               : api.allocate_managed(&start, bytes, managed_attach_global);
  return code == results::success ? start : 0;
}

/// Whether the allocation leaves room for all managed memory on the device. If managed memory exceeds device memory,
/// its pages migrate back and forth, which can hang a GPU. The driver counts only pages that were touched on the
/// device, so all managed memory is counted here.
bool memory::fits_with_managed(usm_kind kind, std::size_t bytes) noexcept {
  if (kind == usm_kind::device && !managed_) return true;
  std::size_t available = 0, total = 0;
  if (context_.api.memory_info(&available, &total) != results::success) return false;
  // While there is no managed memory, the foreign part is known. Later it is bounded: between none and all of the
  // managed memory is on the device.
  const std::uint64_t used = total - available, not_device = used - std::min<std::uint64_t>(used, device_);
  if (!managed_) foreign_ = not_device;
  foreign_ = std::clamp(foreign_, not_device - std::min(not_device, managed_), not_device);
  if (kind == usm_kind::shared && (bytes > available || managed_ + bytes > total - total / 16)) return false;
  return foreign_ + device_ + managed_ + bytes <= total;
}

void memory::give(usm_kind kind, block b) noexcept {
  if (kind == usm_kind::host)
    context_.api.free_host(reinterpret_cast<void *>(b.start));
  else
    context_.api.free(b.start);
  count(kind) -= b.bytes;
}

void *memory::allocate(usm_kind kind, std::size_t bytes, std::size_t alignment) noexcept try {
  context_.check_not_lost();
  const scoped_context here(context_);
  const fork_safe_lock lock(mutex_);
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
  void *const aligned = reinterpret_cast<void *>(up(b.start, alignment));
  try {
    blocks_.emplace(aligned, b);
  } catch (const std::bad_alloc &) {
    give(kind, b);
    return nullptr;
  }
  return aligned;
} catch (...) {
  return nullptr;  // the runtime reports the size and the free memory
}

void memory::free(usm_kind kind, void *pointer) noexcept try {
  const fork_safe_lock lock(mutex_);
  const auto found = blocks_.find(pointer);
  if (found == blocks_.end()) return;
  const block b = found->second;
  blocks_.erase(found);
  const scoped_context here(context_);
  give(kind, b);
} catch (...) {  // the context is gone, and its memory with it
}

std::uint64_t memory::free_bytes() const noexcept try {
  const scoped_context here(context_);
  std::size_t available = 0, total = 0;
  return context_.api.memory_info(&available, &total) == results::success ? available : 0;
} catch (...) {
  return 0;
}

}  // namespace dpep::backend::cuda
