// Lines of Fourier transforms: copies between memory and tiles, and the work before and after the passes.
#include "array/blocks/fourier_butterflies.hpp"
#include "array/blocks/matrix_numbers.hpp"
#include "array/blocks/transpose.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

using std::size_t;

template <class R> using indices = std::make_index_sequence<lanes<R>>;
template <class R> [[gnu::always_inline]] inline void put(R *to, vector_of<R> v) { __builtin_memcpy(to, &v, sizeof v); }

/// The distance between lines that have one distance; 0: other lines.
std::int64_t distance_of(const fourier_lines &l) {
  if (l.count < 2) return 0;
  const std::int64_t distance = l.offsets[1] - l.offsets[0];
  for (size_t i = 2; i < l.count; ++i)
    if (l.offsets[i] - l.offsets[i - 1] != distance) return 0;
  return distance;
}

bool are_numbers_whole(const fourier_lines &l) { return l.step == 2 && l.part == 1; }

// -- Reading

template <class R> struct reader {
  const fourier_lines &l;
  const R *const data;
  R *const re, *const im;
  reader(const fourier_lines &l, fourier_tile t)
      : l(l), data(static_cast<const R *>(l.data)), re(static_cast<R *>(t.re)), im(static_cast<R *>(t.im)) {}

  /// One line, from a position on.
  void read_line(size_t first) const {
    const R *const from = data + l.offsets[0];
    size_t k = first;
    if (are_numbers_whole(l)) {
      for (; k + lanes<R> <= l.im_count; k += lanes<R>) {
        const auto parts = separated<R>(load(from + 2 * k), load(from + 2 * k + lanes<R>), indices<R>());
        put(re + k, parts.real);
        put(im + k, parts.imaginary);
      }
    }
    const size_t both = l.im_count;
    for (; k < both; ++k) {
      re[k] = from[std::int64_t(k) * l.step];
      im[k] = from[std::int64_t(k) * l.step + l.part];
    }
    for (; k < l.re_count; ++k) {
      re[k] = from[std::int64_t(k) * l.step];
      im[k] = 0;
    }
  }

  /// Lines next to each other, from a position on: of real numbers, or of complex ones. Returns the next position.
  size_t read_adjacent_reals() const {
    const R *const from = data + l.offsets[0];
    for (size_t k = 0; k < l.im_count; ++k) {
      put(re + k * lanes<R>, load(from + std::int64_t(k) * l.step));
      put(im + k * lanes<R>, load(from + std::int64_t(k) * l.step + l.part));
    }
    for (size_t k = l.im_count; k < l.re_count; ++k) {
      put(re + k * lanes<R>, load(from + std::int64_t(k) * l.step));
      put(im + k * lanes<R>, vector_of<R>(R(0)));
    }
    return l.re_count;
  }
  size_t read_adjacent_numbers() const {
    const R *const from = data + l.offsets[0];
    for (size_t k = 0; k < l.im_count; ++k) {
      const R *const at = from + std::int64_t(k) * l.step;
      const auto parts = separated<R>(load(at), load(at + lanes<R>), indices<R>());
      put(re + k * lanes<R>, parts.real);
      put(im + k * lanes<R>, parts.imaginary);
    }
    return l.im_count;
  }
  /// Lines whose numbers are contiguous are transposed in squares.
  size_t read_rows(const std::int64_t *offsets) const {
    constexpr size_t width = lanes<R>, numbers = width / 2;
    size_t k = 0;
    for (; k + numbers <= l.im_count; k += numbers) {
      row_of<R> rows[width];
#pragma clang loop unroll(full)
      for (size_t i = 0; i < width; ++i) rows[i] = load(data + offsets[i] + 2 * k);
      transpose_square<R>(rows);
#pragma clang loop unroll(full)
      for (size_t i = 0; i < numbers; ++i) {
        put(re + (k + i) * width, rows[2 * i]);
        put(im + (k + i) * width, rows[2 * i + 1]);
      }
    }
    return k;
  }
  void read_lanes() const {
    std::int64_t offsets[lanes<R>];
    for (size_t i = 0; i < lanes<R>; ++i) offsets[i] = l.offsets[i < l.count ? i : 0];
    const std::int64_t distance = l.count == lanes<R> ? distance_of(l) : 0;
    size_t k = distance == 1                  ? read_adjacent_reals()
               : distance == 2 && l.part == 1 ? read_adjacent_numbers()
               : are_numbers_whole(l)         ? read_rows(offsets)
                                              : 0;
    for (; k < l.re_count; ++k) {
      const R *const from = data + std::int64_t(k) * l.step;
      const bool has_im = k < l.im_count;
      for (size_t i = 0; i < lanes<R>; ++i) {
        re[k * lanes<R> + i] = from[offsets[i]];
        im[k * lanes<R> + i] = has_im ? from[offsets[i] + l.part] : R(0);
      }
    }
  }
};

