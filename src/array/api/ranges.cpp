// arange of a start, a stop and a step: the dtype, the length, and the first two elements by NumPy's rules.
#include <dpep/array_functions.hpp>
#include <dpep/array_numpy.hpp>

#include <algorithm>
#include <cmath>

#include "array/base/errors.hpp"
#include "array/base/scalars.hpp"

namespace dpep::array {
namespace {

/// Sums and differences of integers of 64 bits, signed or not, are exact in it.
using wide = __int128;

bool is_whole(const scalar &x) noexcept { return x.what <= scalar::kind::integer; }
wide integer_of(const scalar &x) noexcept {
  return x.beyond_int64 ? wide(static_cast<std::uint64_t>(x.integer)) : wide(x.integer);
}
std::complex<double> value_of(const scalar &x) noexcept {
  return is_whole(x) ? static_cast<double>(integer_of(x)) : x.number;
}

constexpr std::int64_t most_elements = std::int64_t{1} << 62;
[[noreturn]] void refuse_length() { refuse(refusal::value, "arange: more elements than memory has addresses"); }

/// The number of elements of a range of so many steps.
std::int64_t count_from_steps(double steps) {
  const double count = std::ceil(steps);
  if (std::isnan(count)) refuse(refusal::value, "arange: the length of the range is NaN");
  if (count <= 0) return 0;
  if (count >= static_cast<double>(most_elements)) refuse_length();
  return static_cast<std::int64_t>(count);
}

std::int64_t range_count(const scalar &start, const scalar &stop, const scalar &step) {
  if (is_whole(start) && is_whole(stop) && is_whole(step)) {
    const wide span = integer_of(stop) - integer_of(start), each = integer_of(step);
    if (each == 0) refuse(refusal::zero_division, "arange: step is 0");
    const wide count = span / each + (span % each != 0 && (span < 0) == (each < 0));
    if (count >= most_elements) refuse_length();
    return static_cast<std::int64_t>(std::max<wide>(count, 0));
  }
  return count_from_steps(((value_of(stop) - value_of(start)) / value_of(step)).real());
}

/// The number as an element of a dtype. Integers may be out of the dtype's bounds: the second element of a range of one
/// element has no effect.
scalar as_element(const scalar &x, dtype type) {
  switch (kind_of(type)) {
  case dtype_kind::complex:
    return scalar::of(value_of(x));
  case dtype_kind::real:
    return scalar::of(value_of(x).real());
  case dtype_kind::boolean:
    return x;
  case dtype_kind::signed_integer:
  case dtype_kind::unsigned_integer:
    break;
  }
  if (x.what != scalar::kind::real) return x;
  return converted(x, x.number.real() < 0 ? dtype::int64 : dtype::uint64, "arange");
}

scalar sum_of(const scalar &a, const scalar &b) {
  if (is_whole(a) && is_whole(b)) {
    const wide sum = integer_of(a) + integer_of(b);
    if (sum >= INT64_MIN && sum <= INT64_MAX) return scalar::of(static_cast<std::int64_t>(sum));
    if (sum >= 0 && sum <= UINT64_MAX) return scalar::of(static_cast<std::uint64_t>(sum));
  }
  const std::complex<double> numbers = value_of(a) + value_of(b);
  const bool is_complex = a.what == scalar::kind::complex || b.what == scalar::kind::complex;
  return is_complex ? scalar::of(numbers) : scalar::of(numbers.real());
}

/// The number rounded to a floating-point dtype.
std::complex<double> rounded(std::complex<double> x, dtype type) noexcept {
  switch (type) {
  case dtype::float16:
    return static_cast<double>(static_cast<_Float16>(x.real()));
  case dtype::float32:
  case dtype::complex64:
    return {static_cast<float>(x.real()), static_cast<float>(x.imag())};
  default:
    return x;
  }
}

}  // namespace

ndarray arange(const scalar &start, const scalar &stop, const scalar &step, std::optional<dtype> type,
               const placement &where) {
  const auto widest = std::max({start.what, stop.what, step.what, scalar::kind::integer});
  // As in NumPy, a range of integers of which some are int64 and some uint64 is of real numbers.
  const bool beyond_int64 = start.beyond_int64 || stop.beyond_int64 || step.beyond_int64;
  const dtype t =
      type ? *type
           : default_type(beyond_int64 ? std::max(widest, scalar::kind::real) : widest, where.queue.get_device());
  check_supported(t, where.queue.get_device(), "arange");
  if (widest == scalar::kind::complex) check_keeps_imaginary_parts(dtype::complex128, t, "arange");
  const std::int64_t count = range_count(start, stop, step);
  if (t == dtype::boolean && count > 2)
    refuse(refusal::value, "arange: a range of dtype bool has at most 2 elements, got {}", count);
  // As in NumPy, the range continues its first two elements, both rounded to the array's dtype.
  const scalar first = as_element(start, t);
  if (is_whole(first)) {
    std::uint64_t step_bits = is_whole(start) && is_whole(step)
                                  ? static_cast<std::uint64_t>(step.integer)
                                  : static_cast<std::uint64_t>(as_element(sum_of(start, step), t).integer) -
                                        static_cast<std::uint64_t>(first.integer);
    if (kind_of(t) != dtype_kind::unsigned_integer)
      return arange(first, scalar::of(static_cast<std::int64_t>(step_bits)), count, t, where);
    // A negative step of an unsigned dtype is the equal step modulo 2^bits.
    step_bits &= ~std::uint64_t{0} >> (64 - 8 * size_of(t));
    return arange(first, scalar::of(step_bits), count, t, where);
  }
  const std::complex<double> second = rounded(value_of(sum_of(start, step)), t);
  const std::complex<double> distance = second - rounded(value_of(first), t);
  const scalar stride = as_element(scalar::of(t == dtype::float16 ? distance : rounded(distance, t)), t);
  const ndarray range = arange(first, stride, count, t, where);
  // Where the step is rounded, adding it to the first element need not give the second.
  if (count > 1 && rounded(rounded(value_of(first), t) + value_of(stride), t) != second) {
    const index place{index::kind::integer, 1};
    assign(view(range, {&place, 1}), as_element(scalar::of(second), t));
  }
  return range;
}

}  // namespace dpep::array
