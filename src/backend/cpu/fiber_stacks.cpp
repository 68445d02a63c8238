// mmap for stacks, and the few instructions of a switch.
#include "backend/cpu/fiber_stacks.hpp"

#include <algorithm>
#include <cstdint>

#include <pthread.h>
#include <sys/mman.h>

#include "backend/cpu/topology.hpp"
#include "backend/common/host_memory.hpp"

#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#endif
#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#endif

namespace dpep::backend::cpu {
namespace {

constexpr std::size_t page = 4096, guarded_stacks = 1024, most_in_block = 1024;
constexpr std::size_t touched = 2 * page;  // of a stack, as a rule

/// Saves what a function must leave as it was, and continues where `next` was saved.
[[gnu::naked, gnu::noinline]] void switch_stacks(void ** /*saved: rdi*/, void * /*next: rsi*/) {
  asm volatile("push %rbp\n\t"
               "push %rbx\n\t"
               "push %r12\n\t"
               "push %r13\n\t"
               "push %r14\n\t"
               "push %r15\n\t"
               "mov %rsp, (%rdi)\n\t"
               "mov %rsi, %rsp\n\t"
               "pop %r15\n\t"
               "pop %r14\n\t"
               "pop %r13\n\t"
               "pop %r12\n\t"
               "pop %rbx\n\t"
               "pop %rbp\n\t"
               "ret");
}
constexpr std::size_t saved_registers = 6;

#if __has_feature(address_sanitizer)
struct bounds {
  const void *bottom;
  std::size_t bytes;
};
bounds bounds_of(const fiber_place &place) {
  if (place.stack) return {place.stack, fiber_stacks::stack_bytes};
  pthread_attr_t attributes;
  void *bottom = nullptr;
  std::size_t bytes = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &bottom, &bytes);
  pthread_attr_destroy(&attributes);
  return {bottom, bytes};
}
#endif

}  // namespace

fiber_stacks::~fiber_stacks() {
  for (const auto &[start, bytes] : blocks_) munmap(start, bytes);
}

std::byte *fiber_stacks::take() noexcept {
  if (free_.empty() && !grow()) return nullptr;
  std::byte *const stack = free_.back();
  free_.pop_back();
  return stack;
}

bool fiber_stacks::grow() noexcept {
  const std::size_t count = std::clamp<std::size_t>(count_, 16, most_in_block);
  // Linux gives addresses for far more than there is, and kills whoever touches them
  if (count == most_in_block && available_memory() / 2 < count * touched) return false;
  const std::size_t bytes = count * stack_bytes;
  try {
    free_.reserve(count_ + count);
    blocks_.reserve(blocks_.size() + 1);
  } catch (...) {
    return false;
  }
  void *const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return false;
  madvise(mapped, bytes, MADV_NOHUGEPAGE);  // a stack is rarely more than a page
  auto *const start = static_cast<std::byte *>(mapped);
  blocks_.emplace_back(start, bytes);
  for (std::size_t i = count; i-- > 0;) {
    std::byte *const stack = start + i * stack_bytes;
    if (count_ < guarded_stacks) mprotect(stack, page, PROT_NONE);
    free_.push_back(stack);
  }
  count_ += count;
  return true;
}

fiber_place fiber_start(std::byte *stack, void (*function)()) {
  fiber_place place;
  place.stack = stack;
  auto *top = reinterpret_cast<std::uintptr_t *>(stack + fiber_stacks::stack_bytes);
  // Neighbours' first lines would fall into the same set of the cache otherwise.
  top -= 16 * (reinterpret_cast<std::uintptr_t>(stack) / fiber_stacks::stack_bytes % 16);
  *--top = 0;  // a return address of nobody's: debuggers stop there
  *--top = reinterpret_cast<std::uintptr_t>(function);
  for (std::size_t i = 0; i < saved_registers; ++i) *--top = 0;
  place.stack_pointer = top;
#if __has_feature(thread_sanitizer)
  place.sanitizer = __tsan_create_fiber(0);
#endif
  return place;
}

void fiber_switch(fiber_place &from, fiber_place &to, [[maybe_unused]] bool ends) noexcept {
#if __has_feature(address_sanitizer)
  const bounds there = bounds_of(to);
  __sanitizer_start_switch_fiber(ends ? nullptr : &from.fake_stack, there.bottom, there.bytes);
#endif
#if __has_feature(thread_sanitizer)
  if (!from.stack && !from.sanitizer) from.sanitizer = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.sanitizer, 0);
#endif
  switch_stacks(&from.stack_pointer, to.stack_pointer);
#if __has_feature(address_sanitizer)
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

void fiber_arrived() noexcept {
#if __has_feature(address_sanitizer)
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

// Not sanitized: with its own variables on the fiber's fake stack, it would give back the memory they lie in.
[[clang::no_sanitize("address")]] void fiber_left_by_jump([[maybe_unused]] fiber_place &own) noexcept {
#if __has_feature(address_sanitizer)
  const bounds here = bounds_of(own);
  __sanitizer_start_switch_fiber(nullptr, here.bottom, here.bytes);
  __sanitizer_finish_switch_fiber(own.fake_stack, nullptr, nullptr);
#endif
#if __has_feature(thread_sanitizer)
  if (own.sanitizer) __tsan_switch_to_fiber(own.sanitizer, 0);
#endif
}

void fiber_forget([[maybe_unused]] fiber_place &place) noexcept {
#if __has_feature(thread_sanitizer)
  if (place.stack && place.sanitizer) __tsan_destroy_fiber(place.sanitizer);
  place.sanitizer = nullptr;
#endif
}

}  // namespace dpep::backend::cpu