template <class R> void load_lines(const fourier_lines &l, size_t positions, size_t width, fourier_tile to) noexcept {
  const reader<R> r(l, to);
  width == 1 ? r.read_line(0) : r.read_lanes();
  if (l.re_count >= positions) return;
  __builtin_memset(r.re + l.re_count * width, 0, (positions - l.re_count) * width * sizeof(R));
  __builtin_memset(r.im + l.re_count * width, 0, (positions - l.re_count) * width * sizeof(R));
}

// -- Writing

template <class R> struct writer {
  const fourier_lines &l;
  R *const data;
  const R *const re, *const im;
  const R factor;
  writer(const fourier_lines &l, double factor, fourier_tile t)
      : l(l),
        data(static_cast<R *>(l.data)),
        re(static_cast<const R *>(t.re)),
        im(static_cast<const R *>(t.im)),
        factor(R(factor)) {}

  void write_line() const {
    R *const to = data + l.offsets[0];
    size_t k = 0;
    if (are_numbers_whole(l)) {
      for (; k + lanes<R> <= l.im_count; k += lanes<R>) {
        const auto both = interleaved<R>(load(re + k) * factor, load(im + k) * factor, indices<R>());
        put(to + 2 * k, both.low);
        put(to + 2 * k + lanes<R>, both.high);
      }
    }
    for (; k < l.re_count; ++k) {
      to[std::int64_t(k) * l.step] = re[k] * factor;
      if (k < l.im_count) to[std::int64_t(k) * l.step + l.part] = im[k] * factor;
    }
  }
  size_t write_adjacent_reals() const {
    R *const to = data + l.offsets[0];
    for (size_t k = 0; k < l.re_count; ++k) {
      put(to + std::int64_t(k) * l.step, load(re + k * lanes<R>) * factor);
      if (k < l.im_count) put(to + std::int64_t(k) * l.step + l.part, load(im + k * lanes<R>) * factor);
    }
    return l.re_count;
  }
  size_t write_adjacent_numbers() const {
    R *const to = data + l.offsets[0];
    for (size_t k = 0; k < l.im_count; ++k) {
      R *const at = to + std::int64_t(k) * l.step;
      const auto both =
          interleaved<R>(load(re + k * lanes<R>) * factor, load(im + k * lanes<R>) * factor, indices<R>());
      put(at, both.low);
      put(at + lanes<R>, both.high);
    }
    return l.im_count;
  }
  size_t write_rows() const {
    constexpr size_t width = lanes<R>, numbers = width / 2;
    size_t k = 0;
    for (; k + numbers <= l.im_count; k += numbers) {
      row_of<R> rows[width];
#pragma clang loop unroll(full)
      for (size_t i = 0; i < numbers; ++i) {
        rows[2 * i] = load(re + (k + i) * width) * factor;
        rows[2 * i + 1] = load(im + (k + i) * width) * factor;
      }
      transpose_square<R>(rows);
#pragma clang loop unroll(full)
      for (size_t i = 0; i < width; ++i)
        if (i < l.count) put(data + l.offsets[i] + 2 * k, rows[i]);
    }
    return k;
  }
  void write_lanes() const {
    const std::int64_t distance = l.count == lanes<R> ? distance_of(l) : 0;
    size_t k = distance == 1                  ? write_adjacent_reals()
               : distance == 2 && l.part == 1 ? write_adjacent_numbers()
               : are_numbers_whole(l)         ? write_rows()
                                              : 0;
    for (; k < l.re_count; ++k) {
      R *const to = data + std::int64_t(k) * l.step;
      for (size_t i = 0; i < l.count; ++i) {
        to[l.offsets[i]] = re[k * lanes<R> + i] * factor;
        if (k < l.im_count) to[l.offsets[i] + l.part] = im[k * lanes<R> + i] * factor;
      }
    }
  }
};

