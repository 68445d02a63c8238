// Convolutions: products of overlapping windows of the longer operand with a Toeplitz matrix of the shorter one, or
// products of Fourier transforms.
//
// Row r of the windows begins at element r * block, so the product computes `block` elements of the result from each
// row, as fast as other products of matrices. Both matrices are views: no element is stored twice.
#include <dpep/array_fft.hpp>
#include <dpep/array_opcodes.hpp>
#include <dpep/array_products.hpp>
#include <dpep/array_signals.hpp>

#include <bit>
#include <cmath>

#include "array/api/terms.hpp"
#include "array/base/errors.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

/// Elements of the result that a row of windows gives. Measured with 1,000,000 elements and 3 to 4,000 weights: 16
/// takes less time than 8 and 32 for float64, about the same for int64 (benchmarks/statistics).
constexpr std::int64_t block = 16;

/// sums[k] = sum over j of x[k + j - before] * weights[j] for `count` numbers k, where x is 0 beyond its elements.
struct sliding_sum {
  ndarray x, weights;  // of one dtype; weights are not longer than x
  std::int64_t before, count;
};

ndarray strided(const ndarray &x, std::initializer_list<std::int64_t> shape,
                std::initializer_list<std::int64_t> strides, std::int64_t offset) {
  array_object &a = implementation_of(x, "convolve");
  static_cast<void>(a.memory());
  return make_view(a, layout(std::span(shape.begin(), shape.size()), std::span(strides.begin(), strides.size()),
                             a.layout.offset + offset));
}

/// A copy with zeros before and behind, of `size` elements.
ndarray padded(const ndarray &x, std::int64_t before, std::int64_t size) {
  const std::int64_t n = x.size();
  const scalar zero = scalar::of(std::int64_t{0});
  const ndarray made = empty(std::array{size}, x.type(), placement_of(x));
  if (before > 0) assign(part(made, 0, before), zero);
  assign(part(made, before, n), x);
  if (before + n < size) assign(part(made, before + n, size - before - n), zero);
  return made;
}

ndarray padded_for(const sliding_sum &s, std::int64_t count) {
  return padded(s.x, s.before, std::max(count + s.weights.size() - 1, s.before + s.x.size()));
}

/// Rows of windows times a Toeplitz matrix. Its zeros outside of the weights make NaN of infinities and NaN.
ndarray by_blocks(const sliding_sum &s) {
  const std::int64_t m = s.weights.size(), rows = (s.count + block - 1) / block, width = m + block - 1;
  const ndarray weights = padded(s.weights, block - 1, m + 2 * (block - 1));
  const ndarray windows = strided(padded_for(s, rows * block), {rows, width}, {block, 1}, 0);
  const ndarray toeplitz = strided(weights, {width, block}, {1, -1}, block - 1);
  return part(reshape(matmul(windows, toeplitz), std::array{rows * block}), 0, s.count);
}

/// Each window times the weights, for finite weights and any x. The zeros beyond x make no NaN.
ndarray by_windows(const sliding_sum &s) {
  return matmul(strided(padded_for(s, s.count), {s.count, s.weights.size()}, {1, 1}, 0), s.weights);
}

/// The sums of products with elements of x only, for any weights. Slow: products are no multiplication of matrices.
ndarray by_products(const sliding_sum &s) {
  const ndarray ones = full(s.x.shape(), scalar::of(true), dtype::boolean, placement_of(s.x));
  const ndarray in_x = padded_for({ones, s.weights, s.before, s.count}, s.count);
  const auto windows = [&](const ndarray &x) { return strided(x, {s.count, s.weights.size()}, {1, 1}, 0); };
  const term products = term(windows(padded_for(s, s.count))) * s.weights;
  reduce_options along_windows;
  along_windows.axes = {1};
  return cast(reduce(reduction::sum, where(windows(in_x), products, 0.0), along_windows), s.x.type());
}

/// The least product of powers of 2, 3 and 5 that is not less than n, of which transforms are fast.
std::int64_t good_length(std::int64_t n) noexcept {
  std::int64_t best = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
  for (std::int64_t fives = 1; fives < best; fives *= 5)
    for (std::int64_t odd = fives; odd < best; odd *= 3) {
      std::int64_t length = odd;
      while (length < n) length *= 2;
      best = std::min(best, length);
    }
  return best;
}

