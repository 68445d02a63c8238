// Each block is a memfd that is mapped twice: accessible for the driver, and inaccessible at the program's address.
#include "memory.hpp"

#include <algorithm>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace fake {

const block *memory::allocate(kind what, int device, std::size_t bytes, std::size_t alignment) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0 || (what == kind::device && used_[device] + bytes > bytes_per_device)) return nullptr;
  const std::size_t page = 4096, whole = (bytes + page - 1) / page * page;
  const int file = memfd_create("fake GPU", 0);
  if (file < 0 || ftruncate(file, static_cast<off_t>(whole)) != 0) return nullptr;
  // reserves more address space than needed, and frees what is not aligned
  auto *const reserved = static_cast<std::byte *>(
      mmap(nullptr, whole + alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  const auto start = (reinterpret_cast<std::uintptr_t>(reserved) + alignment - 1) / alignment * alignment;
  auto *const aligned = reinterpret_cast<std::byte *>(start);
  munmap(reserved, static_cast<std::size_t>(aligned - reserved));
  munmap(aligned + whole, static_cast<std::size_t>(reserved + alignment - aligned));
  const int visible = what == kind::device ? PROT_NONE : PROT_READ | PROT_WRITE;
  mmap(aligned, whole, visible, MAP_SHARED | MAP_FIXED, file, 0);
  auto *const driver_view = static_cast<std::byte *>(mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  close(file);
  if (what == kind::device) used_[device] += whole;
  return &blocks_.emplace(start, block{start, whole, driver_view, what, device, what == kind::device}).first->second;
}

bool memory::free(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) return false;
  const block &b = found->second;
  if (b.on_device) used_[b.device] -= b.bytes;
  munmap(reinterpret_cast<void *>(b.address), b.bytes);
  munmap(b.driver_view, b.bytes);
  blocks_.erase(found);
  return true;
}

std::size_t memory::used(int device) {
  const std::lock_guard lock(mutex_);
  return std::min(used_[device], bytes_per_device);  // excess managed memory is evicted to the host
}

const block *memory::find(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const block &b = std::prev(after)->second;
  return address < b.address + b.bytes ? &b : nullptr;
}

std::byte *memory::driver_view(std::uint64_t address) {
  const block *const b = find(address);
  if (b && b->kind == kind::managed) migrate(b->address);
  return b ? b->driver_view + (address - b->address) : reinterpret_cast<std::byte *>(address);
}

void memory::migrate(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || std::exchange(found->second.on_device, true)) return;
  used_[found->second.device] += found->second.bytes;
}

}  // namespace fake
