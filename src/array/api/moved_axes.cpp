// Views with axes in another order or one fixed axis: moveaxis, swapaxes, matrix_transpose, unstack.
#include <dpep/array_functions.hpp>

#include <algorithm>
#include <numeric>

#include "array/base/axes.hpp"
#include "array/base/errors.hpp"

namespace dpep::array {
namespace {

/// The axes in [0, dimensions). The messages are worded as in dpctl, because its tests match them.
std::vector<int> checked_moves(const char *argument, std::span<const int> axes, std::size_t dimensions) {
  const std::string context = std::string("moveaxis: ") + argument;
  std::vector<int> list;
  for (const int given : axes) {
    const int axis = static_cast<int>(checked_axis(context.c_str(), given, dimensions));
    if (std::ranges::find(list, axis) != list.end())
      refuse(refusal::value, "moveaxis: repeated axis in `{}`: {}", argument, given);
    list.push_back(axis);
  }
  return list;
}

}  // namespace

ndarray moveaxis(const ndarray &x, std::span<const int> source, std::span<const int> destination) {
  const std::size_t n = x.shape().size();
  const std::vector<int> from = checked_moves("source", source, n), to = checked_moves("destination", destination, n);
  if (from.size() != to.size())
    refuse(refusal::value, "moveaxis: source and destination must have the same number of axes, got {} and {}",
           from.size(), to.size());
  std::vector<int> order(n, -1);
  for (std::size_t i = 0; i < to.size(); ++i) order[static_cast<std::size_t>(to[i])] = from[i];
  int next = 0;
  for (int &axis : order) {
    if (axis >= 0) continue;
    while (std::ranges::find(from, next) != from.end()) ++next;
    axis = next++;
  }
  return permute(x, order);
}

ndarray swapaxes(const ndarray &x, int axis1, int axis2) {
  const std::size_t n = x.shape().size();
  const std::size_t first = checked_axis("swapaxes", axis1, n), second = checked_axis("swapaxes", axis2, n);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[first], order[second]);
  return permute(x, order);
}

ndarray matrix_transpose(const ndarray &x) {
  if (x.dimensions() < 2)
    refuse(refusal::value, "matrix_transpose: x must have at least 2 dimensions, got {}", x.dimensions());
  return swapaxes(x, -1, -2);
}

std::vector<ndarray> unstack(const ndarray &x, int axis) {
  const std::size_t along = checked_axis("unstack", axis, x.shape().size());
  std::vector<index> parts(along + 1);
  for (std::size_t i = 0; i < along; ++i) parts[i] = {.what = index::kind::slice, .count = x.shape()[i]};
  std::vector<ndarray> views;
  for (std::int64_t i = 0; i < x.shape()[along]; ++i) {
    parts[along] = {.what = index::kind::integer, .start = i};
    views.push_back(view(x, parts));
  }
  return views;
}

}  // namespace dpep::array
