// Finding runs over rows: calls that go over all rows of a cell, over their elements or over what each row has one of.
#include "array/cpu/row_loops.hpp"

#include "array/cpu/loop_builder.hpp"

namespace dpep::array {
namespace {

using namespace runs;

struct reduced {
  reduction how;
  dtype type;
};
std::optional<reduced> reduced_by(const blocks::reducer *r) {
  for (const reduction how : {reduction::sum, reduction::max, reduction::min})
    for (const dtype t : {dtype::float32, dtype::float64})
      if (r == blocks::find_reducer(how, t)) return reduced{how, t};
  return {};
}

class row_run_finder {
public:
  row_run_finder(const cell_code &code, std::span<const int> levels, std::size_t first)
      : code_(code), levels_(levels), first_(first), run_(code, first, true) {}

  std::optional<fused_call> find() {
    if (!find_rows()) return {};
    for (std::size_t next = first_; in_level(next) && take(code_.calls[next]); ++next) run_.add_consumed();
    if (!reductions_ || started_) return {};
    return run_.finish_rows(row_, rows_);
  }

private:
  const cell_code &code_;
  const std::span<const int> levels_;
  const std::size_t first_;
  run_maker run_;
  std::int64_t row_ = 0, rows_ = 0;  // elements of a row, and how many rows
  int reductions_ = 0;
  const call *started_ = nullptr;  // states that no row was added to so far

  bool in_level(std::size_t c) const { return c < code_.calls.size() && levels_[c] == levels_[first_]; }
  const walk &walk_of(const call &c) const { return code_.walks[c.first_walk]; }

  // The first reduction says what rows are.
  bool find_rows() {
    for (std::size_t c = first_; in_level(c); ++c) {
      const call &next = code_.calls[c];
      if (next.what == action::block) {
        if (next.walks > 1 || next.count < 2) return false;
        row_ = next.count;
        rows_ = next.walks ? walk_of(next).count : 1;
        return true;
      }
      if (next.what != action::element && next.what != action::start) return false;
    }
    return false;
  }

  bool take(const call &c) {
    switch (c.what) {
    case action::element:
      return take_element(c);
    case action::start:
      if (started_ || c.only_first || c.walks || c.count != rows_) return false;
      started_ = &c;
      return true;
    case action::block:
      return take_block(c);
    case action::finish: {
      if (c.walks || c.count != rows_ || !reduced_by(c.reducer)) return false;
      const auto bytes = std::int64_t(c.reducer->state_bytes);
      if (!run_.has_made(one_of_row(c.from[0], bytes))) return false;
      run_.add_copy(one_of_row(c.to, bytes), one_of_row(c.from[0], bytes));
      return true;
    }
    default:
      return false;
    }
  }

  // A single row has no next one, and its places are told apart without.
  std::int64_t from_row_to_row(std::int64_t bytes) const { return rows_ > 1 ? bytes : 0; }
  place one_of_row(const address &at, std::int64_t distance) const {
    place p{at};
    p.strides[0] = from_row_to_row(distance);
    p.one = true;
    return p;
  }

  bool take_element(const call &c) {
    if (started_ || !can_fuse(c.code, std::span(c.types).first(c.inputs), c.type)) return false;
    const bool walked = c.walks == 1 && c.count == row_ && walk_of(c).count == rows_;
    const bool whole = c.walks == 0 && c.count == row_ * rows_;  // rows that follow each other: one long block
    const bool singles = !whole && c.walks == 0 && c.count == rows_;
    if (!walked && !whole && !singles) return false;
    placed_operation o{c.code, c.type, c.types, c.inputs, {}, {}};
    const auto place_at = [&](std::size_t slot) {
      place p{slot == 0 ? c.to : c.from[slot - 1]};
      const bool one = slot >= 1 && c.forms[slot - 1] == blocks::form::one;
      const auto bytes = std::int64_t(size_of(slot == 0 ? c.type : c.types[slot - 1]));
      p.one = one || singles;
      p.strides[0] = walked ? walk_of(c).strides[slot] : one ? 0 : from_row_to_row(singles ? bytes : row_ * bytes);
      return p;
    };
    o.to = place_at(0);
    for (std::uint8_t k = 0; k < c.inputs; ++k) o.from[k] = place_at(k + 1u);
    return run_.add_operation(o);
  }

  bool take_block(const call &c) {
    const std::optional<reduced> r = reduced_by(c.reducer);
    if (!started_ || !r || !can_reduce_rows(r->how, r->type, row_)) return false;
    const auto bytes = std::int64_t(c.reducer->state_bytes);
    const bool walked = c.walks == 1 && walk_of(c).count == rows_;
    if (c.count != row_ || (!walked && (c.walks || rows_ > 1)) || (walked && walk_of(c).strides[0] != bytes) ||
        c.to.base != started_->to.base || c.to.offset != started_->to.offset)
      return false;
    placed_operation o;
    o.type = o.types[0] = r->type;
    o.inputs = 1;
    o.reduces = r->how;
    o.from[0] = place{c.from[0]};
    if (walked) o.from[0].strides[0] = walk_of(c).strides[1];
    o.to = one_of_row(c.to, bytes);
    if (!run_.add_operation(o)) return false;
    started_ = nullptr;
    ++reductions_;
    return true;
  }
};

}  // namespace

std::optional<fused_call> find_row_run(const cell_code &code, std::span<const int> levels, std::size_t first) {
  return row_run_finder(code, levels, first).find();
}

}  // namespace dpep::array
