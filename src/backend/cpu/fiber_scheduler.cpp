// The scheduler of a thread's fibers: a list of ready work-items, and barriers with lists of waiting ones.
#include "backend/cpu/fiber_scheduler.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sched.h>
#include <time.h>

#include "backend/cpu/fiber_stacks.hpp"
#include "backend/cpu/guard.hpp"
#include "backend/cpu/work.hpp"

namespace dpep::backend::cpu {
namespace {

struct work_group;

struct work_item {
  fiber_context context;
  work_group *group = nullptr;
  std::size_t index = 0;      // in its work-group
  work_item *next = nullptr;  // in the list of ready work-items or in that of a barrier
  std::uint64_t exchanged[2]{};
  bool slot = false;  // used by the next exchange; a slower work-item may still read the other slot
};

/// A barrier of a work-group or sub-group.
struct barrier {
  std::size_t members = 0, arrived = 0, ended = 0;
  work_item *waiting = nullptr;
};

struct free_memory {
  void operator()(std::byte *block) const { std::free(block); }
};

struct work_group {
  std::size_t unit = 0, started = 0, ended = 0;
  std::unique_ptr<std::byte, free_memory> local;
  barrier whole;
  std::vector<barrier> sub_groups;
  std::vector<work_item *> items;  // by their index
};

class fiber_scheduler {
public:
  fiber_scheduler(const kernel_view &kernel, const shared_units &units)
      : kernel_(kernel),
        units_(units),
        size_(kernel.code.needs.concurrent_items),
        sub_group_size_(std::max<std::size_t>(kernel.code.needs.sub_group_size, 1)) {}
  ~fiber_scheduler() {
    for (const auto &each : items_) destroy_fiber(each->context);
  }

  /// Runs until all units are done or none can go on. May be left by a longjmp out of a work-item.
  void run() {
    std::size_t idle = 0;
    while (!units_.failed.load(std::memory_order_relaxed) && error_.empty()) {
      progressed_ = false;
      for (std::size_t n = ready_count_; n > 0; --n) resume(take_ready());
      if (progressed_ || start_more()) {
        idle = 0;
      } else if (active_ == 0) {
        return;
      } else if (ready_count_ == 0) {
        error_ = "its work-items wait at barriers that others of their work-group do not reach";
      } else {
        pause(++idle);
      }
    }
  }

  std::size_t taken() const { return taken_units_; }
  const std::string &error() const { return error_; }
  fiber_context &thread_context() { return thread_context_; }

  void yield() {
    work_item &me = *running_;
    add_ready(me);
    fiber_switch(me.context, thread_context_);
  }
  void wait_at(barrier &where) {
    work_item &me = *running_;
    ++where.arrived;
    me.next = std::exchange(where.waiting, &me);
    release_if_complete(where);
    fiber_switch(me.context, thread_context_);
  }
  barrier &group_barrier() { return running_->group->whole; }
  barrier &sub_group_barrier() { return running_->group->sub_groups[running_->index / sub_group_size_]; }

  std::uint64_t exchange(std::uint64_t value, std::uint32_t lane) {
    work_item &me = *running_;
    const bool slot = me.slot;
    me.slot = !slot;
    me.exchanged[slot] = value;
    wait_at(sub_group_barrier());
    const std::size_t first = me.index - me.index % sub_group_size_;
    const bool exists = lane < std::min(sub_group_size_, size_ - first);
    return (exists ? me.group->items[first + lane] : &me)->exchanged[slot];
  }

private:
  // Runs on the fiber's stack, which is abandoned: nothing here may need a destructor.
  static void begin();
  void run_item() {
    const work_item &me = *running_;
    kernel_.code.entry(kernel_.arguments, &kernel_.work, me.group->unit, me.index, me.group->local.get(),
                       kernel_.local_bytes);
  }
  [[noreturn]] void end_item() {
    ended_ = true;
    fiber_switch(running_->context, thread_context_, true);
    __builtin_unreachable();
  }

  void resume(work_item &next) {
    running_ = &next;
    fiber_switch(thread_context_, next.context);
    if (std::exchange(ended_, false)) end(next);
  }

  void end(work_item &done) {
    progressed_ = true;
    --active_;
    work_group &finished = *done.group;
    barrier &lanes = finished.sub_groups[done.index / sub_group_size_];
    // barriers do not wait for work-items that have ended
    ++lanes.ended, ++finished.whole.ended;
    release_if_complete(lanes);
    release_if_complete(finished.whole);
    destroy_fiber(done.context);
    stacks_.give(done.context.stack);
    done.context.stack = nullptr;
    if (++finished.ended < size_) return;
    for (work_item *each : finished.items) free_items_.push_back(each);
    free_groups_.push_back(&finished);
  }

  void release_if_complete(barrier &where) {
    if (!where.waiting || where.arrived + where.ended < where.members) return;
    while (where.waiting) add_ready(*std::exchange(where.waiting, where.waiting->next));
    where.arrived = 0;
    progressed_ = true;
  }

  void add_ready(work_item &last) {
    last.next = nullptr;
    (ready_last_ ? ready_last_->next : ready_first_) = &last;
    ready_last_ = &last;
    ++ready_count_;
  }
  work_item &take_ready() {
    work_item &first = *ready_first_;
    ready_first_ = first.next;
    if (!ready_first_) ready_last_ = nullptr;
    --ready_count_;
    return first;
  }

