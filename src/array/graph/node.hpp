// The graph: pending computations as nodes, which functions compose and fusion turns into programs.
//
// A node is immutable but for what evaluation does to it. Shapes broadcast as NumPy's do. Checks are the callers':
// what reaches a node is right.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <dpep/array_operations.hpp>

#include "array/base/layout.hpp"
#include "array/operations/user_function.hpp"

namespace dpep::array {

class array_object;
class node;
class storage;
class deferred_queue;

/// A few inputs, without an allocation.
class node_inputs {
public:
  void push(ref<node> n) noexcept { nodes_[count_++] = std::move(n); }
  void clear() noexcept;
  std::size_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  const ref<node> &operator[](std::size_t i) const noexcept { return nodes_[i]; }
  const ref<node> *begin() const noexcept { return nodes_.data(); }
  const ref<node> *end() const noexcept { return nodes_.data() + count_; }

private:
  std::array<ref<node>, most_inputs> nodes_;
  std::uint8_t count_ = 0;
};

class node final : public object {
public:
  enum class kind : std::uint8_t {
    memory,   // reads storage through a layout
    number,   // a scalar of the node's type
    iota,     // start + step * (index along `axis`)
    element,  // `code` of the inputs, of the types that `from` says: casts are made where they differ
    reduce,   // `how` of input 0 over its axes `axes`
    view,     // input 0 with axes permuted, inserted, dropped or broadcast: `source_axis` says where each comes from
  };

  const kind what;
  const dtype type;
  const extents_list shape;

  // element, reduce
  opcode code{};  // user_code: `function`
  ref<const user_function> function;
  reduction how{};
  bool keep_dimensions = false;
  std::array<dtype, most_inputs> from{};
  node_inputs inputs;            // none once the values are stored
  std::vector<int> axes;         // reduce: sorted; kept as length 1 when keep_dimensions
  std::vector<int> source_axis;  // view: for each axis of this node the input's, or -1 for a new one or a broadcast one
  // number, iota
  scalar start, step;
  int axis = 0;
  // Memory that holds the values: a memory node's from the beginning, others' when evaluation has stored them.
  ref<storage> memory;
  dpep::array::layout layout;

  // What deferring goes by; see limits.hpp.
  std::int64_t space = 1;      // elements of the largest iteration space among what is not stored below
  std::uint32_t depth = 0;     // of the graph below
  std::uint32_t weight = 1;    // nodes below and this: an upper bound
  bool reads_exposed = false;  // memory that others may write to at any time

  // The array that shows this node's values while they are pending; null when it is gone, or never was.
  array_object *result_array = nullptr;

  node(kind what, dtype type, extents_list shape);
  ~node() override;
  static void *operator new(std::size_t bytes);
  static void operator delete(void *, std::size_t bytes) noexcept;

  std::int64_t size() const noexcept;
  double bytes() const noexcept { return static_cast<double>(size()) * static_cast<double>(size_of(type)); }
  bool in_memory() const noexcept { return static_cast<bool>(memory); }

  /// Whether a walk over graphs meets the node for the first time. Under the deferred queue's mutex.
  bool visit_once(std::uint64_t walk) noexcept { return std::exchange(mark_, walk) != walk; }
  static std::uint64_t new_walk() noexcept;

private:
  friend class deferred_queue;
  friend class fusion;
  deferred_queue *registered_in_ = nullptr;  // below a pending array, and so listed among the readers of its memory
  bool computed_ = false;       // once already, without being stored
  bool failed_ = false;         // there was no memory for it: tried again only when asked for
  std::uint64_t mark_ = 0;      // of the walk that met it last
  std::int32_t place_ = -1;     // in that walk's tables
};

/// Calls `take` with each node of the graph once, consumers first; what it returns false for is not followed.
template <class F> void walk_graph(node &root, std::uint64_t walk, F take) {
  if (!root.visit_once(walk)) return;
  std::vector<node *> open{&root};
  while (!open.empty()) {
    node &n = *open.back();
    open.pop_back();
    if (!take(n)) continue;
    for (const ref<node> &input : n.inputs)
      if (input->visit_once(walk)) open.push_back(input.get());
  }
}

/// The values of an array: its pending node, or a node that reads its memory (views of pending arrays are views of
/// their nodes where axes only move; else what is pending is computed first).
ref<node> node_of(const ndarray &);
ref<node> memory_node(dtype, layout, ref<storage>);
ref<node> number_node(const scalar &, dtype);
ref<node> iota_node(extents_list shape, int axis, const scalar &start, const scalar &step, dtype);
ref<node> element_node(opcode, const signature &, std::span<const ref<node>> inputs);
ref<node> user_node(const ref<const user_function> &, std::span<const ref<node>> inputs);
ref<node> cast_node(ref<node>, dtype);
/// `type`: of the accumulation and the result (argmax, argmin, count_nonzero: int64; any, all: bool). The input is cast
/// to it where the reduction works in the result's type. `how` may not be mean, variance or deviation: callers compose
/// those.
ref<node> reduce_node(reduction how, dtype type, ref<node> input, std::vector<int> axes, bool keep_dimensions);
ref<node> view_node(ref<node>, extents_list shape, std::vector<int> source_axis);
/// The same values, as a node of its own.
ref<node> identity_node(ref<node>);

/// An array that shows the node's values: computed now when small or in eager mode, else when someone needs them.
/// `order` and the operands' layouts choose its strides.
ndarray defer(const queue &, ref<node>, usm_kind, order layout = order::row_major);
ndarray defer(const queue &, ref<node>, usm_kind, extents_list strides);
/// Computes into an existing array at once (submits; does not wait): `out=`, in-place operators, assignment. Whatever
/// overlaps is read before it is written. The node broadcasts to the array's shape and is cast to its dtype.
void store(const ndarray &to, ref<node>);

/// Several reductions that belong together (mean and variance) need nothing special: fusion finds common producers.

}  // namespace dpep::array
