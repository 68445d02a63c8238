// Plans of Fourier transforms: factors of lengths, and tables of roots.
#include "array/cpu/fourier_plan.hpp"

#include <algorithm>
#include <cstring>

#include "array/blocks/blocks.hpp"
#include "array/cpu/unit_roots.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::size_t padding = blocks::fourier_padding;

/// A table of which kernels may read `padding` numbers beyond the end.
template <class R> std::unique_ptr<std::byte[]> make_table(std::size_t numbers) {
  return std::make_unique<std::byte[]>((numbers + padding) * sizeof(R));
}
std::size_t whole_vectors(std::size_t numbers) noexcept { return (numbers + padding - 1) / padding * padding; }

/// The smallest length of at least `least` whose only prime factors are 2, 3 and 5, with a factor of 8 for full
/// vectors.
std::size_t convolution_length(std::size_t least) {
  std::size_t best = std::bit_ceil(std::max<std::size_t>(least, 8));
  for (std::size_t fives = 8; fives < best; fives *= 5)
    for (std::size_t threes = fives; threes < best; threes *= 3) {
      std::size_t length = threes;
      while (length < least) length *= 2;
      best = std::min(best, length);
    }
  return best;
}

}  // namespace

std::vector<std::size_t> radices_of(std::size_t length) {
  std::vector<std::size_t> radices;
  // powers of two come first: their first pass writes whole vectors
  int twos = 0;
  for (; length % 2 == 0; length /= 2) ++twos;
  const bool ends_with_fours = twos % 3 == 1 && twos > 4;  // 4 * 4 instead of 8 * 2
  for (; twos >= (ends_with_fours ? 5 : 3); twos -= 3) radices.push_back(8);
  for (; twos >= 2; twos -= 2) radices.push_back(4);
  if (twos) radices.push_back(2);
  const std::size_t first_odd = radices.size();
  for (std::size_t factor = 3; factor <= blocks::max_fourier_radix; factor += 2)
    for (; length % factor == 0; length /= factor) radices.push_back(factor);
  if (length > 1) return {};
  // large radices first: runs are soon as long as a vector
  std::reverse(radices.begin() + std::ptrdiff_t(first_odd), radices.end());
  return radices;
}

fourier_plan::fourier_plan(dtype real, std::size_t length, std::size_t lanes)
    : real_(real), length_(length), lanes_(lanes) {
  if (length <= 1) return;
  const bool is_double = real == dtype::float64;
  if (radices_of(length).empty())
    is_double ? make_convolution<double>() : make_convolution<float>();
  else
    is_double ? make_passes<double>() : make_passes<float>();
}
fourier_plan::~fourier_plan() = default;

std::size_t fourier_plan::positions() const noexcept { return convolution_ ? convolution_->length() : length_; }

template <class R> R *fourier_plan::allocate(std::size_t numbers) {
  tables_.push_back(make_table<R>(numbers));
  bytes_ += numbers * sizeof(R);
  return reinterpret_cast<R *>(tables_.back().get());
}

template <class R> void fourier_plan::make_passes() {
  const unit_roots roots(length_);
  const std::size_t vector = blocks::find_fourier(real_).lanes;
  std::size_t run = 1, rest = length_;
  for (const std::size_t radix : radices_of(length_)) {
    blocks::fourier_pass f{};
    f.radix = radix;
    f.groups = rest / radix;
    f.run = run * lanes_;
    const auto root = [&](std::size_t j, std::size_t p) { return roots(run * (j * p % rest)); };
    if (f.groups > 1 && f.run >= vector) {
      R *to = allocate<R>(2 * f.groups * (radix - 1));
      f.twiddles = to;
      for (std::size_t p = 0; p < f.groups; ++p)
        for (std::size_t j = 1; j < radix; ++j) {
          const auto [re, im] = root(j, p);
          *to++ = R(re);
          *to++ = R(im);
        }
    } else if (f.groups > 1) {
      f.row = whole_vectors(f.groups * f.run);
      R *const all = allocate<R>(2 * f.row * (radix - 1));
      f.twiddles = all;
      for (std::size_t j = 1; j < radix; ++j)
        for (std::size_t i = 0; i < f.groups * f.run; ++i) {
          const auto [re, im] = root(j, i / f.run);
          all[2 * f.row * (j - 1) + i] = R(re);
          all[2 * f.row * (j - 1) + f.row + i] = R(im);
        }
    }
    if (radix % 2 == 1) {
      R *const own = allocate<R>(2 * radix);
      f.roots = own;
      for (std::size_t k = 0; k < radix; ++k) {
        const auto [re, im] = roots(k * (length_ / radix));
        own[k] = R(re);
        own[radix + k] = R(-im);
      }
    }
    passes_.push_back(f);
    run *= radix;
    rest /= radix;
  }
}

