// Sequences that `for` iterates over: range, arrays, tuples, and enumerate, zip and reversed of those.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// A sequence whose elements are computed from their positions.
struct sequence {
  node length;
  std::function<value(const value &position)> at;
  // The length of the shortest tuple in it. Members may have different types, so a loop over them is unrolled.
  std::optional<std::int64_t> unrolled{};
  std::string_view one_way{};  // the function whose result cannot be reversed
};

struct range_bounds {
  value start, stop, step;
};

sequence sequence_of_range(translation &, const range_bounds &, const expression &at);
/// The elements of an array or a tuple.
sequence sequence_of_value(translation &, const value &, const expression &at);
sequence enumerated(translation &, const sequence &, const value &first, const expression &at);
sequence zipped(translation &, std::vector<sequence>, bool strict, const expression &at);
sequence backwards(translation &, const sequence &, const expression &at);

/// Emits a loop that calls `each` with the elements.
void iterate(translation &, const sequence &, const std::function<void(const value &)> &each, const expression &at);

}  // namespace dpep::pykernel
