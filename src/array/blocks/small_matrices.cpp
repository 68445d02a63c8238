// Operations on small matrices, one in each element of the vectors: LU and Cholesky factorisations, and what follows
// from them. The steps are those of LAPACK's unblocked algorithms, with the same choice of pivots.
#include "array/blocks/small_matrices.hpp"

#include "array/blocks/transpose.hpp"
#include "device/math/log.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class R> struct mask_type {
  using type __attribute__((ext_vector_type(register_bytes / sizeof(R)))) =
      std::conditional_t<sizeof(R) == 4, std::int32_t, std::int64_t>;
};
/// A vector of integers as long as one of R: comparisons, and numbers of rows.
template <class R> using integers_of = typename mask_type<R>::type;
template <class R> [[gnu::always_inline]] inline bool any(integers_of<R> x) { return __builtin_reduce_or(x) != 0; }

// -- Vectors of real and of complex numbers

template <class R> struct real_vector {
  using real = R;
  using element = R;
  using V = vector_of<R>;
  V v;
  friend real_vector operator+(real_vector a, real_vector b) { return {a.v + b.v}; }
  friend real_vector operator-(real_vector a, real_vector b) { return {a.v - b.v}; }
  friend real_vector operator*(real_vector a, real_vector b) { return {a.v * b.v}; }
  real_vector operator-() const { return {-v}; }
  real_vector scaled(V by) const { return {v * by}; }
  real_vector conjugate() const { return *this; }
  V real_part() const { return v; }
  V norm() const { return v * v; }
  V absolute() const { return v < 0 ? -v : v; }
  V size() const { return absolute(); }  // by which pivots are compared
  real_vector reciprocal() const { return {1 / v}; }
  static real_vector of(V x) { return {x}; }
  static real_vector select(integers_of<R> which, real_vector a, real_vector b) { return {which ? a.v : b.v}; }
};

template <class R> struct complex_vector {
  using real = R;
  using element = elements::complex<R>;
  using V = vector_of<R>;
  V re, im;
  friend complex_vector operator+(complex_vector a, complex_vector b) { return {a.re + b.re, a.im + b.im}; }
  friend complex_vector operator-(complex_vector a, complex_vector b) { return {a.re - b.re, a.im - b.im}; }
  friend complex_vector operator*(complex_vector a, complex_vector b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  complex_vector operator-() const { return {-re, -im}; }
  complex_vector scaled(V by) const { return {re * by, im * by}; }
  complex_vector conjugate() const { return {re, -im}; }
  V real_part() const { return re; }
  V norm() const { return re * re + im * im; }
  V size() const { return (re < 0 ? -re : re) + (im < 0 ? -im : im); }
  V larger_part() const {
    const V a = re < 0 ? -re : re, b = im < 0 ? -im : im;
    return a > b ? a : b;
  }
  V absolute() const {  // scaled, because squares overflow
    const V largest = larger_part(), by = largest > 0 ? 1 / largest : V(1);
    return largest * __builtin_elementwise_sqrt(scaled(by).norm());
  }
  complex_vector reciprocal() const {
    const V by = 1 / larger_part();
    const complex_vector near_one = scaled(by);
    return near_one.conjugate().scaled(by / near_one.norm());
  }
  static complex_vector of(V x) { return {x, V(0)}; }
  static complex_vector select(integers_of<R> which, complex_vector a, complex_vector b) {
    return {which ? a.re : b.re, which ? a.im : b.im};
  }
};

// -- Memory

/// The elements of `count` matrices, n each, one matrix in each element of the vectors. Missing matrices are copies of
/// the first one.
template <class N> void load(const small_matrix_block &b, const void *from, std::size_t n, N *to) {
  using R = typename N::real;
  constexpr std::size_t parts = sizeof(N) / register_bytes, width = lanes<R>;
  const auto *const source = static_cast<const R *>(from);
  auto *const target = reinterpret_cast<R *>(to);
  const std::size_t columns = n * parts;
  if (b.count == width) {
    transpose<R>(width, columns, {target, register_bytes}, {source, std::int64_t(columns * sizeof(R))});
    return;
  }
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t r = 0; r < width; ++r) target[c * width + r] = source[(r < b.count ? r : 0) * columns + c];
}

template <class N> void store(const small_matrix_block &b, const N *from, std::size_t n, void *to) {
  using R = typename N::real;
  constexpr std::size_t parts = sizeof(N) / register_bytes, width = lanes<R>;
  const auto *const source = reinterpret_cast<const R *>(from);
  auto *const target = static_cast<R *>(to);
  const std::size_t columns = n * parts;
  if (b.count == width) {
    transpose<R>(columns, width, {target, std::int64_t(columns * sizeof(R))}, {source, register_bytes});
    return;
  }
  for (std::size_t r = 0; r < b.count; ++r)
    for (std::size_t c = 0; c < columns; ++c) target[r * columns + c] = source[c * width + r];
}

