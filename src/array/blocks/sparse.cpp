// Operations on rows of sparse matrices.
#include "array/blocks/sparse.hpp"

#include <cstring>

#include "array/blocks/types.hpp"
#include "device/elements/ring.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

using elements::ring;
using std::int64_t;

/// A matrix in compressed rows with typed elements.
template <class T, class I> struct typed_rows {
  const I *starts, *indices;
  const T *values;
  explicit typed_rows(const compressed_rows &a)
      : starts(static_cast<const I *>(a.starts)),
        indices(static_cast<const I *>(a.indices)),
        values(static_cast<const T *>(a.values)) {}
};

/// The sum of f(k) for k in [first, last). In a long sum, four sums at once, since an addition waits for the one
/// before; short ones overlap with those of other rows, and have one branch that is hard to predict.
template <class T, class F>
[[gnu::always_inline]] inline typename ring<T>::wide sum_of(int64_t first, int64_t last, F add) {
  constexpr int64_t few = 24;
  using number = ring<T>;
  if (last - first <= few) [[likely]] {
    auto sum = number::zero();
#pragma clang loop unroll(disable)
    for (int64_t k = first; k < last; ++k) add(sum, k);
    return sum;
  }
  typename number::wide sums[4] = {number::zero(), number::zero(), number::zero(), number::zero()};
  int64_t k = first;
  for (; k + 4 <= last; k += 4) {
    add(sums[0], k), add(sums[1], k + 1);
    add(sums[2], k + 2), add(sums[3], k + 3);
  }
  for (; k < last; ++k) add(sums[0], k);
  return number::sum(number::sum(sums[0], sums[2]), number::sum(sums[1], sums[3]));
}

/// `tile` columns of row i of a x, from the column that x and y point to.
template <int tile, class T, class I>
[[gnu::always_inline]] inline void multiply_tile(const typed_rows<T, I> &a, int64_t i, const T *x, T *y,
                                                 int64_t width) {
  using number = ring<T>;
  typename number::wide sums[tile];
  for (int c = 0; c < tile; ++c) sums[c] = number::zero();
  for (int64_t k = a.starts[i]; k < a.starts[i + 1]; ++k) {
    const auto value = number::load(a.values[k]);
    const T *const row = x + int64_t(a.indices[k]) * width;
#pragma unroll
    for (int c = 0; c < tile; ++c) number::add_product(sums[c], value, number::load(row[c]));
  }
  for (int c = 0; c < tile; ++c) y[c] = number::result(sums[c]);
}

template <class T, class I>
void multiply(const compressed_rows &matrix, row_range rows, const void *x, void *y, int64_t width) noexcept {
  using number = ring<T>;
  const typed_rows<T, I> a(matrix);
  const T *const from = static_cast<const T *>(x);
  T *const to = static_cast<T *>(y);
  if (!from) {
    for (int64_t i = rows.first; i < rows.last; ++i)
      to[i] = number::result(sum_of<T>(a.starts[i], a.starts[i + 1], [&](auto &sum, int64_t k) {
        sum = number::sum(sum, number::load(a.values[k]));
      }));
    return;
  }
  if (width == 1) {
    for (int64_t i = rows.first; i < rows.last; ++i)
      to[i] = number::result(sum_of<T>(a.starts[i], a.starts[i + 1], [&](auto &sum, int64_t k) {
        number::add_product(sum, number::load(a.values[k]), number::load(from[a.indices[k]]));
      }));
    return;
  }
  constexpr int wide = elements::is_complex<T> ? 4 : 16, narrow = 4;
  for (int64_t i = rows.first; i < rows.last; ++i) {
    T *const row = to + i * width;
    int64_t c = 0;
    for (; c + wide <= width; c += wide) multiply_tile<wide>(a, i, from + c, row + c, width);
    for (; c + narrow <= width; c += narrow) multiply_tile<narrow>(a, i, from + c, row + c, width);
    for (; c < width; ++c) multiply_tile<1>(a, i, from + c, row + c, width);
  }
}

