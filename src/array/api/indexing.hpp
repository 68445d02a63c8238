// What the functions of dpep/array_indexing.hpp share: checks of indices, and gathers.
#pragma once

#include <dpep/array_indexing.hpp>

#include "array/graph/node.hpp"

namespace dpep::array {

/// The indices along an axis of length n, as a node of int64 in [0, n): checked by `mode`, negative ones replaced.
/// refusal::type for an array that is not of integers; `axis` is named in errors.
ref<node> checked_indices(const char *operation, const ndarray &indices, std::int64_t n, int axis, index_mode mode);

/// The elements of x's memory at `offset`, in elements, from those that `through` has: through.offset + strides *
/// position + offset. The offsets are broadcast to the layout's shape. They must stay within the elements of x.
ref<node> gather_node(const ndarray &x, layout through, ref<node> offset);

}  // namespace dpep::array