/// Reports the columns at which matrices failed; 0: none did.
template <class R> void report(const small_matrix_block &b, integers_of<R> failed) {
  if (!b.info) return;
  for (std::size_t i = 0; i < b.count; ++i) b.info[i] = failed[i];
}

// -- Elimination

/// The rows that some matrices swap with a row k, which differ between the matrices.
template <class N> class row_swaps {
public:
  using I = integers_of<typename N::real>;
  /// `with`: the row of each matrix, from k on.
  row_swaps(std::size_t k, I with) : k_(k) {
    std::uint32_t rows = 0;
    for (std::size_t lane = 0; lane < lanes<typename N::real>; ++lane) rows |= std::uint32_t{1} << with[lane];
    for (rows &= ~(std::uint32_t{1} << k); rows; rows &= rows - 1) {
      const int row = __builtin_ctz(rows);
      rows_[count_] = std::size_t(row);
      here_[count_++] = with == I(row);
    }
  }
  I swapped() const {
    I all = I(0);
    for (std::size_t s = 0; s < count_; ++s) all |= here_[s];
    return all;
  }
  /// Swaps elements `first` to `end` of the rows, which have the given length; or with `step`, of columns.
  void apply(N *m, std::size_t row_step, std::size_t step, std::size_t first, std::size_t end) const {
    for (std::size_t j = first; count_ && j < end; ++j) {
      const N old = m[k_ * row_step + j * step];
      N now = old;
      for (std::size_t s = 0; s < count_; ++s) {
        N &other = m[rows_[s] * row_step + j * step];
        now = N::select(here_[s], other, now);
        other = N::select(here_[s], old, other);
      }
      m[k_ * row_step + j * step] = now;
    }
  }

private:
  const std::size_t k_;
  std::size_t count_ = 0;
  std::size_t rows_[lanes<typename N::real>];
  I here_[lanes<typename N::real>];
};

/// The factors of P a = L U in place of a. The reciprocals of U's diagonal are stored separately, 0 for 0.
template <class N> class lu_factors {
public:
  using R = typename N::real;
  using V = vector_of<R>;
  using I = integers_of<R>;
  lu_factors(std::size_t n, N *m) : n(n), m(m) {}
  const std::size_t n;
  N *const m;
  I pivots[max_small_matrix];
  N reciprocals[max_small_matrix];
  I failed = I(0), odd = I(0);  // column of the first pivot that is 0, from 1; number of swaps is odd

  /// `right`: `columns` right sides, to which the same operations are applied. Without `lower`, L is not completed.
  void factorize(bool lower, N *right = nullptr, std::size_t columns = 0) {
    for (std::size_t k = 0; k < n; ++k) {
      choose_pivot(k);
      const row_swaps<N> swaps(k, pivots[k]);
      odd ^= swaps.swapped();
      swaps.apply(m, n, 1, lower ? 0 : k, n);
      swaps.apply(right, columns, 1, 0, columns);
      const N pivot = m[k * n + k];
      const I zero = pivot.size() == V(0);
      failed = (failed == 0) & zero ? I(int(k + 1)) : failed;
      reciprocals[k] = N::select(zero, N::of(V(0)), pivot.reciprocal());
      for (std::size_t i = k + 1; i < n; ++i) {
        const N factor = m[i * n + k] * reciprocals[k];
        m[i * n + k] = factor;
        for (std::size_t j = k + 1; j < n; ++j) m[i * n + j] = m[i * n + j] - factor * m[k * n + j];
        for (std::size_t j = 0; j < columns; ++j)
          right[i * columns + j] = right[i * columns + j] - factor * right[k * columns + j];
      }
    }
  }

  /// x = U^-1 x for `columns` right sides.
  void substitute_back(N *x, std::size_t columns) const {
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t i = k + 1; i < n; ++i) {
        const N factor = m[k * n + i];
        for (std::size_t j = 0; j < columns; ++j) x[k * columns + j] = x[k * columns + j] - factor * x[i * columns + j];
      }
      for (std::size_t j = 0; j < columns; ++j) x[k * columns + j] = x[k * columns + j] * reciprocals[k];
    }
  }

  N diagonal(std::size_t i) const { return m[i * n + i]; }

private:
  void choose_pivot(std::size_t k) {
    V best = m[k * n + k].size();
    I row = I(int(k));
    for (std::size_t i = k + 1; i < n; ++i) {
      const V size = m[i * n + k].size();
      row = size > best ? I(int(i)) : row;
      best = size > best ? size : best;
    }
    pivots[k] = row;
  }
};

