// Functions of arrays: making them, moving them, and computing with them. Python's functions are thin over these.
//
// All check their arguments at the call and throw array::error; MemoryError's errc::memory_allocation may come later,
// with faults of devices, from whatever needs the values.
#pragma once

#include <dpep/array.hpp>
#include <dpep/array_operations.hpp>

namespace dpep::array {

using extents = std::span<const std::int64_t>;

// --- making ---------------------------------------------------------------------------------------------------------

struct placement {
  dpep::queue queue;
  usm_kind kind = usm_kind::device;
};

DPEP_API ndarray empty(extents shape, dtype, const placement &, order = order::row_major);
/// The value is cast to the dtype; what does not fit an integer type throws refusal::overflow.
DPEP_API ndarray full(extents shape, const scalar &value, dtype, const placement &, order = order::row_major);
/// Of an array's shape; `keep` takes its memory order, too, including axes that run backwards. (create_like.cpp)
DPEP_API ndarray empty_like(const ndarray &, dtype, const placement &, order = order::keep);
DPEP_API ndarray full_like(const ndarray &, const scalar &value, dtype, const placement &, order = order::keep);
/// count elements: start + i * step in the dtype's widest kin, rounded once (float32 and complex64: as NumPy).
DPEP_API ndarray arange(const scalar &start, const scalar &step, std::int64_t count, dtype, const placement &);
DPEP_API ndarray linspace(const scalar &start, const scalar &stop, std::int64_t count, bool endpoint, dtype,
                          const placement &);
DPEP_API ndarray eye(std::int64_t rows, std::int64_t columns, std::int64_t diagonal, dtype, const placement &,
                     order = order::row_major);
/// The elements on and below (above) the diagonal k of the last two axes; zero elsewhere.
DPEP_API ndarray lower_triangle(const ndarray &, std::int64_t k, order = order::keep);
DPEP_API ndarray upper_triangle(const ndarray &, std::int64_t k, order = order::keep);

/// A new view of memory that is there already. `strides` in elements (empty: row-major). Throws for views that leave
/// the memory. `owner` keeps the memory; null when it is a live allocation of dpep's that someone else keeps.
DPEP_API ndarray view_of_memory(void *base, std::size_t bytes, std::int64_t offset, extents shape, extents strides,
                                dtype, const placement &, std::shared_ptr<void> owner, bool writable = true);

/// Strided host memory; strides in bytes, as NumPy's.
struct host_view {
  void *data;
  dtype type;
  extents shape, strides;
};
/// Copies, casting where the dtypes differ. The host's memory is read (written) when the call returns.
DPEP_API ndarray from_host(const host_view &, dtype, const placement &, order = order::keep);
DPEP_API void copy_from_host(const ndarray &to, const host_view &from);
DPEP_API void copy_to_host(const ndarray &from, const host_view &to);
/// The one element of an array of size 1, as a scalar of its dtype's kind.
DPEP_API scalar item(const ndarray &);

// --- views and copies
// -------------------------------------------------------------------------------------------------

/// One part of a basic index.
struct index {
  enum class kind : std::uint8_t { integer, slice, new_axis, ellipsis } what;
  std::int64_t start = 0;            // integer; slice
  std::int64_t count = 0, step = 1;  // slice: already cut to the axis (Python's slice.indices)
};
DPEP_API ndarray view(const ndarray &, std::span<const index>);  // refusal::index for what is out of range
DPEP_API ndarray permute(const ndarray &, std::span<const int> axes);
DPEP_API ndarray broadcast_to(const ndarray &, extents shape);
DPEP_API ndarray expand_dims(const ndarray &, std::span<const int> axes);
DPEP_API ndarray squeeze(const ndarray &, std::span<const int> axes);  // of length 1 each
DPEP_API ndarray flip(const ndarray &, std::span<const int> axes);
DPEP_API ndarray real_part(const ndarray &);  // views of complex arrays; the array itself when it is real
DPEP_API ndarray imaginary_part(const ndarray &);
/// A view where strides allow, else a copy; `copy`: true always copies, false throws refusal::value rather than copy.
DPEP_API ndarray reshape(const ndarray &, extents shape, order = order::row_major, std::optional<bool> copy = {});
/// Whether reshape would be a view: its strides.
DPEP_API std::optional<std::vector<std::int64_t>> reshaped_strides(const ndarray &, extents shape, order);
/// The shape that all broadcast to; refusal::value naming the shapes when they don't.
DPEP_API std::vector<std::int64_t> broadcast_shapes(std::span<const extents> shapes);

DPEP_API ndarray copy(const ndarray &, order = order::keep);
DPEP_API ndarray astype(const ndarray &, dtype, casting = casting::unsafe, order = order::keep,
                        bool always_copy = true);
/// To another queue's device; the same array when it is there already and of that kind.
DPEP_API ndarray to_placement(const ndarray &, const placement &, bool always_copy = false);
DPEP_API void assign(const ndarray &to, const ndarray &from);  // to[...] = from, broadcast and cast (same_kind: real
                                                               // to integer is allowed, complex to real is not)
DPEP_API void assign(const ndarray &to, const scalar &value);

DPEP_API ndarray concat(std::span<const ndarray> parts, int axis, dtype);
DPEP_API ndarray stack(std::span<const ndarray> parts, int axis, dtype);
DPEP_API ndarray roll(const ndarray &, std::span<const std::int64_t> shifts, std::span<const int> axes);
DPEP_API ndarray repeat(const ndarray &, std::int64_t count, int axis);
DPEP_API ndarray repeat(const ndarray &, std::span<const std::int64_t> counts, int axis);
DPEP_API ndarray tile(const ndarray &, extents repetitions);

// --- computing
// --------------------------------------------------------------------------------------------------------

/// An operand of an element operation: an array or a number. For a limit of clip neither: no limit.
struct operand {
  const ndarray *array = nullptr;
  const scalar *number = nullptr;
};

struct element_options {
  const ndarray *out = nullptr;  // of the result's shape and dtype; may overlap the operands in any way
  order layout = order::keep;
  std::optional<dtype> type;  // compute in this type; refusal::type when the operation has no such signature
};
/// Applies the operation element by element, with broadcasting. All arrays must be on one queue
/// (refusal::placement otherwise). The signature is the first of the operation's list that all operands can be cast to.
DPEP_API ndarray element(opcode, std::span<const operand>, const element_options & = {});

enum class quick_fact { no_infinity, no_negative };
/// Whether all elements are so, read at once: of at most 1,024 elements on an idle queue whose memory the host reads.
/// False says nothing: the array may be longer, pending, or on a device.
DPEP_API bool holds_at_once(const ndarray &, quick_fact);
/// The dtypes that the signature has: of each operand as computed, then the result's. Null operands' types are weak.
struct resolved {
  std::array<dtype, 3> inputs;
  dtype result;
};
DPEP_API resolved resolve(opcode, std::span<const operand>, const device &);
/// The dtype of an expression of arrays and scalars, as the standard's result_type.
DPEP_API dtype result_type(std::span<const dtype> arrays, std::span<const scalar> numbers, const device &);
/// The default dtypes of a device.
DPEP_API dtype default_real(const device &) noexcept;
DPEP_API dtype default_complex(const device &) noexcept;

struct reduce_options {
  std::optional<std::vector<int>> axes;  // none: all
  std::optional<dtype> type;             // of the result, and of the summation
  bool keep_dimensions = false;
  double correction = 0;  // variance, deviation: degrees of freedom to subtract
  const ndarray *out = nullptr;
};
/// Sums of floats are pairwise within fixed blocks, so that they do not depend on the number of threads.
DPEP_API ndarray reduce(reduction, const ndarray &, const reduce_options & = {});

struct accumulate_options {
  int axis = 0;
  std::optional<dtype> type;
  bool include_initial = false;  // the result has one element more along the axis: the operation's identity first
  const ndarray *out = nullptr;
};
DPEP_API ndarray accumulate(accumulation, const ndarray &, const accumulate_options &);

// --- pending work
// -----------------------------------------------------------------------------------------------------

/// Submits everything that is pending on the queue. Every other submission to it, and every wait for it, does this.
DPEP_API void evaluate_pending(const queue &);
/// The event of the array work submitted last to the queue: complete when all of it is.
DPEP_API event last_event(const queue &);
/// Array work that is asked for later on the queue waits for the event, too: of what other means do to arrays' memory.
DPEP_API void order_after(const queue &, const event &);
/// Nodes that are not computed yet, and the bytes that they hold.
struct pending_work {
  std::size_t nodes = 0, bytes = 0;
};
DPEP_API pending_work pending(const queue &) noexcept;
/// Computes at every call, for debugging; DPEP_EAGER=1 starts a process so.
DPEP_API void set_eager(bool) noexcept;
DPEP_API bool eager() noexcept;

}  // namespace dpep::array