template <class R> void fourier_plan::make_convolution() {
  const std::size_t n = length_, size = convolution_length(2 * n - 1);
  convolution_ = std::make_unique<const fourier_plan>(real_, size, lanes_);
  bytes_ += convolution_->bytes();
  // exp(-pi i k^2 / n)
  const unit_roots roots(2 * n);
  chirp_row_ = whole_vectors(n);
  R *const chirp = allocate<R>(2 * chirp_row_);
  for (std::size_t k = 0, square = 0; k < n; ++k) {
    const auto [re, im] = roots(square);
    chirp[k] = R(re);
    chirp[chirp_row_ + k] = R(im);
    square = (square + 2 * k + 1) % (2 * n);
  }
  chirp_ = chirp;
  // the transform of the conjugate chirp, which is symmetric
  const fourier_plan one_line(real_, size, 1);
  spectrum_row_ = whole_vectors(size);
  R *const made = allocate<R>(2 * spectrum_row_);
  const auto scratch = make_table<R>(2 * (spectrum_row_ + padding));
  R *const other = reinterpret_cast<R *>(scratch.get());
  tables_.push_back(make_table<R>(2 * (spectrum_row_ + padding)));
  R *const first = reinterpret_cast<R *>(tables_.back().get());
  const std::size_t distance = spectrum_row_ + padding;
  for (std::size_t k = 0; k < n; ++k) {
    first[k] = chirp[k];
    first[distance + k] = -chirp[chirp_row_ + k];
    if (k == 0) continue;
    first[size - k] = first[k];
    first[distance + size - k] = first[distance + k];
  }
  tile_pair t{{first, first + distance}, {other, other + distance}};
  one_line.run(t);
  for (std::size_t k = 0; k < size; ++k) {
    made[k] = static_cast<const R *>(t.numbers.re)[k] / R(size);
    made[spectrum_row_ + k] = static_cast<const R *>(t.numbers.im)[k] / R(size);
  }
  tables_.pop_back();
  spectrum_ = made;
}

void fourier_plan::run(tile_pair &t) const noexcept {
  if (!convolution_) {
    const blocks::fourier_pass_function pass = blocks::find_fourier_pass(real_);
    for (const blocks::fourier_pass &f : passes_) {
      pass(f, t.numbers, t.scratch);
      t.swap();
    }
    return;
  }
  const blocks::fourier_kernels &kernels = blocks::find_fourier(real_);
  const std::size_t size = convolution_->length(), item = size_of(real_);
  kernels.multiply(chirp_, chirp_row_, length_, lanes_, t.numbers, t.numbers);
  for (void *const part : {t.numbers.re, t.numbers.im})
    std::memset(static_cast<std::byte *>(part) + length_ * lanes_ * item, 0, (size - length_) * lanes_ * item);
  convolution_->run(t);
  kernels.multiply(spectrum_, spectrum_row_, size, lanes_, t.numbers, t.numbers);
  t.exchange_parts();
  convolution_->run(t);
  t.exchange_parts();
  kernels.multiply(chirp_, chirp_row_, length_, lanes_, t.numbers, t.numbers);
}

pair_roots::pair_roots(dtype real, std::size_t half) : row_(whole_vectors(half / 2 + 1 + padding)) {
  real == dtype::float64 ? fill<double>(half) : fill<float>(half);
}
template <class R> void pair_roots::fill(std::size_t half) {
  numbers_ = make_table<R>(2 * row_);
  bytes_ = 2 * row_ * sizeof(R);
  R *const to = reinterpret_cast<R *>(numbers_.get());
  const unit_roots roots(2 * half);
  for (std::size_t k = 0; k < row_; ++k) {
    const auto [re, im] = roots(k);
    to[k] = R(re);
    to[row_ + k] = R(im);
  }
}

}  // namespace dpep::array::cpu
