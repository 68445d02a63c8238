// Plans of Fourier transforms: factors of lengths, and tables of roots.
#include "array/cpu/fourier_plan.hpp"

#include <algorithm>
#include <cstring>

#include "array/blocks/blocks.hpp"
#include "array/cpu/unit_roots.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::size_t padding = blocks::fourier_padding;

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
  chirp_row_ = whole_vectors(n);
  R *const chirp = allocate<R>(2 * chirp_row_);
  fill_chirp(n, chirp_row_, chirp);
  chirp_ = chirp;
  // the transform of the conjugate chirp, by a plan for one line
  const std::size_t row = spectrum_row_ = whole_vectors(size) + padding;
  R *const spectrum = allocate<R>(2 * row);
  const auto scratch = make_table<R>(4 * row);
  R *const first = reinterpret_cast<R *>(scratch.get());
  fill_wrapped_chirp(n, size, chirp, chirp_row_, first, row);
  tile_pair t{{first, first + row}, {first + 2 * row, first + 3 * row}};
  fourier_plan(real_, size, 1).run(t);
  for (std::size_t k = 0; k < size; ++k) {
    spectrum[k] = static_cast<const R *>(t.numbers.re)[k] / R(size);
    spectrum[row + k] = static_cast<const R *>(t.numbers.im)[k] / R(size);
  }
  spectrum_ = spectrum;
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