template <class R> void store_lines(const fourier_lines &l, double factor, size_t width, fourier_tile from) noexcept {
  const writer<R> w(l, factor, from);
  width == 1 ? w.write_line() : w.write_lanes();
}

// -- Numbers of tiles

template <class R> using C = complex_of_vectors<R>;
template <class R> struct tile_of {
  explicit tile_of(fourier_tile t) : re(static_cast<R *>(t.re)), im(static_cast<R *>(t.im)) {}
  R *re, *im;
  C<R> at(size_t i) const { return {load(re + i), load(im + i)}; }
  void set(size_t i, C<R> x) const {
    put(re + i, x.re);
    put(im + i, x.im);
  }
};
template <class R> C<R> conjugate(C<R> x) { return {x.re, -x.im}; }
template <class R, size_t... i> vector_of<R> reversed(vector_of<R> v, std::index_sequence<i...>) {
  return __builtin_shufflevector(v, v, int(lanes<R> - 1 - i)...);
}
template <class R> C<R> reversed(C<R> x) { return {reversed<R>(x.re, indices<R>()), reversed<R>(x.im, indices<R>())}; }

template <class R>
void multiply(const void *numbers, size_t row, size_t positions, size_t width, fourier_tile from,
              fourier_tile to) noexcept {
  const auto *const c = static_cast<const R *>(numbers), *const s = c + row;
  const tile_of<R> x(from), y(to);
  if (width == 1) {
    for (size_t k = 0; k < positions; k += lanes<R>) y.set(k, x.at(k).times(load(c + k), load(s + k)));
    return;
  }
  for (size_t k = 0; k < positions; ++k)
    y.set(k * width, x.at(k * width).times(vector_of<R>(c[k]), vector_of<R>(s[k])));
}

/// Two numbers at positions k and half - k, whose root is (c, s).
template <class R> struct number_pair {
  C<R> low, high;
};
/// Numbers of a transform of pairs become those of the transform of all.
template <class R> struct to_spectrum {
  number_pair<R> operator()(number_pair<R> x, vector_of<R> c, vector_of<R> s) const {
    const vector_of<R> half(R(0.5));
    const C<R> even = (x.low + conjugate<R>(x.high)).scaled(half);
    const C<R> odd = (x.low - conjugate<R>(x.high)).scaled(half).times_minus_i().times(c, s);
    return {even + odd, conjugate<R>(even - odd)};
  }
  /// Positions 0 and half.
  static void ends(const R *re, const R *im, size_t, R *to_re, R *to_im, size_t last) {
    const R a = re[0], b = im[0];
    to_re[0] = a + b;
    to_re[last] = a - b;
    to_im[0] = to_im[last] = 0;
  }
};
template <class R> struct from_spectrum {
  number_pair<R> operator()(number_pair<R> x, vector_of<R> c, vector_of<R> s) const {
    const C<R> even = x.low + conjugate<R>(x.high);
    const C<R> odd = (x.low - conjugate<R>(x.high)).times(c, -s).times_minus_i();
    return {even - odd, conjugate<R>(even + odd)};
  }
  static void ends(const R *re, const R *, size_t last, R *to_re, R *to_im, size_t) {
    const R a = re[0], b = re[last];
    to_re[0] = a + b;
    to_im[0] = a - b;
  }
};

