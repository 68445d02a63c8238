// Finds and unrolls sums over a few rows.
#include "array/cpu/short_sums.hpp"

#include <dpep/array_opcodes.hpp>

#include "array/cpu/loop_builder.hpp"

namespace dpep::array {
namespace {

using namespace loop_building;

// Adds calls one by one: element calls over all rows, their sum, and element calls on the sum.
class short_sum_finder {
public:
  short_sum_finder(const cell_code &code, std::span<const int> levels, std::size_t first)
      : code_(code), levels_(levels), first_(first), loop_(code, first) {}

  std::optional<loop_call> find() {
    const call &c = code_.calls[first_];
    if (!can_join(c) || c.walks != 1) return {};
    count_ = c.count;
    rows_ = code_.walks[c.first_walk].count;
    if (rows_ > max_rows) return {};
    std::size_t next = first_;
    while (next < code_.calls.size() && levels_[next] == levels_[first_] && add_call(code_.calls[next])) ++next;
    if (!sums_ || started_ || is_incomplete_) return {};
    return loop_.build(count_, {});
  }

private:
  static constexpr std::int64_t max_rows = 16;

  const cell_code &code_;
  const std::span<const int> levels_;
  const std::size_t first_;
  loop_builder loop_;
  std::int64_t count_ = 0, rows_ = 0;
  int sums_ = 0;
  bool is_incomplete_ = false;     // the loop is full before all rows of a call were added
  const call *started_ = nullptr;  // zero states to which no row was added so far
  bool never_minus_zero_ = false;  // the results of the last call over all rows are never -0

  bool is_walked(const call &c) const {
    return c.count == count_ && c.walks == 1 && code_.walks[c.first_walk].count == rows_;
  }

  bool add_call(const call &c) {
    switch (c.what) {
    case action::element:
      if (!can_join(c)) return false;
      if (is_walked(c)) return unroll(c, code_.walks[c.first_walk].strides);
      if (c.walks == 0 && c.count == count_) return !started_ && loop_.add(c);
      // contiguous rows are one long block
      if (c.walks == 0 && c.count == count_ * rows_) return unroll(c, whole_rows(c));
      return false;
    case action::start:
      if (started_ || c.only_first || c.walks || c.count != count_ || c.to.base != base_table::scratch) return false;
      started_ = &c;
      loop_.add_covered_call();
      return true;
    case action::rows:
      return add_rows(c);
    case action::finish:
      if (!sums_ || c.walks || c.count != count_) return false;
      loop_.add_copy({c.to}, {c.from[0]});
      loop_.add_covered_call();
      return true;
    default:
      return false;
    }
  }

  walk::distances whole_rows(const call &c) const {
    walk::distances strides{count_ * std::int64_t(size_of(c.type))};
    for (std::size_t k = 0; k < c.inputs; ++k)
      if (c.forms[k] == blocks::form::vector) strides[k + 1] = count_ * std::int64_t(size_of(c.types[k]));
    return strides;
  }

  bool unroll(const call &c, const walk::distances &strides) {
    if (started_ || sums_) return false;
    for (std::int64_t r = 0; r < rows_; ++r) {
      call row = c;
      row.count = count_;
      row.walks = 0;
      row.to.offset += r * strides[0];
      for (std::size_t k = 0; k < c.inputs; ++k) row.from[k].offset += r * strides[k + 1];
      if (!loop_.add_operation(row, c.to.offset)) return !(is_incomplete_ = true);
    }
    loop_.add_covered_call();
    const bool squares = c.code == opcode::multiply && c.from[0].base == c.from[1].base &&
                         c.from[0].offset == c.from[1].offset && strides[1] == strides[2] && c.forms[0] == c.forms[1];
    never_minus_zero_ = squares || c.code == opcode::square || c.code == opcode::abs || c.code == opcode::exp;
    return true;
  }

  bool add_rows(const call &c) {
    if (!started_ || c.to.base != started_->to.base || c.to.offset != started_->to.offset) return false;
    const auto type = c.reducer == blocks::find_reducer(reduction::sum, dtype::float32)   ? dtype::float32
                      : c.reducer == blocks::find_reducer(reduction::sum, dtype::float64) ? dtype::float64
                                                                                          : dtype::boolean;
    if (type == dtype::boolean || !is_walked(c)) return false;
    const walk::distances &strides = code_.walks[c.first_walk].strides;
    if (strides[0] != 0) return false;
    call sum;
    sum.what = action::element;
    sum.code = opcode::add;
    sum.type = sum.types[0] = sum.types[1] = type;
    sum.inputs = 2;
    sum.count = count_;
    sum.to = c.to;
    // A sum starts with 0, which changes the result only for rows of -0.
    if (!never_minus_zero_) {
      located_operation first;
      first.type = first.types[0] = type;
      first.inputs = 1;
      first.to = {c.to};
      first.from[0] = {c.from[0]};
      first.reduces = reduction::sum;
      if (!loop_.add_operation(first)) return !(is_incomplete_ = true);
    }
    for (std::int64_t r = 1; r < rows_; ++r) {
      sum.from[0] = r == 1 && never_minus_zero_ ? c.from[0] : c.to;
      sum.from[1] = {c.from[0].base, c.from[0].offset + r * strides[1]};
      if (!loop_.add_operation(sum, c.to.offset)) return !(is_incomplete_ = true);
    }
    loop_.add_covered_call();
    started_ = nullptr;
    ++sums_;
    return true;
  }
};

}  // namespace

std::optional<loop_call> find_short_sum(const cell_code &code, std::span<const int> levels, std::size_t first) {
  return short_sum_finder(code, levels, first).find();
}

}  // namespace dpep::array
