// The graph: pending computations as nodes, which functions compose and fusion turns into programs.
//
// A node is immutable but for what evaluation does to it. Shapes broadcast as NumPy's do. Checks are the callers':
// what reaches a node is right.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <dpep/array_operations.hpp>

#include "array/layout.hpp"

namespace dpep::array {

class array_object;
class storage;

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
  opcode code{};
  reduction how{};
  std::array<dtype, 3> from{};
  std::vector<ref<node>> inputs;
  std::vector<int> axes;  // reduce: sorted; kept as length 1 when keep_dimensions
  bool keep_dimensions = false;
  std::vector<int> source_axis;  // view: for each axis of this node the input's, or -1 for a new one or a broadcast one
  // memory
  ref<storage> memory;
  dpep::array::layout layout;
  // number, iota
  scalar start, step;
  int axis = 0;

  // The array that shows this node's values while they are pending; null when it is gone, or never was.
  array_object *shown_by = nullptr;
  // Set by evaluation when the node's values have been stored: from then on it reads as memory.
  ref<storage> stored;
  dpep::array::layout stored_layout;

  node(kind what, dtype type, extents_list shape);
  ~node() override;
};

/// The values of an array: its pending node, or a node that reads its memory (views of pending arrays are views of
/// their nodes where axes only move; else what is pending is computed first).
ref<node> node_of(const ndarray &);
ref<node> number_node(const scalar &, dtype);
ref<node> iota_node(extents_list shape, int axis, const scalar &start, const scalar &step, dtype);
ref<node> element_node(opcode, const signature &, std::span<const ref<node>> inputs);
ref<node> cast_node(ref<node>, dtype);
/// `type`: of the accumulation and the result (argmax, argmin, count_nonzero: int64; any, all: bool). The input is cast
/// to it where the reduction works in the result's type. `how` may not be mean, variance or deviation: callers compose
/// those.
ref<node> reduce_node(reduction how, dtype type, ref<node> input, std::vector<int> axes, bool keep_dimensions);
ref<node> view_node(ref<node>, extents_list shape, std::vector<int> source_axis);

/// An array that shows the node's values: computed now when small or in eager mode, else when someone needs them.
/// `order` and the operands' layouts choose its strides.
ndarray show(const queue &, ref<node>, usm_kind, order layout = order::row_major);
ndarray show(const queue &, ref<node>, usm_kind, extents_list strides);
/// Computes into an existing array at once (submits; does not wait): `out=`, in-place operators, assignment. Whatever
/// overlaps is read before it is written. The node broadcasts to the array's shape and is cast to its dtype.
void store(const ndarray &to, ref<node>);

/// Several reductions that belong together (mean and variance) need nothing special: fusion finds common producers.

}  // namespace dpep::array
