// The list of code ranges. The signal handler reads it without a lock: entries are reused, but never freed.
#include "backend/common/code_ranges.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace dpep::backend {
namespace {

struct code_range {
  std::atomic<std::uintptr_t> begin{0}, end{0};  // begin 0: unused
  code_range *next = nullptr;
};
constinit std::atomic<code_range *> code_ranges{nullptr};
constinit std::mutex adding_code;

}  // namespace

void add_kernel_code(const void *begin, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const std::lock_guard lock(adding_code);
  code_range *range = code_ranges.load(std::memory_order_relaxed);
  while (range && range->begin.load(std::memory_order_relaxed)) range = range->next;
  const bool is_new = !range;
  if (is_new) {
    range = new code_range;
    range->next = code_ranges.load(std::memory_order_relaxed);
  }
  range->end.store(first + bytes, std::memory_order_relaxed);
  range->begin.store(first, std::memory_order_release);
  if (is_new) code_ranges.store(range, std::memory_order_release);
}

void remove_kernel_code(const void *begin) noexcept {
  const std::lock_guard lock(adding_code);
  for (code_range *r = code_ranges.load(std::memory_order_relaxed); r; r = r->next)
    if (r->begin.load(std::memory_order_relaxed) == reinterpret_cast<std::uintptr_t>(begin)) return r->begin.store(0);
}

bool is_kernel_code(const void *address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const code_range *r = code_ranges.load(std::memory_order_acquire); r; r = r->next) {
    const std::uintptr_t begin = r->begin.load(std::memory_order_acquire);
    if (begin && at >= begin && at < r->end.load(std::memory_order_relaxed)) return true;
  }
  return false;
}

}  // namespace dpep::backend
