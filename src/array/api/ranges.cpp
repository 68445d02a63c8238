// arange of a start, a stop and a step: the dtype, the length, and the first two elements by NumPy's rules.
#include <dpep/array_functions.hpp>
#include <dpep/array_numpy.hpp>

#include <algorithm>
#include <cmath>

#include "array/base/errors.hpp"
#include "array/base/scalars.hpp"

namespace dpep::array {
namespace {

std::complex<double> value_of(const scalar &x) noexcept {
  if (x.what == scalar::kind::real || x.what == scalar::kind::complex) return x.number;
  return x.beyond_int64 ? static_cast<double>(static_cast<std::uint64_t>(x.integer)) : static_cast<double>(x.integer);
}

bool is_whole(const scalar &x) noexcept { return x.what <= scalar::kind::integer && !x.beyond_int64; }

/// The number of elements of a range of so many steps.
std::int64_t count_from_steps(double steps) {
  const double count = std::ceil(steps);
  if (!(count > 0)) return 0;  // also for NaN
  if (count >= 0x1p62) refuse(refusal::value, "arange: more elements than memory has addresses");
  return static_cast<std::int64_t>(count);
}

std::int64_t range_count(const scalar &start, const scalar &stop, const scalar &step) {
  if (is_whole(start) && is_whole(stop) && is_whole(step)) {
    if (step.integer == 0) refuse(refusal::zero_division, "arange: step is 0");
    std::int64_t span;
    if (!__builtin_sub_overflow(stop.integer, start.integer, &span) && step.integer != -1) {
      const std::int64_t count =
          span / step.integer + ((span % step.integer != 0) && ((span < 0) == (step.integer < 0)));
      return std::max<std::int64_t>(count, 0);
    }
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
  std::int64_t sum;
  if (is_whole(a) && is_whole(b) && !__builtin_add_overflow(a.integer, b.integer, &sum)) return scalar::of(sum);
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
  const dtype t = type ? *type : default_type(widest, where.queue.get_device());
  check_supported(t, where.queue.get_device(), "arange");
  if (widest == scalar::kind::complex) check_keeps_imaginary_parts(dtype::complex128, t, "arange");
  const std::int64_t count = range_count(start, stop, step);
  if (t == dtype::boolean && count > 2)
    refuse(refusal::value, "arange: a range of dtype bool has at most 2 elements, got {}", count);
  // As in NumPy, the range continues its first two elements, both rounded to the array's dtype.
  const scalar first = as_element(start, t);
  if (is_whole(first)) {
    const scalar next = as_element(sum_of(start, step), t);
    std::uint64_t step_bits = static_cast<std::uint64_t>(next.integer) - static_cast<std::uint64_t>(first.integer);
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
