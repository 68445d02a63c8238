// The interface between the array engine and the code that computes its programs: an executor for each kind of device.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <dpep/array_distances.hpp>
#include <dpep/array_filters.hpp>
#include <dpep/array_operations.hpp>

#include "array/base/matrix_product.hpp"
#include "array/fourier_work.hpp"
#include "array/fusion/program.hpp"
#include "array/graph/array_object.hpp"
#include "array/matrix_work.hpp"
#include "array/sparse_work.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {

/// The operands of one element operation: contiguous arrays of `count` elements in memory, or numbers, in the types of
/// the signature.
struct plain_operands {
  std::array<array_object *, 3> arrays{};   // null: a number
  std::array<const scalar *, 3> numbers{};  // null: an array
};

/// The steps of selections by masks, and of scatters.
enum class selection_step : std::uint8_t {
  count,      // sums[b] = the number of true elements in block b of the mask
  positions,  // to[k] = the position of the k-th true element, int64
  extract,    // row k of `to` = the row of `from` at the k-th true element
  place,      // the row of `to` at the k-th true element = row k % period of `from`
  fill,       // the elements where the mask is true = the first element of `from`; reads no sums
  scatter,    // row sums[k] of `to` = row k % period of `from`
};
/// Elements of a mask in a block.
inline constexpr std::int64_t selection_block = 2048;
/// Addresses of memory that is contiguous.
struct selection_arguments {
  const std::byte *mask = nullptr;
  std::int64_t *sums = nullptr;  // number of true elements up to the end of each block; scatter: numbers of rows
  const std::byte *from = nullptr;
  std::byte *to = nullptr;
  std::int64_t count = 0;   // elements of the mask; scatter: of `sums`
  std::int64_t row = 1;     // bytes of a row
  std::int64_t period = 1;  // rows of `from` that repeat
  // Scatter: the numbers in `sums` are at least `first_target`, and below `first_target + targets`. Where a number is
  // repeated, CPUs store its last row. `targets` is 0 if no number is.
  std::int64_t first_target = 0, targets = 0;
  std::int64_t parts = 0;  // scatter: how many ranges of numbers CPUs divide the targets into, each for one thread
};

/// A binary search of each needle in sorted elements of the same dtype. Needles and positions are contiguous.
struct search_arguments {
  dtype type{};
  bool right = false;  // search behind the elements that are equal to the needle, not before them
  const std::byte *sorted = nullptr;
  std::int64_t length = 0, stride = 1;  // the stride, in elements, may be negative
  const std::byte *needles = nullptr;
  std::int64_t count = 0;
  std::int64_t *positions = nullptr;
};

/// A fold: rows are accumulated, or segments of them are reduced, by a function of two operands whose result has their
/// dtype. Memory is contiguous.
struct fold_arguments {
  opcode code{};
  dtype type{};
  const std::byte *from = nullptr;
  std::byte *to = nullptr;  // a row of `length` elements, or of one for each segment
  std::int64_t rows = 0, length = 0;
  // The first elements of the segments of each row, in range. A segment ends before the next one's first element, or
  // with the row; it has one element if that is not greater. Null: accumulate.
  const std::int64_t *starts = nullptr;
  std::int64_t count = 0;  // of segments
  // Each element of a row is that many adjacent ones, which are folded side by side; 1 unless there are segments.
  std::int64_t inner = 1;
};

/// Updates of elements, one after the other: x[at] = code(x[at], value). Memory of indices and values is contiguous.
struct update_arguments {
  opcode code{};
  signature types{};  // of the operation; elements are cast from and to `type`
  dtype type{};       // of x
  std::byte *x = nullptr;
  const std::int64_t *indices = nullptr;  // in range
  std::int64_t count = 0;
  std::int64_t length = 0, stride = 1;  // at = index * stride; negative indices count from length. Length 0: at = index
  const std::byte *values = nullptr;    // null: an operation of one operand
  bool is_one_value = false;
};

