// Array functions: creation, views, copies and computation. Python's array functions are thin wrappers of these.
//
// All check their arguments during the call and throw array::error. Exhausted memory (errc::memory_allocation) and
// device faults may be thrown later, by the function that needs the values.
#pragma once

#include <dpep/array.hpp>
#include <dpep/array_operations.hpp>

namespace dpep::array {

using extents = std::span<const std::int64_t>;

// --- creation -------------------------------------------------------------------------------------------------------

/// The queue that a new array belongs to, and its kind of memory.
struct placement {
  dpep::queue queue;
  usm_kind kind = usm_kind::device;
};
/// The queue that all arrays are on, and the kind of memory of results computed from them: device before shared before
/// host. refusal::placement for arrays on different queues; refusal::type without arrays.
DPEP_API placement common_placement(std::span<const ndarray>, const char *operation);
/// The kind of memory alone; the arrays may be on different queues. Of at least one array.
DPEP_API usm_kind common_kind(std::span<const ndarray>) noexcept;
/// Throws refusal::placement for arrays on different queues. All operations use this, so that the error has one
/// wording.
DPEP_API void check_same_queue(const queue &, const queue &, const char *operation);
/// The same check of an output array's queue against the operands' queue.
DPEP_API void check_out_queue(const queue &out, const queue &operands, const char *operation);

DPEP_API ndarray empty(extents shape, dtype, const placement &, order = order::row_major);
/// The value is cast to the dtype. Throws refusal::overflow for a value that an integer dtype cannot represent.
DPEP_API ndarray full(extents shape, const scalar &value, dtype, const placement &, order = order::row_major);
/// An uninitialized array with the given array's shape. `keep` also takes its memory order, including negative strides.
DPEP_API ndarray empty_like(const ndarray &, dtype, const placement &, order = order::keep);
DPEP_API ndarray full_like(const ndarray &, const scalar &value, dtype, const placement &, order = order::keep);
/// `count` elements start + i * step, computed in the widest dtype of the dtype's kind and rounded once (float32 and
/// complex64: as NumPy).
DPEP_API ndarray arange(const scalar &start, const scalar &step, std::int64_t count, dtype, const placement &);
/// The elements from `start` up to `stop`, excluding it, by NumPy's rules; without a dtype, the default one of the
/// numbers. refusal::zero_division for integers with a step of 0. (ranges.cpp)
DPEP_API ndarray arange(const scalar &start, const scalar &stop, const scalar &step, std::optional<dtype>,
                        const placement &);
/// Without a dtype, the default floating-point one of the numbers.
DPEP_API ndarray linspace(const scalar &start, const scalar &stop, std::int64_t count, bool endpoint,
                          std::optional<dtype>, const placement &);
DPEP_API ndarray eye(std::int64_t rows, std::int64_t columns, std::int64_t diagonal, dtype, const placement &,
                     order = order::row_major);
/// A copy with zeros above (below) the diagonal k of the last two axes.
DPEP_API ndarray lower_triangle(const ndarray &, std::int64_t k, order = order::keep);
DPEP_API ndarray upper_triangle(const ndarray &, std::int64_t k, order = order::keep);

/// An array in existing memory. `strides` are in elements (empty: row-major). Throws refusal::value for views beyond
/// the memory. `owner` keeps the memory alive; null for a live allocation of dpep that the caller keeps alive.
DPEP_API ndarray view_of_memory(void *base, std::size_t bytes, std::int64_t offset, extents shape, extents strides,
                                dtype, const placement &, std::shared_ptr<void> owner, bool writable = true);

/// Strided host memory. Strides are in bytes, as NumPy's.
struct host_view {
  void *data;
  dtype type;
  extents shape, strides;
};
/// Copies between host memory and arrays, with a cast if the dtypes differ. The host memory is not accessed after the
/// call.
DPEP_API ndarray from_host(const host_view &, dtype, const placement &, order = order::keep);
DPEP_API void copy_from_host(const ndarray &to, const host_view &from);
DPEP_API void copy_to_host(const ndarray &from, const host_view &to);
/// The element of an array of size 1, as a scalar of its dtype's kind.
DPEP_API scalar item(const ndarray &);

// --- views and copies
// -------------------------------------------------------------------------------------------------

/// The axis counted from the front, in [0, dimensions). refusal::axis for others.
DPEP_API int normalized_axis(std::int64_t axis, int dimensions, const char *operation);
/// The same for several, in the order given. refusal::value for an axis named twice.
DPEP_API std::vector<int> normalized_axes(std::span<const int> axes, int dimensions, const char *operation);

/// One component of a basic index.
struct index {
  /// flag: True or False, a new axis of `count` = 1 or 0 elements
  enum class kind : std::uint8_t { integer, slice, new_axis, ellipsis, flag } what;
  std::int64_t start = 0;            // integer; slice
  std::int64_t count = 0, step = 1;  // slice, within the axis (Python's slice.indices)
};
DPEP_API ndarray view(const ndarray &, std::span<const index>);  // refusal::index for indices out of range
DPEP_API ndarray permute(const ndarray &, std::span<const int> axes);
/// Axis source[i] becomes axis destination[i]; the other axes keep their order. (moved_axes.cpp)
DPEP_API ndarray moveaxis(const ndarray &, std::span<const int> source, std::span<const int> destination);
DPEP_API ndarray swapaxes(const ndarray &, int axis1, int axis2);
DPEP_API ndarray matrix_transpose(const ndarray &);  // swaps the last two axes; refusal::value for fewer
/// The views x[..., i, ...] for each index i along an axis.
DPEP_API std::vector<ndarray> unstack(const ndarray &, int axis);
DPEP_API ndarray broadcast_to(const ndarray &, extents shape);
/// The arrays broadcast to their common shape: the array itself where it has that shape. Of at least one array.
DPEP_API std::vector<ndarray> broadcast_arrays(std::span<const ndarray>);
DPEP_API ndarray expand_dims(const ndarray &, std::span<const int> axes);
/// Without the axes, which must have length 1; nothing: all axes of length 1. The array itself if no axis is removed.
/// As in dpctl, arrays of 0 dimensions have an axis 0 to remove.
DPEP_API ndarray squeeze(const ndarray &, std::optional<std::span<const int>> axes = {});
DPEP_API ndarray flip(const ndarray &, std::optional<std::span<const int>> axes = {});  // nothing: all axes
DPEP_API ndarray real_part(const ndarray &);  // a view; the array itself if it is not complex
DPEP_API ndarray imaginary_part(const ndarray &);
/// A view of the elements whose index along axis2 is that along axis1 plus `offset`. They are the last axis of the
/// result, which has neither axis1 nor axis2. refusal::value for arrays of less than two dimensions. (diagonals.cpp)
DPEP_API ndarray diagonal(const ndarray &, std::int64_t offset, int axis1, int axis2);
/// A view if the strides allow it, else a copy. `copy` = true: always a copy; false: throws refusal::value instead of
/// copying. One length of the shape may be -1, for the length that gives the array's number of elements.
DPEP_API ndarray reshape(const ndarray &, extents shape, order = order::row_major, std::optional<bool> copy = {});
/// The strides of the reshaped view; nothing if reshape would have to copy.
DPEP_API std::optional<std::vector<std::int64_t>> reshaped_strides(const ndarray &, extents shape, order);
/// The shape that all shapes broadcast to. Throws refusal::value, with the shapes in the message, if there is none.
DPEP_API std::vector<std::int64_t> broadcast_shapes(std::span<const extents> shapes);

DPEP_API ndarray copy(const ndarray &, order = order::keep);
DPEP_API ndarray astype(const ndarray &, dtype, casting = casting::unsafe, order = order::keep,
                        bool always_copy = true);
/// A copy on another queue or of another memory kind. The array itself if its queue and kind are these already, unless
/// `always_copy`.
DPEP_API ndarray to_placement(const ndarray &, const placement &, bool always_copy = false);
DPEP_API void assign(const ndarray &to, const ndarray &from);  // to[...] = from, broadcast and cast (same_kind: real
                                                               // to integer is allowed, complex to real is not)
DPEP_API void assign(const ndarray &to, const scalar &value);

/// Without an axis, concat, roll and repeat use the arrays' elements in row-major order (roll: also the result's
/// shape). Without a dtype, concat and stack use the one that the parts' dtypes are promoted to.
DPEP_API ndarray concat(std::span<const ndarray> parts, std::optional<int> axis, std::optional<dtype> = {});
DPEP_API ndarray stack(std::span<const ndarray> parts, int axis, std::optional<dtype> = {});
/// One shift is for all axes; several shifts of one axis are added.
DPEP_API ndarray roll(const ndarray &, std::span<const std::int64_t> shifts, std::optional<std::span<const int>> axes);
/// `counts`: a repetition count for each element along the axis, or one for all.
DPEP_API ndarray repeat(const ndarray &, std::span<const std::int64_t> counts, std::optional<int> axis);
DPEP_API ndarray repeat(const ndarray &, std::int64_t count, std::optional<int> axis);
/// The counts in an array, for repeat of `x`, which must be on the same queue. Waits for them.
DPEP_API std::vector<std::int64_t> repetition_counts(const ndarray &counts, const ndarray &x);
DPEP_API ndarray tile(const ndarray &, extents repetitions);

// --- computation
// --------------------------------------------------------------------------------------------------------

/// An operand of an element operation: an array or a number. Neither: an absent limit of clip.
struct operand {
  const ndarray *array = nullptr;
  const scalar *number = nullptr;
};

struct element_options {
  const ndarray *out = nullptr;  // with the result's shape and dtype; may overlap the operands
  order layout = order::keep;
  std::optional<dtype> type;  // the dtype to compute in; refusal::type if the operation has no such signature
};
/// Applies the operation to each element, with broadcasting. All arrays must be on one queue (refusal::placement
/// otherwise). Uses the first signature of the operation that all operands can be cast to.
DPEP_API ndarray element(opcode, std::span<const operand>, const element_options & = {});

/// Whether no element is known to be negative. Reads the elements immediately, if there are at most 1,024, the queue is
/// idle and the host can read the memory. False means unknown: the array may be larger, pending, or not readable by the
/// host.
DPEP_API bool is_known_non_negative(const ndarray &);
/// The dtypes of the chosen signature: those that the operands are cast to, and the result's.
struct resolved {
  std::array<dtype, 3> inputs;
  dtype result;
};
DPEP_API resolved resolve(opcode, std::span<const operand>, const device &);
/// The dtype of an expression of arrays and scalars, as the array API standard's result_type.
DPEP_API dtype result_type(std::span<const dtype> arrays, std::span<const scalar> numbers, const device &);
/// The dtype, or the nearest one that the device supports: without 64-bit floats the 32-bit ones, without float16
/// float32.
DPEP_API dtype supported(dtype, const device &) noexcept;
/// Throws refusal::value for a dtype that the device does not support.
DPEP_API void check_supported(dtype, const device &, const char *operation);
/// The default dtypes of a device.
DPEP_API dtype default_type(scalar::kind, const device &) noexcept;
DPEP_API dtype default_real(const device &) noexcept;
DPEP_API dtype default_complex(const device &) noexcept;

struct reduce_options {
  std::optional<std::vector<int>> axes;  // nothing: all axes
  std::optional<dtype> type;             // of the result and of the accumulator
  bool keep_dimensions = false;
  double correction = 0;  // for variance and deviation: the degrees of freedom to subtract
  const ndarray *out = nullptr;
};
/// Floats are summed pairwise within fixed blocks, so that results do not depend on the number of threads.
DPEP_API ndarray reduce(reduction, const ndarray &, const reduce_options & = {});

struct accumulate_options {
  int axis = 0;
  std::optional<dtype> type;
  bool include_initial = false;  // prepends the operation's identity: the axis gets one more element
  const ndarray *out = nullptr;
};
DPEP_API ndarray accumulate(accumulation, const ndarray &, const accumulate_options &);

// --- pending operations
// -----------------------------------------------------------------------------------------------------

/// Submits the queue's pending array operations. Every other submission to the queue does so, too. A wait for the queue
/// submits those whose values no other operation has used; values that were used on the way to others stay pending.
DPEP_API void evaluate_pending(const queue &);
/// Submits the queue's pending array operations. Returns an event that is complete when they and all earlier ones are.
DPEP_API event last_event(const queue &);
/// The same for the array operations that are submitted; pending ones stay pending.
DPEP_API event last_submitted(const queue &);
/// Commands of the queue, from any source, that may be incomplete. Pending array operations stay pending.
DPEP_API std::vector<event> unfinished_commands(const queue &);
/// Makes later array operations on the queue wait for the event: for work outside the array library that accesses
/// arrays' memory.
DPEP_API void order_after(const queue &, const event &);
/// The number of nodes that are not computed yet, and the bytes of memory held for them.
struct pending_work {
  std::size_t nodes = 0, bytes = 0;
  std::size_t limit = 0;  // of `bytes`
};
DPEP_API pending_work pending(const queue &) noexcept;
/// Limits the bytes of memory that the queue's pending operations hold: beyond the limit, they are computed. 0 restores
/// the default, a quarter of the device's memory, which has an effect only while half of that memory is in use.
DPEP_API void set_pending_limit(const queue &, std::size_t bytes);
/// Turns eager evaluation on or off: each call computes its result, for debugging. DPEP_EAGER=1 turns it on at start.
DPEP_API void set_eager(bool) noexcept;
DPEP_API bool eager() noexcept;

}  // namespace dpep::array
