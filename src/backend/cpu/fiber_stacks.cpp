// Stacks from mmap, and context switches in assembly.
#include "backend/cpu/fiber_stacks.hpp"

#include <algorithm>
#include <cstdint>

#include <pthread.h>
#include <sys/mman.h>

#include "backend/common/host_memory.hpp"
#include "backend/cpu/topology.hpp"

#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#endif
#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#endif

namespace dpep::backend::cpu {
namespace {

constexpr std::size_t page = 4096, guarded_stacks = 1024, max_stacks_in_block = 1024;
constexpr std::size_t typical_use = 2 * page;  // committed memory of a stack

/// Pushes the callee-saved registers, and continues with the context that was saved at `next`.
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
bounds bounds_of(const fiber_context &fiber) {
  if (fiber.stack) return {fiber.stack, fiber_stacks::stack_bytes};
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
  const std::size_t count = std::clamp<std::size_t>(count_, 16, max_stacks_in_block);
  // Linux overcommits memory, and kills processes that access too much of it
  if (count == max_stacks_in_block && available_memory() / 2 < count * typical_use) return false;
  const std::size_t bytes = count * stack_bytes;
  try {
    free_.reserve(count_ + count);
    blocks_.reserve(blocks_.size() + 1);
  } catch (...) {
    return false;
  }
  void *const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return false;
  madvise(mapped, bytes, MADV_NOHUGEPAGE);  // a stack rarely uses more than a page
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

fiber_context make_fiber(std::byte *stack, void (*function)()) {
  fiber_context fiber;
  fiber.stack = stack;
  auto *top = reinterpret_cast<std::uintptr_t *>(stack + fiber_stacks::stack_bytes);
  // Staggered, so that the tops of adjacent stacks do not map to the same cache set.
  top -= 16 * (reinterpret_cast<std::uintptr_t>(stack) / fiber_stacks::stack_bytes % 16);
  *--top = 0;  // no return address: debuggers end the backtrace there
  *--top = reinterpret_cast<std::uintptr_t>(function);
  for (std::size_t i = 0; i < saved_registers; ++i) *--top = 0;
  fiber.stack_pointer = top;
#if __has_feature(thread_sanitizer)
  fiber.sanitizer_fiber = __tsan_create_fiber(0);
#endif
  return fiber;
}

void fiber_switch(fiber_context &from, fiber_context &to, [[maybe_unused]] bool ends) noexcept {
#if __has_feature(address_sanitizer)
  const bounds there = bounds_of(to);
  __sanitizer_start_switch_fiber(ends ? nullptr : &from.fake_stack, there.bottom, there.bytes);
#endif
#if __has_feature(thread_sanitizer)
  if (!from.stack && !from.sanitizer_fiber) from.sanitizer_fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.sanitizer_fiber, 0);
#endif
  switch_stacks(&from.stack_pointer, to.stack_pointer);
#if __has_feature(address_sanitizer)
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

void fiber_entered() noexcept {
#if __has_feature(address_sanitizer)
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

// Not instrumented: otherwise its own variables would lie on the fiber's fake stack, which it frees.
[[clang::no_sanitize("address")]] void fiber_left_by_jump([[maybe_unused]] fiber_context &own) noexcept {
#if __has_feature(address_sanitizer)
  const bounds here = bounds_of(own);
  __sanitizer_start_switch_fiber(nullptr, here.bottom, here.bytes);
  __sanitizer_finish_switch_fiber(own.fake_stack, nullptr, nullptr);
#endif
#if __has_feature(thread_sanitizer)
  if (own.sanitizer_fiber) __tsan_switch_to_fiber(own.sanitizer_fiber, 0);
#endif
}

void destroy_fiber([[maybe_unused]] fiber_context &fiber) noexcept {
#if __has_feature(thread_sanitizer)
  if (fiber.stack && fiber.sanitizer_fiber) __tsan_destroy_fiber(fiber.sanitizer_fiber);
  fiber.sanitizer_fiber = nullptr;
#endif
}

}  // namespace dpep::backend::cpu
