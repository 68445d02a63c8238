// Generates kernels of element operations: each work-item computes a few vectors of adjacent elements, a work-group's
// length apart.
#include "array/gpu/pass_kernels.hpp"

#include <algorithm>
#include <numeric>

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t group = 256;
constexpr std::int64_t many_items = 1 << 18;  // with fewer, more work-items are better than more elements for each
constexpr double cheap = 3;

class element_kernel {
public:
  element_kernel(const kernel_program &w, const kernel_pass &p)
      : program_(w),
        pass_(p),
        below_(values_below(w, p.kept_stores)),
        lane_axis_(choose_axis()),
        axes_(axes_in(w, p.kept, lane_axis_)),
        milliseconds_(compile_milliseconds_of(w, below_)),
        stores_(grouped_stores()),
        lanes_(lane_axis_ < 0 ? 1 : limit_copies(lanes_for_stores(), milliseconds_)),
        text_(needs_wide_indices(w, p.kept)) {
    const std::int64_t all = w.count(p.kept);
    items_ = all / lanes_;
    rest_ = all % lanes_;  // only for a single axis
    const bool is_cheap = cost_of(w, below_) * lanes_ < cheap * 4;
    each_ = is_cheap && items_ >= many_items ? limit_copies(int(vectors_each()), milliseconds_ * lanes_) : 1;
  }

  generated_kernel generate() {
    generated_kernel kernel;
    kernel.local = std::uint32_t(group);
    kernel.groups = std::max<std::int64_t>((items_ + group * each_ - 1) / (group * each_), 1);
    const std::string first = text_.add(text_.mul(text_.group_id(), std::to_string(group * each_)), text_.local_id());
    const std::string items = text_.number("items", items_);
    if (each_ > 1) {
      const std::string last = text_.add(first, std::to_string(group * (each_ - 1)));
      text_.if_else(
          text_.less(last, items), [&] { write_items(first, each_); },
          [&] {
            text_.loop(text_.index_type(), first, items, std::to_string(group),
                       [&](const std::string &i) { write_items(i, 1); });
          });
    } else {
      text_.if_then(text_.less(first, items), [&] { write_items(first, 1); });
    }
    if (rest_) write_rest(items);
    text_.set_resident_groups(resident_groups());
    kernel.text = text_.finish(program_.name, "elements");
    kernel.arguments = text_.take_arguments();
    return kernel;
  }

private:
  const kernel_program &program_;
  const kernel_pass &pass_;
  const std::vector<value_id> below_;
  const int lane_axis_;
  const std::vector<int> axes_;
  const double milliseconds_;
  const std::vector<std::vector<value_id>> stores_;  // those to interleaved operands together, in order
  const int lanes_;
  kernel_text text_;
  std::int64_t items_, rest_, each_;

  std::vector<std::vector<value_id>> grouped_stores() const {
    std::vector<std::vector<value_id>> groups;
    const auto store_to = [&](std::uint16_t operand) {
      return std::ranges::find_if(pass_.kept_stores, [&](value_id s) { return program_[s].operand == operand; });
    };
    std::vector<value_id> rest = pass_.kept_stores;
    for (const interleaved_operands &list : program_.interleaved) {
      const memory_operand &m = program_.code.memory[list[0]];
      const auto distance = std::int64_t(list.size() * size_of(m.type));
      if (lane_axis_ < 0 || m.strides[std::size_t(lane_axis_)] != distance) continue;
      std::vector<value_id> group;
      for (const std::uint16_t operand : list)
        if (const auto found = store_to(operand); found != pass_.kept_stores.end()) group.push_back(*found);
      if (group.size() != list.size()) continue;
      std::erase_if(rest, [&](value_id s) { return std::ranges::find(group, s) != group.end(); });
      groups.push_back(std::move(group));
    }
    for (const value_id s : rest) groups.push_back({s});
    return groups;
  }

  /// The lanes of loads; not more than make a vector of 16 bytes of interleaved stores, or several if their number is
  /// odd, so that adjacent work-items store adjacent vectors.
  int lanes_for_stores() const {
    int lanes = lanes_along(program_, lane_axis_, below_, axes_.size() == 1);
    for (const auto &group : stores_) {
      const std::size_t bytes = group.size() * size_of(program_.code.memory[program_[group[0]].operand].type);
      if (group.size() > 1) lanes = std::min(lanes, int(16 / std::gcd<std::size_t>(bytes, 16)));
    }
    return lanes;
  }

