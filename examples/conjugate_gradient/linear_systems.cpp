// The Python module `linear_systems`: products of matrices and vectors, and the method of conjugate gradients, on
// arrays of dpctl.tensor, by oneMKL's functions.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <dpctl4pybind11.hpp>
#include <oneapi/mkl.hpp>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace pybind11::literals;
namespace blas = oneapi::mkl::blas::row_major;
using dpctl::tensor::usm_ndarray;
using oneapi::mkl::transpose;

namespace {

/// Calls `f` with a number of the array's type: float or double.
template <class F> auto with_type(const usm_ndarray &a, F f) {
  if (a.get_typenum() == UAR_DOUBLE) return f(double());
  if (a.get_typenum() == UAR_FLOAT) return f(float());
  throw py::type_error("linear_systems: expected arrays of float32 or float64");
}

/// Checks that the arrays are C-contiguous, of one type and on one queue, and that the matrix has these vectors' sizes.
void check(sycl::queue &q, const usm_ndarray &matrix, const usm_ndarray &x, const usm_ndarray &y) {
  for (const usm_ndarray *a : {&matrix, &x, &y}) {
    if (!a->is_c_contiguous() || a->get_typenum() != matrix.get_typenum())
      throw std::invalid_argument("linear_systems: expected C-contiguous arrays of one type");
    if (!dpctl::utils::queues_are_compatible(q, {a->get_queue()}))
      throw std::invalid_argument("linear_systems: the arrays must be on the queue's context");
  }
  if (matrix.get_ndim() != 2 || x.get_ndim() != 1 || y.get_ndim() != 1 || x.get_shape(0) != matrix.get_shape(1) ||
      y.get_shape(0) != matrix.get_shape(0))
    throw std::invalid_argument("linear_systems: the shapes of the matrix and the vectors do not match");
  if (!y.is_writable()) throw std::invalid_argument("linear_systems: the result is read-only");
}

/// y = matrix x. Returns the events of the release of the arrays and of the product.
std::pair<sycl::event, sycl::event> gemv(sycl::queue q, usm_ndarray matrix, usm_ndarray x, usm_ndarray y,
                                         const std::vector<sycl::event> &depends) {
  check(q, matrix, x, y);
  const auto m = matrix.get_shape(0), n = matrix.get_shape(1);
  const sycl::event done = with_type(matrix, [&](auto number) {
    using T = decltype(number);
    return blas::gemv(q, transpose::N, m, n, T(1), matrix.get_data<T>(), std::max<std::int64_t>(n, 1), x.get_data<T>(),
                      1, T(0), y.get_data<T>(), 1, depends);
  });
  return {dpctl::utils::keep_args_alive(q, {matrix, x, y}, {done}), done};
}

/// Solves a x = b for a symmetric positive definite matrix, from x on, until |b - a x| <= tolerance |b|. Returns the
/// number of iterations.
template <class T>
int solve(sycl::queue &q, std::int64_t n, const T *a, const T *b, T *x, double tolerance, int most_iterations) {
  const auto freed = [&q](T *p) { sycl::free(p, q); };
  using memory = std::unique_ptr<T, decltype(freed)>;
  const memory vectors(sycl::malloc_device<T>(static_cast<std::size_t>(3 * n), q), freed);
  const memory numbers(sycl::malloc_host<T>(2, q), freed);
  T *const r = vectors.get(), *const p = r + n, *const ap = p + n, *const sums = numbers.get();

  const auto norm_of = [&](const T *v, const sycl::event &after) {
    blas::nrm2(q, n, v, 1, sums, {after}).wait();
    return sums[0];
  };
  // r = b - a x; p = r
  const sycl::event copied = q.copy(b, r, static_cast<std::size_t>(n));
  const sycl::event residual = blas::gemv(q, transpose::N, n, n, T(-1), a, n, x, 1, T(1), r, 1, {copied});
  sycl::event direction = blas::copy(q, n, r, 1, p, 1, {residual});
  const T bound = T(tolerance) * norm_of(b, {});
  T norm = norm_of(r, direction);
  int iterations = 0;
  for (; norm > bound && iterations < most_iterations; ++iterations) {
    const sycl::event multiplied = blas::gemv(q, transpose::N, n, n, T(1), a, n, p, 1, T(0), ap, 1, {direction});
    blas::dot(q, n, p, 1, ap, 1, &sums[1], {multiplied}).wait();
    const T step = norm * norm / sums[1];
    const sycl::event moved = blas::axpy(q, n, step, p, 1, x, 1);
    const sycl::event reduced = blas::axpy(q, n, -step, ap, 1, r, 1);
    const T new_norm = norm_of(r, reduced);
    const T factor = new_norm * new_norm / (norm * norm);
    direction = blas::axpby(q, n, T(1), r, 1, factor, p, 1, {moved, reduced});
    norm = new_norm;
  }
  direction.wait();
  return iterations;
}

int solve_arrays(sycl::queue q, usm_ndarray a, usm_ndarray b, usm_ndarray x, double tolerance, int most_iterations) {
  check(q, a, b, x);
  if (a.get_shape(0) != a.get_shape(1)) throw std::invalid_argument("linear_systems: the matrix must be square");
  return with_type(a, [&](auto number) {
    using T = decltype(number);
    T *const matrix = a.get_data<T>(), *const right = b.get_data<T>(), *const result = x.get_data<T>();
    const py::gil_scoped_release unlocked;
    return solve<T>(q, b.get_shape(0), matrix, right, result, tolerance, most_iterations);
  });
}

}  // namespace

PYBIND11_MODULE(linear_systems, m) {
  m.def("gemv", gemv, "exec_q"_a, "matrix"_a, "vector"_a, "result"_a, "depends"_a = std::vector<sycl::event>(),
        "Compute result = matrix @ vector. Return the events of the release of the arrays and of the product.");
  m.def("solve", solve_arrays, "exec_q"_a, "matrix"_a, "right"_a, "x"_a, "tolerance"_a = 1e-8,
        "max_iterations"_a = 1000,
        "Solve matrix @ x = right for a symmetric positive definite matrix by conjugate gradients, from x on.\n"
        "Return the number of iterations.");
}
