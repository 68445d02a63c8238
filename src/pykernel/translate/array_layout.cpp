// The lengths and strides of arrays: constants of the type, or parts of the value.
#include "pykernel/translate/array_layout.hpp"

namespace dpep::pykernel {

node extent(translation &ctx, const value &array, int axis) {
  const int fixed = array.of->fixed_last_extent;
  if (fixed && axis == array.of->dimensions - 1) return ctx.ir.size(fixed);
  if (!array.of->extents.empty()) return ctx.ir.size(array.of->extents[std::size_t(axis)]);
  return array.parts[1 + std::size_t(axis)];
}

node stride(translation &ctx, const value &array, int axis) {
  const int n = array.of->dimensions;
  if (array.of->layout == 'A') return array.parts[std::size_t(1 + n + axis)];
  node product = ctx.ir.size(1);
  if (array.of->layout == 'C')
    for (int d = n - 1; d > axis; --d) product = ctx.ir.mul(product, extent(ctx, array, d));
  else
    for (int d = 0; d < axis; ++d) product = ctx.ir.mul(product, extent(ctx, array, d));
  return product;
}

node elements(translation &ctx, const value &array) {
  node product = ctx.ir.size(1);
  for (int d = 0; d < array.of->dimensions; ++d) product = ctx.ir.mul(product, extent(ctx, array, d));
  return product;
}

}  // namespace dpep::pykernel
