// Fourier transforms: passes through memory, each of which transforms columns in local memory.
//
// A pass of the Stockham algorithm with the radix R takes the elements j, j + n / R, j + 2 n / R, … of a line of n
// elements, a column, multiplies them by roots of unity, transforms them, and stores them at a distance of `before`,
// the product of the radices of earlier passes. A work-group has some adjacent columns and transforms each in local
// memory, by passes with small radices of the same form. A line of up to R elements is one column.
//
// All transforms have the sign -1: those with the sign +1 exchange real and imaginary parts before and after. A pass
// converts elements where it reads and writes them: it extends lines by zeros, and real transforms of even length are
// complex ones of half the length. Lengths with other prime factors are convolutions (Bluestein), for which a pass
// multiplies by tables. array/gpu/fourier_plan.hpp chooses the passes.
#include <dpep/device_builtins.hpp>

#include "device/array/butterflies.hpp"

// As variables of one function, members become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

using std::int64_t;
using std::uint32_t;
using std::uint64_t;

// The enumerations of array/gpu/fourier_kernel.hpp.
enum class reading : uint32_t {
  complex_elements,
  real_elements,
  real_pairs,      // two real elements are one complex number
  hermitian,       // the elements from length / 2 + 1 on are conjugates of the others
  hermitian_half,  // the same, as the transform of half the length whose results are pairs
};
enum class writing : uint32_t {
  complex_elements,
  real_elements,  // real parts
  real_pairs,
  untangled,  // the elements 0 to `points` of the transform of real_pairs
};
enum class multiplied : uint32_t { by_nothing, by_table, by_roots };

/// What is constant in a kernel.
struct fourier_shape {
  reading read;
  multiplied before;  // the column is transformed
  writing write;
  bool has_write_table, convolves, all_radices;
  uint32_t group;        // work-items
  uint32_t buffer_size;  // elements of each of both buffers in local memory
};

/// Quotients x / divisor, for x * divisor < 2^31.
class quick_divisor {
public:
  explicit quick_divisor(uint32_t divisor) : magic_((0x80000000u + (divisor - 1)) / divisor) {}
  uint32_t quotient(uint32_t x) const { return uint32_t((uint64_t(x) * magic_) >> 31); }

private:
  const uint32_t magic_;
};

/// The numbers of a launch, as in array/gpu/fourier_kernel.hpp.
template <class R> struct fourier_numbers {
  int64_t columns, inner, points, radix, schedule, before, columns_each;
  int64_t from_step, from_length, length;
  int64_t batch[3], from_batch[3];
  int64_t to_length, flags, root_shift, root_step;
  R factor;
};

enum : uint32_t {
  swaps_input = 1,
  swaps_result = 2,
  swaps_output = 4,
  reads_columns = 8,
  writes_columns = 16,
  first_is_real = 32
};

/// exp(-2 pi i t / n) as a product of two numbers of a table: the first 2^shift roots, then every 2^shift-th one.
template <class R> struct root_table {
  const stored_complex<R> *roots;
  uint32_t shift;
  complex_of<R> operator()(uint64_t t) const {
    const uint64_t low = t & ((uint64_t(1) << shift) - 1);
    return product<R>(roots[low].get(), roots[(uint64_t(1) << shift) + (t >> shift)].get());
  }
};

/// A column's part of memory.
struct column {
  int64_t from, to;  // indices of the line's first element
  int64_t first;     // position in the line of the first element to read; the others follow at equal distances
  int64_t first_to;  // the same of the first element to write
  int64_t turn;      // the exponent of the roots is a multiple of this
};