/// The values at x of the function that is linear between the points (xp, fp), at least one. Complex numbers are pairs.
/// All memory is contiguous.
struct interpolation_arguments {
  const double *x = nullptr;
  std::int64_t count = 0;
  const double *xp = nullptr, *fp = nullptr;
  std::int64_t length = 0;  // of xp and fp
  bool is_complex = false, has_left = false, has_right = false;
  double left[2] = {}, right[2] = {};  // otherwise the first and the last value
  double *to = nullptr;
};

/// A filter: result[r, i] is computed from the source's elements at starts[r] + i + distances[k], for `taps` numbers k.
/// All numbers are in elements, all memory is contiguous.
struct filter_arguments {
  filter_kind kind{};
  dtype type{};           // of elements and weights; sum, and weights: float32 or float64. Not float16 or complex
  bool subtract = false;  // see opposites
  const std::byte *from = nullptr;
  std::byte *to = nullptr;
  const std::int64_t *starts = nullptr;
  std::int64_t rows = 0, columns = 0;
  const std::int64_t *distances = nullptr;
  // sum: tap k > 0 is the sum, or the difference, of the elements at distances[k] and opposites[k], times weights[k].
  const std::int64_t *opposites = nullptr;
  const std::byte *weights = nullptr;
  std::int64_t taps = 0, rank = 0;
};

/// Distances between points: rows of the first matrix and columns of the second, which is components x columns.
struct distance_arguments {
  distance_kind kind{};
  dtype type{};            // float32 or float64
  bool condensed = false;  // only pairs i < j, row by row
  const std::byte *first = nullptr, *second = nullptr;
  const std::byte *weights = nullptr;  // of components; null: none
  std::byte *to = nullptr;
  std::int64_t rows = 0, columns = 0, components = 0;
};

/// Integers `least` + k with 0 <= k < `count` that words of NumPy's Philox give by Lemire's method, which rejects those
/// whose product's lower half is below the threshold, 2^bits modulo count.
struct integer_draws {
  int bits = 64;  // of a word: 32 or 64
  // The first word is the one at that position of the block with that counter; before it comes a half of a word that is
  // left, if any: 2^32 + the half, else 0.
  std::uint64_t first = 0, pending = 0;
  std::array<std::uint64_t, 4> counter{};
  std::array<std::uint64_t, 2> key{};
  std::uint64_t count = 0, threshold = 0, least = 0;
  std::int64_t words = 0;  // that are drawn at least, less than 2^30
};

/// Objects that must outlive the submitted work.
using owner_list = std::vector<std::shared_ptr<void>>;

/// Calls `submit`, which submits steps that follow each other and sets its argument to the event of the latest one.
/// Returns the event of the last step, which releases the owners. The same if `submit` throws: earlier steps use them.
template <class F> event submit_steps(owner_list &owners, F submit) {
  event last;
  const auto keep_owners = [&] {
    if (last)
      for (std::shared_ptr<void> &owner : owners) last.keep_alive(std::move(owner));
  };
  try {
    submit(last);
  } catch (...) {
    keep_owners();
    throw;
  }
  keep_owners();
  return last;
}

class executor {
public:
  virtual ~executor() = default;

  /// Whether a program must be compiled before its first run. Fusion then bounds its programs by compile time.
  virtual bool compiles_programs() const noexcept = 0;
  /// Whether the calling thread computes operations on few elements with block kernels, without a submission.
  virtual bool runs_inline() const noexcept = 0;

