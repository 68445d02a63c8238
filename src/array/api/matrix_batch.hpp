// Batches of matrices for the executor, and systems of linear equations with several right sides: what the functions of
// linear algebra share.
#pragma once

#include <algorithm>

#include <dpep/array_functions.hpp>
#include <dpep/array_linalg.hpp>
#include <dpep/array_opcodes.hpp>

#include "array/base/errors.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {

/// The shape of one matrix of an array.
struct matrix_shape {
  std::int64_t m, n;
};

inline matrix_shape shape_of_matrix(const char *operation, const ndarray &x) {
  const extents shape = x.shape();
  if (shape.size() < 2)
    refuse(refusal::linear_algebra, "{}: expected an array of at least two dimensions, got shape {}", operation,
           text_of(shape));
  return {shape[shape.size() - 2], shape[shape.size() - 1]};
}

inline void check_square(const char *operation, const ndarray &x) {
  const auto [m, n] = shape_of_matrix(operation, x);
  if (m != n)
    refuse(refusal::linear_algebra, "{}: expected square matrices in the last two dimensions, got shape {}", operation,
           text_of(x.shape()));
}

/// The elements in this dtype, row-major and in memory.
inline ndarray matrices_of(const ndarray &x, dtype type) {
  const ndarray made = astype(x, type, casting::unsafe, order::row_major, false);
  return made.row_major() ? made : copy(made, order::row_major);
}

/// A batch of matrices of one shape: the operand and the results of an operation.
class batch {
public:
  batch(const char *name, matrix_operation what, const ndarray &x)
      : name_(name),
        matrix_(shape_of_matrix(name, x)),
        shape_(x.shape().begin(), x.shape().end() - 2),
        where_{x.get_queue(), x.memory_kind()} {
    w_.what = what;
    w_.type = linear_algebra_type(name, x.type(), where_.queue.get_device());
    w_.m = matrix_.m;
    w_.n = matrix_.n;
    for (const std::int64_t length : shape_) w_.count *= length;
    w_.a = matrices_of(x, w_.type);
  }
  matrix_work &work() noexcept { return w_; }
  dtype real_type() const noexcept { return real_of(w_.type); }
  dtype complex_type() const noexcept { return real_type() == dtype::float32 ? dtype::complex64 : dtype::complex128; }
  /// A result of this shape for each matrix.
  ndarray result(dtype type, std::initializer_list<std::int64_t> shape) const {
    return make_empty(where_.queue, type, layout::contiguous(shape_of_result(shape)), where_.kind);
  }
  /// The same with unit matrices, for empty operands.
  ndarray units(dtype type, std::int64_t rows, std::int64_t columns) const {
    const ndarray one = eye(rows, columns, 0, type, where_);
    return shape_.empty() ? one : copy(broadcast_to(one, shape_of_result({rows, columns})), order::row_major);
  }
  ndarray filled(dtype type, std::initializer_list<std::int64_t> shape, std::int64_t value) const {
    return full(shape_of_result(shape), scalar::of(value), type, where_);
  }

