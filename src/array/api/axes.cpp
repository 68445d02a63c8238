// Checks of axis arguments for callers outside the engine: negative axes count from the end.
#include <dpep/array_functions.hpp>

#include "array/base/axes.hpp"

namespace dpep::array {

int normalized_axis(std::int64_t axis, int dimensions, const char *operation) {
  return static_cast<int>(checked_axis(operation, axis, static_cast<std::size_t>(dimensions)));
}

std::vector<int> normalized_axes(std::span<const int> axes, int dimensions, const char *operation) {
  const axis_list list = checked_axes(operation, axes, static_cast<std::size_t>(dimensions));
  return {list.begin(), list.end()};
}

}  // namespace dpep::array
