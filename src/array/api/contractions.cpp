// Products of vectors and of tensors: vecdot, tensordot.
#include <dpep/array_products.hpp>

#include <algorithm>
#include <numeric>

#include <dpep/array_opcodes.hpp>

#include "array/api/resolve.hpp"
#include "array/api/sum_of_products.hpp"
#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/blocks/blocks.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/node.hpp"

namespace dpep::array {
namespace {

dtype product_type(const ndarray &x1, const ndarray &x2) {
  const operand operands[] = {{.array = &x1}, {.array = &x2}};
  return resolve(opcode::multiply, operands, x1.get_queue().get_device()).result;
}

/// Of two vectors in memory, in the calling thread: a block kernel multiplies and another one sums. Nothing for others.
ndarray small_sum_of_products(array_object &a, array_object &b, dtype type) {
  constexpr std::int64_t most = 1024;
  const std::int64_t count = a.layout.size;
  if (a.type != type || b.type != type || a.layout.dimensions() != 1 || b.layout.dimensions() != 1 ||
      b.layout.size != count || count == 0 || count > most || a.pending() || b.pending() || !a.layout.row_major ||
      !b.layout.row_major || type == dtype::float16 || type == dtype::boolean)
    return {};
  if (!executor_of(a.queue).runs_inline() || !idle(a.queue)) return {};
  alignas(64) std::byte products[most * 16], state[16];
  const void *const inputs[] = {a.first(), b.first()};
  blocks::find(opcode::multiply, {2, {type, type}, type})(static_cast<std::size_t>(count), inputs, products);
  const blocks::reducer &sum = *blocks::find_reducer(reduction::sum, type);
  sum.start(1, state);
  sum.block(static_cast<std::size_t>(count), products, blocks::origin::cache, 0, state);
  const ndarray made = make_empty(a.queue, type, layout(), coerced(a.kind, b.kind));
  sum.finish(1, state, static_cast<array_object *>(made.get())->first());
  return made;
}

/// Axes and lengths of an operand of tensordot: the axes that are summed over, and the others.
struct contraction {
  std::vector<int> summed, others;
  std::int64_t summed_size = 1, others_size = 1;
};
contraction contraction_of(const ndarray &x, std::span<const int> axes) {
  contraction c;
  const axis_list given = checked_axes("tensordot", axes, x.shape().size());
  c.summed.assign(given.begin(), given.end());
  for (int i = 0; i < x.dimensions(); ++i) {
    const bool is_summed = given.has(i);
    if (!is_summed) c.others.push_back(i);
    (is_summed ? c.summed_size : c.others_size) *= x.shape()[static_cast<std::size_t>(i)];
  }
  return c;
}
ndarray as_matrix(const ndarray &x, const std::vector<int> &first, const std::vector<int> &second, std::int64_t rows,
                  std::int64_t columns) {
  std::vector<int> axes = first;
  axes.insert(axes.end(), second.begin(), second.end());
  const std::int64_t shape[] = {rows, columns};
  return reshape(permute(x, axes), shape);
}

}  // namespace

ndarray sum_of_products(const ndarray &x1, const ndarray &x2, dtype type, bool conjugates_x1) {
  array_object &a = implementation_of(x1, "vecdot"), &b = implementation_of(x2, "vecdot");
  const bool conjugates = conjugates_x1 && kind_of(type) == dtype_kind::complex;
  if (!conjugates)
    if (ndarray done = small_sum_of_products(a, b, type)) return done;
  const dtype wide = type == dtype::float16 ? dtype::float32 : type;
  ref<node> first = cast_node(node_of(x1), wide);
  if (conjugates) first = element_node(opcode::conj, {1, {wide}, wide}, {&first, 1});
  const ref<node> factors[] = {std::move(first), cast_node(node_of(x2), wide)};
  ref<node> product = element_node(opcode::multiply, {2, {wide, wide}, wide}, factors);
  const int last = static_cast<int>(product->shape.size()) - 1;
  const usm_kind kind = coerced(a.kind, b.kind);
  const std::span<const std::int64_t> all = product->shape;
  const extents_list shape(all.first(all.size() - 1));
  const layout l = layout::contiguous(shape);
  if (l.size == 0) return make_empty(a.queue, type, l, kind);
  if (product->size() == 0) return full(shape, scalar::of(false), type, {a.queue, kind});
  const reduction how = type == dtype::boolean ? reduction::any : reduction::sum;
  ref<node> sum = reduce_node(how, wide, std::move(product), {last}, false);
  return defer(a.queue, cast_node(std::move(sum), type), kind);
}

ndarray vecdot(const ndarray &x1, const ndarray &x2, int axis) {
  check_same_queue(x1.get_queue(), x2.get_queue(), "vecdot");
  if (x1.dimensions() == 0 || x2.dimensions() == 0)
    refuse(refusal::value, "vecdot: expected arrays with at least one axis, got shapes {} and {}", text_of(x1.shape()),
           text_of(x2.shape()));
  if (axis >= 0 && x1.dimensions() != x2.dimensions())
    refuse(refusal::value,
           "vecdot: axis must be negative for arrays with different numbers of axes, got axis {} and "
           "shapes {} and {}",
           axis, text_of(x1.shape()), text_of(x2.shape()));
  const int first[] = {static_cast<int>(checked_axis("vecdot", axis, x1.shape().size()))},
            second[] = {static_cast<int>(checked_axis("vecdot", axis, x2.shape().size()))}, last[] = {-1};
  const std::int64_t length = x1.shape()[static_cast<std::size_t>(first[0])];
  if (const std::int64_t other = x2.shape()[static_cast<std::size_t>(second[0])]; other != length)
    refuse(refusal::value, "vecdot: axis {} must have the same length in both arrays, got {} and {}", axis, length,
           other);
  const extents shapes[] = {x1.shape(), x2.shape()};
  if (x1.dimensions() > 1 || x2.dimensions() > 1) static_cast<void>(broadcast_shapes(shapes));
  return sum_of_products(moveaxis(x1, first, last), moveaxis(x2, second, last), product_type(x1, x2), true);
}

ndarray tensordot(const ndarray &x1, const ndarray &x2, std::span<const int> axes1, std::span<const int> axes2) {
  check_same_queue(x1.get_queue(), x2.get_queue(), "tensordot");
  if (axes1.size() != axes2.size())
    refuse(refusal::value, "tensordot: expected as many axes of x1 as of x2, got {} and {}", axes1.size(),
           axes2.size());
  const contraction left = contraction_of(x1, axes1), right = contraction_of(x2, axes2);
  for (std::size_t i = 0; i < left.summed.size(); ++i) {
    const std::int64_t a = x1.shape()[static_cast<std::size_t>(left.summed[i])],
                       b = x2.shape()[static_cast<std::size_t>(right.summed[i])];
    if (a != b)
      refuse(refusal::value, "tensordot: axis {} of x1 and axis {} of x2 must have the same length, got {} and {}",
             left.summed[i], right.summed[i], a, b);
  }
  std::vector<std::int64_t> shape;
  for (const int i : left.others) shape.push_back(x1.shape()[static_cast<std::size_t>(i)]);
  for (const int i : right.others) shape.push_back(x2.shape()[static_cast<std::size_t>(i)]);
  const ndarray product = matmul(as_matrix(x1, left.others, left.summed, left.others_size, left.summed_size),
                                 as_matrix(x2, right.summed, right.others, right.summed_size, right.others_size),
                                 {.type = {}, .layout = order::row_major, .out = nullptr});
  return reshape(product, shape);
}

ndarray tensordot(const ndarray &x1, const ndarray &x2, std::int64_t count) {
  if (count < 0) refuse(refusal::value, "tensordot: axes must not be negative, got {}", count);
  if (count > x1.dimensions() || count > x2.dimensions())
    refuse(refusal::value, "tensordot: {} axes cannot be summed over for arrays of {} and {} axes", count,
           x1.dimensions(), x2.dimensions());
  std::vector<int> last(static_cast<std::size_t>(count)), first(static_cast<std::size_t>(count));
  std::iota(last.begin(), last.end(), x1.dimensions() - static_cast<int>(count));
  std::iota(first.begin(), first.end(), 0);
  return tensordot(x1, x2, last, first);
}

}  // namespace dpep::array