ndarray by_fourier(const sliding_sum &s) {
  const bool is_complex = kind_of(s.x.type()) == dtype_kind::complex;
  const auto forward = is_complex ? fourier_transform::fft : fourier_transform::rfft;
  const auto back = is_complex ? fourier_transform::ifft : fourier_transform::irfft;
  const std::int64_t m = s.weights.size(), length = good_length(s.x.size() + m - 1);
  const term product = term(fft(s.x, forward, length)) * fft(flip(s.weights), forward, length);
  const ndarray all = fft(product, back, length);
  return copy(cast(part(all, m - 1 - s.before, s.count), s.x.type()));
}

bool is_inexact(dtype t) noexcept { return kind_of(t) == dtype_kind::real || kind_of(t) == dtype_kind::complex; }

bool is_finite(const ndarray &x) { return item(reduce(reduction::all, apply(opcode::isfinite, x))).integer; }

/// Whether Fourier transforms take less than half the time, so that their larger error pays off. On two cores and for
/// float64, a product takes 0.077 ns and a transform with its inverse 3.5 ns for each element and factor 2 of the
/// length.
bool is_faster_by_fourier(const sliding_sum &s) {
  const auto length = double(good_length(s.x.size() + s.weights.size() - 1));
  const double direct = 0.077 * double(s.count) * double(s.weights.size());
  return direct > 2 * 3.5 * length * std::log2(length);
}

ndarray compute(const sliding_sum &s, convolution_method method) {
  const dtype type = s.x.type();
  if (!is_inexact(type)) {
    if (method != convolution_method::fourier) return by_blocks(s);
    const dtype real = default_real(s.x.get_queue().get_device());
    const ndarray sums = by_fourier({cast(s.x, real), cast(s.weights, real), s.before, s.count});
    return cast(apply(opcode::round, sums), type);
  }
  if (method == convolution_method::fourier) return by_fourier(s);
  if (!is_finite(s.weights)) return by_products(s);
  if (!is_finite(s.x)) return by_windows(s);
  if (method == convolution_method::automatic && type != dtype::float16 && is_faster_by_fourier(s))
    return by_fourier(s);
  return by_blocks(s);
}

/// The sliding sum of the longer operand with the shorter one as weights.
sliding_sum with_part(const ndarray &x, const ndarray &weights, convolution_part which) {
  const std::int64_t n = x.size(), m = weights.size();
  switch (which) {
  case convolution_part::full:
    return {x, weights, m - 1, n + m - 1};
  case convolution_part::same:
    return {x, weights, m / 2, n};
  case convolution_part::valid:
    break;
  }
  return {x, weights, 0, n - m + 1};
}

struct both_operands {
  ndarray x, y;
};
both_operands checked(const ndarray &x, const ndarray &y, const char *name) {
  check_same_queue(y.get_queue(), x.get_queue(), name);
  for (const ndarray *a : {&x, &y})
    if (a->dimensions() > 1 || a->size() == 0)
      refuse(refusal::value, "{}: expected arrays with one axis and at least one element, got shapes {} and {}", name,
             text_of(x.shape()), text_of(y.shape()));
  const dtype type = supported(promote(x.type(), y.type()), x.get_queue().get_device());
  const auto list = [&](const ndarray &a) { return reshape(cast(a, type), std::array{a.size()}); };
  return {list(x), list(y)};
}

}  // namespace

ndarray convolve(const ndarray &first, const ndarray &second, const convolution_options &options) {
  auto [x, y] = checked(first, second, "convolve");
  if (y.size() > x.size()) std::swap(x, y);
  return compute(with_part(x, flip(y), options.part), options.method);
}

ndarray correlate(const ndarray &first, const ndarray &second, const convolution_options &options) {
  auto [x, y] = checked(first, second, "correlate");
  if (kind_of(y.type()) == dtype_kind::complex) y = apply(opcode::conj, y);
  if (y.size() <= x.size()) return compute(with_part(x, y, options.part), options.method);
  return flip(compute(with_part(y, x, options.part), options.method));
}

}  // namespace dpep::array
