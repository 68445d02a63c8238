// Division of programs at the positions where rolled operands wrap around.
#include "array/fusion/wraps.hpp"

#include <algorithm>
#include <utility>

#include "array/fusion/program_cache.hpp"

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
    part.distances[m] += distance;
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

namespace {

std::vector<program_part> divided(const program &p) {
  const std::vector<std::vector<std::int64_t>> positions = wrap_positions(p);
  std::vector<program_part> parts{{p, std::vector<std::int64_t>(p.memory.size())}};
  for (int axis = 0; axis < p.axes(); ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    if (positions[a].empty()) continue;
    std::vector<program_part> smaller;
    for (const program_part &part : parts)
      for (const interval &i : intervals_of(p.sizes[a], positions[a])) restrict(smaller.emplace_back(part), axis, i);
    parts = std::move(smaller);
  }
  const auto size = [](const program_part &part) {
    std::int64_t elements = 1;
    for (const std::int64_t n : part.code.sizes) elements *= n;
    return elements;
  };
  std::ranges::sort(parts, {}, size);
  return parts;
}

}  // namespace

std::shared_ptr<const std::vector<program_part>> divide_at_wraps(const program &p) {
  static auto &known = *new program_cache<std::vector<program_part>>;  // never destroyed, as that of prepared programs
  static thread_local program_key key;
  key.write(p, false, nullptr);
  for (std::size_t m = 0; m < p.memory.size(); ++m)
    for (const wrap &w : p.memory[m].wraps) {
      key.add(m << 8 | static_cast<std::uint64_t>(w.axis));
      key.add(static_cast<std::uint64_t>(w.at));
      key.add(static_cast<std::uint64_t>(w.back));
    }
  if (auto found = known.find(key)) return found;
  return known.add(key, std::make_shared<const std::vector<program_part>>(divided(p)));
}

}  // namespace dpep::array