/// Adds the products of row i with `tile` columns of its row of x.
template <int tile, class T, class I>
[[gnu::always_inline]] inline void scatter_tile(const typed_rows<T, I> &a, int64_t i, const T *row, T *y,
                                                int64_t width) {
  using number = ring<T>;
  typename number::wide factors[tile];
  for (int c = 0; c < tile; ++c) factors[c] = number::load(row[c]);
  for (int64_t k = a.starts[i]; k < a.starts[i + 1]; ++k) {
    const auto value = number::load(a.values[k]);
    T *const target = y + int64_t(a.indices[k]) * width;
    typename number::wide sums[tile];
#pragma unroll
    for (int c = 0; c < tile; ++c) sums[c] = number::load(target[c]);
#pragma unroll
    for (int c = 0; c < tile; ++c) number::add_product(sums[c], value, factors[c]);
#pragma unroll
    for (int c = 0; c < tile; ++c) target[c] = number::result(sums[c]);
  }
}

template <class T, class I>
void multiply_transposed(const compressed_rows &matrix, row_range rows, const void *x, void *y,
                         int64_t width) noexcept {
  using number = ring<T>;
  const typed_rows<T, I> a(matrix);
  const T *const from = static_cast<const T *>(x);
  T *const to = static_cast<T *>(y);
  if (!from) {
    for (int64_t k = a.starts[rows.first]; k < a.starts[rows.last]; ++k)
      to[a.indices[k]] = number::result(number::sum(number::load(to[a.indices[k]]), number::load(a.values[k])));
    return;
  }
  constexpr int wide = elements::is_complex<T> ? 4 : 16, narrow = 4;
  for (int64_t i = rows.first; i < rows.last; ++i) {
    const T *const row = from + i * width;
    int64_t c = 0;
    for (; c + wide <= width; c += wide) scatter_tile<wide>(a, i, row + c, to + c, width);
    for (; c + narrow <= width; c += narrow) scatter_tile<narrow>(a, i, row + c, to + c, width);
    for (; c < width; ++c) scatter_tile<1>(a, i, row + c, to + c, width);
  }
}

template <class T, class I>
void fill_dense(const compressed_rows &matrix, row_range rows, void *to, int64_t columns) noexcept {
  using number = ring<T>;
  const typed_rows<T, I> a(matrix);
  for (int64_t i = rows.first; i < rows.last; ++i) {
    T *const row = static_cast<T *>(to) + i * columns;
    std::memset(static_cast<void *>(row), 0, std::size_t(columns) * sizeof(T));
    for (int64_t k = a.starts[i]; k < a.starts[i + 1]; ++k)
      row[a.indices[k]] = number::result(number::sum(number::load(row[a.indices[k]]), number::load(a.values[k])));
  }
}

/// NaN if any element is.
template <bool maximum, class T, class I>
void extremes_of(const typed_rows<T, I> &a, row_range rows, T *to, int64_t columns) {
  for (int64_t i = rows.first; i < rows.last; ++i) {
    const int64_t first = a.starts[i], last = a.starts[i + 1];
    T found = first < last ? a.values[first] : T(0);
    const auto take = [&](T x) { found = (maximum ? x > found : x < found) || x != x ? x : found; };
    for (int64_t k = first + 1; k < last; ++k) take(a.values[k]);
    if (last - first < columns) take(T(0));
    to[i] = found;
  }
}
template <class T, class I>
void extremes(const compressed_rows &matrix, row_range rows, void *to, bool maximum, int64_t columns) noexcept {
  const typed_rows<T, I> a(matrix);
  if (maximum)
    extremes_of<true>(a, rows, static_cast<T *>(to), columns);
  else
    extremes_of<false>(a, rows, static_cast<T *>(to), columns);
}

