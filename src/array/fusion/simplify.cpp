// Simplification of programs: drops, sorts and joins axes.
#include "array/fusion/simplify.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace dpep::array {
namespace {

bool counts_positions(const instruction &i) {
  return i.what == step::iota || (i.what == step::reduce && (i.how == reduction::argmax || i.how == reduction::argmin));
}

// Strides of positions, in row-major order of the counted axes.
std::vector<std::int64_t> positions_of(const program &p, const instruction &i) {
  if (!counts_positions(i)) return {};
  const axis_set counted = i.what == step::iota ? i.axes : i.over;
  std::vector<std::int64_t> strides(p.sizes.size(), 0);
  std::int64_t stride = 1;
  for (int a = p.axes() - 1; a >= 0; --a) {
    if (!counted.has(a)) continue;
    strides[std::size_t(a)] = stride;
    stride *= p.sizes[std::size_t(a)];
  }
  return strides;
}

axis_set varying(const memory_operand &m) {
  axis_set axes;
  for (std::size_t a = 0; a < m.strides.size(); ++a)
    if (m.strides[a] != 0) axes = axes | axis_set::of(int(a));
  return axes;
}

// Recomputes the axes of all values from the strides of memory operands.
void recompute_axes(nest &n) {
  for (instruction &i : n.code) {
    axis_set joined;
    for (const value_id v : i.inputs)
      if (v != no_value) joined = joined | n.code[v].axes;
    switch (i.what) {
    case step::load:
    case step::store:
      i.axes = varying(n.memory[i.operand]);
      break;
    case step::gather:
      i.axes = joined | varying(n.memory[i.operand]);
      break;
    case step::scalar:
    case step::iota:
      break;
    case step::element:
      i.axes = joined;
      break;
    case step::reduce:
      i.axes = joined - i.over;
      break;
    }
  }
}

template <class List> List chosen(const List &from, const std::vector<int> &order) {
  List to;
  to.reserve(order.size());
  for (const int a : order) to.push_back(from[std::size_t(a)]);
  return to;
}

axis_set chosen(axis_set from, const std::vector<int> &order) {
  axis_set to;
  for (std::size_t k = 0; k < order.size(); ++k)
    if (from.has(order[k])) to = to | axis_set::of(int(k));
  return to;
}

// Puts the axes into a new order. Axes that are not in it are dropped.
void choose_axes(nest &n, const std::vector<int> &order) {
  n.sizes = chosen(n.sizes, order);
  for (memory_operand &m : n.memory) m.strides = chosen(m.strides, order);
  for (std::size_t v = 0; v < n.code.size(); ++v) {
    n.code[v].axes = chosen(n.code[v].axes, order);
    n.code[v].over = chosen(n.code[v].over, order);
    if (!n.positions[v].empty()) n.positions[v] = chosen(n.positions[v], order);
  }
}

void drop_short_axes(nest &n) {
  std::vector<int> kept;
  for (int a = 0; a < n.axes(); ++a)
    if (n.sizes[std::size_t(a)] != 1) kept.push_back(a);
  if (int(kept.size()) != n.axes()) choose_axes(n, kept);
  if (!n.sizes.empty()) return;
  n.sizes = {1};
  for (memory_operand &m : n.memory) m.strides = {0};
  for (std::size_t v = 0; v < n.code.size(); ++v)
    if (counts_positions(n.code[v])) n.positions[v] = {0};
}

std::vector<std::size_t> largest_first(const nest &n) {
  std::vector<double> moved_bytes;
  for (const memory_operand &m : n.memory) {
    double bytes = double(size_of(m.type)) * (m.written ? 1.5 : 1);
    for (std::size_t a = 0; a < n.sizes.size(); ++a)
      if (m.strides[a]) bytes *= double(n.sizes[a]);
    moved_bytes.push_back(bytes);
  }
  std::vector<std::size_t> order(n.memory.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return moved_bytes[a] != moved_bytes[b] ? moved_bytes[a] > moved_bytes[b] : a < b;
  });
  return order;
}

void sort_axes(nest &n) {
  // argmax over several axes finds the first of equal elements only in the order of positions
  for (const instruction &i : n.code)
    if (i.what == step::reduce && counts_positions(i) && i.over.count() > 1) return;
  const std::vector<std::size_t> operands = largest_first(n);
  const auto goes_outside = [&](int a, int b) {
    for (const std::size_t m : operands) {
      const std::int64_t sa = std::abs(n.memory[m].strides[std::size_t(a)]);
      const std::int64_t sb = std::abs(n.memory[m].strides[std::size_t(b)]);
      if (sa && sb && sa != sb) return sa > sb;
    }
    return a < b;
  };
  // insertion sort: the relation need not be transitive, and axes are few
  std::vector<int> order;
  for (int a = 0; a < n.axes(); ++a) {
    auto position = order.end();
    while (position != order.begin() && goes_outside(a, position[-1])) --position;
    order.insert(position, a);
  }
  if (!std::ranges::is_sorted(order)) choose_axes(n, order);
}

bool can_join(const nest &n, std::size_t a) {
  const std::int64_t inner = n.sizes[a + 1];
  const auto follows = [&](const std::vector<std::int64_t> &strides) { return strides[a] == strides[a + 1] * inner; };
  for (const memory_operand &m : n.memory)
    if (!follows(m.strides)) return false;
  for (std::size_t v = 0; v < n.code.size(); ++v) {
    const instruction &i = n.code[v];
    if (i.axes.has(int(a)) != i.axes.has(int(a) + 1) || i.over.has(int(a)) != i.over.has(int(a) + 1)) return false;
    if (!n.positions[v].empty() && !follows(n.positions[v])) return false;
  }
  return true;
}

void join_axes(nest &n) {
  for (int a = n.axes() - 2; a >= 0; --a) {
    if (!can_join(n, std::size_t(a))) continue;
    n.sizes[std::size_t(a) + 1] *= n.sizes[std::size_t(a)];
    std::vector<int> kept(n.sizes.size());
    std::iota(kept.begin(), kept.end(), 0);
    kept.erase(kept.begin() + a);
    choose_axes(n, kept);
  }
}

}  // namespace

nest simplify(const program &from) {
  nest n{from, {}};
  if (n.sizes.empty()) {
    n.sizes = {1};
    for (memory_operand &m : n.memory) m.strides = {0};
  }
  for (std::size_t a = 0; a < n.sizes.size(); ++a)
    if (n.sizes[a] == 1)
      for (memory_operand &m : n.memory) m.strides[a] = 0;
  for (const instruction &i : n.code) n.positions.push_back(positions_of(n, i));
  recompute_axes(n);
  drop_short_axes(n);
  sort_axes(n);
  join_axes(n);
  return n;
}

}  // namespace dpep::array