template <class R> class fourier_pass {
  using value = complex_of<R>;
  using stored = stored_complex<R>;
  using numbers = fourier_numbers<R>;

public:
  fourier_pass(const fourier_shape &shape, const numbers &n, const void *from, void *to, const void *column_roots,
               const void *roots, const void *read_table, const void *write_table, const void *spectrum, void *local)
      : shape_(shape),
        n_(n),
        from_(from),
        to_(to),
        column_roots_(static_cast<const stored *>(column_roots)),
        roots_{static_cast<const stored *>(roots), uint32_t(n.root_shift)},
        read_table_(static_cast<const stored *>(read_table)),
        write_table_(static_cast<const stored *>(write_table)),
        spectrum_(static_cast<const stored *>(spectrum)),
        local_(static_cast<stored *>(local)),
        columns_(reinterpret_cast<column *>(local_ + 2 * shape.buffer_size)),
        radix_(uint32_t(n.radix)),
        pitch_((radix_ + radix_ / 16) | 1) {
    const auto begin = int64_t(__dpep_group_id(0)) * n.columns_each, left = n.columns - begin;
    count_ = uint32_t(left < n.columns_each ? left : n.columns_each);
    distance_ = n.points / n.radix;
    find_columns(begin);
  }

  void execute() {
    __dpep_group_barrier();
    read();
    __dpep_group_barrier();
#pragma nounroll
    for (bool again = shape_.convolves;; again = false) {
      transform();
      if (!again) break;
      each_of(radix_, false, [&](uint32_t c, uint32_t k) {
        stored &x = local_[place(c, k)];
        x.set(swapped_if<R>(true, product<R>(x.get(), spectrum_[k].get())));
      });
      __dpep_group_barrier();
    }
    write();
  }

private:
  const fourier_shape &shape_;
  const numbers &n_;
  const void *const from_;
  void *const to_;
  const stored *const column_roots_;
  const root_table<R> roots_;
  const stored *const read_table_, *const write_table_, *const spectrum_;
  stored *const local_;
  column *const columns_;
  const uint32_t item_ = uint32_t(__dpep_local_id(0)), radix_, pitch_;
  uint32_t count_, buffer_ = 0;  // columns; the start of the buffer that holds them
  int64_t distance_;             // between the positions of a column's elements to read

  bool has(uint32_t flag) const { return n_.flags & flag; }
  /// A number of padding elements, so that fewer work-items access one bank.
  uint32_t place(uint32_t c, uint32_t k) const { return buffer_ + c * pitch_ + k + k / 16; }

  void find_columns(int64_t begin) const {
#pragma nounroll
    for (uint32_t c = item_; c < count_; c += shape_.group) {
      const int64_t number = begin + c, in_outer = distance_ * n_.inner;
      const int64_t outer = number / in_outer, rest = number - outer * in_outer;
      const int64_t j = rest / n_.inner, i = rest - j * n_.inner;
      int64_t line = outer * n_.inner + i, from = 0;
#pragma unroll
      for (int a = 2; a >= 0; --a) {
        if (n_.batch[a] == 1) continue;
        const int64_t next = line / n_.batch[a];
        from += (line - next * n_.batch[a]) * n_.from_batch[a];
        line = next;
      }
      const int64_t block = j / n_.before, in_block = j - block * n_.before;
      columns_[c] = {from, outer * n_.to_length * n_.inner + i, j, block * n_.before * n_.radix + in_block, in_block};
    }
  }

  /// Calls the body with the column and the index of each of `length` elements of all columns.
  template <class F> void each_of(uint32_t length, bool columns_first, F body) const {
    const quick_divisor inner_length(columns_first ? count_ : length);
    const uint32_t all = count_ * length;
#pragma nounroll
    for (uint32_t i = item_; i < all; i += shape_.group) {
      const uint32_t q = inner_length.quotient(i), r = i - q * (columns_first ? count_ : length);
      body(columns_first ? r : q, columns_first ? q : r);
    }
  }

  // -- Elements in memory

  value load(const column &c, int64_t at) const {
    if (at >= n_.from_length) return {R(0), R(0)};
    return static_cast<const stored *>(from_)[c.from + at * n_.from_step].get();
  }
  R load_real(const column &c, int64_t at) const {
    return at < n_.from_length ? static_cast<const R *>(from_)[c.from + at * n_.from_step] : R(0);
  }
  value load_point(const column &c, int64_t p) const {
    switch (shape_.read) {
    case reading::complex_elements:
      break;
    case reading::real_elements:
      return {load_real(c, p), R(0)};
    case reading::real_pairs:
      return {load_real(c, 2 * p), load_real(c, 2 * p + 1)};
    case reading::hermitian: {
      const bool mirrored = p > n_.length / 2;
      const value x = p < n_.length ? load(c, mirrored ? n_.length - p : p) : value{R(0), R(0)};
      return mirrored ? conjugate(x) : x;
    }
    case reading::hermitian_half: {
      const int64_t half = n_.length / 2;
      if (p >= half) return {R(0), R(0)};
      value a = load(c, p), b = conjugate(load(c, half - p));
      if (p == 0) a.imaginary = b.imaginary = R(0);
      const value turned = product<R>(difference(a, b), conjugate(roots_(uint64_t(p))));
      return sum(sum(a, b), times_i(turned));
    }
    }
    return load(c, p);
  }
  value read_point(uint32_t number, uint32_t r) const {
    const column c = columns_[number];
    const int64_t p = c.first + r * distance_;
    const value x = swapped_if(has(swaps_input), load_point(c, p));
    if (shape_.before == multiplied::by_table) {
      const bool is_half = shape_.read == reading::real_pairs || shape_.read == reading::hermitian_half;
      return p < (is_half ? n_.length / 2 : n_.length) ? product<R>(x, read_table_[p].get()) : x;
    }
    if (shape_.before == multiplied::by_roots) return product<R>(x, roots_(uint64_t(c.turn * r * n_.root_step)));
    return x;
  }
  void read() const {
    constexpr uint32_t each = 4;  // elements that a work-item loads at once
    const bool columns_first = has(reads_columns);
    const uint32_t length = columns_first ? count_ : radix_, all = count_ * radix_;
    const quick_divisor inner_length(length);
#pragma nounroll
    for (uint32_t i = item_; i < all; i += each * shape_.group) {
      value loaded[each];
      uint32_t places[each];
#pragma unroll
      for (uint32_t e = 0; e < each; ++e) {
        const uint32_t at = i + e * shape_.group < all ? i + e * shape_.group : i;
        const uint32_t q = inner_length.quotient(at), r = at - q * length;
        loaded[e] = read_point(columns_first ? r : q, columns_first ? q : r);
        places[e] = place(columns_first ? r : q, columns_first ? q : r);
      }
#pragma unroll
      for (uint32_t e = 0; e < each; ++e) local_[places[e]].set(loaded[e]);
    }
  }

  /// The result k of a column, as it is written.
  value result(uint32_t number, uint32_t k, int64_t position) const {
    value x = swapped_if<R>(has(swaps_result), local_[place(number, k)].get());
    if (shape_.has_write_table) x = product<R>(x, write_table_[position].get());
    return swapped_if(has(swaps_output), value{x.real * n_.factor, x.imaginary * n_.factor});
  }
  void write() const {
    if (shape_.write == writing::untangled) return write_untangled();
    each_of(radix_, has(writes_columns), [&](uint32_t number, uint32_t k) {
      const column c = columns_[number];
      const int64_t at = c.first_to + k * n_.before;
      if (shape_.write == writing::real_pairs) {
        if (2 * at >= n_.to_length) return;
        const value x = result(number, k, at);
        R *const first = static_cast<R *>(to_) + c.to + 2 * at * n_.inner;
        first[0] = x.real;
        first[n_.inner] = x.imaginary;
        return;
      }
      if (at >= n_.to_length) return;
      value x = result(number, k, at);
      if (at == 0 && has(first_is_real)) x.imaginary = R(0);
      if (shape_.write == writing::real_elements)
        static_cast<R *>(to_)[c.to + at * n_.inner] = x.real;
      else
        static_cast<stored *>(to_)[c.to + at * n_.inner].set(x);
    });
  }
  /// A column is a whole line here.
  void write_untangled() const {
    const auto half = uint32_t(n_.length / 2);
    each_of(half + 1, has(writes_columns), [&](uint32_t number, uint32_t k) {
      const value a = result(number, k == half ? 0 : k, k == half ? 0 : k);
      const uint32_t mirrored = k == 0 ? 0 : half - k;
      const value b = conjugate(result(number, mirrored, mirrored));
      static_cast<stored *>(to_)[columns_[number].to + k * n_.inner].set(untangled(a, b, roots_, k, half));
    });
  }

public:
  /// The element k of the transform of real numbers, from those of the transform of `half` pairs. The first and the
  /// last one are exactly real.
  static value untangled(const value &a, const value &mirrored, const root_table<R> &roots, int64_t k, int64_t half) {
    const value root = k == half ? value{R(-1), R(0)} : roots(uint64_t(k));
    const value odd = times_i(product<R>(difference(a, mirrored), root)), all = difference(sum(a, mirrored), odd);
    return {all.real / 2, all.imaginary / 2};
  }

private:
  // -- In local memory

  /// Transforms all columns, from one buffer to the other and back.
  void transform() {
    uint32_t before = 1, left = radix_;
#pragma nounroll
    for (auto schedule = uint64_t(n_.schedule); schedule != 0; schedule >>= 4) {
      const auto radix = uint32_t(schedule & 15);
      if (radix == 8)
        left = pass<8>(before, left);
      else if (radix == 4)
        left = pass<4>(before, left);
      else if (radix == 2)
        left = pass<2>(before, left);
      else if (shape_.all_radices) {
        if (radix == 3)
          left = pass<3>(before, left);
        else if (radix == 5)
          left = pass<5>(before, left);
        else if (radix == 7)
          left = pass<7>(before, left);
        else if (radix == 11)
          left = pass<11>(before, left);
        else
          left = pass<13>(before, left);
      }
      before *= radix;
      buffer_ = shape_.buffer_size - buffer_;
      __dpep_group_barrier();
    }
  }

  template <unsigned radix> uint32_t pass(uint32_t before, uint32_t left) const {
    const uint32_t each = radix_ / radix, all = count_ * each, step = left / radix;
    const quick_divisor of_each(each), of_before(before);
    stored *const other = local_ + (shape_.buffer_size - buffer_);
#pragma nounroll
    for (uint32_t i = item_; i < all; i += shape_.group) {
      const uint32_t c = of_each.quotient(i), j = i - c * each;
      const uint32_t block = of_before.quotient(j), in_block = j - block * before;
      value v[radix];
#pragma unroll
      for (unsigned r = 0; r < radix; ++r) v[r] = local_[place(c, j + r * each)].get();
      if (before > 1)
#pragma unroll
        for (unsigned r = 1; r < radix; ++r) v[r] = product<R>(v[r], column_roots_[r * in_block * step].get());
      butterfly<radix, R>(v);
#pragma unroll
      for (unsigned r = 0; r < radix; ++r) {
        const uint32_t at = block * before * radix + in_block + r * before;
        other[c * pitch_ + at + at / 16].set(v[r]);
      }
    }
    return step;
  }
};