  /// Submits the program and returns its event; `owners` are released when the program is complete. A store may
  /// overwrite an operand if each element is read at the index that it is written at. Throws what the queue throws, and
  /// errc::memory_allocation if there is no memory for the workspace.
  virtual event run(const queue &, const program &, const program_arguments &, const ordered_dependencies &,
                    owner_list) const = 0;
  /// Submits result = code(operands). Only for executors that do not run inline, on queues without deferred work.
  virtual void run_small(opcode, const signature &, const plain_operands &, array_object &result,
                         std::int64_t count) const = 0;
  /// Submits the accumulation of `from` along the axis into `to`, which may be the same array. Both are row-major and
  /// in memory, with one shape, dtype and queue. Long rows are cut at positions that depend on their length only, so
  /// that the result does not depend on the number of threads.
  virtual void scan(accumulation, array_object &from, array_object &to, int axis) const = 0;
  /// Submits a stable sort of each row, along the last axis, of `from`. `values` gets the sorted elements and may be
  /// `from` itself, `positions` their positions in the row as int64. All are row-major and in memory, with one shape
  /// and queue; `values` or `positions` may be null. NaNs are greater than all numbers, and complex numbers are in
  /// lexicographic order with numbers without NaN first. Without `positions`, the order of zeros of both signs, and
  /// of NaNs, is unspecified.
  virtual void sort(array_object &from, array_object *values, array_object *positions, bool descending) const = 0;

  /// Submits a partition of each row, along the last axis, of `from`: the elements at the ranks, which increase, are
  /// those of a sort, with smaller or equal ones before and greater or equal ones behind. Exactly one of `values` and
  /// `positions` is not null; it gets elements that are not complex, or positions, of which those before and those
  /// behind a rank are the same as in a stable sort. Arrays are as for sort(). By default, a sort.
  virtual void partition(array_object &from, array_object *values, array_object *positions,
                         std::span<const std::int64_t> ranks, bool descending) const {
    static_cast<void>(ranks);
    sort(from, values, positions, descending);
  }

  /// Submits a product of matrices. Returns its event; `owners` are released when it is complete. Work is divided by
  /// sizes only, so that the result does not depend on the number of threads.
  virtual event multiply(const queue &, const matrix_product &, const ordered_dependencies &, owner_list) const = 0;
  /// Computes the product in the calling thread, if it is so small that this takes less time than a submission. Only
  /// for idle queues. Returns whether it did. The result is that of multiply().
  virtual bool multiply_now(const matrix_product &) const = 0;

  /// Says that a selection by a mask of `count` elements, or of none, begins, which ends with the step, on rows of that
  /// many bytes.
  /// Compiles for the first one of a kind on other threads. By default, does nothing.
  virtual void expect_selection(const queue &, selection_step last, std::int64_t count, std::int64_t row) const {
    static_cast<void>(last), static_cast<void>(count), static_cast<void>(row);
  }
  /// Submits a step of a selection. Returns its event.
  virtual event select(const queue &, selection_step, const selection_arguments &,
                       const ordered_dependencies &) const = 0;

  /// The same in the calling thread, if that takes less time than a submission. Only for idle queues. Returns whether
  /// it did.
  virtual bool select_now(selection_step, const selection_arguments &) const { return false; }

  /// Submits a search in the order of sort(), in which zeros of both signs, and all NaNs, are equal. Returns its event.
  virtual event search(const queue &, const search_arguments &, const ordered_dependencies &) const = 0;

  /// Whether fold(), update_now() and interpolate() exist.
  virtual bool has_folds() const noexcept = 0;
  /// Submits a fold. Returns its event. Functions that are not associative are applied in order.
  virtual event fold(const queue &, const fold_arguments &, const ordered_dependencies &) const = 0;
  /// The same in the calling thread. Only for idle queues of devices whose executor runs inline.
  virtual void fold_now(const fold_arguments &) const = 0;
  /// Computes updates in the calling thread. Only for idle queues of devices whose executor runs inline.
  virtual void update_now(const update_arguments &) const = 0;
  /// Submits an interpolation. Returns its event.
  virtual event interpolate(const queue &, const interpolation_arguments &, const ordered_dependencies &) const = 0;
  /// The same in the calling thread, if that takes less time than a submission. Only for idle queues. Returns whether
  /// it did.
  virtual bool interpolate_now(const interpolation_arguments &) const = 0;

  /// Submits a filter. Sums are added in the order of the taps, each product rounded. Returns its event.
  virtual event filter(const queue &, const filter_arguments &, const ordered_dependencies &) const = 0;

  /// Submits the computation of distances. Terms are added in the order of components. Returns its event.
  virtual event measure(const queue &, const distance_arguments &, const ordered_dependencies &) const = 0;

