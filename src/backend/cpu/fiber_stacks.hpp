// Fibers: stacks for work-items that wait for each other, and switches between them.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace dpep::backend::cpu {

/// A pool of stacks. Address space is reserved in blocks, memory is committed as stacks are used, and all of it is
/// freed with the object. Only the first stacks have a guard page below them: all work-items run the same code, so code
/// that overflows its stack faults there.
class fiber_stacks {
public:
  static constexpr std::size_t stack_bytes = 256 * 1024;

  fiber_stacks() = default;
  fiber_stacks(const fiber_stacks &) = delete;
  ~fiber_stacks();
  /// Returns the lowest address of a stack; null if there is no memory.
  std::byte *take() noexcept;
  void give(std::byte *stack) noexcept { free_.push_back(stack); }  // never allocates: capacity for all is reserved
  std::size_t count() const noexcept { return count_; }

private:
  bool grow() noexcept;

  std::vector<std::pair<std::byte *, std::size_t>> blocks_;
  std::vector<std::byte *> free_;
  std::size_t count_ = 0;
};

/// The saved context of a fiber or of the thread.
struct fiber_context {
  void *stack_pointer = nullptr;
  std::byte *stack = nullptr;       // null: the thread's own stack
  void *sanitizer_fiber = nullptr;  // ThreadSanitizer's handle
  void *fake_stack = nullptr;       // AddressSanitizer's
};

/// Creates a fiber that calls `function` when it is first switched to; `function` must not return.
fiber_context make_fiber(std::byte *stack, void (*function)());
/// Saves the running context and switches to another; returns when that context is switched back to. `ends`: it never
/// is.
void fiber_switch(fiber_context &from, fiber_context &to, bool ends = false) noexcept;
/// Must be called first in a fiber's function.
void fiber_entered() noexcept;
/// Must be called after a longjmp from a fiber to the thread's own stack.
void fiber_left_by_jump(fiber_context &own) noexcept;
/// Must be called for a fiber that will not be switched to again.
void destroy_fiber(fiber_context &) noexcept;

}  // namespace dpep::backend::cpu
