// Passes of Fourier transforms. Vectors are loaded from consecutive addresses in every pass.
#include "array/blocks/fourier_butterflies.hpp"
#include "array/blocks/matrix_numbers.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class R> struct parts_of {
  explicit parts_of(fourier_tile t) : re(static_cast<R *>(t.re)), im(static_cast<R *>(t.im)) {}
  R *re, *im;
  [[gnu::always_inline]] complex_of_vectors<R> at(std::size_t i) const {
    return {blocks::DPEP_ISA::load(re + i), blocks::DPEP_ISA::load(im + i)};
  }
  [[gnu::always_inline]] void set(std::size_t i, complex_of_vectors<R> x) const {
    __builtin_memcpy(re + i, &x.re, sizeof x.re);
    __builtin_memcpy(im + i, &x.im, sizeof x.im);
  }
};

template <std::size_t radix> constexpr std::size_t room = radix == 0 ? max_fourier_radix : radix;

/// A pass whose runs are at least as long as a vector. The last vector of a run overlaps the one before.
template <class R, std::size_t static_radix>
void pass_over_runs(const fourier_pass &f, parts_of<R> x, parts_of<R> y) noexcept {
  using C = complex_of_vectors<R>;
  constexpr std::size_t width = lanes<R>;
  const std::size_t radix = static_radix ? static_radix : f.radix, run = f.run, distance = f.groups * run;
  const auto *twiddles = static_cast<const R *>(f.twiddles);
  for (std::size_t p = 0; p < f.groups; ++p) {
    const std::size_t from = run * p, to = run * radix * p;
    for (std::size_t at = 0; at < run; at += width) {
      const std::size_t q = at + width <= run ? at : run - width;
      C v[room<static_radix>];
      for (std::size_t k = 0; k < radix; ++k) v[k] = x.at(from + q + distance * k);
      transform<R, static_radix>(f, v);
      y.set(to + q, v[0]);
      if (p == 0) {  // all factors are 1
        for (std::size_t j = 1; j < radix; ++j) y.set(to + q + run * j, v[j]);
      } else {
        for (std::size_t j = 1; j < radix; ++j)
          y.set(to + q + run * j, v[j].times(vector_of<R>(twiddles[2 * j - 2]), vector_of<R>(twiddles[2 * j - 1])));
      }
    }
    if (twiddles) twiddles += 2 * (radix - 1);
  }
}

/// Writes numbers k of `count` vectors behind each other, for each k: a power of two of vectors.
template <class R, std::size_t count>
[[gnu::always_inline]] inline void write_interleaved(R *to, const vector_of<R> *v) {
  if constexpr (count == 1) {
    __builtin_memcpy(to, v, sizeof *v);
  } else {
    constexpr std::size_t half = count / 2;
    vector_of<R> low[half], high[half];
    for (std::size_t j = 0; j < half; ++j) {
      const auto both = interleaved<R>(v[j], v[j + half], std::make_index_sequence<lanes<R>>());
      low[j] = both.low;
      high[j] = both.high;
    }
    write_interleaved<R, half>(to, low);
    write_interleaved<R, half>(to + half * lanes<R>, high);
  }
}

/// Writes the pieces of a vector, `length` numbers each, at a distance.
template <class R, std::size_t length>
[[gnu::always_inline]] inline void write_pieces(R *to, std::size_t distance, vector_of<R> v, std::size_t count) {
  alignas(64) R numbers[lanes<R>];
  __builtin_memcpy(numbers, &v, sizeof v);
  if (count == lanes<R>) {
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < lanes<R> / length; ++i)
      __builtin_memcpy(to + i * distance, numbers + i * length, length * sizeof(R));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) to[i / length * distance + i % length] = numbers[i];
}

/// A pass with runs that are shorter than a vector, which has numbers of several groups.
template <class R, std::size_t static_radix, std::size_t static_run>
void pass_over_groups(const fourier_pass &f, parts_of<R> x, parts_of<R> y) noexcept {
  using C = complex_of_vectors<R>;
  constexpr std::size_t width = lanes<R>;
  const std::size_t radix = static_radix ? static_radix : f.radix, run = static_run ? static_run : f.run;
  const std::size_t distance = f.groups * run;
  const auto *const twiddles = static_cast<const R *>(f.twiddles);
  std::size_t p = 0, q = 0;  // of the vector's first number
  for (std::size_t i = 0; i < distance; i += width) {
    C v[room<static_radix>];
    for (std::size_t k = 0; k < radix; ++k) v[k] = x.at(i + distance * k);
    transform<R, static_radix>(f, v);
    if (twiddles) {
      for (std::size_t j = 1; j < radix; ++j) {
        const R *const of_j = twiddles + 2 * f.row * (j - 1) + i;
        v[j] = v[j].times(load(of_j), load(of_j + f.row));
      }
    }
    const std::size_t count = distance - i < width ? distance - i : width;
    if constexpr (static_run == 1 && (static_radix == 2 || static_radix == 4 || static_radix == 8)) {
      if (count == width) {
        vector_of<R> re[static_radix], im[static_radix];
        for (std::size_t j = 0; j < static_radix; ++j) re[j] = v[j].re, im[j] = v[j].im;
        write_interleaved<R, static_radix>(y.re + i * static_radix, re);
        write_interleaved<R, static_radix>(y.im + i * static_radix, im);
        continue;
      }
    }
    if constexpr (static_run != 0) {
      const std::size_t to = i * radix;
      for (std::size_t j = 0; j < radix; ++j) {
        write_pieces<R, static_run>(y.re + to + run * j, run * radix, v[j].re, count);
        write_pieces<R, static_run>(y.im + to + run * j, run * radix, v[j].im, count);
      }
    } else {
      std::size_t to[width];
      for (std::size_t l = 0; l < count; ++l) {
        to[l] = run * radix * p + q;
        if (++q == run) ++p, q = 0;
      }
      for (std::size_t j = 0; j < radix; ++j)
        for (std::size_t l = 0; l < count; ++l) y.re[to[l] + run * j] = v[j].re[l], y.im[to[l] + run * j] = v[j].im[l];
    }
  }
}

template <class R, std::size_t radix> void pass_of(const fourier_pass &f, fourier_tile from, fourier_tile to) noexcept {
  const parts_of<R> x(from), y(to);
  if (f.run >= lanes<R>)
    pass_over_runs<R, radix>(f, x, y);
  else if (f.run == 1)
    pass_over_groups<R, radix, 1>(f, x, y);
  else if (f.run == lanes<R> / 2)
    pass_over_groups<R, radix, lanes<R> / 2>(f, x, y);
  else
    pass_over_groups<R, radix, 0>(f, x, y);
}

template <class R> void pass(const fourier_pass &f, fourier_tile from, fourier_tile to) noexcept {
  switch (f.radix) {
  case 2:
    return pass_of<R, 2>(f, from, to);
  case 3:
    return pass_of<R, 3>(f, from, to);
  case 4:
    return pass_of<R, 4>(f, from, to);
  case 5:
    return pass_of<R, 5>(f, from, to);
  case 7:
    return pass_of<R, 7>(f, from, to);
  case 8:
    return pass_of<R, 8>(f, from, to);
  case 11:
    return pass_of<R, 11>(f, from, to);
  case 13:
    return pass_of<R, 13>(f, from, to);
  default:
    return pass_of<R, 0>(f, from, to);
  }
}

}  // namespace

const fourier_pass_function fourier_passes[2] = {pass<float>, pass<double>};

}  // namespace dpep::array::blocks::DPEP_ISA
