// Finds loops over rows: calls that process all rows of a cell, either all their elements or one value for each row.
#include "array/cpu/row_loops.hpp"

#include "array/cpu/loop_builder.hpp"

namespace dpep::array {
namespace {

using namespace loop_building;

struct row_reduction {
  reduction how;
  dtype type;
};
std::optional<row_reduction> supported_reduction(const blocks::reducer *r) {
  for (const reduction how : {reduction::sum, reduction::max, reduction::min})
    for (const dtype t : {dtype::float32, dtype::float64})
      if (r == blocks::find_reducer(how, t)) return row_reduction{how, t};
  return {};
}

class row_loop_finder {
public:
  row_loop_finder(const cell_code &code, std::span<const int> levels, std::size_t first)
      : code_(code), levels_(levels), first_(first), loop_(code, first, true) {}

  std::optional<loop_call> find() {
    if (!find_rows()) return {};
    for (std::size_t next = first_; in_level(next) && add_call(code_.calls[next]); ++next) loop_.add_covered_call();
    if (!reductions_ || started_) return {};
    return loop_.build_rows(row_length_, rows_);
  }

private:
  const cell_code &code_;
  const std::span<const int> levels_;
  const std::size_t first_;
  loop_builder loop_;
  std::int64_t row_length_ = 0, rows_ = 0;  // elements of a row, and the number of rows
  int reductions_ = 0;
  const call *started_ = nullptr;  // initialised states to which no row was added so far

  bool in_level(std::size_t c) const { return c < code_.calls.size() && levels_[c] == levels_[first_]; }
  const walk &walk_of(const call &c) const { return code_.walks[c.first_walk]; }

  // Determines the shape of rows from the first reduction.
  bool find_rows() {
    for (std::size_t c = first_; in_level(c); ++c) {
      const call &next = code_.calls[c];
      if (next.what == action::block) {
        if (next.walks > 1 || next.count < 2) return false;
        row_length_ = next.count;
        rows_ = next.walks ? walk_of(next).count : 1;
        return true;
      }
      if (next.what != action::element && next.what != action::start) return false;
    }
    return false;
  }

  bool add_call(const call &c) {
    switch (c.what) {
    case action::element:
      return add_element(c);
    case action::start:
      if (started_ || c.only_first || c.walks || c.count != rows_) return false;
      started_ = &c;
      return true;
    case action::block:
      return add_block(c);
    case action::finish: {
      if (c.walks || c.count != rows_ || !supported_reduction(c.reducer)) return false;
      const auto bytes = std::int64_t(c.reducer->state_bytes);
      if (!loop_.has_result_at(row_value_at(c.from[0], bytes))) return false;
      loop_.add_copy(row_value_at(c.to, bytes), row_value_at(c.from[0], bytes));
      return true;
    }
    default:
      return false;
    }
  }

  // The distance between rows; 0 for a single row, so that locations compare equal.
  std::int64_t row_distance(std::int64_t bytes) const { return rows_ > 1 ? bytes : 0; }
  operand_location row_value_at(const address &at, std::int64_t distance) const {
    operand_location p{at};
    p.strides[0] = row_distance(distance);
    p.one = true;
    return p;
  }

  bool add_element(const call &c) {
    if (started_ || !can_fuse(c.code, std::span(c.types).first(c.inputs), c.type)) return false;
    const bool walked = c.walks == 1 && c.count == row_length_ && walk_of(c).count == rows_;
    const bool whole = c.walks == 0 && c.count == row_length_ * rows_;  // contiguous rows are one long block
    const bool per_row = !whole && c.walks == 0 && c.count == rows_;
    if (!walked && !whole && !per_row) return false;
    located_operation o{c.code, c.type, c.types, c.inputs, {}, {}};
    const auto location_at = [&](std::size_t slot) {
      operand_location p{slot == 0 ? c.to : c.from[slot - 1]};
      const bool one = slot >= 1 && c.forms[slot - 1] == blocks::form::one;
      const auto bytes = std::int64_t(size_of(slot == 0 ? c.type : c.types[slot - 1]));
      p.one = one || per_row;
      p.strides[0] = walked ? walk_of(c).strides[slot] : one ? 0 : row_distance(per_row ? bytes : row_length_ * bytes);
      return p;
    };
    o.to = location_at(0);
    for (std::uint8_t k = 0; k < c.inputs; ++k) o.from[k] = location_at(k + 1u);
    return loop_.add_operation(o);
  }

  bool add_block(const call &c) {
    const std::optional<row_reduction> r = supported_reduction(c.reducer);
    if (!started_ || !r || !can_reduce_rows(r->how, r->type, row_length_)) return false;
    const auto bytes = std::int64_t(c.reducer->state_bytes);
    const bool walked = c.walks == 1 && walk_of(c).count == rows_;
    if (c.count != row_length_ || (!walked && (c.walks || rows_ > 1)) || (walked && walk_of(c).strides[0] != bytes) ||
        c.to.base != started_->to.base || c.to.offset != started_->to.offset)
      return false;
    located_operation o;
    o.type = o.types[0] = r->type;
    o.inputs = 1;
    o.reduces = r->how;
    o.from[0] = operand_location{c.from[0]};
    if (walked) o.from[0].strides[0] = walk_of(c).strides[1];
    o.to = row_value_at(c.to, bytes);
    if (!loop_.add_operation(o)) return false;
    started_ = nullptr;
    ++reductions_;
    return true;
  }
};

}  // namespace

std::optional<loop_call> find_row_loop(const cell_code &code, std::span<const int> levels, std::size_t first) {
  return row_loop_finder(code, levels, first).find();
}

}  // namespace dpep::array