template <class N> N one_with_sign(integers_of<typename N::real> negative) {
  using V = vector_of<typename N::real>;
  return N::of(negative ? V(-1) : V(1));
}

// -- The operations

template <class N> void solve(const small_matrix_block &b) noexcept {
  auto *const m = static_cast<N *>(b.scratch), *const x = m + b.n * b.n;
  load(b, b.a, b.n * b.n, m);
  load(b, b.b, b.n * b.k, x);
  lu_factors<N> lu(b.n, m);
  lu.factorize(false, x, b.k);
  lu.substitute_back(x, b.k);
  report<typename N::real>(b, lu.failed);
  store(b, x, b.n * b.k, b.x);
}

/// x = L^-1, which has ones on its diagonal.
template <class N> void invert_lower(std::size_t n, const N *m, N *x) {
  using V = vector_of<typename N::real>;
  for (std::size_t i = 0; i < n; ++i) {
    N *const row = x + i * n;
    for (std::size_t j = 0; j < n; ++j) row[j] = j < i ? -m[i * n + j] : N::of(V(j == i ? 1 : 0));
    for (std::size_t p = 0; p < i; ++p) {
      const N factor = m[i * n + p];
      for (std::size_t j = 0; j < p; ++j) row[j] = row[j] - factor * x[p * n + j];
    }
  }
}

template <class N> void invert(const small_matrix_block &b) noexcept {
  using R = typename N::real;
  using V = vector_of<R>;
  const std::size_t n = b.n;
  auto *const m = static_cast<N *>(b.scratch), *const x = m + n * n;
  load(b, b.a, n * n, m);
  lu_factors<N> lu(n, m);
  lu.factorize(true);
  invert_lower(n, m, x);
  lu.substitute_back(x, n);
  for (std::size_t k = n; k-- > 0;) row_swaps<N>(k, lu.pivots[k]).apply(x, 1, n, 0, n);
  if (any<R>(lu.failed))
    for (std::size_t e = 0; e < n * n; ++e) x[e] = N::select(lu.failed != 0, N::of(V(__builtin_nan(""))), x[e]);
  report<R>(b, lu.failed);
  store(b, x, n * n, b.x);
}

/// The product of the diagonal, by elements: for matrices whose partial products are not normal numbers. The exponent
/// is accumulated separately.
template <class N> void store_careful_product(const lu_factors<N> &lu, std::size_t lane, N &product) {
  using R = typename N::real;
  constexpr std::size_t parts = sizeof(N) / register_bytes;
  auto *const result = reinterpret_cast<R *>(&product);
  R value[2] = {lu.odd[lane] ? R(-1) : R(1), 0};
  long exponent = 0;
  for (std::size_t i = 0; i < lu.n; ++i) {
    const auto *const factor = reinterpret_cast<const R *>(&lu.m[i * lu.n + i]);
    const R re = factor[lane], im = parts == 2 ? factor[lanes<R> + lane] : R(0);
    const R product_re = value[0] * re - value[1] * im, product_im = value[0] * im + value[1] * re;
    const R size = __builtin_fabs(product_re) > __builtin_fabs(product_im) ? __builtin_fabs(product_re)
                                                                           : __builtin_fabs(product_im);
    int e = 0;
    if (size > 0 && size < R(__builtin_inf())) __builtin_frexp(double(size), &e);
    value[0] = R(__builtin_ldexp(double(product_re), -e));
    value[1] = R(__builtin_ldexp(double(product_im), -e));
    exponent += e;
  }
  const int e = exponent > 100000 ? 100000 : exponent < -100000 ? -100000 : int(exponent);
  result[lane] = R(__builtin_ldexp(double(value[0]), e));
  if constexpr (parts == 2) result[lanes<R> + lane] = R(__builtin_ldexp(double(value[1]), e));
}

template <class N> void determinant(const small_matrix_block &b) noexcept {
  using R = typename N::real;
  using V = vector_of<R>;
  auto *const m = static_cast<N *>(b.scratch);
  load(b, b.a, b.n * b.n, m);
  lu_factors<N> lu(b.n, m);
  lu.factorize(false);
  constexpr R largest = sizeof(R) == 4 ? R(1e30) : R(1e250), smallest = 1 / largest;
  N product = one_with_sign<N>(lu.odd);
  integers_of<R> careful = integers_of<R>(0);
  for (std::size_t i = 0; i < b.n; ++i) {
    product = product * lu.diagonal(i);
    const V size = product.size();
    careful |= ~((size < V(largest)) & (size > V(smallest)));
  }
  for (std::size_t lane = 0; any<R>(careful) && lane < b.count; ++lane)
    if (careful[lane]) store_careful_product(lu, lane, product);
  store(b, &product, 1, b.x);
}

