// Products of matrices as nodes, and their computation by the executor.
#include "array/graph/pending_products.hpp"

#include <algorithm>
#include <optional>

#include <dpep/array_opcodes.hpp>

#include "array/base/matrix_form.hpp"
#include "array/executor.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array {
namespace {

/// The layout with a new axis in front of its last `behind` axes, along which it is broadcast.
layout with_axis(const layout &l, std::size_t behind) {
  const std::size_t n = l.shape.size(), position = n - behind;
  extents_list shape(n + 1), strides(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t to = i < position ? i : i + 1;
    shape[to] = l.shape[i];
    strides[to] = l.strides[i];
  }
  shape[position] = 1;
  strides[position] = 0;
  return layout(std::move(shape), std::move(strides), l.offset);
}

layout without_axis(const layout &l, std::size_t axis) {
  const std::size_t n = l.shape.size();
  extents_list shape(n - 1), strides(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    shape[i] = l.shape[i < axis ? i : i + 1];
    strides[i] = l.strides[i < axis ? i : i + 1];
  }
  return layout(std::move(shape), std::move(strides), l.offset);
}

layout transposed(const layout &l) {
  extents_list shape = l.shape, strides = l.strides;
  const std::size_t n = shape.size();
  std::swap(shape[n - 2], shape[n - 1]);
  std::swap(strides[n - 2], strides[n - 1]);
  return layout(std::move(shape), std::move(strides), l.offset);
}

/// The operands of a node that product_node() has made. Nothing if it, or what it is computed from, has been stored.
struct product_operands {
  const node &left, &right;
};
std::optional<product_operands> operands_of(const node &product) {
  const auto behind_casts = [](const node *n) {
    while (!n->in_memory() && n->what == node::kind::element && n->code == opcode::cast) n = n->inputs[0].get();
    return n;
  };
  const node &sum = *behind_casts(&product);
  if (sum.in_memory()) return {};
  const node &terms = *behind_casts(sum.inputs[0].get());
  if (terms.in_memory()) return {};
  const node &left = *behind_casts(terms.inputs[0].get()), &right = *behind_casts(terms.inputs[1].get());
  if (left.type != product.type || right.type != product.type) return {};  // casts have been stored
  return product_operands{left, right};
}

}  // namespace

ref<node> product_node(dtype type, const matrices_in_memory &left, const matrices_in_memory &right) {
  const dtype wide = type == dtype::float16 ? dtype::float32 : type;
  const ref<node> factors[] = {
      cast_node(memory_node(type, with_axis(left.of, 1), left.memory), wide),
      cast_node(memory_node(type, with_axis(transposed(right.of), 2), right.memory), wide),
  };
  ref<node> terms = element_node(opcode::multiply, {2, {wide, wide}, wide}, factors);
  const int last = static_cast<int>(terms->shape.size()) - 1;
  const reduction how = type == dtype::boolean ? reduction::any : reduction::sum;
  ref<node> product = cast_node(reduce_node(how, wide, std::move(terms), {last}, false), type);
  product->is_product = true;
  return product;
}

/// Computes a target that is a product of matrices by the executor, unless one of the other results is computed from it
/// or a program has computed it, whose bits may differ. Returns whether it did.
bool deferred_queue::multiply_alone(target &t, std::span<const ref<node>> others) {
  node &product = *t.value;
  if (!product.is_product || product.computed_ || (!t.updates_node && product.result_array)) return false;
  if (std::ranges::any_of(others, [&](const ref<node> &o) { return o != t.value && is_below(*o, product); }))
    return false;
  const std::optional<product_operands> operands = operands_of(product);
  if (!operands) return false;
  const auto &[left, right] = *operands;
  const std::size_t n = left.shape.size();
  const layout of_left = without_axis(left.layout, n - 2),
               of_right = transposed(without_axis(right.layout, right.shape.size() - 3));
  const queue q(ref<object>::share(&queue_object_));
  const auto first = [](const storage &memory, const layout &l, dtype type) {
    return memory.base() + l.offset * static_cast<std::int64_t>(size_of(type));
  };
  std::size_t new_bytes = 0;
  ref<storage> memory = t.memory;
  if (!memory) {
    memory = allocate(q, t.kind, static_cast<std::size_t>(t.to.size) * size_of(product.type));
    new_bytes = memory->bytes;
  }
  const auto form =
      product_form(left.type, {first(*left.memory, of_left, left.type), of_left},
                   {first(*right.memory, of_right, right.type), of_right}, {first(*memory, t.to, product.type), t.to});
  if (!form) return false;
  t.memory = memory;
  std::vector<ref<storage>> used{left.memory, right.memory, memory};
  std::vector<std::shared_ptr<void>> owners = owners_of(used);
  set_last(submitted_by([&] { return executor_of(q).multiply(q, *form, behind_last(), std::move(owners)); }));
  extend_batch(new_bytes);
  if (t.updates_node) mark_stored(t);
  return true;
}

}  // namespace dpep::array
