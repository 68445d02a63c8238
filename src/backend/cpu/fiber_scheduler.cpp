// The scheduler of a thread's fibers: a list of ready work-items, and barriers with lists of waiting ones.
#include "backend/cpu/fiber_scheduler.hpp"

#include <algorithm>
#include <array>
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
  // of the exchange at which it waits
  std::uint64_t given = 0, received = 0, mask = 0;
  std::uint32_t site = 0, lane = 0;
};

/// A work-group's barrier.
struct barrier {
  std::size_t members = 0, arrived = 0, ended = 0;
  work_item *waiting = nullptr;
};

/// A sub-group's work-items at exchanges, which need not be the same ones.
struct sub_group_state {
  std::size_t members = 0;
  std::size_t stopped = 0;  // those that have ended, wait here or at the work-group's barrier
  work_item *waiting = nullptr;
};

struct free_memory {
  void operator()(std::byte *block) const { std::free(block); }
};

struct work_group {
  std::size_t unit = 0, started = 0, ended = 0;
  std::unique_ptr<std::byte, free_memory> local;
  barrier whole;
  std::vector<sub_group_state> sub_groups;
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
        error_ = "its work-items wait at barriers or exchanges that others of their work-group do not reach";
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
  void wait_for_group() {
    work_item &me = *running_;
    barrier &where = me.group->whole;
    ++where.arrived;
    me.next = std::exchange(where.waiting, &me);
    sub_group_state &lanes = sub_group_of(me);
    ++lanes.stopped;
    if (!release_if_complete(where)) release_lanes(lanes);
    fiber_switch(me.context, thread_context_);
  }
  std::uint64_t exchange(std::uint64_t value, std::uint32_t lane, std::uint32_t site, std::uint64_t mask) {
    work_item &me = *running_;
    me.given = me.received = value;
    me.lane = lane;
    me.site = site;
    me.mask = mask;
    sub_group_state &lanes = sub_group_of(me);
    ++lanes.stopped;
    me.next = std::exchange(lanes.waiting, &me);
    if (mask)
      release_masked(lanes, me);
    else
      release_lanes(lanes);
    fiber_switch(me.context, thread_context_);
    return me.received;
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
    sub_group_state &lanes = sub_group_of(done);
    // barriers do not wait for work-items that have ended
    ++lanes.stopped, ++finished.whole.ended;
    if (!release_if_complete(finished.whole)) release_lanes(lanes);
    destroy_fiber(done.context);
    stacks_.give(done.context.stack);
    done.context.stack = nullptr;
    if (++finished.ended < size_) return;
    for (work_item *each : finished.items) free_items_.push_back(each);
    free_groups_.push_back(&finished);
  }

  sub_group_state &sub_group_of(const work_item &item) { return item.group->sub_groups[item.index / sub_group_size_]; }
  std::uint64_t bit_of(const work_item &item) const { return std::uint64_t{1} << item.index % sub_group_size_; }

  bool release_if_complete(barrier &where) {
    if (!where.waiting || where.arrived + where.ended < where.members) return false;
    while (where.waiting) {
      work_item &next = *std::exchange(where.waiting, where.waiting->next);
      --sub_group_of(next).stopped;
      add_ready(next);
    }
    where.arrived = 0;
    progressed_ = true;
    return true;
  }

  /// Lets lanes go on from an exchange without a mask if no lane of the sub-group can go on otherwise.
  void release_lanes(sub_group_state &lanes) {
    if (lanes.stopped < lanes.members) return;
    const work_item *first = nullptr;
    for (const work_item *each = lanes.waiting; each; each = each->next)
      if (!each->mask && (!first || each->site < first->site)) first = each;
    if (!first) return;
    std::uint64_t together = 0;
    for (const work_item *each = lanes.waiting; each; each = each->next)
      if (!each->mask && each->site == first->site) together |= bit_of(*each);
    release(lanes, together);
  }
  /// Lets the lanes of the last one's mask go on if all of them wait at its exchange.
  void release_masked(sub_group_state &lanes, const work_item &last) {
    std::uint64_t here = 0;
    for (const work_item *each = lanes.waiting; each; each = each->next)
      if (each->mask == last.mask && each->site == last.site) here |= bit_of(*each);
    if (here == last.mask)
      release(lanes, here);
    else
      release_lanes(lanes);
  }
  /// Passes the values of these lanes, and makes them ready in their order.
  void release(sub_group_state &lanes, std::uint64_t together) {
    std::array<work_item *, 64> of_lane{};
    for (work_item **place = &lanes.waiting; *place;) {
      work_item &each = **place;
      if (together & bit_of(each)) {
        of_lane[each.index % sub_group_size_] = &each;
        *place = each.next;
      } else {
        place = &each.next;
      }
    }
    for (work_item *each : of_lane) {
      if (!each) continue;
      if (each->lane < of_lane.size() && of_lane[each->lane]) each->received = of_lane[each->lane]->given;
      --lanes.stopped;
      add_ready(*each);
    }
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
    for (sub_group_state &each : starting_group_->sub_groups) each.stopped = 0;
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
void wait_for_group() noexcept { current_scheduler->wait_for_group(); }
void wait_for_sub_group(std::uint32_t site, std::uint64_t mask) noexcept {
  current_scheduler->exchange(0, 0, site, mask);
}
std::uint64_t exchange_in_sub_group(std::uint64_t value, std::uint32_t lane, std::uint32_t site,
                                    std::uint64_t mask) noexcept {
  return current_scheduler->exchange(value, lane, site, mask);
}

}  // namespace dpep::backend::cpu