  /// Submits the operation.
  void submit() {
    if (w_.count > 0) done_ = executor_of(where_.queue).apply(w_);
  }
  /// Submits the operation, waits, and returns the largest report of a matrix: 0 if it succeeded for all.
  std::int64_t run() {
    if (w_.count == 0) return 0;
    const std::int64_t shape[] = {w_.count};
    w_.info = make_empty(where_.queue, dtype::int64, layout::contiguous(shape), where_.kind);
    submit();
    if (is_host_accessible(where_.queue)) {
      finish(where_.queue, done_);
      const auto *const info = reinterpret_cast<const std::int64_t *>(implementation_of(w_.info, name_).first());
      return *std::max_element(info, info + w_.count);
    }
    return item(reduce(reduction::max, w_.info)).integer;
  }
  /// The same, but refusal::linear_algebra with this reason if it fails for a matrix, or with the second for elements
  /// that the operation refuses.
  void run(const char *reason, const char *reason_of_elements = nullptr) {
    if (reason_of_elements && !is_host_accessible(where_.queue) && refuses_elements())
      refuse(refusal::linear_algebra, "{}: {}", name_, reason_of_elements);
    const std::int64_t report = run();
    if (report > 0)
      refuse(refusal::linear_algebra, "{}: {}", name_, report == not_finite ? reason_of_elements : reason);
  }

private:
  /// Whether elements that are read are not finite, on devices whose libraries do not check them. For infinities, which
  /// the CPU's svd answers with NaN, the libraries report a failure or, in batches, give other numbers.
  bool refuses_elements() const {
    const bool symmetric = w_.what == matrix_operation::eigh;
    if (symmetric && w_.n == 1) return false;
    const ndarray read = !symmetric ? w_.a
                         : w_.upper ? upper_triangle(w_.a, 0, order::row_major)
                                    : lower_triangle(w_.a, 0, order::row_major);
    const operand of[] = {{.array = &read}};
    return item(reduce(reduction::all, element(opcode::isfinite, of))).integer == 0;
  }
  std::vector<std::int64_t> shape_of_result(std::initializer_list<std::int64_t> shape) const {
    std::vector<std::int64_t> all(shape_);
    all.insert(all.end(), shape.begin(), shape.end());
    return all;
  }

  const char *const name_;
  const matrix_shape matrix_;
  const std::vector<std::int64_t> shape_;
  const placement where_;
  matrix_work w_;
  event done_;
};

/// op(a) x = b for square matrices a, by an operation that takes a and b.
class system {
public:
  system(const char *name, matrix_operation what, const ndarray &a, const ndarray &b)
      : sides_(name, a, b),
        all_(name, what, astype(broadcast_to(a, sides_.a), sides_.type, casting::unsafe, order::keep, false)) {
    matrix_work &w = all_.work();
    w.k = sides_.columns;
    w.x = all_.result(sides_.type, {w.n, w.k});
    if (!empty()) w.b = matrices_of(broadcast_to(sides_.right, sides_.b), sides_.type);
  }
  batch &matrices() noexcept { return all_; }
  matrix_work &work() noexcept { return all_.work(); }
  bool empty() noexcept { return work().x.size() == 0; }
  /// The axes of the batch.
  extents batch_shape() const noexcept { return extents(sides_.b).first(sides_.b.size() - 2); }
  /// x, a vector if b is one.
  ndarray solution() {
    const int column[] = {-1};
    return sides_.is_vector ? squeeze(work().x, column) : work().x;
  }

private:
  /// The shapes that a and b are broadcast to.
  struct shapes {
    shapes(const char *name, const ndarray &given, const ndarray &given_right) {
      check_square(name, given);
      check_same_queue(given.get_queue(), given_right.get_queue(), name);
      const device &where = given.get_queue().get_device();
      type =
          promote(linear_algebra_type(name, given.type(), where), linear_algebra_type(name, given_right.type(), where));
      if (given_right.dimensions() == 0)
        refuse(refusal::linear_algebra, "{}: expected a vector or matrices on the right side, got a 0-d array", name);
      is_vector = given_right.dimensions() == 1;
      const int column[] = {-1};
      right = is_vector ? expand_dims(given_right, column) : given_right;
      const extents a_shape = given.shape(), b_shape = right.shape();
      const std::int64_t n = a_shape.back(), rows = b_shape[b_shape.size() - 2];
      columns = b_shape.back();
      if (rows != n)
        refuse(refusal::value, "{}: the matrices of shape {} do not match a right side of shape {}: {} and {} rows",
               name, text_of(a_shape), text_of(given_right.shape()), n, rows);
      const extents batches[] = {a_shape.first(a_shape.size() - 2), b_shape.first(b_shape.size() - 2)};
      a = b = broadcast_shapes(batches);
      a.insert(a.end(), {n, n});
      b.insert(b.end(), {n, columns});
    }
    dtype type{};
    bool is_vector = false;
    ndarray right;
    std::int64_t columns = 0;
    std::vector<std::int64_t> a, b;
  };

  const shapes sides_;
  batch all_;
};

}  // namespace dpep::array