  /// The number of vectors for a work-item: 4 elements and 32 bytes of loads, which keep enough memory accesses in
  /// flight. Fewer if computing is expensive, since the code grows with the number. On an H200, float32 takes longer
  /// with two vectors than with one (a copy 3 %, exp 2 to 3 %), and float64's exp longer with one than with two (4 %).
  std::int64_t vectors_each() const {
    const std::int64_t most = std::max(4 / lanes_, 1);
    if (cost_of(program_, below_) * lanes_ >= 2) return std::min<std::int64_t>(most, 2);
    std::int64_t bytes = 0;
    for (const value_id v : below_)
      if (program_[v].what == step::load && !program_[v].axes.empty())
        bytes += std::int64_t(size_of(program_[v].type)) * lanes_;
    return bytes ? std::clamp<std::int64_t>(32 / bytes, 1, most) : 4;
  }

  /// The number of work-groups that should be resident. A mathematical function is a chain of dependent instructions:
  /// many work-items at once hide their latency, as long as the register limit does not cause spills. On an H200, for
  /// 50,000,000 numbers: tan 250 to 220 us, sin 232 to 216 in float64; log1p 134 to 109, asinh 131 to 114 in float32.
  int resident_groups() const {
    std::size_t functions = 0, widest = 1;
    for (const value_id v : below_) {
      if (kind_of(program_[v].type) == dtype_kind::complex) return 1;
      functions += program_[v].what == step::element;
      widest = std::max(widest, size_of(program_[v].type));
    }
    if (functions > 2 || cost_of(program_, below_) * lanes_ < 2) return 1;
    return widest <= 4 ? 8 : 4;
  }

  int choose_axis() const {
    const int axis = contiguous_axis(program_, pass_.kept, below_);
    if (axis >= 0) return axis;
    for (int a = program_.code.axes(); a-- > 0;)
      if (pass_.kept.has(a)) return a;
    return -1;
  }

  iteration_point point_of(const std::string &item) {
    iteration_point p;
    p.index.resize(program_.code.sizes.size());
    p.lane_axis = lane_axis_;
    p.lanes = lanes_;
    if (axes_.size() == 1 && lanes_ > 1)
      p.index[std::size_t(lane_axis_)] = text_.mul(item, std::to_string(lanes_));
    else
      unravel_index(text_, program_, axes_, item, lanes_, p);
    return p;
  }

  /// All loads come first, so that they are in flight at once.
  void write_items(const std::string &first, std::int64_t count) {
    std::vector<item_values> items;
    for (std::int64_t k = 0; k < count; ++k)
      items.emplace_back(text_, program_, point_of(text_.add(first, std::to_string(group * k))));
    for (item_values &v : items)
      for (const value_id s : pass_.kept_stores) v.emit_loads(s);
    // a store may overwrite another operand, at the same indices
    for (item_values &v : items)
      for (const value_id s : pass_.kept_stores) static_cast<void>(v.of(program_[s].inputs[0]));
    for (item_values &v : items)
      for (const auto &group : stores_)
        if (group.size() > 1)
          v.store_interleaved(group);
        else
          v.store(group[0]);
  }

  /// The elements after the last whole vector.
  void write_rest(const std::string &items) {
    const std::string item = text_.add(text_.mul(text_.group_id(), std::to_string(group)), text_.local_id());
    const std::string count = text_.number("rest", rest_);
    text_.if_then(text_.less(item, count), [&] {
      iteration_point p;
      p.index.resize(program_.code.sizes.size());
      p.index[std::size_t(lane_axis_)] = text_.add(text_.mul(items, std::to_string(lanes_)), item);
      item_values v(text_, program_, p);
      for (const value_id s : pass_.kept_stores) static_cast<void>(v.of(program_[s].inputs[0]));
      for (const value_id s : pass_.kept_stores) v.store(s);
    });
  }
};

}  // namespace

generated_kernel generate_element_kernel(const kernel_program &w, const kernel_pass &p) {
  return element_kernel(w, p).generate();
}

}  // namespace dpep::array::gpu
