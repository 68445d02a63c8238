// Each block is a file in memory, mapped twice: readable for the driver, and not at all where the program knows it.
#include "memory.hpp"

#include <algorithm>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace fake {

const block *memory::allocate(kind what, int device, std::size_t bytes, std::size_t alignment) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0 || (what == kind::device && used_[device] + bytes > of_each_device)) return nullptr;
  const std::size_t page = 4096, whole = (bytes + page - 1) / page * page;
  const int file = memfd_create("pretended GPU", 0);
  if (file < 0 || ftruncate(file, static_cast<off_t>(whole)) != 0) return nullptr;
  // an aligned place: more than is needed, and the surplus given back
  auto *const place = static_cast<std::byte *>(
      mmap(nullptr, whole + alignment, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  const auto start = (reinterpret_cast<std::uintptr_t>(place) + alignment - 1) / alignment * alignment;
  auto *const aligned = reinterpret_cast<std::byte *>(start);
  munmap(place, static_cast<std::size_t>(aligned - place));
  munmap(aligned + whole, static_cast<std::size_t>(place + alignment - aligned));
  const int visible = what == kind::device ? PROT_NONE : PROT_READ | PROT_WRITE;
  mmap(aligned, whole, visible, MAP_SHARED | MAP_FIXED, file, 0);
  auto *const seen = static_cast<std::byte *>(mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  close(file);
  if (what == kind::device) used_[device] += whole;
  return &blocks_.emplace(start, block{start, whole, seen, what, device, what == kind::device}).first->second;
}

bool memory::free(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) return false;
  const block &b = found->second;
  if (b.on_device) used_[b.device] -= b.bytes;
  munmap(reinterpret_cast<void *>(b.address), b.bytes);
  munmap(b.seen, b.bytes);
  blocks_.erase(found);
  return true;
}

std::size_t memory::used(int device) {
  const std::lock_guard lock(mutex_);
  return std::min(used_[device], of_each_device);  // what is too much has gone back to the host
}

const block *memory::find(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const block &b = std::prev(after)->second;
  return address < b.address + b.bytes ? &b : nullptr;
}

std::byte *memory::see(std::uint64_t address) {
  const block *const b = find(address);
  if (b && b->kind == kind::managed) touch(b->address);
  return b ? b->seen + (address - b->address) : reinterpret_cast<std::byte *>(address);
}

void memory::touch(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || std::exchange(found->second.on_device, true)) return;
  used_[found->second.device] += found->second.bytes;
}

}  // namespace fake
