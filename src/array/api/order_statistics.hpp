// The elements of given ranks in a long row, without sorting all of it.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// Few elements of a row in order: element k of the row has the rank ranks[k].
struct selected_elements {
  ndarray row;
  std::vector<std::int64_t> positions;  // in `row`, of each rank asked for
};
/// The elements of the given ranks, which are at most four different ones or pairs of neighbours. NaNs are greater than
/// all numbers. Nothing if the row is so short or so many elements are equal that a sort takes less time.
std::optional<selected_elements> select_ranks(const ndarray &row, std::span<const std::int64_t> ranks);
/// Whether select_ranks may be faster than sort() for rows of this length.
bool is_long_for_sort(const ndarray &row) noexcept;

}  // namespace dpep::array