/// Untangles lines of `half` elements, adjacent elements being `inner` apart.
template <class R>
void untangle(const void *from, void *to, const void *roots, int64_t lines, int64_t inner, int64_t half,
              int64_t shift) {
  using stored = stored_complex<R>;
  const root_table<R> root{static_cast<const stored *>(roots), uint32_t(shift)};
  const auto at = int64_t(__dpep_group_id(0) * __dpep_local_size(0) + __dpep_local_id(0));
  if (at >= lines * (half + 1)) return;
  const int64_t outer = at / ((half + 1) * inner), rest = at - outer * (half + 1) * inner;
  const int64_t k = rest / inner, i = rest - k * inner;
  const stored *const line = static_cast<const stored *>(from) + outer * half * inner + i;
  const complex_of<R> a = line[(k == half ? 0 : k) * inner].get();
  const complex_of<R> b = conjugate<R>(line[(k == 0 ? 0 : half - k) * inner].get());
  static_cast<stored *>(to)[at].set(fourier_pass<R>::untangled(a, b, root, k, half));
}

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

// In the order of array/gpu/fourier_kernel.cpp.
#define DPEP_FOURIER(name, R)                                                                                          \
  DPEP_EXPORT void dpep_fourier_##name(                                                                                \
      const void *from, void *to, const void *column_roots, const void *roots, const void *read_table,                 \
      const void *write_table, const void *spectrum, std::int64_t columns, std::int64_t inner, std::int64_t points,    \
      std::int64_t radix, std::int64_t schedule, std::int64_t before, std::int64_t columns_each,                       \
      std::int64_t from_step, std::int64_t from_length, std::int64_t length, std::int64_t batch0, std::int64_t batch1, \
      std::int64_t batch2, std::int64_t from0, std::int64_t from1, std::int64_t from2, std::int64_t to_length,         \
      std::int64_t flags, std::int64_t root_shift, std::int64_t root_step, R factor, std::uint32_t read,               \
      std::uint32_t multiplied_by, std::uint32_t write, bool has_write_table, bool convolves, bool all_radices,        \
      std::uint32_t group, std::uint32_t buffer_size, void *local) {                                                   \
    using namespace dpep::array::gpu;                                                                                  \
    const fourier_numbers<R> numbers{columns,                                                                          \
                                     inner,                                                                            \
                                     points,                                                                           \
                                     radix,                                                                            \
                                     schedule,                                                                         \
                                     before,                                                                           \
                                     columns_each,                                                                     \
                                     from_step,                                                                        \
                                     from_length,                                                                      \
                                     length,                                                                           \
                                     {batch0, batch1, batch2},                                                         \
                                     {from0, from1, from2},                                                            \
                                     to_length,                                                                        \
                                     flags,                                                                            \
                                     root_shift,                                                                       \
                                     root_step,                                                                        \
                                     factor};                                                                          \
    const fourier_shape shape{                                                                                         \
        reading(read), multiplied(multiplied_by), writing(write), has_write_table, convolves, all_radices, group,      \
        buffer_size};                                                                                                  \
    fourier_pass<R>(shape, numbers, from, to, column_roots, roots, read_table, write_table, spectrum, local)           \
        .execute();                                                                                                    \
  }                                                                                                                    \
  DPEP_EXPORT void dpep_fourier_untangle_##name(const void *from, void *to, const void *roots, std::int64_t lines,     \
                                                std::int64_t inner, std::int64_t half, std::int64_t shift) {           \
    dpep::array::gpu::untangle<R>(from, to, roots, lines, inner, half, shift);                                         \
  }
DPEP_FOURIER(complex64, float)
DPEP_FOURIER(complex128, double)
