// Shared by the kernel generators: the choice of the contiguous axis, vector lengths, and index arithmetic.
#include "array/gpu/pass_kernels.hpp"

#include <algorithm>

#include "array/gpu/random_lanes.hpp"
#include "array/operations/costs.hpp"

namespace dpep::array::gpu {

std::vector<int> axes_in(const kernel_program &w, axis_set set, int last) {
  std::vector<int> axes;
  for (int a = 0; a < w.code.axes(); ++a)
    if (set.has(a) && a != last) axes.push_back(a);
  if (last >= 0 && set.has(last)) axes.push_back(last);
  return axes;
}

void unravel_index(kernel_text &text, const kernel_program &w, const std::vector<int> &axes, std::string index,
                   int lanes, iteration_point &to) {
  for (std::size_t k = axes.size(); k-- > 0;) {
    const auto a = std::size_t(axes[k]);
    std::string mine = index;
    const bool by_lanes = lanes > 1 && k + 1 == axes.size();
    if (k > 0) {
      const std::int64_t size = w.code.sizes[a] / (by_lanes ? lanes : 1);
      const std::string n = text.number(fmt::format("size {} by {}", a, by_lanes ? lanes : 1), size);
      index = text.let("udiv {} {}, {}", text.index_type(), mine, n);
      mine = text.let("sub {} {}, {}", text.index_type(), mine, text.mul(index, n));
    }
    to.index[a] = by_lanes ? text.mul(mine, std::to_string(lanes)) : mine;
  }
}

std::vector<value_id> values_below(const kernel_program &w, const std::vector<value_id> &roots) {
  std::vector<bool> below(w.code.code.size(), false);
  for (const value_id v : roots) below[v] = true;
  for (std::size_t v = below.size(); v-- > 0;) {
    if (!below[v]) continue;
    if (w.temporary_of[v] != kernel_program::no_operand) continue;
    for (const value_id i : w[value_id(v)].inputs)
      if (i != no_value) below[i] = true;
  }
  std::vector<value_id> list;
  for (std::size_t v = 0; v < below.size(); ++v)
    if (below[v]) list.push_back(value_id(v));
  return list;
}

namespace {

double step_cost(reduction how) {
  switch (how) {
  case reduction::logsumexp:
    return 1.4;
  case reduction::hypot:
    return 4;
  case reduction::argmax:
  case reduction::argmin:
    return 0.6;
  default:
    return 0.3;
  }
}

}  // namespace

double cost_of(const kernel_program &w, const std::vector<value_id> &values) {
  double cost = 0;
  for (const value_id v : values) {
    const instruction &i = w[v];
    double once = 0;
    if (i.what == step::element)
      once = nanoseconds_of(i.code, i.function, w[i.inputs[0]].type) * (kind_of(i.type) == dtype_kind::complex ? 8 : 1);
    if (i.what == step::gather) once = gather_nanoseconds;
    if (i.what == step::reduce) once = step_cost(i.how);
    if (i.what == step::reduce && w.inner[v]) once *= double(w.count(i.over));
    cost += once;
  }
  return cost;
}

double compile_milliseconds_of(const kernel_program &w, const std::vector<value_id> &values) {
  double sum = 0;
  for (const value_id v : values)
    if (w.temporary_of[v] == kernel_program::no_operand) sum += w.milliseconds[v];
  return sum;
}

int limit_copies(int wanted, double milliseconds) noexcept {
  while (wanted > 1 && wanted * milliseconds > max_compile_milliseconds) wanted /= 2;
  return wanted;
}

namespace {

/// The operand that an instruction reads or writes, or no_operand.
std::uint16_t operand_of(const kernel_program &w, value_id v) {
  if (w.temporary_of[v] != kernel_program::no_operand) return w.temporary_of[v];
  const instruction &i = w[v];
  return i.what == step::load || i.what == step::store ? i.operand : kernel_program::no_operand;
}

}  // namespace

int contiguous_axis(const kernel_program &w, axis_set among, const std::vector<value_id> &values) {
  int best = -1;
  double most = 0;
  for (int a = 0; a < w.code.axes(); ++a) {
    if (!among.has(a)) continue;
    double bytes = 0;
    for (const value_id v : values) {
      const std::uint16_t o = operand_of(w, v);
      if (o == kernel_program::no_operand) continue;
      const memory_operand &m = w.code.memory[o];
      if (m.strides[std::size_t(a)] != std::int64_t(size_of(m.type))) continue;
      bytes += double(w.count(w[v].axes)) * double(size_of(m.type)) * (w[v].what == step::store ? 1.5 : 1);
    }
    if (bytes > 0 && bytes >= most) most = bytes, best = a;
  }
  return best;
}

int lanes_along(const kernel_program &w, int axis, const std::vector<value_id> &values, bool any_length) {
  std::int64_t largest = 0;
  for (const value_id v : values) {
    const std::uint16_t o = operand_of(w, v);
    if (o == kernel_program::no_operand) continue;
    const memory_operand &m = w.code.memory[o];
    if (m.strides[std::size_t(axis)] != std::int64_t(size_of(m.type))) continue;
    largest = std::max(largest, std::int64_t(size_of(m.type)));
  }
  int in_block = 0;  // of random numbers
  for (const value_id v : values)
    if (const auto &f = w[v].function; f && numbers_in_block(*f) && w.temporary_of[v] == kernel_program::no_operand)
      in_block = std::max(in_block, numbers_in_block(*f));
  if (largest == 0 && in_block == 0) return 1;
  const auto fits = [&](std::int64_t lanes) {
    for (const value_id v : values) {
      const std::uint16_t o = operand_of(w, v);
      if (o == kernel_program::no_operand || w.code.memory[o].strides[std::size_t(axis)] == 0) continue;
      const auto item = std::int64_t(size_of(w.code.memory[o].type));
      if (w.code.memory[o].strides[std::size_t(axis)] == item && !vectors_fit(w, o, axis, lanes * item)) return false;
    }
    const std::int64_t length = w.code.sizes[std::size_t(axis)];
    return any_length ? length >= lanes : length % lanes == 0;
  };
  // the largest type determines the lanes, so that the accesses of a sub-group are contiguous for all operands
  std::int64_t lanes = in_block ? in_block : std::max<std::int64_t>(16 / largest, 1);
  while (lanes > 1 && !fits(lanes)) lanes /= 2;
  return int(lanes);
}

bool needs_wide_indices(const kernel_program &w, axis_set axes) noexcept {
  // the sum of an index and a few strides of all work-groups must stay below 2^31
  return w.count(axes) > std::int64_t(0x7fff0000) - (1 << 23);
}

}  // namespace dpep::array::gpu