template <class R, class F>
void combine(const void *roots, size_t row, size_t half, size_t width, fourier_tile from, fourier_tile to) noexcept {
  const auto *const c = static_cast<const R *>(roots), *const s = c + row;
  const tile_of<R> x(from), y(to);
  constexpr F f;
  for (size_t lane = 0; lane < width; ++lane)
    F::ends(x.re + lane, x.im + lane, half * width, y.re + lane, y.im + lane, half * width);
  if (width > 1) {
    for (size_t k = 1; k <= half / 2; ++k) {
      const size_t other = half - k;
      const auto made = f({x.at(k * width), x.at(other * width)}, vector_of<R>(c[k]), vector_of<R>(s[k]));
      y.set(k * width, made.low);
      y.set(other * width, made.high);
    }
    return;
  }
  size_t k = 1;
  if (half >= 2 * lanes<R>) {
    for (; k <= half / 2; k += lanes<R>) {
      const size_t other = half - k - lanes<R> + 1;
      const auto made = f({x.at(k), reversed<R>(x.at(other))}, load(c + k), load(s + k));
      y.set(k, made.low);
      y.set(other, reversed<R>(made.high));
    }
    return;
  }
  for (; k <= half / 2; ++k) {
    const auto number = [&](size_t at) { return C<R>{vector_of<R>(x.re[at]), vector_of<R>(x.im[at])}; };
    const auto made = f({number(k), number(half - k)}, vector_of<R>(c[k]), vector_of<R>(s[k]));
    y.re[k] = made.low.re[0], y.im[k] = made.low.im[0];
    y.re[half - k] = made.high.re[0], y.im[half - k] = made.high.im[0];
  }
}

// -- Matrices

template <class R>
void store_columns(const void *factors, size_t fine, size_t rows, fourier_tile from, void *to) noexcept {
  const tile_of<R> x(from);
  constexpr size_t pair = 2 * lanes<R>;
  const auto *const fines = static_cast<const R *>(factors), *coarse = fines + fine * pair;
  auto *at = static_cast<R *>(to);
  for (size_t first = 0; first < rows; first += fine, coarse += pair) {
    const C<R> a{load(coarse), load(coarse + lanes<R>)};
    for (size_t k = first, i = 0; i < fine && k < rows; ++i, ++k, at += pair) {
      const C<R> factor = a.times(load(fines + i * pair), load(fines + i * pair + lanes<R>));
      const C<R> made = x.at(k * lanes<R>).times(factor.re, factor.im);
      put(at, made.re);
      put(at + lanes<R>, made.im);
    }
  }
}

template <class R> void load_rows(const void *from, size_t block, size_t blocks, fourier_tile to) noexcept {
  const tile_of<R> y(to);
  constexpr size_t width = lanes<R>;
  const auto *at = static_cast<const R *>(from);
  for (size_t b = 0; b < blocks; ++b, at += block) {
    row_of<R> re[width], im[width];
#pragma clang loop unroll(full)
    for (size_t i = 0; i < width; ++i) re[i] = load(at + 2 * width * i);
    transpose_square<R>(re);
#pragma clang loop unroll(full)
    for (size_t i = 0; i < width; ++i) put(y.re + (b * width + i) * width, re[i]);
#pragma clang loop unroll(full)
    for (size_t i = 0; i < width; ++i) im[i] = load(at + 2 * width * i + width);
    transpose_square<R>(im);
#pragma clang loop unroll(full)
    for (size_t i = 0; i < width; ++i) put(y.im + (b * width + i) * width, im[i]);
  }
}

template <class R> constexpr fourier_kernels kernels_of() {
  return {lanes<R>,
          load_lines<R>,
          store_lines<R>,
          multiply<R>,
          combine<R, to_spectrum<R>>,
          combine<R, from_spectrum<R>>,
          store_columns<R>,
          load_rows<R>};
}

}  // namespace

const fourier_kernels fourier[2] = {kernels_of<float>(), kernels_of<double>()};

}  // namespace dpep::array::blocks::DPEP_ISA
