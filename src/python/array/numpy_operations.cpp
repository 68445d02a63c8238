// Element operations that NumPy, and therefore dpnp, defines differently from dpctl and the operation table.
// They are compositions of the table's operations, which fusion makes one pass over large arrays.
#include <cmath>
#include <initializer_list>
#include <limits>

#include "arrays.hpp"

namespace dpep::python {
namespace {

using array::opcode;
using array::operand;
using array::scalar;

bool is_real_float(dtype t) noexcept { return kind_of(t) == dtype_kind::real; }
bool is_float(dtype t) noexcept { return is_real_float(t) || kind_of(t) == dtype_kind::complex; }

scalar whole(std::int64_t x) noexcept { return scalar::of(x); }
double value_of(const scalar &x) noexcept {
  return x.what == scalar::kind::real ? x.number.real() : static_cast<double>(x.integer);
}

operand of(const ndarray &a) noexcept { return {.array = &a}; }
operand of(const scalar &x) noexcept { return {.number = &x}; }
ndarray apply(opcode code, std::initializer_list<operand> operands, const array::element_options &options = {}) {
  return array::element(code, {operands.begin(), operands.size()}, options);
}

/// A mask of quotients that are -1 in NumPy: `y` is infinite and has the other sign than `x`. Null if there are none.
ndarray minus_one_mask(const operand &x, const operand &y) {
  const scalar zero = whole(0);
  if (y.number) {
    if (!std::isinf(value_of(*y.number))) return {};
    return apply(value_of(*y.number) > 0 ? opcode::less : opcode::greater, {x, of(zero)});
  }
  if (!is_real_float(y.array->type())) return {};
  const ndarray product = apply(opcode::multiply, {x, y}), infinite = apply(opcode::isinf, {y});
  const ndarray negative = apply(opcode::less, {of(product), of(zero)});
  return apply(opcode::logical_and, {of(infinite), of(negative)});
}

/// A mask of quotients that are NaN in NumPy: `x` is infinite and `y` is not 0. Null if there are none.
ndarray nan_mask(const operand &x, const operand &y) {
  const scalar zero = whole(0);
  if (x.number) return std::isinf(value_of(*x.number)) ? apply(opcode::not_equal, {y, of(zero)}) : ndarray();
  if (!is_real_float(x.array->type()) || (y.number && value_of(*y.number) == 0)) return {};
  const ndarray infinite = apply(opcode::isinf, {x});
  if (y.number) return infinite;
  const ndarray divides = apply(opcode::not_equal, {y, of(zero)});
  return apply(opcode::logical_and, {of(infinite), of(divides)});
}

/// Floor division with Python's results for infinities: inf // 2 is NaN and -1 // inf is -1. dpctl's are inf and -0.
ndarray floor_divide(std::span<const operand> operands, const array::element_options &options) {
  const operand &x = operands[0], &y = operands[1];
  const auto has_no_infinity = [](const operand &o) {
    return o.number ? !std::isinf(value_of(*o.number)) : array::holds_at_once(*o.array, array::quick_fact::no_infinity);
  };
  if (has_no_infinity(x) && has_no_infinity(y)) return array::element(opcode::floor_divide, operands, options);
  const ndarray &like = x.array ? *x.array : *y.array;
  const dtype type = options.type
                         ? *options.type
                         : array::resolve(opcode::floor_divide, operands, like.get_queue().get_device()).result;
  if (!is_real_float(type)) return array::element(opcode::floor_divide, operands, options);
  const ndarray is_minus_one = minus_one_mask(x, y), is_nan = nan_mask(x, y);
  if (!is_minus_one && !is_nan) return array::element(opcode::floor_divide, operands, options);
  array::element_options inner = options, last{.out = options.out, .layout = options.layout, .type = {}};
  inner.out = nullptr;
  ndarray result = array::element(opcode::floor_divide, operands, inner);
  const scalar minus_one = whole(-1), nan = scalar::of(std::numeric_limits<double>::quiet_NaN());
  if (is_minus_one)
    result =
        apply(opcode::where, {of(is_minus_one), of(minus_one), of(result)}, is_nan ? array::element_options{} : last);
  return is_nan ? apply(opcode::where, {of(is_nan), of(nan), of(result)}, last) : result;
}

/// Right shift in which negative counts, like counts of the number of bits or more, give 0 or -1 by the sign of the
/// operand. dpctl's result for negative counts is 0.
ndarray right_shift(std::span<const operand> operands, const array::element_options &options) {
  const operand &x = operands[0], &count = operands[1];
  const scalar all = whole(63), zero = whole(0);
  if (count.number) {
    const bool has_sign = kind_of(x.array->type()) == dtype_kind::signed_integer;
    const bool negative =
        count.number->what == scalar::kind::integer && !count.number->beyond_int64 && count.number->integer < 0;
    const operand clamped[] = {x, of(all)};
    return array::element(opcode::bitwise_right_shift, has_sign && negative ? clamped : operands, options);
  }
  if (kind_of(count.array->type()) != dtype_kind::signed_integer ||
      array::holds_at_once(*count.array, array::quick_fact::no_negative))
    return array::element(opcode::bitwise_right_shift, operands, options);
  const ndarray negative = apply(opcode::less, {count, of(zero)});
  const ndarray by = apply(opcode::where, {of(negative), of(all), count});
  const operand clamped[] = {x, of(by)};
  return array::element(opcode::bitwise_right_shift, clamped, options);
}

/// The reciprocal of integers, an integer: 1 and -1 for themselves, the least value for a zero of int32 and int64 (to
/// which processors convert infinity), else 0. Bools become int8. In dpctl the result is a float.
ndarray reciprocal(const ndarray &x, const array::element_options &options) {
  const dtype type = x.type() == dtype::boolean ? dtype::int8 : x.type();
  const ndarray a = array::astype(x, type, array::casting::unsafe, array::order::keep, false);
  const scalar zero = whole(0), one = whole(1);
  const array::element_options last{.out = options.out, .layout = options.layout, .type = {}};
  const ndarray size = apply(opcode::abs, {of(a)});
  const ndarray is_one = apply(opcode::equal, {of(size), of(one)});
  if (kind_of(type) != dtype_kind::signed_integer || size_of(type) < 4)
    return apply(opcode::where, {of(is_one), of(a), of(zero)}, last);
  const scalar least = whole(std::numeric_limits<std::int64_t>::min() >> (size_of(type) == 8 ? 0 : 32));
  const ndarray is_zero = apply(opcode::equal, {of(a), of(zero)});
  const ndarray others = array::astype(apply(opcode::where, {of(is_zero), of(least), of(zero)}), type);
  return apply(opcode::where, {of(is_one), of(a), of(others)}, last);
}

}  // namespace

void refuse_negative_powers(array::opcode code, std::span<const array::operand> operands) {
  if (code != array::opcode::pow) [[likely]]
    return;
  const auto is_whole = [](const array::operand &o) {
    if (o.number) return o.number->what == array::scalar::kind::integer;
    const dtype_kind kind = kind_of(o.array->type());
    return kind == dtype_kind::signed_integer || kind == dtype_kind::unsigned_integer;
  };
  const array::operand &base = operands[0], &exponent = operands[1];
  const bool base_is_bool =
      base.array ? base.array->type() == dtype::boolean : base.number->what == array::scalar::kind::boolean;
  if (!is_whole(exponent) || !(is_whole(base) || base_is_bool)) return;
  bool negative;
  if (exponent.number) {
    negative = !exponent.number->beyond_int64 && exponent.number->integer < 0;
  } else {
    if (kind_of(exponent.array->type()) != dtype_kind::signed_integer || exponent.array->size() == 0) return;
    if (array::holds_at_once(*exponent.array, array::quick_fact::no_negative)) return;
    const array::scalar zero = array::scalar::of(std::int64_t{0});
    const array::operand compared[] = {exponent, {.number = &zero}};
    const ndarray any = array::reduce(array::reduction::any, array::element(array::opcode::less, compared));
    negative = element_of(any, "power").integer != 0;
  }
  if (negative)
    throw value_error("power: Integers to negative integer powers are not allowed; convert the base or the exponents "
                      "to floats");
}

ndarray numpy_element(opcode code, std::span<const operand> operands, const array::element_options &options) {
  switch (code) {
  case opcode::floor_divide:
    return floor_divide(operands, options);
  case opcode::bitwise_right_shift:
    return right_shift(operands, options);
  case opcode::reciprocal:
    if (!options.type && operands[0].array && !is_float(operands[0].array->type()))
      return reciprocal(*operands[0].array, options);
    break;
  default:
    break;
  }
  return array::element(code, operands, options);
}

}  // namespace dpep::python
