// Functions for array work: recording of nodes, evaluation, and access to memory.
#pragma once

#include "array/graph/array_object.hpp"
#include "array/graph/node.hpp"

namespace dpep::array {

/// A node with the array's values: its pending node, or one that reads its memory. A view of a pending array becomes a
/// view of the node if the values can be computed from it, else the array is computed first.
ref<node> node_of(const ndarray &);
/// An array with the node's values. They are computed now if the array is small or in eager mode, else when they are
/// needed. The strides follow from `order` and the layouts of the operands.
ndarray defer(const queue &, ref<node>, usm_kind, order layout = order::row_major);
ndarray defer(const queue &, ref<node>, usm_kind, extents_list strides);
/// Submits the computation of the node's values into an existing array: for `out`, in-place operators and assignment.
/// The node is broadcast to the array's shape and cast to its dtype. It may read memory that overlaps the array.
void store(const ndarray &to, ref<node>);
/// Stores the values of arrays into parts of one shape of new memory, in one pass if a pass can compute them.
void store_together(std::span<const ndarray> to, std::span<const ndarray> from);

/// A new array with uninitialised memory, which starts at the first element of the layout.
ndarray make_empty(const queue &, dtype, layout, usm_kind);
/// A view of the array's memory with another layout. A view of a pending array is pending, too.
ndarray make_view(array_object &, layout);
ndarray make_view(array_object &, dtype, layout);

/// Whether no array work of the queue is in flight, so that the calling thread may read arrays' memory.
bool idle(const queue &) noexcept;
/// Whether the calling thread may also write to the memory of the array, which is not pending: no pending node reads
/// it.
bool may_write_now(array_object &) noexcept;
/// Submits the pending work that reads elements of the array. Called before work that is no program writes to them.
void evaluate_readers(array_object &);
/// Whether the calling thread can access the memory of the queue's arrays, and the queue's device the host's memory.
inline bool is_host_accessible(const queue &q) noexcept {
  return runtime::implementation_of(q).target.capabilities().host_accessible;
}
/// Waits for the event, and throws the asynchronous errors of the queue, of any task.
void finish(const queue &, const event &);

}  // namespace dpep::array
