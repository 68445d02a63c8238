// Flattening of passes over short rows.
#include "array/fusion/flatten.hpp"

#include <algorithm>

namespace dpep::array {
namespace {

// Longer rows make efficient blocks without flattening.
constexpr std::int64_t max_row = 256;

class flattener {
public:
  explicit flattener(pass &p) : pass_(p) {}

  void flatten() {
    if (!find_axes()) return;
    pass_.sizes[std::size_t(outer_)] *= size(inner_);
    pass_.lanes = outer_;
    pass_.pattern = inner_;
    pass_.whole = pass_.whole | axis_set::of(inner_);
    std::vector<pass_value> from = std::exchange(pass_.code, {});
    std::vector<value_id> renamed(from.size(), no_value);
    for (std::size_t v = 0; v < from.size(); ++v) {
      pass_value i = std::move(from[v]);
      const bool full = is_full(i.axes);
      for (value_id &input : i.inputs) {
        if (input == no_value) continue;
        const bool pattern = full && inner_only_[input];
        input = renamed[input];
        if (pattern) input = repeated(input);
      }
      if (full) {
        i.axes = i.axes - axis_set::of(inner_);
        i.domain = i.domain - axis_set::of(inner_);
        if (!i.positions.empty()) move(i.positions);
      }
      renamed[v] = value_id(pass_.code.size());
      pass_.code.push_back(std::move(i));
    }
    for (memory_operand &m : pass_.memory)
      if (m.strides[std::size_t(outer_)] != 0) move(m.strides);
  }

private:
  pass &pass_;
  int outer_ = -1, inner_ = -1;
  std::vector<bool> inner_only_;                            // values that vary along the short axis only
  std::vector<std::pair<value_id, value_id>> repetitions_;  // a value, and its repetition along the lanes

  std::int64_t size(int a) const { return pass_.sizes[std::size_t(a)]; }
  bool is_full(axis_set axes) const { return axes.has(outer_); }

  // The long axis takes the strides of the short one.
  void move(std::vector<std::int64_t> &strides) const {
    strides[std::size_t(outer_)] = strides[std::size_t(inner_)];
    strides[std::size_t(inner_)] = 0;
  }

  value_id repeated(value_id v) {
    const auto known = std::ranges::find(repetitions_, v, &std::pair<value_id, value_id>::first);
    if (known != repetitions_.end()) return known->second;
    const pass_value &of = pass_.code[v];
    pass_value all;
    all.what = step::element;
    all.expands = all.repeats = true;
    all.type = of.type;
    all.domain = of.axes;  // for its loop level
    all.axes = (of.axes - axis_set::of(inner_)) | axis_set::of(outer_);
    all.inputs[0] = v;
    repetitions_.emplace_back(v, value_id(pass_.code.size()));
    pass_.code.push_back(std::move(all));
    return repetitions_.back().second;
  }

  bool find_axes() {
    for (int b = 0; b < int(pass_.sizes.size()); ++b) {
      if (!pass_.axes.has(b) || size(b) > max_row || size(b) < 2) continue;
      for (int a = 0; a < int(pass_.sizes.size()); ++a)
        if (a != b && pass_.axes.has(a) && size(a) > 1 && can_flatten(a, b)) {
          outer_ = a, inner_ = b;
          for (const pass_value &v : pass_.code) inner_only_.push_back(v.axes.has(b) && !v.axes.has(a));
          return true;
        }
    }
    return false;
  }

  bool can_flatten(int a, int b) const {
    bool patterns = false, contiguous = false;
    const auto follows = [&](const std::vector<std::int64_t> &strides) {
      return strides[std::size_t(a)] == strides[std::size_t(b)] * size(b);
    };
    for (const pass_value &v : pass_.code) {
      const bool along_a = v.domain.has(a), along_b = v.domain.has(b);
      if (v.what == step::reduce && (along_a || along_b)) return false;
      if (along_a && (!along_b || !v.axes.has(a) || !v.axes.has(b))) return false;
      patterns |= along_b && !along_a;
      if (!along_a) {
        if (v.what == step::store) return false;
        continue;
      }
      if (v.what == step::load || v.what == step::store || v.what == step::gather) {
        const memory_operand &m = pass_.memory[v.operand];
        if (!follows(m.strides)) return false;
        contiguous |= m.strides[std::size_t(b)] == std::int64_t(size_of(m.type));
      }
      if (!v.positions.empty() && !follows(v.positions)) return false;
    }
    return patterns && contiguous;
  }
};

}  // namespace

void flatten(pass &p) {
  if (p.whole.empty() && p.sizes.size() > 1) flattener(p).flatten();
}

}  // namespace dpep::array