template <class T, class I>
void diagonal(const compressed_rows &matrix, row_range rows, void *to, int64_t offset) noexcept {
  using number = ring<T>;
  const typed_rows<T, I> a(matrix);
  for (int64_t i = rows.first; i < rows.last; ++i) {
    auto sum = number::zero();
    for (int64_t k = a.starts[i]; k < a.starts[i + 1]; ++k)
      if (a.indices[k] == i + offset) sum = number::sum(sum, number::load(a.values[k]));
    static_cast<T *>(to)[i + (offset < 0 ? offset : 0)] = number::result(sum);
  }
}

template <class T, class I>
void sum_duplicates(const compressed_rows &matrix, row_range rows, const compressed_result &result) noexcept {
  using number = ring<T>;
  const typed_rows<T, I> a(matrix);
  for (int64_t i = rows.first; i < rows.last; ++i) {
    int64_t at = static_cast<const I *>(result.starts)[i];
    for (int64_t k = a.starts[i]; k < a.starts[i + 1]; ++at) {
      const I column = a.indices[k];
      auto sum = number::load(a.values[k]);
      for (++k; k < a.starts[i + 1] && a.indices[k] == column; ++k) sum = number::sum(sum, number::load(a.values[k]));
      static_cast<I *>(result.indices)[at] = column;
      static_cast<T *>(result.values)[at] = number::result(sum);
    }
  }
}

// Rows of products of sparse matrices. A table maps the columns of a row to positions of elements, which increase from
// row to row.

/// An index for each column: its position in the last row that had it.
template <class I> class direct_table {
public:
  explicit direct_table(const product_table &memory) : slots_(static_cast<I *>(memory.slots)), count_(memory.count) {}
  void start_row(I first, int64_t) { first_ = first; }
  void clear() { std::memset(slots_, 0xff, std::size_t(count_) * sizeof(I)); }
  /// The position of a column; `next` for one that was not found before in the row.
  [[gnu::always_inline]] I find(I column, I next) {
    const I known = slots_[column], at = known >= first_ ? known : next;
    slots_[column] = at;
    return at;
  }

private:
  I *slots_;
  int64_t count_;
  I first_ = 0;
};

template <class I> struct slot {
  I column, position;  // column -1: empty
};
/// A hash table with linear probing.
template <class I> class hash_table {
public:
  explicit hash_table(const product_table &memory)
      : slots_(static_cast<slot<I> *>(memory.slots)), most_(memory.count) {}
  /// Starts a row with up to `products` columns, which may be repeated.
  void start_row(I, int64_t products) {
    int64_t count = 8;
    shift_ = 61;
    while (count < 4 * products && count < most_) count *= 2, --shift_;
    mask_ = std::uint64_t(count - 1);
    std::memset(slots_, 0xff, std::size_t(count) * sizeof(slot<I>));
  }
  void clear() {}
  [[gnu::always_inline]] I find(I column, I next) {
    std::uint64_t h = std::uint64_t(column) * 0x9e3779b97f4a7c15 >> shift_;
    for (; slots_[h].column != column; h = (h + 1) & mask_)
      if (slots_[h].column < 0) {
        slots_[h] = {column, next};
        return next;
      }
    return slots_[h].position;
  }

private:
  slot<I> *slots_;
  int64_t most_;
  std::uint64_t mask_ = 0;
  int shift_ = 0;
};

/// The number of products of elements that row i of a b has.
template <class I> int64_t products_of_row(const I *starts, const I *indices, const I *others, int64_t i) {
  int64_t products = 0;
  for (int64_t k = starts[i]; k < starts[i + 1]; ++k) products += others[indices[k] + 1] - others[indices[k]];
  return products;
}

