// Runs a program in lock-step: what the kernel made of it must give, too.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "spmd/random_kernel/language.hpp"

namespace dpep::test::random_program {

struct work_item {
  std::array<std::uint32_t, variables> v{};
  std::array<std::uint32_t, uniform_variables> u{};
  std::array<std::uint32_t, 3> counter{};
  std::array<std::uint32_t, array_size> array{};
  std::uint32_t local_id = 0, global_id = 0;
};

/// Runs a work-group. Statements that work-items may run apart have no barriers inside, so each work-item runs those
/// alone; all others are run for all work-items before the next.
class interpreter {
public:
  interpreter(random_kernel_data &data, std::uint32_t group, std::uint32_t size)
      : data_(data), group_(group), items_(size) {
    for (std::uint32_t i = 0; i < size; ++i) {
      work_item &item = items_[i];
      for (unsigned v = 0; v < variables; ++v) item.v[v] = v;
      for (unsigned u = 0; u < uniform_variables; ++u) item.u[u] = u;
      item.local_id = i;
      item.global_id = group * size + i;
    }
  }

  void run(const std::vector<statement> &body) {
    std::vector<work_item *> all;
    for (work_item &item : items_) all.push_back(&item);
    block(body, 0, all);
    for (work_item &item : items_) {
      std::uint32_t sum = 0;
      for (std::uint32_t x : item.v) sum = sum * 31 + x;
      for (std::uint32_t x : item.u) sum = sum * 31 + x;
      for (std::uint32_t x : item.array) sum = sum * 31 + x;
      data_.out[item.global_id] = sum;
    }
  }

private:
  using active = std::vector<work_item *>;

  std::uint32_t evaluate(const expression &e, const work_item &item) const {
    if (e.is_leaf) switch (e.kind) {
      case leaf::constant:
        return e.number;
      case leaf::variable:
        return item.v[e.number];
      case leaf::uniform_variable:
        return item.u[e.number];
      case leaf::counter:
        return item.counter[e.number];
      case leaf::local_id:
        return item.local_id;
      case leaf::global_id:
        return item.global_id;
      case leaf::group_id:
        return group_;
      case leaf::local_size:
        return static_cast<std::uint32_t>(items_.size());
      case leaf::in:
        return data_.in[item.global_id];
      case leaf::table:
        return data_.table[evaluate(e.operands[0], item) % 16];
      case leaf::array:
        return item.array[evaluate(e.operands[0], item) % array_size];
      }
    const std::uint32_t x = evaluate(e.operands[0], item), y = evaluate(e.operands[1], item);
    switch (e.how) {
    case operation::add:
      return x + y;
    case operation::sub:
      return x - y;
    case operation::mul:
      return x * y;
    case operation::exclusive_or:
      return x ^ y;
    case operation::conjunction:
      return x & y;
    case operation::shift:
      return x >> y;
    case operation::less:
      return x < y;
    case operation::equal:
      return x == y;
    }
    return 0;
  }
  bool holds(const expression &e, const work_item &item) const { return evaluate(e, item) % 4 != 0; }

  /// False when the group has returned.
  bool block(const std::vector<statement> &body, unsigned loops, const active &items) {
    for (const statement &each : body)
      if (!one(each, loops, items)) return false;
    return true;
  }

  template <class F> bool split(F yes, const statement &s, unsigned loops, const active &items) {
    active first, second;
    for (work_item *item : items) (yes(*item) ? first : second).push_back(item);
    if (!first.empty() && !block(s.body, loops, first)) return false;
    return second.empty() || block(s.other, loops, second);
  }

  bool one(const statement &s, unsigned loops, const active &items) {
    switch (s.what) {
    case action::assign:
      for (work_item *item : items) item->v[s.number] = evaluate(s.value, *item);
      return true;
    case action::assign_uniform:
      for (work_item *item : items) item->u[s.number] = evaluate(s.value, *item);
      return true;
    case action::assign_array:
      for (work_item *item : items) {
        const std::uint32_t value = evaluate(s.value, *item);
        item->array[evaluate(s.trips, *item) % array_size] = value;
      }
      return true;
    case action::branch:
      return split([&](work_item &item) { return holds(s.value, item); }, s, loops, items);
    case action::branch_same:
      return split([&](work_item &item) { return (data_.same[item.global_id] & s.number) != 0; }, s, loops, items);
    case action::loop: {
      std::vector<std::uint32_t> trips;
      for (work_item *item : items) {
        trips.push_back(evaluate(s.trips, *item) % 4);
        item->counter[loops] = 0;
      }
      active running = items;
      while (!running.empty()) {
        active still;
        std::vector<std::uint32_t> still_trips;
        for (std::size_t i = 0; i < running.size(); ++i)
          if (running[i]->counter[loops] < trips[i] && !holds(s.value, *running[i])) {
            still.push_back(running[i]);
            still_trips.push_back(trips[i]);
          }
        running = still;
        trips = still_trips;
        if (running.empty()) break;
        if (!block(s.body, loops + 1, running)) return false;
        for (work_item *item : running) ++item->counter[loops];
      }
      return true;
    }
    case action::barrier:
      return true;
    case action::exchange:
    case action::call: {
      std::vector<std::uint32_t> local;
      for (work_item *item : items) local.push_back(evaluate(s.value, *item));
      for (work_item *item : items) item->v[s.number] = local.at((item->local_id + s.trips.number) % items_.size());
      return true;
    }
    case action::leader: {
      std::uint32_t sum = 0;
      for (work_item *item : items) sum += evaluate(s.value, *item);
      for (work_item *item : items) item->v[s.number] = sum;
      return true;
    }
    case action::leave:
      return !holds(s.value, *items.front());
    }
    return true;
  }

  random_kernel_data &data_;
  std::uint32_t group_;
  std::vector<work_item> items_;
};

}  // namespace dpep::test::random_program
