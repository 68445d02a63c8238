// An operation of linear algebra that is prepared for CPUs: sizes and offsets of the scratch memory of one matrix.
#pragma once

#include <algorithm>

#include "array/graph/array_object.hpp"
#include "array/matrix_work.hpp"
#include "libs/cpu_library.hpp"

namespace dpep::array::cpu {

using libs::integer;

/// The work of matrix_work with addresses.
struct matrix_arguments {
  explicit matrix_arguments(const matrix_work &);
  matrix_operation what;
  dtype type;
  bool vectors, full, upper, unit_diagonal;
  transposition op;
  double condition;
  std::int64_t count, m, n, k;
  const std::byte *a, *b;
  std::byte *x, *y, *z;
  std::int64_t *info, *rank, *pivots;
};

/// The queue of the work's arrays.
inline const queue &queue_of(const matrix_work &w) noexcept { return w.a.get_queue(); }
/// Calls `submit` in order with the queue's array work. It returns an event, until which the arrays are kept alive.
event submit_in_turn(const matrix_work &, const std::function<event(const ordered_dependencies &)> &submit,
                     std::shared_ptr<void> scratch = {});

struct matrix_task {
  matrix_arguments given;
  const libs::cpu_library *library;
  std::int64_t slots = 0;        // units of work, each of which takes every slots-th matrix
  unsigned threads = 1;          // of the library's, in each call
  std::byte *scratch = nullptr;  // of all slots; null: the local memory of the unit's thread
  // scratch memory of one matrix: offsets in bytes, and sizes in elements
  std::size_t bytes = 0;
  std::size_t a = 0, b = 0, c = 0, pivots = 0, work = 0, real_work = 0, integers = 0;
  integer work_size = 0, real_size = 0, integers_size = 0;

  /// Adds scratch memory and returns its offset.
  template <class T> std::size_t reserve(integer elements) {
    const std::size_t at = bytes;
    bytes += (static_cast<std::size_t>(std::max<integer>(elements, 1)) * sizeof(T) + 63) & ~std::size_t{63};
    return at;
  }
};

/// A work function for matrices of the task's operation and dtype, and the preparation that belongs to it.
struct matrix_code {
  void (*prepare)(matrix_task &);
  void (*run)(const matrix_task &, std::int64_t index, std::byte *scratch);
};
/// Of float32, float64, complex64 and complex128.
matrix_code code_of(matrix_operation, dtype) noexcept;

}  // namespace dpep::array::cpu
