// Products of matrices: argument checks, dtypes, the result's layout, and submission.
#include <dpep/array_products.hpp>

#include <dpep/array_opcodes.hpp>

#include "array/api/resolve.hpp"
#include "array/api/sum_of_products.hpp"
#include "array/base/errors.hpp"
#include "array/base/matrix_form.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/deferred_queue.hpp"
#include "array/graph/pending_products.hpp"

namespace dpep::array {
namespace {

constexpr const char *name = "matmul";

/// The layout with a vector as a matrix of one row or one column, and that axis' number if it is new.
struct matrix_layout {
  layout of;
  bool is_vector;
};
matrix_layout as_row(const layout &l) {
  if (l.dimensions() > 1) return {l, false};
  return {layout({1, l.shape[0]}, {0, l.strides[0]}, l.offset), true};
}
matrix_layout as_column(const layout &l) {
  if (l.dimensions() > 1) return {l, false};
  return {layout({l.shape[0], 1}, {l.strides[0], 0}, l.offset), true};
}

/// The shape of the product with both axes of the matrix.
extents_list product_shape(const layout &left, const layout &right, const array_object &x1, const array_object &x2) {
  const std::size_t a = left.shape.size(), b = right.shape.size(), n = std::max(a, b);
  if (left.shape[a - 1] != right.shape[b - 2])
    refuse(refusal::value,
           "{}: the last axis of x1 and the {} axis of x2 must have the same length, got shapes {} and {}", name,
           x2.layout.dimensions() == 1 ? "only" : "second last", text_of(x1.layout.shape), text_of(x2.layout.shape));
  extents_list shape(n);
  shape[n - 2] = left.shape[a - 2];
  shape[n - 1] = right.shape[b - 1];
  for (std::size_t k = 3; k <= n; ++k) {
    const std::int64_t x = k <= a ? left.shape[a - k] : 1, y = k <= b ? right.shape[b - k] : 1;
    if (x != y && x != 1 && y != 1)
      refuse(refusal::value, "{}: the axes before the matrices cannot be broadcast together, got shapes {} and {}",
             name, text_of(x1.layout.shape), text_of(x2.layout.shape));
    shape[n - k] = x == 1 ? y : x;
  }
  return shape;
}

/// The shape without the axes that vectors have as matrices.
extents_list visible_shape(const extents_list &shape, bool drops_row, bool drops_column) {
  const std::size_t n = shape.size(), kept = n - drops_row - drops_column;
  extents_list visible(kept);
  for (std::size_t i = 0; i + 2 < n; ++i) visible[i] = shape[i];
  if (!drops_row) visible[n - 2] = shape[n - 2];
  if (!drops_column) visible[kept - 1] = shape[n - 1];
  return visible;
}
/// The result's layout with those axes, which have length 1.
layout with_dropped_axes(const layout &l, const extents_list &shape, bool dropped_row, bool dropped_column) {
  const std::size_t n = shape.size();
  extents_list strides(n);
  for (std::size_t i = 0; i + 2 < n; ++i) strides[i] = l.strides[i];
  if (!dropped_row) strides[n - 2] = l.strides[n - 2];
  if (!dropped_column) strides[n - 1] = l.strides[l.strides.size() - 1];
  return layout(shape, strides, l.offset);
}

dtype computed_type(const ndarray &x1, const ndarray &x2, const product_options &options, const device &where) {
  const operand operands[] = {{.array = &x1}, {.array = &x2}};
  if (!options.type) return resolve(opcode::multiply, operands, where).result;
  check_supported(*options.type, where, name);
  for (const ndarray *const x : {&x1, &x2})
    if (!can_cast(x->type(), *options.type, casting::same_kind))
      refuse(refusal::value, "{}: {} cannot be cast to the dtype {} (casting 'same_kind')", name, name_of(x->type()),
             name_of(*options.type));
  return *options.type;
}

// -- The result's memory order

/// The layout of an operand as if it had the result's shape, to find the order that both operands have.
layout in_shape(const layout &l, const extents_list &shape) {
  const std::size_t n = shape.size(), missing = n - l.shape.size();
  extents_list strides(n);
  for (std::size_t i = missing; i < n; ++i)
    strides[i] = l.shape[i - missing] == 1 && i + 2 < n ? 0 : l.strides[i - missing];
  layout seen(shape, strides, 0);
  seen.row_major = seen.column_major = false;  // decided by the operand's own shape
  return seen;
}

/// The layout of a new result, and the axes that are in reverse order in it.
struct result_order {
  layout of;
  std::vector<int> reversed;
};
result_order order_of_result(order wanted, const extents_list &visible, const extents_list &shape, const layout &left,
                             const layout &right) {
  const bool rows = left.row_major && right.row_major, columns = left.column_major && right.column_major;
  if (wanted == order::any || (keeps_axes(wanted) && (rows || columns || visible.size() < shape.size())))
    wanted = columns && !rows ? order::column_major : order::row_major;
  if (!keeps_axes(wanted)) return {layout::contiguous(visible, wanted), {}};
  const layout operands[] = {in_shape(left, shape), in_shape(right, shape)};
  const layout *const both[] = {&operands[0], &operands[1]};
  result_order made{layout(shape, kept_order_strides(shape, both), 0), {}};
  if (wanted == order::keep_forward) return made;
  // an axis along which both operands are in reverse order is in reverse order in the result
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t a = operands[0].strides[i], b = operands[1].strides[i];
    if ((a < 0 && b <= 0) || (b < 0 && a <= 0)) made.reversed.push_back(static_cast<int>(i));
  }
  return made;
}

// -- Pending products

/// Whether a product is pending: a sum of few products, of which there are many. `line`: the length of a contiguous
/// line of the result; lines of one element are those of a vector.
bool defers_product(const queue &q, dtype type, std::int64_t depth, std::int64_t line, const extents_list &shape) {
  if (eager()) return false;
  std::int64_t results = 1;
  for (const std::int64_t length : shape) results *= length;
  const bool is_complex = kind_of(type) == dtype_kind::complex;
  if (executor_of(q).compiles_programs()) return depth <= (is_complex ? 4 : 8) && results > few_elements();
  // On CPUs, more terms take up to 1.5 times (5 terms) and 2.2 times (8 terms) as long as a product and a pass over its
  // result, 3 terms 0.3 to 0.6 times; those of complex128 1.1 to 1.5 times, one 0.5 to 0.8 times. Lines of 20 elements
  // take 2 times as long, and arrays that fit the second-level cache 0.6 to 2 times.
  constexpr std::int64_t least_bytes = 128;  // in units of few_elements()
  constexpr std::int64_t least_line = 128;
  return depth <= (is_complex ? 1 : 4) && (line >= least_line || (line == 1 && !is_complex)) &&
         results * static_cast<std::int64_t>(size_of(type)) > few_elements() * least_bytes;
}

/// The node of a pending product, if operands in memory allow it. The layouts have the axes of the matrices.
ref<node> pending_product(const ndarray &x1, const layout &left, const ndarray &x2, const layout &right) {
  array_object &a = implementation_of(x1, name), &b = implementation_of(x2, name);
  const ref<storage> memory1 = a.memory(), memory2 = b.memory();
  if (memory1->exposed || memory2->exposed) return nullptr;
  return product_node(a.type, {left, memory1}, {right, memory2});
}

// -- Submission

bool overlap(array_object &a, array_object &b) {
  const ref<storage> &first = a.memory(), &second = b.memory();
  return first->base() < second->base() + second->bytes && second->base() < first->base() + first->bytes &&
         range_of(*first, a.layout, a.type).overlaps(range_of(*second, b.layout, b.type));
}

void submit(const queue &q, const matrix_product &p, std::initializer_list<array_object *> used) {
  const executor &e = executor_of(q);
  if (idle(q) && e.multiply_now(p)) return;
  std::vector<ref<storage>> memory;
  for (array_object *const x : used) memory.push_back(x->memory());
  deferred_queue &mine = deferred_queue::of(q);
  owner_list owners = mine.owners_of(memory);
  mine.in_turn([&](const ordered_dependencies &after) { return e.multiply(q, p, after, std::move(owners)); });
}

/// Computes the product into an array that overlaps no operand. The layouts have the axes of the matrices.
void multiply_into(const ndarray &to, const layout &l, const ndarray &x1, const layout &left, const ndarray &x2,
                   const layout &right) {
  array_object &result = implementation_of(to, name), &a = implementation_of(x1, name),
               &b = implementation_of(x2, name);
  const auto first = [](array_object &x) { return x.first(); };
  evaluate_readers(result);
  if (const auto p = product_form(a.type, {first(a), left}, {first(b), right}, {first(result), l}))
    return submit(a.queue, *p, {&a, &b, &result});
  // too many axes that are not contiguous: row-major copies have one
  const auto whole = [](const ndarray &x, const extents_list &of_result) {
    extents_list shape = of_result;
    const layout &own = implementation_of(x, name).layout;
    shape[shape.size() - 2] = own.shape[own.shape.size() - 2];
    shape[shape.size() - 1] = own.shape[own.shape.size() - 1];
    return copy(broadcast_to(x, shape), order::row_major);
  };
  const ndarray left_copy = whole(make_view(a, left), l.shape), right_copy = whole(make_view(b, right), l.shape);
  const ndarray made = make_empty(a.queue, a.type, layout::contiguous(l.shape), result.kind);
  array_object &c = implementation_of(left_copy, name), &d = implementation_of(right_copy, name),
               &e = implementation_of(made, name);
  submit(a.queue, *product_form(a.type, {first(c), c.layout}, {first(d), d.layout}, {first(e), e.layout}),
         {&c, &d, &e});
  assign(make_view(result, l), made);
}

/// The products of matrices of which the left ones have one row, the right ones have one column, or both, without these
/// axes.
ndarray product_of_vectors(const ndarray &x1, const layout &left, const ndarray &x2, const layout &right, dtype type) {
  if (x1.dimensions() == 1 && x2.dimensions() == 1) return sum_of_products(x1, x2, type, false);
  const ndarray columns = matrix_transpose(make_view(implementation_of(x2, name), right));
  return sum_of_products(make_view(implementation_of(x1, name), left), columns, type, false);
}

}  // namespace