template <class N> void log_determinant(const small_matrix_block &b) noexcept {
  using R = typename N::real;
  using V = vector_of<R>;
  auto *const m = static_cast<N *>(b.scratch);
  load(b, b.a, b.n * b.n, m);
  lu_factors<N> lu(b.n, m);
  lu.factorize(false);
  N sign = one_with_sign<N>(lu.odd);
  R sums[lanes<R>] = {};
  for (std::size_t i = 0; i < b.n; ++i) {
    const V size = lu.diagonal(i).absolute();
    for (std::size_t lane = 0; lane < lanes<R>; ++lane) sums[lane] += device::log(R(size[lane]));
    sign = sign * N::select(size == V(0), N::of(V(0)), lu.diagonal(i).scaled(1 / size));
  }
  store(b, &sign, 1, b.x);
  auto *const logarithms = static_cast<R *>(b.y);
  for (std::size_t lane = 0; lane < b.count; ++lane) logarithms[lane] = sums[lane];
}

/// Column j of the factor in some rows, side by side: a sum alone would wait for each of its additions.
template <class N, std::size_t count, class At>
[[gnu::always_inline]] inline void subtract_rows(At at, std::size_t i, std::size_t j, vector_of<typename N::real> by) {
  N sums[count];
  for (std::size_t r = 0; r < count; ++r) sums[r] = at.get(i + r, j);
  for (std::size_t p = 0; p < j; ++p) {
    const N factor = at.get(j, p).conjugate();
    for (std::size_t r = 0; r < count; ++r) sums[r] = sums[r] - at.get(i + r, p) * factor;
  }
  for (std::size_t r = 0; r < count; ++r) at.set(i + r, j, sums[r].scaled(by));
}

/// The lower factor of the matrix whose lower triangle `at` gives, in place of that triangle.
template <class N, class At> integers_of<typename N::real> factorize_definite(std::size_t n, At at) {
  using R = typename N::real;
  using V = vector_of<R>;
  integers_of<R> failed = integers_of<R>(0);
  for (std::size_t j = 0; j < n; ++j) {
    V square = at.get(j, j).real_part();
    for (std::size_t p = 0; p < j; ++p) square -= at.get(j, p).norm();
    failed = (failed == 0) & ~(square > V(0)) ? integers_of<R>(int(j + 1)) : failed;
    const V root = __builtin_elementwise_sqrt(square);
    at.set(j, j, N::of(root));
    const V by = 1 / root;
    std::size_t i = j + 1;
    for (; i + 4 <= n; i += 4) subtract_rows<N, 4>(at, i, j, by);
    for (; i < n; ++i) subtract_rows<N, 1>(at, i, j, by);
  }
  return failed;
}

template <class N> struct lower_triangle {
  N *m;
  std::size_t n;
  N get(std::size_t i, std::size_t j) const { return m[i * n + j]; }
  void set(std::size_t i, std::size_t j, N x) const { m[i * n + j] = x; }
};
/// The conjugate transpose of an upper triangle.
template <class N> struct upper_triangle {
  N *m;
  std::size_t n;
  N get(std::size_t i, std::size_t j) const { return m[j * n + i].conjugate(); }
  void set(std::size_t i, std::size_t j, N x) const { m[j * n + i] = x.conjugate(); }
};

template <class N> void cholesky(const small_matrix_block &b) noexcept {
  using V = vector_of<typename N::real>;
  const std::size_t n = b.n;
  auto *const m = static_cast<N *>(b.scratch);
  load(b, b.a, n * n, m);
  report<typename N::real>(b, b.upper ? factorize_definite<N>(n, upper_triangle<N>{m, n})
                                      : factorize_definite<N>(n, lower_triangle<N>{m, n}));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) m[b.upper ? j * n + i : i * n + j] = N::of(V(0));
  store(b, m, n * n, b.x);
}

template <template <class> class Vector, class R>
constexpr small_matrix_kernels kernels_of{
    lanes<R>,
    sizeof(Vector<R>),
    {solve<Vector<R>>, invert<Vector<R>>, determinant<Vector<R>>, log_determinant<Vector<R>>, cholesky<Vector<R>>}};

}  // namespace

const small_matrix_kernels small_matrices[4] = {kernels_of<real_vector, float>, kernels_of<real_vector, double>,
                                                kernels_of<complex_vector, float>, kernels_of<complex_vector, double>};

}  // namespace dpep::array::blocks::DPEP_ISA
