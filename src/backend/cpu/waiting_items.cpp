// A thread's work-items, in a ring of those that can go on; at barriers they are outside of it.
#include "backend/cpu/waiting_items.hpp"

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

struct group;

struct item {
  fiber_place place;
  group *of = nullptr;
  std::size_t number = 0;  // in its group
  item *next = nullptr;    // in the ring, at a barrier, or among those that are free
  std::uint64_t given[2]{};
  bool second = false;  // which of them the next exchange uses: who is late may still read the other
};

/// Where a group's, or sub-group's, work-items wait for each other.
struct meeting {
  std::size_t members = 0, arrived = 0, ended = 0;
  item *waiting = nullptr;
};

struct free_memory {
  void operator()(std::byte *block) const { std::free(block); }
};

struct group {
  std::size_t unit = 0, begun = 0, ended = 0;
  std::unique_ptr<std::byte, free_memory> local;
  meeting whole;
  std::vector<meeting> sub_groups;
  std::vector<item *> items;  // by number
};

class turns {
public:
  turns(const kernel_view &kernel, const shared_units &units)
      : kernel_(kernel),
        units_(units),
        size_(kernel.code.needs.waiting_items),
        sub_group_size_(std::max<std::size_t>(kernel.code.needs.sub_group_size, 1)) {}
  ~turns() {
    for (const auto &each : items_) fiber_forget(each->place);
  }

  /// Until all is done, or nothing can be. May be left by a jump out of a work-item.
  void run() {
    std::size_t idle = 0;
    while (!units_.failed.load(std::memory_order_relaxed) && problem_.empty()) {
      moved_ = false;
      for (std::size_t n = ready_; n > 0; --n) resume(take_ready());
      if (moved_ || begin_more()) {
        idle = 0;
      } else if (live_ == 0) {
        return;
      } else if (ready_ == 0) {
        problem_ = "its work-items wait at barriers that others of their group do not come to";
      } else {
        pause(++idle);
      }
    }
  }

  std::size_t taken() const { return taken_; }
  const std::string &problem() const { return problem_; }
  fiber_place &own_place() { return own_; }

  void yield() {
    item &me = *running_;
    add_ready(me);
    fiber_switch(me.place, own_);
  }
  void meet(meeting &where) {
    item &me = *running_;
    ++where.arrived;
    me.next = std::exchange(where.waiting, &me);
    open_if_complete(where);
    fiber_switch(me.place, own_);
  }
  meeting &group_meeting() { return running_->of->whole; }
  meeting &sub_group_meeting() { return running_->of->sub_groups[running_->number / sub_group_size_]; }

  std::uint64_t exchange(std::uint64_t given, std::uint32_t lane) {
    item &me = *running_;
    const bool which = me.second;
    me.second = !which;
    me.given[which] = given;
    meet(sub_group_meeting());
    const std::size_t first = me.number - me.number % sub_group_size_;
    const bool is_there = lane < std::min(sub_group_size_, size_ - first);
    return (is_there ? me.of->items[first + lane] : &me)->given[which];
  }

private:
  // On a stack of its own; nothing here may need a destructor.
  static void begin();
  void run_item() {
    const item &me = *running_;
    kernel_.code.entry(kernel_.arguments, &kernel_.work, me.of->unit, me.number, me.of->local.get(),
                       kernel_.local_bytes);
  }
  [[noreturn]] void end_item() {
    ended_ = true;
    fiber_switch(running_->place, own_, true);
    __builtin_unreachable();
  }

  void resume(item &next) {
    running_ = &next;
    fiber_switch(own_, next.place);
    if (std::exchange(ended_, false)) end(next);
  }

  void end(item &done) {
    moved_ = true;
    --live_;
    group &of = *done.of;
    meeting &lanes = of.sub_groups[done.number / sub_group_size_];
    // one that ends is waited for no more
    ++lanes.ended, ++of.whole.ended;
    open_if_complete(lanes);
    open_if_complete(of.whole);
    fiber_forget(done.place);
    stacks_.give(done.place.stack);
    done.place.stack = nullptr;
    if (++of.ended < size_) return;
    for (item *each : of.items) spare_.push_back(each);
    spare_groups_.push_back(&of);
  }

  void open_if_complete(meeting &where) {
    if (!where.waiting || where.arrived + where.ended < where.members) return;
    while (where.waiting) add_ready(*std::exchange(where.waiting, where.waiting->next));
    where.arrived = 0;
    moved_ = true;
  }

  void add_ready(item &last) {
    last.next = nullptr;
    (ring_last_ ? ring_last_->next : ring_first_) = &last;
    ring_last_ = &last;
    ++ready_;
  }
  item &take_ready() {
    item &first = *ring_first_;
    ring_first_ = first.next;
    if (!ring_first_) ring_last_ = nullptr;
    --ready_;
    return first;
  }

