// Division of programs at the positions where rolled operands wrap around.
#include "array/fusion/wraps.hpp"

#include <algorithm>

namespace dpep::array {
namespace {

struct interval {
  std::int64_t first, size;
};

std::vector<interval> intervals_of(std::int64_t size, const std::vector<std::int64_t> &cuts) {
  std::vector<interval> found;
  std::int64_t first = 0;
  for (const std::int64_t cut : cuts) {
    found.push_back({first, cut - first});
    first = cut;
  }
  found.push_back({first, size - first});
  return found;
}

/// Restricts the program to an interval of an axis.
void restrict(program_part &part, int axis, const interval &to) {
  part.code.sizes[static_cast<std::size_t>(axis)] = to.size;
  for (std::size_t m = 0; m < part.code.memory.size(); ++m) {
    memory_operand &operand = part.code.memory[m];
    std::int64_t distance = operand.strides[static_cast<std::size_t>(axis)] * to.first;
    std::erase_if(operand.wraps, [&](const wrap &w) {
      if (w.axis != axis) return false;
      if (w.at <= to.first) distance -= w.back;
      return true;
    });
    part.arguments.memory[m] += distance;
  }
}

}  // namespace

bool wraps_around(const program &p) noexcept {
  return std::ranges::any_of(p.memory, [](const memory_operand &m) { return !m.wraps.empty(); });
}

std::vector<std::vector<std::int64_t>> wrap_positions(const program &p) {
  std::vector<std::vector<std::int64_t>> positions(p.sizes.size());
  for (const memory_operand &m : p.memory)
    for (const wrap &w : m.wraps) positions[static_cast<std::size_t>(w.axis)].push_back(w.at);
  for (std::vector<std::int64_t> &of_axis : positions) {
    std::ranges::sort(of_axis);
    of_axis.erase(std::unique(of_axis.begin(), of_axis.end()), of_axis.end());
  }
  return positions;
}

std::vector<program_part> divide_at_wraps(const program &p, const program_arguments &arguments) {
  const std::vector<std::vector<std::int64_t>> positions = wrap_positions(p);
  std::vector<program_part> parts{{p, arguments}};
  for (int axis = 0; axis < p.axes(); ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    if (positions[a].empty()) continue;
    std::vector<program_part> divided;
    for (const program_part &part : parts)
      for (const interval &i : intervals_of(p.sizes[a], positions[a])) restrict(divided.emplace_back(part), axis, i);
    parts = std::move(divided);
  }
  const auto size = [](const program_part &part) {
    std::int64_t elements = 1;
    for (const std::int64_t n : part.code.sizes) elements *= n;
    return elements;
  };
  std::ranges::sort(parts, {}, size);
  return parts;
}

}  // namespace dpep::array