template <class I, class Table>
void count_rows(const typed_rows<char, I> &a, const typed_rows<char, I> &b, row_range rows, int64_t *counts,
                Table table) {
  constexpr I largest = I(~std::uint64_t{0} >> (65 - 8 * sizeof(I)));
  I first = 0;  // the counts of all rows before
  for (int64_t i = rows.first; i < rows.last; ++i) {
    const int64_t products = products_of_row(a.starts, a.indices, b.starts, i);
    if (products > int64_t(largest - first)) table.clear(), first = 0;
    table.start_row(first, products);
    I next = first;
    for (int64_t k = a.starts[i]; k < a.starts[i + 1]; ++k)
      for (int64_t l = b.starts[a.indices[k]]; l < b.starts[a.indices[k] + 1]; ++l)
        next += table.find(b.indices[l], next) == next;
    counts[i] = next - first;
    first = next;
  }
}
template <class I>
void count_product(const compressed_rows &left, const compressed_rows &right, row_range rows, int64_t *counts,
                   const product_table &memory) noexcept {
  const typed_rows<char, I> a(left), b(right);
  if (memory.direct)
    count_rows(a, b, rows, counts, direct_table<I>(memory));
  else
    count_rows(a, b, rows, counts, hash_table<I>(memory));
}

template <class T, class I, class Table>
void multiply_sparse_rows(const typed_rows<T, I> &a, const typed_rows<T, I> &b, row_range rows,
                          const compressed_result &result, Table table) {
  using number = ring<T>;
  const I *const starts = static_cast<const I *>(result.starts);
  I *const columns = static_cast<I *>(result.indices);
  T *const values = static_cast<T *>(result.values);
  for (int64_t i = rows.first; i < rows.last; ++i) {
    I next = starts[i];
    table.start_row(next, products_of_row(a.starts, a.indices, b.starts, i));
    for (int64_t k = a.starts[i]; k < a.starts[i + 1]; ++k) {
      const auto factor = number::load(a.values[k]);
      for (int64_t l = b.starts[a.indices[k]]; l < b.starts[a.indices[k] + 1]; ++l) {
        const I column = b.indices[l], at = table.find(column, next);
        auto sum = number::zero();
        if (at == next)
          columns[next++] = column;
        else
          sum = number::load(values[at]);
        number::add_product(sum, factor, number::load(b.values[l]));
        values[at] = number::result(sum);
      }
    }
  }
}
template <class T, class I>
void multiply_sparse(const compressed_rows &left, const compressed_rows &right, row_range rows,
                     const compressed_result &result, const product_table &memory) noexcept {
  const typed_rows<T, I> a(left), b(right);
  if (memory.direct)
    multiply_sparse_rows(a, b, rows, result, direct_table<I>(memory));
  else
    multiply_sparse_rows(a, b, rows, result, hash_table<I>(memory));
}

template <class I> constexpr sparse_kernels make() {
  sparse_kernels all{};
  const auto add = [&]<dtype t>() {
    using T = element<t>;
    constexpr std::size_t at = std::size_t(t);
    all.multiply[at] = multiply<T, I>;
    all.multiply_transposed[at] = multiply_transposed<T, I>;
    all.fill_dense[at] = fill_dense<T, I>;
    all.diagonal[at] = diagonal<T, I>;
    if constexpr (!elements::is_complex<T>) all.extremes[at] = extremes<T, I>;
    all.sum_duplicates[at] = sum_duplicates<T, I>;
    all.multiply_sparse[at] = multiply_sparse<T, I>;
  };
  add.template operator()<dtype::boolean>();
  add.template operator()<dtype::int32>();
  add.template operator()<dtype::int64>();
  add.template operator()<dtype::float32>();
  add.template operator()<dtype::float64>();
  add.template operator()<dtype::complex64>();
  add.template operator()<dtype::complex128>();
  all.count_product = count_product<I>;
  all.slot_bytes = sizeof(slot<I>);
  return all;
}
constexpr sparse_kernels sparse_table[2] = {make<std::int32_t>(), make<int64_t>()};

}  // namespace

const sparse_kernels sparse[2] = {sparse_table[0], sparse_table[1]};

}  // namespace dpep::array::blocks::DPEP_ISA