  /// Some more than there are, so that those who wait for one that comes late do not look too often; not all at once,
  /// since mostly the next few are enough.
  bool begin_more() {
    std::size_t may_wait = 1 + live_ / 4, turns = 256 + live_;
    bool some = false;
    while (may_wait > 0 && turns-- > 0 && begin_one()) {
      some = true;
      const std::size_t before = live_;
      resume(*newest_);
      may_wait -= live_ >= before;
    }
    return some;
  }

  bool begin_one() {
    if (!starting_ && !take_group()) return false;
    item *const next = take_item();
    std::byte *const stack = next ? stacks_.take() : nullptr;
    if (!stack) {
      problem_ =
          fmt::format("{} of its work-items wait for others, and there is no memory for the stack of one more", live_);
      return false;
    }
    next->place = fiber_start(stack, begin);
    next->of = starting_;
    next->number = starting_->begun++;
    next->second = false;
    starting_->items[next->number] = next;
    if (starting_->begun == size_) starting_ = nullptr;
    newest_ = next;
    ++live_;
    return true;
  }

  bool take_group() {
    const std::size_t unit = units_.next.fetch_add(1, std::memory_order_relaxed);
    if (unit >= units_.count) return false;
    ++taken_;
    try {
      if (spare_groups_.empty()) {
        groups_.push_back(std::make_unique<group>());
        spare_groups_.reserve(groups_.size());
        spare_groups_.push_back(groups_.back().get());
        set_up(*groups_.back());
      }
    } catch (const std::bad_alloc &) {
      problem_ = "there is no memory for the local memory of one more work-group, while others wait";
      return false;
    }
    starting_ = spare_groups_.back();
    spare_groups_.pop_back();
    starting_->unit = unit;
    starting_->begun = starting_->ended = 0;
    starting_->whole.arrived = starting_->whole.ended = 0;
    for (meeting &each : starting_->sub_groups) each.arrived = each.ended = 0;
    return true;
  }

  void set_up(group &made) {
    made.items.resize(size_);
    made.whole.members = size_;
    for (std::size_t first = 0; first < size_; first += sub_group_size_)
      made.sub_groups.push_back({.members = std::min(sub_group_size_, size_ - first)});
    if (const std::size_t bytes = kernel_.code.local_bytes(kernel_.local_bytes)) {
      made.local.reset(static_cast<std::byte *>(std::aligned_alloc(64, (bytes + 63) & ~std::size_t{63})));
      if (!made.local) throw std::bad_alloc();
    }
  }

  /// Work-items that have ended are used again when all of their group has: others may still read what they gave.
  item *take_item() {
    try {
      if (spare_.empty()) {
        items_.push_back(std::make_unique<item>());
        spare_.reserve(items_.size());
        return items_.back().get();
      }
    } catch (const std::bad_alloc &) {
      return nullptr;
    }
    item *const used = spare_.back();
    spare_.pop_back();
    return used;
  }

  /// Others have to move something: threads of this launch, other launches, or the program.
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
  fiber_place own_;
  std::vector<std::unique_ptr<item>> items_;
  std::vector<std::unique_ptr<group>> groups_;
  std::vector<item *> spare_;
  std::vector<group *> spare_groups_;
  group *starting_ = nullptr;  // not all of its work-items have begun
  item *running_ = nullptr, *newest_ = nullptr, *ring_first_ = nullptr, *ring_last_ = nullptr;
  std::size_t ready_ = 0, live_ = 0, taken_ = 0;
  bool moved_ = false, ended_ = false;
  std::string problem_;
};

thread_local constinit turns *here = nullptr;

void turns::begin() {
  fiber_arrived();
  here->run_item();
  here->end_item();
}

}  // namespace

std::exception_ptr run_waiting_items(const kernel_view &kernel, const shared_units &units,
                                     std::size_t &taken) noexcept {
  turns all(kernel, units);
  turns *const outer = std::exchange(here, &all);
  fault what;
  const interrupts::kernel_run run(kernel.stop);
  const bool whole = guarded(what, [&] { all.run(); });
  if (!whole) fiber_left_by_jump(all.own_place());
  here = outer;
  taken = all.taken();
  if (!whole && what.what == fault::kind::interrupted) return interrupted_mark();
  if (!whole) return kernel_error(kernel, what.describe());
  return all.problem().empty() ? nullptr : kernel_error(kernel, all.problem());
}

void yield_item() noexcept { here->yield(); }
void wait_for_group() noexcept { here->meet(here->group_meeting()); }
void wait_for_sub_group() noexcept { here->meet(here->sub_group_meeting()); }
std::uint64_t exchange_in_sub_group(std::uint64_t given, std::uint32_t lane) noexcept {
  return here->exchange(given, lane);
}

}  // namespace dpep::backend::cpu
