// Operations of linear algebra on one matrix, by LAPACK.
//
// LAPACK's matrices are column-major. A row-major matrix is in memory the column-major matrix of its transpose, which
// saves most copies: the Cholesky factor, the singular vectors and the eigenvectors of the transpose are those of the
// matrix in another order.
#include <cmath>
#include <cstring>
#include <limits>

#include "array/cpu/matrix_task.hpp"
#include "array/cpu/transposition.hpp"

namespace dpep::array::cpu {
namespace {

using libs::is_complex;
using libs::real_type;

template <class T> bool all_finite(const T *begin, const T *end) {
  return std::all_of(begin, end, [](const T &e) { return std::isfinite(std::real(e)) && std::isfinite(std::imag(e)); });
}

/// One matrix of a task, with typed addresses.
template <class T> struct matrix_view {
  using R = real_type<T>;
  const matrix_task &t;
  const matrix_arguments &g = t.given;
  const libs::lapack_table<T> &lapack = t.library->lapack<T>();
  const std::int64_t index;
  std::byte *const scratch;
  const integer m = g.m, n = g.n, k = g.k, least = std::min(m, n);

  template <class E> E *at(std::size_t offset) const { return reinterpret_cast<E *>(scratch + offset); }
  template <class E, class Byte> static auto *element(Byte *base, std::int64_t i) {
    using typed = std::conditional_t<std::is_const_v<Byte>, const E, E>;
    return reinterpret_cast<typed *>(base) + i;
  }
  const T *a() const { return element<T>(g.a, index * m * n); }
  const T *b() const { return element<T>(g.b, index * n * k); }
  T *work() const { return at<T>(t.work); }
  integer *pivots() const { return at<integer>(t.pivots); }
  integer *integers() const { return at<integer>(t.integers); }
  R *real_work() const { return at<R>(t.real_work); }
  void report(std::int64_t info) const {
    if (g.info) g.info[index] = info;
  }
  bool has_nan() const {
    return std::any_of(a(), a() + m * n, [](const T &e) { return e != e; });
  }
  bool all_finite() const { return array::cpu::all_finite(a(), a() + m * n); }

  /// The matrix a, column-major, in scratch memory.
  T *a_by_columns() const {
    T *const copy = at<T>(t.a);
    transpose(a(), m, n, copy);
    return copy;
  }
};

/// The number of elements of a workspace, from LAPACK's answer to a query.
template <class T> integer size_from(const T &answer) noexcept {
  return std::max<integer>(1, static_cast<integer>(std::ceil(std::real(answer))));
}
constexpr integer query = -1;

// -- Square systems

template <class T> struct solve {
  static void prepare(matrix_task &t) {
    const matrix_arguments &g = t.given;
    t.a = t.reserve<T>(g.n * g.n);
    if (g.k > 1) t.b = t.reserve<T>(g.n * g.k);
    t.pivots = t.reserve<integer>(g.n);
  }
  static void run(const matrix_view<T> &v) {
    T *const x = v.template element<T>(v.g.x, v.index * v.n * v.k), *const b = v.k > 1 ? v.template at<T>(v.t.b) : x;
    transpose(v.b(), v.n, v.k, b);
    integer info = 0;
    v.lapack.gesv(&v.n, &v.k, v.a_by_columns(), &v.n, v.pivots(), b, &v.n, &info);
    v.report(info);
    if (b != x) transpose(b, v.k, v.n, x);
  }
};

template <class T> struct invert {
  static void prepare(matrix_task &t) {
    const integer n = t.given.n;
    t.a = t.reserve<T>(n * n);
    t.pivots = t.reserve<integer>(n);
  }
  /// Solves for the unit matrix, which LAPACK libraries do faster than getri.
  static void run(const matrix_view<T> &v) {
    T *const x = v.template element<T>(v.g.x, v.index * v.n * v.n);
    std::fill_n(x, v.n * v.n, T());
    for (integer i = 0; i < v.n; ++i) x[i * (v.n + 1)] = T(1);
    integer info = 0;
    v.lapack.gesv(&v.n, &v.n, v.a_by_columns(), &v.n, v.pivots(), x, &v.n, &info);
    v.report(info);
    if (info > 0) std::fill_n(x, v.n * v.n, T(std::numeric_limits<real_type<T>>::quiet_NaN()));
    transpose_in_place(x, v.n, [](const T &e) { return e; });
  }
};

/// The LU factorisation for determinants: the diagonal of `a` is that of U. Returns whether rows were swapped an odd
/// number of times.
template <class T> bool factorize(const matrix_view<T> &v, T *a) {
  integer info = 0;
  v.lapack.getrf(&v.n, &v.n, a, &v.n, v.pivots(), &info);
  bool odd = false;
  for (integer i = 0; i < v.n; ++i) odd ^= v.pivots()[i] != i + 1;
  return odd;
}
template <class T> void prepare_factorization(matrix_task &t) {
  t.a = t.reserve<T>(t.given.n * t.given.n);
  t.pivots = t.reserve<integer>(t.given.n);
}

/// The largest of the parts' absolute values.
template <class T> real_type<T> magnitude(const T &x) noexcept {
  return std::max(std::abs(std::real(x)), std::abs(std::imag(x)));
}

template <class T> struct determinant {
  static void prepare(matrix_task &t) { prepare_factorization<T>(t); }
  /// The product of the diagonal, whose exponent is accumulated separately: partial products may overflow.
  static void run(const matrix_view<T> &v) {
    T *const a = v.a_by_columns();
    T product = factorize(v, a) ? T(-1) : T(1);
    std::int64_t exponent = 0;
    for (integer i = 0; i < v.n; ++i) {
      product *= a[i * v.n + i];
      int e = 0;
      if (const auto size = magnitude(product); std::isfinite(size) && size > 0) {
        std::frexp(size, &e);
        product = scaled(product, -e);
      }
      exponent += e;
    }
    *v.template element<T>(v.g.x, v.index) = scaled(product, std::clamp<std::int64_t>(exponent, -100000, 100000));
  }

private:
  static T scaled(const T &x, std::int64_t exponent) {
    const int e = static_cast<int>(exponent);
    if constexpr (is_complex<T>)
      return {std::ldexp(x.real(), e), std::ldexp(x.imag(), e)};
    else
      return std::ldexp(x, e);
  }
};

template <class T> struct log_determinant {
  using R = real_type<T>;
  static void prepare(matrix_task &t) { prepare_factorization<T>(t); }
  static void run(const matrix_view<T> &v) {
    T *const a = v.a_by_columns();
    T sign = factorize(v, a) ? T(-1) : T(1);
    R sum = 0;
    for (integer i = 0; i < v.n; ++i) {
      const T d = a[i * v.n + i];
      const R size = std::abs(d);
      sum += std::log(size);
      sign *= size == 0 ? T(0) : T(d / size);
    }
    *v.template element<T>(v.g.x, v.index) = sign;
    *v.template element<R>(v.g.y, v.index) = sum;
  }
};

// -- Factors that are kept, and triangular matrices

template <class T> struct lu {
  static void prepare(matrix_task &t) {
    t.a = t.reserve<T>(t.given.m * t.given.n);
    t.pivots = t.reserve<integer>(std::min(t.given.m, t.given.n));
  }
  static void run(const matrix_view<T> &v) {
    T *const a = v.a_by_columns();
    integer info = 0;
    v.lapack.getrf(&v.m, &v.n, a, &v.m, v.pivots(), &info);
    v.report(info);
    transpose(a, v.n, v.m, v.template element<T>(v.g.x, v.index * v.m * v.n));
    for (integer i = 0; i < v.least; ++i) v.g.pivots[v.index * v.least + i] = v.pivots()[i] - 1;
  }
};

/// LAPACK's letter for the operation.
constexpr const char *letter_of(transposition op) noexcept {
  return op == transposition::none ? "N" : op == transposition::plain ? "T" : "C";
}

template <class T> struct lu_solve {
  static void prepare(matrix_task &t) { solve<T>::prepare(t); }
  static void run(const matrix_view<T> &v) {
    T *const x = v.template element<T>(v.g.x, v.index * v.n * v.k), *const b = v.k > 1 ? v.template at<T>(v.t.b) : x;
    transpose(v.b(), v.n, v.k, b);
    for (integer i = 0; i < v.n; ++i) v.pivots()[i] = v.g.pivots[v.index * v.n + i] + 1;
    integer info = 0;
    v.lapack.getrs(letter_of(v.g.op), &v.n, &v.k, v.a_by_columns(), &v.n, v.pivots(), b, &v.n, &info, 1);
    v.report(info);
    if (b != x) transpose(b, v.k, v.n, x);
  }
};

template <class T> struct solve_triangular {
  static void prepare(matrix_task &t) {
    if (t.given.k > 1) t.b = t.reserve<T>(t.given.n * t.given.k);
  }
  /// The column-major matrix in memory is a', so that a x = b is a'' x = b, and conj(a') x = b is a' conj(x) = conj(b).
  static void run(const matrix_view<T> &v) {
    T *const x = v.template element<T>(v.g.x, v.index * v.n * v.k), *const b = v.k > 1 ? v.template at<T>(v.t.b) : x;
    const bool conjugate_sides = is_complex<T> && v.g.op == transposition::conjugate;
    transpose(v.b(), v.n, v.k, b);
    if (conjugate_sides) std::transform(b, b + v.n * v.k, b, conjugate<T>);
    integer info = 0;
    v.lapack.trtrs(v.g.upper ? "L" : "U", v.g.op == transposition::none ? "T" : "N", v.g.unit_diagonal ? "U" : "N",
                   &v.n, &v.k, v.a(), &v.n, b, &v.n, &info, 1, 1, 1);
    v.report(info);
    if (conjugate_sides) std::transform(b, b + v.n * v.k, b, conjugate<T>);
    if (b != x) transpose(b, v.k, v.n, x);
  }
};

template <class T> struct cholesky {
  static void prepare(matrix_task &) {}
  /// The column-major matrix in memory is a' = conj(a). Its factor in the other triangle is the wanted factor's
  /// transpose, which is the wanted factor row-major.
  static void run(const matrix_view<T> &v) {
    T *const x = v.template element<T>(v.g.x, v.index * v.n * v.n);
    std::memcpy(x, v.a(), static_cast<std::size_t>(v.n * v.n) * sizeof(T));
    integer info = 0;
    v.lapack.potrf(v.g.upper ? "L" : "U", &v.n, x, &v.n, &info, 1);
    v.report(info);
    for (integer i = 0; i < v.n; ++i) {
      T *const row = x + i * v.n;
      v.g.upper ? std::fill(row, row + i, T()) : std::fill(row + i + 1, row + v.n, T());
    }
  }
};

// -- QR

/// Rows of R and columns of Q.
integer qr_size(const matrix_arguments &g) noexcept { return g.full ? g.m : std::min(g.m, g.n); }

template <class T> void prepare_reflectors(matrix_task &t, integer columns) {
  const integer m = t.given.m, n = t.given.n;
  const auto &lapack = t.library->lapack<T>();
  t.a = t.reserve<T>(m * std::max(n, columns));
  t.b = t.reserve<T>(std::min(m, n));
  T answer{};
  integer info = 0;
  lapack.geqrf(&m, &n, nullptr, &m, nullptr, &answer, &query, &info);
  t.work_size = size_from(answer);
}

template <class T> struct qr {
  static void prepare(matrix_task &t) {
    const matrix_arguments &g = t.given;
    const integer columns = qr_size(g), k = std::min(g.m, g.n);
    prepare_reflectors<T>(t, columns);
    if (g.vectors) {
      T answer{};
      integer info = 0;
      t.library->lapack<T>().orgqr(&g.m, &columns, &k, nullptr, &g.m, nullptr, &answer, &query, &info);
      t.work_size = std::max(t.work_size, size_from(answer));
    }
    t.work = t.reserve<T>(t.work_size);
  }
  static void run(const matrix_view<T> &v) {
    const integer columns = qr_size(v.g);
    T *const a = v.a_by_columns(), *const tau = v.template at<T>(v.t.b);
    integer info = 0;
    v.lapack.geqrf(&v.m, &v.n, a, &v.m, tau, v.work(), &v.t.work_size, &info);
    T *const r = v.template element<T>(v.g.y, v.index * columns * v.n);
    for (integer i = 0; i < columns; ++i)
      for (integer j = 0; j < v.n; ++j) r[i * v.n + j] = j < i ? T() : a[j * v.m + i];
    if (v.g.vectors) {
      v.lapack.orgqr(&v.m, &columns, &v.least, a, &v.m, tau, v.work(), &v.t.work_size, &info);
      transpose(a, columns, v.m, v.template element<T>(v.g.x, v.index * v.m * columns));
    }
    v.report(info);
  }
};

template <class T> struct qr_raw {
  static void prepare(matrix_task &t) {
    prepare_reflectors<T>(t, 0);
    t.work = t.reserve<T>(t.work_size);
  }
  static void run(const matrix_view<T> &v) {
    T *const x = v.template element<T>(v.g.x, v.index * v.m * v.n);
    transpose(v.a(), v.m, v.n, x);
    integer info = 0;
    v.lapack.geqrf(&v.m, &v.n, x, &v.m, v.template element<T>(v.g.y, v.index * v.least), v.work(), &v.t.work_size,
                   &info);
    v.report(info);
  }
};

// -- Singular values

template <class T> struct svd {
  using R = real_type<T>;
  /// Whether gesdd gets the transpose in column-major memory, which is the matrix itself: where it begins with a QR
  /// decomposition, since its LQ decomposition of the other form takes 1.5 times as long. Else it gets the matrix as it
  /// is in memory, a' = conj(V) S U', whose left singular vectors are the rows of Vh.
  static bool by_columns(const matrix_arguments &g) noexcept { return 6 * g.m >= 11 * g.n; }
  static const char *job(const matrix_arguments &g) noexcept { return !g.vectors ? "N" : g.full ? "A" : "S"; }
  static integer call(const libs::lapack_table<T> &lapack, const matrix_task &t, T *a, R *s, T *u, T *vt, T *work,
                      const integer *work_size, R *real_work, integer *integers) {
    const matrix_arguments &g = t.given;
    const integer rows = by_columns(g) ? g.m : g.n, columns = by_columns(g) ? g.n : g.m;
    const integer vt_rows = std::max<integer>(1, g.full ? columns : std::min(g.m, g.n));
    const integer lda = std::max<integer>(1, rows);
    integer info = 0;
    if constexpr (is_complex<T>)
      lapack.gesdd(job(g), &rows, &columns, a, &lda, s, u, &lda, vt, &vt_rows, work, work_size, real_work, integers,
                   &info, 1);
    else
      lapack.gesdd(job(g), &rows, &columns, a, &lda, s, u, &lda, vt, &vt_rows, work, work_size, integers, &info, 1);
    return info;
  }
  static void prepare(matrix_task &t) {
    const matrix_arguments &g = t.given;
    const integer most = std::max(g.m, g.n), least = std::min(g.m, g.n);
    t.a = t.reserve<T>(g.m * g.n);
    if (g.vectors && by_columns(g)) {
      t.b = t.reserve<T>(g.m * (g.full ? g.m : least));
      t.c = t.reserve<T>(g.n * g.n);
    }
    t.integers = t.reserve<integer>(8 * least);
    if (is_complex<T>)
      t.real_work = t.reserve<R>(g.vectors ? least * std::max(5 * least + 7, 2 * most + 2 * least + 1) : 7 * least);
    T answer{};
    call(t.library->lapack<T>(), t, nullptr, nullptr, nullptr, nullptr, &answer, &query, nullptr, nullptr);
    t.work_size = size_from(answer);
    t.work = t.reserve<T>(t.work_size);
  }
  static void run(const matrix_view<T> &v) {
    const matrix_arguments &g = v.g;
    T *const a = v.template at<T>(v.t.a);
    const integer columns = g.full ? v.m : v.least, rows = g.full ? v.n : v.least;
    T *const u = g.vectors ? v.template element<T>(g.x, v.index * v.m * columns) : nullptr;
    T *const vh = g.vectors ? v.template element<T>(g.z, v.index * rows * v.n) : nullptr;
    R *const values = v.template element<R>(g.y, v.index * v.least);
    if (!v.all_finite()) {
      constexpr R nan = std::numeric_limits<R>::quiet_NaN();
      std::fill_n(values, v.least, nan);
      if (g.vectors) {
        std::fill_n(u, v.m * columns, T(nan));
        std::fill_n(vh, rows * v.n, T(nan));
      }
      return v.report(v.has_nan() ? not_finite : 0);
    }
    if (!by_columns(g)) {
      std::memcpy(a, v.a(), static_cast<std::size_t>(v.m * v.n) * sizeof(T));
      v.report(call(v.lapack, v.t, a, values, vh, u, v.work(), &v.t.work_size, v.real_work(), v.integers()));
      return;
    }
    transpose(v.a(), v.m, v.n, a);
    T *const left = g.vectors ? v.template at<T>(v.t.b) : nullptr, *const right =
                                                                       g.vectors ? v.template at<T>(v.t.c) : nullptr;
    v.report(call(v.lapack, v.t, a, values, left, right, v.work(), &v.t.work_size, v.real_work(), v.integers()));
    if (!g.vectors) return;
    transpose(left, columns, v.m, u);
    transpose(right, v.n, v.n, vh);
  }
};

// -- Eigenvalues

template <class T> struct eigh {
  using R = real_type<T>;
  static integer call(const libs::lapack_table<T> &lapack, const matrix_arguments &g, T *a, R *w, T *work,
                      const integer *work_size, R *real_work, const integer *real_size, integer *integers,
                      const integer *integers_size) {
    integer info = 0;
    const char *const job = g.vectors ? "V" : "N", *const triangle = g.upper ? "L" : "U";  // of the transpose
    if constexpr (is_complex<T>)
      lapack.heevd(job, triangle, &g.n, a, &g.n, w, work, work_size, real_work, real_size, integers, integers_size,
                   &info, 1, 1);
    else
      lapack.heevd(job, triangle, &g.n, a, &g.n, w, work, work_size, integers, integers_size, &info, 1, 1);
    return info;
  }
  static void prepare(matrix_task &t) {
    T answer{};
    R real_answer{};
    integer integers_answer = 0;
    call(t.library->lapack<T>(), t.given, nullptr, nullptr, &answer, &query, &real_answer, &query, &integers_answer,
         &query);
    t.work_size = size_from(answer);
    t.work = t.reserve<T>(t.work_size);
    t.real_size = is_complex<T> ? size_from(real_answer) : 0;
    t.real_work = t.reserve<R>(t.real_size);
    t.integers_size = std::max<integer>(1, integers_answer);
    t.integers = t.reserve<integer>(t.integers_size);
    if (!t.given.vectors) t.a = t.reserve<T>(t.given.n * t.given.n);
  }
  /// The column-major matrix in memory is a' = conj(a): the eigenvectors are conjugate.
  static void run(const matrix_view<T> &v) {
    if (v.n > 1 && !triangle_is_finite(v)) return v.report(not_finite);
    T *const x = v.g.vectors ? v.template element<T>(v.g.x, v.index * v.n * v.n) : v.template at<T>(v.t.a);
    std::memcpy(x, v.a(), static_cast<std::size_t>(v.n * v.n) * sizeof(T));
    v.report(call(v.lapack, v.g, x, v.template element<R>(v.g.y, v.index * v.n), v.work(), &v.t.work_size,
                  v.real_work(), &v.t.real_size, v.integers(), &v.t.integers_size));
    if (v.g.vectors) transpose_in_place(x, v.n, conjugate<T>);
  }

private:
  static bool triangle_is_finite(const matrix_view<T> &v) {
    for (integer i = 0; i < v.n; ++i) {
      const T *const row = v.a() + i * v.n;
      if (!all_finite(row + (v.g.upper ? i : 0), row + (v.g.upper ? v.n : i + 1))) return false;
    }
    return true;
  }
};

template <class T> struct eig {
  using R = real_type<T>;
  using C = std::complex<R>;
  static const char *job(const matrix_arguments &g) noexcept { return g.vectors ? "V" : "N"; }
  static void prepare(matrix_task &t) {
    const matrix_arguments &g = t.given;
    const integer one = 1;
    t.a = t.reserve<T>(g.n * g.n);
    t.b = t.reserve<T>(g.vectors ? g.n * g.n : 0);
    T answer{};
    R unused{};
    integer info = 0;
    const auto &lapack = t.library->lapack<T>();
    if constexpr (is_complex<T>) {
      t.real_work = t.reserve<R>(2 * g.n);
      lapack.geev("N", job(g), &g.n, nullptr, &g.n, nullptr, nullptr, &one, nullptr, &g.n, &answer, &query, &unused,
                  &info, 1, 1);
    } else {
      t.real_work = t.reserve<R>(2 * g.n);  // real and imaginary parts of the eigenvalues
      lapack.geev("N", job(g), &g.n, nullptr, &g.n, nullptr, nullptr, nullptr, &one, nullptr, &g.n, &answer, &query,
                  &info, 1, 1);
    }
    t.work_size = size_from(answer);
    t.work = t.reserve<T>(t.work_size);
  }
  static void run(const matrix_view<T> &v) {
    if (!v.all_finite()) return v.report(not_finite);
    const integer one = 1;
    integer info = 0;
    T *const a = v.a_by_columns(), *const vectors = v.template at<T>(v.t.b);
    C *const w = v.template element<C>(v.g.y, v.index * v.n);
    C *const x = v.g.vectors ? v.template element<C>(v.g.x, v.index * v.n * v.n) : nullptr;
    if constexpr (is_complex<T>) {
      v.lapack.geev("N", job(v.g), &v.n, a, &v.n, w, nullptr, &one, vectors, &v.n, v.work(), &v.t.work_size,
                    v.real_work(), &info, 1, 1);
      if (x) transpose(vectors, v.n, v.n, x);
    } else {
      R *const real = v.real_work(), *const imaginary = real + v.n;
      v.lapack.geev("N", job(v.g), &v.n, a, &v.n, real, imaginary, nullptr, &one, vectors, &v.n, v.work(),
                    &v.t.work_size, &info, 1, 1);
      for (integer j = 0; j < v.n; ++j) w[j] = {real[j], imaginary[j]};
      if (x) combine(v.n, imaginary, vectors, x);
    }
    v.report(info);
  }

private:
  /// Complex eigenvectors from LAPACK's form: of a conjugate pair of eigenvalues, the real and the imaginary part of
  /// the first vector.
  static void combine(integer n, const R *imaginary, const T *vectors, C *x) {
    for (integer j = 0; j < n; ++j) {
      const T *const column = vectors + j * n;
      if (imaginary[j] == 0) {
        for (integer i = 0; i < n; ++i) x[i * n + j] = column[i];
        continue;
      }
      for (integer i = 0; i < n; ++i) {
        x[i * n + j] = C(column[i], column[n + i]);
        x[i * n + j + 1] = C(column[i], -column[n + i]);
      }
      ++j;
    }
  }
};

// -- Least squares

template <class T> struct least_squares {
  using R = real_type<T>;
  static integer call(const libs::lapack_table<T> &lapack, const matrix_arguments &g, T *a, T *b, R *s, integer *rank,
                      T *work, const integer *work_size, R *real_work, integer *integers) {
    const integer lda = std::max<integer>(1, g.m), ldb = std::max<integer>(1, std::max(g.m, g.n));
    const auto condition = static_cast<R>(g.condition);
    integer info = 0;
    if constexpr (is_complex<T>)
      lapack.gelsd(&g.m, &g.n, &g.k, a, &lda, b, &ldb, s, &condition, rank, work, work_size, real_work, integers,
                   &info);
    else
      lapack.gelsd(&g.m, &g.n, &g.k, a, &lda, b, &ldb, s, &condition, rank, work, work_size, integers, &info);
    return info;
  }
  static void prepare(matrix_task &t) {
    const matrix_arguments &g = t.given;
    t.a = t.reserve<T>(g.m * g.n);
    t.b = t.reserve<T>(std::max(g.m, g.n) * g.k);
    T answer{};
    R real_answer{};
    integer integers_answer = 0, rank = 0;
    call(t.library->lapack<T>(), g, nullptr, nullptr, nullptr, &rank, &answer, &query, &real_answer, &integers_answer);
    t.work_size = size_from(answer);
    t.work = t.reserve<T>(t.work_size);
    t.real_work = t.reserve<R>(is_complex<T> ? size_from(real_answer) : 0);
    t.integers = t.reserve<integer>(std::max<integer>(1, integers_answer));
  }
  static void run(const matrix_view<T> &v) {
    if (!v.all_finite()) return v.report(not_finite);
    T *const b = v.template at<T>(v.t.b), *const x = v.template element<T>(v.g.x, v.index * v.n * v.k);
    const T *const given = v.template element<T>(v.g.b, v.index * v.m * v.k);
    const integer rows = std::max(v.m, v.n);
    for (integer j = 0; j < v.k; ++j)
      for (integer i = 0; i < rows; ++i) b[j * rows + i] = i < v.m ? given[i * v.k + j] : T();
    integer rank = 0;
    v.report(call(v.lapack, v.g, v.a_by_columns(), b, v.template element<R>(v.g.z, v.index * v.least), &rank, v.work(),
                  &v.t.work_size, v.real_work(), v.integers()));
    v.g.rank[v.index] = rank;
    for (integer j = 0; j < v.k; ++j) {
      for (integer i = 0; i < v.n; ++i) x[i * v.k + j] = b[j * rows + i];
      R sum = 0;
      for (integer i = v.n; i < v.m; ++i) sum += std::norm(b[j * rows + i]);
      v.template element<R>(v.g.y, v.index * v.k)[j] = sum;
    }
  }
};

// -- The table

template <template <class> class Operation, class T>
constexpr matrix_code code{Operation<T>::prepare, [](const matrix_task &t, std::int64_t index, std::byte *scratch) {
                             Operation<T>::run(matrix_view<T>{.t = t, .index = index, .scratch = scratch});
                           }};

template <class T> matrix_code code_for(matrix_operation what) noexcept {
  switch (what) {
  case matrix_operation::solve:
    return code<solve, T>;
  case matrix_operation::invert:
    return code<invert, T>;
  case matrix_operation::determinant:
    return code<determinant, T>;
  case matrix_operation::log_determinant:
    return code<log_determinant, T>;
  case matrix_operation::cholesky:
    return code<cholesky, T>;
  case matrix_operation::qr:
    return code<qr, T>;
  case matrix_operation::qr_raw:
    return code<qr_raw, T>;
  case matrix_operation::svd:
    return code<svd, T>;
  case matrix_operation::eigh:
    return code<eigh, T>;
  case matrix_operation::eig:
    return code<eig, T>;
  case matrix_operation::lu:
    return code<lu, T>;
  case matrix_operation::lu_solve:
    return code<lu_solve, T>;
  case matrix_operation::solve_triangular:
    return code<solve_triangular, T>;
  case matrix_operation::least_squares:
    return code<least_squares, T>;
  }
  return {};
}

}  // namespace

matrix_code code_of(matrix_operation what, dtype type) noexcept {
  switch (type) {
  case dtype::float32:
    return code_for<float>(what);
  case dtype::float64:
    return code_for<double>(what);
  case dtype::complex64:
    return code_for<std::complex<float>>(what);
  default:
    return code_for<std::complex<double>>(what);
  }
}

}  // namespace dpep::array::cpu
