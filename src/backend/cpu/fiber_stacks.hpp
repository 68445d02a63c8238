// Stacks of work-items that wait for each other, and the way from one to another.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace dpep::backend::cpu {

/// Address space is taken in blocks, memory as far as it is touched; all of it goes with the object. The first stacks
/// have a page below them that may not be touched: code that needs more than there is faults there, and all work-items
/// run the same code.
class fiber_stacks {
public:
  static constexpr std::size_t stack_bytes = 256 * 1024;

  fiber_stacks() = default;
  fiber_stacks(const fiber_stacks &) = delete;
  ~fiber_stacks();
  /// The lowest address of one; null when there is no memory for it.
  std::byte *take() noexcept;
  void give(std::byte *stack) noexcept { free_.push_back(stack); }  // never more than were taken: no allocation
  std::size_t count() const noexcept { return count_; }

private:
  bool grow() noexcept;

  std::vector<std::pair<std::byte *, std::size_t>> blocks_;
  std::vector<std::byte *> free_;
  std::size_t count_ = 0;
};

/// What a stack is left with, so that it can be gone back to.
struct fiber_place {
  void *stack_pointer = nullptr;
  std::byte *stack = nullptr;  // null: the thread's own
  void *sanitizer = nullptr;   // what ThreadSanitizer knows it by
  void *fake_stack = nullptr;  // AddressSanitizer's
};

/// A place at which `function` starts when it is gone to; it must not return.
fiber_place fiber_start(std::byte *stack, void (*function)());
/// Goes from the running place to another; returns when somebody comes back. `ends`: nobody will.
void fiber_switch(fiber_place &from, fiber_place &to, bool ends = false) noexcept;
/// First thing at a start.
void fiber_arrived() noexcept;
/// The thread left a fiber by a jump, and is on its own stack again.
void fiber_left_by_jump(fiber_place &own) noexcept;
/// The fiber will not be gone to again.
void fiber_forget(fiber_place &) noexcept;

}  // namespace dpep::backend::cpu
