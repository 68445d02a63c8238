// Indexing of arrays by arrays: elements at given indices, elements where a mask is true.
#pragma once

#include <optional>
#include <variant>

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// The treatment of indices outside of an axis of length n.
enum class index_mode : std::uint8_t {
  check,  // refusal::index for an index outside of [-n, n); negative ones count from the end
  wrap,   // limited to [-n, n), as dpctl does; negative ones count from the end
  clip,   // limited to [0, n)
};

/// The elements of x at indices[0][j], indices[1][j], … along the axes `axis`, `axis` + 1, …. These axes are replaced
/// by those of the indices, broadcast to one shape. The result is computed with the operations on it.
/// refusal::index for an empty axis with indices, and for indices that are not integers.
DPEP_API ndarray take_elements(const ndarray &x, std::span<const ndarray> indices, int axis,
                               index_mode = index_mode::check);
/// The elements at an array of indices along one axis. An array without axes is taken for one of one element; without
/// `axis`, x may have at most one (refusal::value).
DPEP_API ndarray take(const ndarray &x, const ndarray &indices, std::optional<int> axis, index_mode);
/// Stores a result of a function without its own output argument: checks shape, dtype and queue of `out`, as of element
/// operations.
DPEP_API void assign_out(const ndarray &out, const ndarray &result, const char *operation);
/// The elements of x at the indices along one axis. The other axes of x and of the indices are broadcast.
DPEP_API ndarray take_along_axis(const ndarray &x, const ndarray &indices, int axis, index_mode = index_mode::check);
/// Sets the elements that take_elements() reads to the values, which are broadcast and cast. Of values for one element,
/// any is stored.
DPEP_API void put_elements(const ndarray &x, std::span<const ndarray> indices, int axis, const ndarray &values,
                           index_mode = index_mode::check);
/// Sets the elements that take() reads to the values, which are broadcast and cast. refusal::value unless the indices
/// have one axis.
DPEP_API void put(const ndarray &x, const ndarray &indices, std::optional<int> axis, const ndarray &values, index_mode);

/// The indices of the elements that are not zero: an int64 array for each axis.
DPEP_API std::vector<ndarray> nonzero(const ndarray &);
/// The elements of x where the mask is true, in row-major order. The mask's axes are those of x from `axis` on; they
/// are replaced by one axis.
DPEP_API ndarray extract_elements(const ndarray &x, const ndarray &mask, int axis = 0);
/// The elements of x where the mask, of the shape of x, is true. refusal::value for another shape.
DPEP_API ndarray extract(const ndarray &mask, const ndarray &x);
/// Sets the elements that extract_elements() reads to the values, which are broadcast and cast.
DPEP_API void place_elements(const ndarray &x, const ndarray &mask, int axis, const ndarray &values);
/// Sets the elements where the mask, of the shape of x, is true to the values, a list that is repeated as needed.
/// refusal::type for a mask that is not of bools, refusal::value for an empty list if elements are true.
DPEP_API void place(const ndarray &x, const ndarray &mask, const ndarray &values);
/// Sets the elements that take_along_axis() reads to the values, which are broadcast and cast.
DPEP_API void put_along_axis(const ndarray &x, const ndarray &indices, int axis, const ndarray &values,
                             index_mode = index_mode::check);

/// A component of an index expression: a basic one, or an array of integers or bools.
using index_part = std::variant<index, ndarray>;
/// x[parts] by NumPy's rules. A view if no part is an array.
DPEP_API ndarray get_items(const ndarray &x, std::span<const index_part> parts);
/// x[parts] = values.
DPEP_API void set_items(const ndarray &x, std::span<const index_part> parts, const ndarray &values);

/// The elements of an array with one axis, in the order of their indices. Several are copied at once, which takes less
/// time; an element that was written since then is read again.
class DPEP_API element_sequence {
public:
  explicit element_sequence(ndarray x) noexcept : x_(std::move(x)) {}
  /// The element as an array without axes, which does not change with the array.
  ndarray operator[](std::int64_t);
  const ndarray &array() const noexcept { return x_; }

private:
  ndarray x_, block_;
  std::int64_t first_ = 0;
};

}  // namespace dpep::array