ndarray matmul(const ndarray &x1, const ndarray &x2, const product_options &options) {
  const array_object &a = implementation_of(x1, name), &b = implementation_of(x2, name);
  check_same_queue(a.queue, b.queue, name);
  if (a.layout.dimensions() == 0 || b.layout.dimensions() == 0)
    refuse(refusal::value, "{}: expected arrays with at least one axis, got shapes {} and {}", name,
           text_of(a.layout.shape), text_of(b.layout.shape));
  const matrix_layout left = as_row(a.layout), right = as_column(b.layout);
  const extents_list shape = product_shape(left.of, right.of, a, b);
  const extents_list visible = visible_shape(shape, left.is_vector, right.is_vector);
  const dtype type = computed_type(x1, x2, options, a.queue.get_device());
  if (options.out) check_out(implementation_of(*options.out, name), visible, type, a.queue, name);
  const bool is_empty = std::ranges::find(shape, 0) != shape.end();
  const bool has_no_terms = left.of.shape[left.of.shape.size() - 1] == 0;
  if (is_empty || has_no_terms) {
    const usm_kind kind = coerced(a.kind, b.kind);
    if (!options.out) return full(visible, scalar::of(false), type, {a.queue, kind});
    if (!is_empty) assign(*options.out, scalar::of(false));
    return *options.out;
  }

  const std::int64_t rows = shape[shape.size() - 2], columns = shape[shape.size() - 1];
  // executors that compile programs have kernels for sums, in which all work-items read the matrix
  const std::int64_t depth = left.of.shape[left.of.shape.size() - 1];
  const bool is_vector = rows == 1 || columns == 1;
  if ((rows == 1 && columns == 1) ||
      (is_vector && (executor_of(a.queue).compiles_programs() || defers_product(a.queue, type, depth, 1, shape)))) {
    const ndarray sums = reshape(product_of_vectors(x1, left.of, x2, right.of, type), visible);
    if (!options.out)
      return options.layout == order::column_major ? astype(sums, type, casting::unsafe, options.layout, false) : sums;
    assign(*options.out, sums);
    return *options.out;
  }
  const auto cast = [&](const ndarray &x) {
    return x.type() == type ? x : astype(x, type, casting::unsafe, order::keep, false);
  };
  const ndarray from1 = cast(x1), from2 = cast(x2);
  const layout own1 = from1 == x1 ? left.of : as_row(implementation_of(from1, name).layout).of;
  const layout own2 = from2 == x2 ? right.of : as_column(implementation_of(from2, name).layout).of;
  const auto product_in = [&](const layout &l) -> ref<node> {  // a pending one
    if (is_vector) return nullptr;
    const std::int64_t line = std::abs(l.strides[shape.size() - 1]) == 1 ? columns : rows;
    if (!defers_product(a.queue, type, depth, line, shape)) return nullptr;
    return pending_product(from1, own1, from2, own2);
  };
  ndarray result;
  if (options.out) {
    array_object &out = implementation_of(*options.out, name);
    const bool overlaps = overlap(out, implementation_of(from1, name)) || overlap(out, implementation_of(from2, name));
    const layout l = with_dropped_axes(out.layout, shape, left.is_vector, right.is_vector);
    const std::size_t n = shape.size();
    const bool has_lines =
        std::abs(l.strides[n - 1]) == 1 || std::abs(l.strides[n - 2]) == 1 || shape[n - 1] == 1 || shape[n - 2] == 1;
    if (!overlaps && has_lines) {
      result = *options.out;
      if (ref<node> product = product_in(l)) {
        store(result, std::move(product));
        return result;
      }
    }
  }
  if (!result) {
    const usm_kind kind = coerced(a.kind, b.kind);
    const result_order made = order_of_result(options.layout, visible, shape, left.of, right.of);
    if (!options.out && made.reversed.empty())
      if (ref<node> product = product_in(made.of)) return defer(a.queue, std::move(product), kind, made.of.strides);
    result = make_empty(a.queue, type, made.of, kind);
    if (!made.reversed.empty()) result = flip(result, made.reversed);
  }
  multiply_into(result,
                with_dropped_axes(implementation_of(result, name).layout, shape, left.is_vector, right.is_vector),
                from1, own1, from2, own2);
  if (!options.out) return result;
  if (result != *options.out) assign(*options.out, result);
  return *options.out;
}

void matmul_in_place(const ndarray &x1, const ndarray &x2) {
  if (x2.dimensions() < 2)  // worded as in NumPy
    refuse(refusal::value,
           "{}: inplace matrix multiplication requires a second operand with at least two dimensions, got shape {}",
           name, text_of(x2.shape()));
  static_cast<void>(matmul(x1, x2, {.type = x1.type(), .layout = order::keep, .out = &x1}));
}

}  // namespace dpep::array
