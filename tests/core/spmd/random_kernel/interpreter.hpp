// An interpreter that runs a program work-item by work-item. The compiled kernel must have the same results.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "spmd/random_kernel/values.hpp"

namespace dpep::test::random_program {

inline bits read(const std::vector<std::byte> &from, type of, std::size_t index) {
  bits x = 0;
  if ((index + 1) * bytes_of(of) > from.size()) throw std::logic_error("a random program reads outside of its data");
  std::memcpy(&x, from.data() + index * bytes_of(of), bytes_of(of));
  return x;
}
inline void write(std::vector<std::byte> &to, type of, std::size_t index, bits x) {
  if ((index + 1) * bytes_of(of) > to.size()) throw std::logic_error("a random program writes outside of its data");
  std::memcpy(to.data() + index * bytes_of(of), &x, bytes_of(of));
}
inline bits of_number(type of, std::uint64_t number) { return converted(type::i64, of, number); }

struct work_item {
  std::array<bits, variables.size()> v{};
  std::array<bits, uniform_variables.size()> u{};
  std::array<bits, most_loops> counter{};
  std::array<std::array<bits, 16>, arrays.size()> array{};
  std::array<std::uint64_t, ids> id{};
  std::size_t global = 0, local = 0;
};

/// The control flow after a statement.
enum class flow { next, break_loop, continue_loop, return_item };

/// Runs a work-group. A statement that may diverge contains no barriers and is run by each work-item separately. Any
/// other is run for all work-items before the next one.
class interpreter {
public:
  interpreter(const program &program, data &data, std::size_t group);
  void run();
  /// The linear global ids of the group's work-items.
  std::vector<std::size_t> members() const {
    std::vector<std::size_t> numbers;
    for (const work_item &item : items_) numbers.push_back(item.global);
    return numbers;
  }

private:
  static std::size_t lane(const work_item &item) { return item.id[static_cast<std::size_t>(id::lane)]; }

  bits evaluate(const expression &, const work_item &) const;
  bits input(const expression &, const work_item &) const;
  bool holds(const expression &e, const work_item &item) const {
    return random_program::holds(e.of, evaluate(e, item));
  }
  /// Returns the value of `what`, which must be equal for all work-items.
  template <class F> auto uniform_value(F what) const {
    const auto first = what(items_.front());
    for (const work_item &item : items_)
      if (what(item) != first) throw std::logic_error("work-items of a random program diverge where they must not");
    return first;
  }

  flow run_group(const block &);
  flow run_group(const statement &);
  flow run_group_loop(const statement &);
  flow run_item(const block &, work_item &);
  flow run_item(const statement &, work_item &);
  flow run_item_loop(const statement &, work_item &);
  void run_collective(const statement &);
  static void sort(std::vector<bits> &);
  void multiply_tiles(const statement &, std::vector<bits> tile);
  bool passes(const statement &, const work_item &) const;
  void update(const statement &, work_item &);
  void finish(work_item &);
  static std::size_t case_of(const statement &s, bits value) { return (value & 7) % (s.cases.size() + 1); }
  static std::size_t variable_of(type of) {
    return static_cast<std::size_t>(std::ranges::find(variables, of) - variables.begin());
  }
  std::size_t taken_from(local_index, const statement &, const work_item &, std::size_t own, std::size_t size) const;

  const program &program_;
  const shape &launch_;
  data &data_;
  std::size_t size_;
  std::vector<work_item> items_;
  std::array<bits, bins> bins_{};  // of the histogram
  unsigned histogram_how_ = 0;
};

}  // namespace dpep::test::random_program