  /// Submits sums[b] += the weights of the elements whose number in `bins`, int64 in [0, size of sums), is b; without
  /// weights their count, as int64. Sums and weights are int64, float32, float64, complex64 or complex128. All arrays
  /// are contiguous and in memory. The order of additions depends on sizes only.
  virtual void count(array_object &bins, array_object *weights, array_object &sums) const = 0;

  /// The least number of elements for draw_targets() and exchange(): fewer are permuted faster by the calling thread,
  /// as are all where they do not exist.
  virtual std::int64_t least_permutation() const noexcept { return std::numeric_limits<std::int64_t>::max(); }
  /// Submits the search for the targets of exchanges, as NumPy finds them: from the last element on, the target of each
  /// is the lowest bits, as many as its number has, of the next word whose lowest bits are not greater than that. Words
  /// and targets are uint32, at least 2 and fewer than 2^31. `report`, 3 zeros of int64 before, gets the number of
  /// words that were used. Its others are not 0 if the targets are not valid: callers find them in another way, which
  /// they hardly ever have to. All arrays are contiguous and in memory.
  virtual void draw_targets(array_object &words, array_object &targets, array_object &report) const {
    static_cast<void>(words), static_cast<void>(targets), static_cast<void>(report);
  }
  /// Submits exchanges of the numbers below `size`, less than 2^31: the last ones, as many as there are targets, are
  /// exchanged with those at the targets, from the last one on. `to`, of int64, gets these numbers. A target is not
  /// behind its element; that of element 0 is 0. All arrays are contiguous and in memory.
  virtual void exchange(array_object &targets, std::int64_t size, array_object &to) const {
    static_cast<void>(targets), static_cast<void>(size), static_cast<void>(to);
  }

  /// Whether draw_integers() exists.
  virtual bool draws_integers() const noexcept { return false; }
  /// Submits a draw of integers of 32 or, always from words of 64 bits, 64 bits. `report`, a zero of int64 before, gets
  /// the number of words that those before and of the last one are, unless the words are too few. Both arrays are
  /// contiguous and in memory.
  virtual void draw_integers(const integer_draws &, array_object &to, array_object &report) const {
    static_cast<void>(to), static_cast<void>(report);
  }

  /// Submits an operation of linear algebra, in order with the queue's array work, and returns its event. Throws
  /// errc::feature_not_supported if no library is installed that has it.
  virtual event apply(const matrix_work &) const = 0;

  /// Submits a Fourier transform, in order with the queue's array work, and returns its event.
  virtual event apply(const fourier_work &) const = 0;
  /// Computes the transform in the calling thread, if it is so short that this takes less time than a submission. Only
  /// for idle queues. Returns whether it did. The result is that of apply().
  virtual bool apply_now(const fourier_work &) const { return false; }

  /// Whether apply() has all operations on sparse matrices; otherwise only sparse_operation::multiply.
  virtual bool has_sparse_operations() const noexcept = 0;
  /// Submits an operation on sparse matrices, in order with the queue's array work. Work is divided by the matrices
  /// only, so that the result does not depend on the number of threads.
  virtual void apply(const sparse_work &) const = 0;

  /// Whether run() would have to compile the program first.
  virtual bool needs_compilation(const program &, const program_arguments &, backend::device &) const = 0;
  /// Compiles the program ahead of run(). Addresses of stores may be missing.
  virtual void compile(const program &, const program_arguments &, backend::device &) const = 0;
};

/// The executor for programs on the queue's device.
const executor &executor_of(const runtime::queue_object &) noexcept;
inline const executor &executor_of(const queue &q) { return executor_of(runtime::implementation_of(q)); }

/// executor::run by the queue's executor.
event run(const queue &, const program &, const program_arguments &, const ordered_dependencies &, owner_list = {});

/// Chooses the executor of GPUs for CPUs, too, as DPEP_ARRAY_KERNELS=generated does. Returns the former value. For
/// tests.
bool use_generated_kernels(bool) noexcept;

}  // namespace dpep::array
