// Arrays of one number as nodes.
#pragma once

#include "array/graph/node.hpp"

namespace dpep::array {

/// Whether a new array of one number is a node, so that what is computed from it reads no memory. Small arrays are
/// filled at the call, and so are those that may not fit into the memory, since the call must raise the error then.
bool fills_later(const queue &, usm_kind, std::int64_t elements, dtype);
/// The node of such an array.
ref<node> filled_node(const scalar &, dtype, extents_list shape);

}  // namespace dpep::array
