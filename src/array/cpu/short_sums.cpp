// Finding and writing out sums over a few rows.
#include "array/cpu/short_sums.hpp"

#include "array/cpu/loop_builder.hpp"

namespace dpep::array {
namespace {

using namespace runs;

// Takes calls one by one: element calls over all rows, their sum, and element calls on that.
class row_sum_finder {
public:
  row_sum_finder(const cell_code &code, std::span<const int> levels, std::size_t first)
      : code_(code), levels_(levels), first_(first), run_(code, first) {}

  std::optional<fused_call> find() {
    const call &c = code_.calls[first_];
    if (!joins(c) || c.walks != 1) return {};
    count_ = c.count;
    rows_ = code_.walks[c.first_walk].count;
    if (rows_ > most_rows) return {};
    std::size_t next = first_;
    while (next < code_.calls.size() && levels_[next] == levels_[first_] && take(code_.calls[next])) ++next;
    if (!sums_ || started_ || half_done_) return {};
    return run_.finish(count_, {});
  }

private:
  static constexpr std::int64_t most_rows = 16;

  const cell_code &code_;
  const std::span<const int> levels_;
  const std::size_t first_;
  run_maker run_;
  std::int64_t count_ = 0, rows_ = 0;
  int sums_ = 0;
  bool half_done_ = false;         // no room for all rows of a call
  const call *started_ = nullptr;  // states at zero, to which no rows were added so far
  bool never_minus_zero_ = false;  // what the last call over all rows makes

  bool is_walked(const call &c) const {
    return c.count == count_ && c.walks == 1 && code_.walks[c.first_walk].count == rows_;
  }

  bool take(const call &c) {
    switch (c.what) {
    case action::element:
      if (!joins(c)) return false;
      if (is_walked(c)) return write_out(c, code_.walks[c.first_walk].strides);
      if (c.walks == 0 && c.count == count_) return !started_ && run_.add(c);
      // rows that follow each other: one long block
      if (c.walks == 0 && c.count == count_ * rows_) return write_out(c, whole_rows(c));
      return false;
    case action::start:
      if (started_ || c.only_first || c.walks || c.count != count_ || c.to.base != base_table::scratch) return false;
      started_ = &c;
      run_.add_consumed();
      return true;
    case action::rows:
      return take_rows(c);
    case action::finish:
      if (!sums_ || c.walks || c.count != count_) return false;
      run_.add_copy({c.to}, {c.from[0]});
      run_.add_consumed();
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

  bool write_out(const call &c, const walk::distances &strides) {
    if (started_ || sums_) return false;
    for (std::int64_t r = 0; r < rows_; ++r) {
      call row = c;
      row.count = count_;
      row.walks = 0;
      row.to.offset += r * strides[0];
      for (std::size_t k = 0; k < c.inputs; ++k) row.from[k].offset += r * strides[k + 1];
      if (!run_.add_operation(row, c.to.offset)) return !(half_done_ = true);
    }
    run_.add_consumed();
    const bool squares = c.code == opcode::multiply && c.from[0].base == c.from[1].base &&
                         c.from[0].offset == c.from[1].offset && strides[1] == strides[2] && c.forms[0] == c.forms[1];
    never_minus_zero_ = squares || c.code == opcode::square || c.code == opcode::abs || c.code == opcode::exp;
    return true;
  }

  bool take_rows(const call &c) {
    // A sum begins with 0, which only makes a difference to rows of -0: there are none among these.
    if (!started_ || !never_minus_zero_ || c.to.base != started_->to.base || c.to.offset != started_->to.offset)
      return false;
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
    for (std::int64_t r = 1; r < rows_; ++r) {
      sum.from[0] = r == 1 ? c.from[0] : c.to;
      sum.from[1] = {c.from[0].base, c.from[0].offset + r * strides[1]};
      if (!run_.add_operation(sum, c.to.offset)) return !(half_done_ = true);
    }
    run_.add_consumed();
    started_ = nullptr;
    ++sums_;
    return true;
  }
};

}  // namespace

std::optional<fused_call> find_row_sums(const cell_code &code, std::span<const int> levels, std::size_t first) {
  return row_sum_finder(code, levels, first).find();
}

}  // namespace dpep::array