  /// Starts more work-items when all active ones wait; returns whether any was started. The number grows with that of
  /// the active ones, which would otherwise poll too often if they wait for a late one. It is limited, since the next
  /// few are usually enough.
  bool start_more() {
    std::size_t additional = 1 + active_ / 4, attempts = 256 + active_;
    bool some = false;
    while (additional > 0 && attempts-- > 0 && start_one()) {
      some = true;
      const std::size_t before = active_;
      resume(*newest_);
      additional -= active_ >= before;
    }
    return some;
  }

  bool start_one() {
    if (!starting_group_ && !take_group()) return false;
    work_item *const next = take_item();
    std::byte *const stack = next ? stacks_.take() : nullptr;
    if (!stack) {
      error_ =
          fmt::format("{} of its work-items wait for others, and there is no memory for another one's stack", active_);
      return false;
    }
    next->context = make_fiber(stack, begin);
    next->group = starting_group_;
    next->index = starting_group_->started++;
    next->slot = false;
    starting_group_->items[next->index] = next;
    if (starting_group_->started == size_) starting_group_ = nullptr;
    newest_ = next;
    ++active_;
    return true;
  }

  bool take_group() {
    const std::size_t unit = units_.next.fetch_add(1, std::memory_order_relaxed);
    if (unit >= units_.count) return false;
    ++taken_units_;
    try {
      if (free_groups_.empty()) {
        groups_.push_back(std::make_unique<work_group>());
        free_groups_.reserve(groups_.size());
        free_groups_.push_back(groups_.back().get());
        set_up(*groups_.back());
      }
    } catch (const std::bad_alloc &) {
      error_ = "its work-groups wait for others, and there is no memory for another one's local memory";
      return false;
    }
    starting_group_ = free_groups_.back();
    free_groups_.pop_back();
    starting_group_->unit = unit;
    starting_group_->started = starting_group_->ended = 0;
    starting_group_->whole.arrived = starting_group_->whole.ended = 0;
    for (barrier &each : starting_group_->sub_groups) each.arrived = each.ended = 0;
    return true;
  }

  void set_up(work_group &created) {
    created.items.resize(size_);
    created.whole.members = size_;
    for (std::size_t first = 0; first < size_; first += sub_group_size_)
      created.sub_groups.push_back({.members = std::min(sub_group_size_, size_ - first)});
    if (const std::size_t bytes = kernel_.code.local_bytes(kernel_.local_bytes)) {
      created.local.reset(static_cast<std::byte *>(std::aligned_alloc(64, (bytes + 63) & ~std::size_t{63})));
      if (!created.local) throw std::bad_alloc();
    }
  }

  /// Takes an unused work-item. Those that have ended become unused when all of their work-group have, because others
  /// may still read the values that they exchanged.
  work_item *take_item() {
    try {
      if (free_items_.empty()) {
        items_.push_back(std::make_unique<work_item>());
        free_items_.reserve(items_.size());
        return items_.back().get();
      }
    } catch (const std::bad_alloc &) {
      return nullptr;
    }
    work_item *const used = free_items_.back();
    free_items_.pop_back();
    return used;
  }

  /// Pauses between rounds in which no work-item made progress: all wait for other threads, launches or the program.
  static void pause(std::size_t rounds) {
    constexpr std::size_t spinning = 32, yielding = 256;
    if (rounds < spinning) {
      __builtin_ia32_pause();
    } else if (rounds < yielding) {
      sched_yield();
    } else {
      const timespec some{0, 50'000};
      nanosleep(&some, nullptr);
    }
  }

  const kernel_view &kernel_;
  const shared_units &units_;
  const std::size_t size_, sub_group_size_;
  fiber_stacks stacks_;
  fiber_context thread_context_;
  std::vector<std::unique_ptr<work_item>> items_;
  std::vector<std::unique_ptr<work_group>> groups_;
  std::vector<work_item *> free_items_;
  std::vector<work_group *> free_groups_;
  work_group *starting_group_ = nullptr;  // the group of which not all work-items have started
  work_item *running_ = nullptr, *newest_ = nullptr, *ready_first_ = nullptr, *ready_last_ = nullptr;
  std::size_t ready_count_ = 0, active_ = 0, taken_units_ = 0;
  bool progressed_ = false, ended_ = false;
  std::string error_;
};

thread_local constinit fiber_scheduler *current_scheduler = nullptr;

void fiber_scheduler::begin() {
  fiber_entered();
  current_scheduler->run_item();
  current_scheduler->end_item();
}

}  // namespace

std::exception_ptr run_on_fibers(const kernel_view &kernel, const shared_units &units, std::size_t &taken) noexcept {
  fiber_scheduler scheduler(kernel, units);
  fiber_scheduler *const outer = std::exchange(current_scheduler, &scheduler);
  fault what;
  const interrupts::kernel_run run(kernel.stop);
  const bool completed = guarded(what, [&] { scheduler.run(); });
  if (!completed) fiber_left_by_jump(scheduler.thread_context());
  current_scheduler = outer;
  taken = scheduler.taken();
  if (!completed && what.what == fault::kind::interrupted) return interrupted_mark();
  if (!completed) return kernel_error(kernel, what.describe());
  return scheduler.error().empty() ? nullptr : kernel_error(kernel, scheduler.error());
}

void yield_item() noexcept { current_scheduler->yield(); }
void wait_for_group() noexcept { current_scheduler->wait_at(current_scheduler->group_barrier()); }
void wait_for_sub_group() noexcept { current_scheduler->wait_at(current_scheduler->sub_group_barrier()); }
std::uint64_t exchange_in_sub_group(std::uint64_t value, std::uint32_t lane) noexcept {
  return current_scheduler->exchange(value, lane);
}

}  // namespace dpep::backend::cpu
