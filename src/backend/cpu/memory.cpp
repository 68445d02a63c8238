// mmap for USM. Refuses allocations that would end in the out-of-memory killer instead of an error.
#include "backend/cpu/memory.hpp"

#include <algorithm>
#include <atomic>

#include <sys/mman.h>
#include <unistd.h>

#include "backend/common/host_memory.hpp"
#include "backend/cpu/topology.hpp"

namespace dpep::backend::cpu {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
// Blocks of this size are compared with the free memory. Reading that takes tens of microseconds: not for small blocks.
constexpr std::size_t large_block = std::size_t{64} << 20;

constinit std::atomic<std::uint64_t> held{0};

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) & ~(to - 1); }

}  // namespace

void *allocate_pages(std::size_t bytes, std::size_t alignment, block_use use) noexcept {
  static const std::uint64_t total = total_memory();
  static const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // Linux overcommits memory, and kills processes that access too much of it; so the total is counted here
  if (bytes > total || held.load(std::memory_order_relaxed) + bytes > total) return nullptr;
  if (bytes >= large_block && bytes > available_memory()) return nullptr;

  bytes = round_up(bytes, page);
  alignment = std::max(alignment, page);
  if (alignment > total) return nullptr;
  const std::size_t reach = bytes + (alignment - page);
  void *const mapped = mmap(nullptr, reach, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<std::uintptr_t>(mapped);
  const auto block = (start + alignment - 1) & ~(alignment - 1);
  if (block > start) munmap(mapped, block - start);
  if (const auto tail = start + reach - (block + bytes)) munmap(reinterpret_cast<void *>(block + bytes), tail);
  auto *const result = reinterpret_cast<void *>(block);
  // The system fills a huge page with zeros when its first byte is used: 0.1 ms, and 5 in some virtual machines.
  if (bytes >= huge_page) madvise(result, bytes, use == block_use::dense ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  held.fetch_add(bytes, std::memory_order_relaxed);
  return result;
}

void free_pages(void *block, std::size_t bytes) noexcept {
  bytes = round_up(bytes, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  munmap(block, bytes);
  held.fetch_sub(bytes, std::memory_order_relaxed);
}

}  // namespace dpep::backend::cpu
