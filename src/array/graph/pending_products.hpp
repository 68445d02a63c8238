// Products of matrices as nodes: sums of a few products of elements, which fuse with what is computed from them.
#pragma once

#include "array/graph/node.hpp"

namespace dpep::array {

/// Matrices in memory: the last two axes of the layout. Axes before them broadcast.
struct matrices_in_memory {
  const layout &of;
  const ref<storage> &memory;
};

/// The product of matrices of that dtype. Sums of float16 are float32, those of bools are `or`. The executor multiplies
/// the matrices if the product is stored before a program has computed it, and if nothing else is computed with it.
ref<node> product_node(dtype, const matrices_in_memory &left, const matrices_in_memory &right);

}  // namespace dpep::array
