// Element operations that NumPy, and therefore dpnp, defines differently from dpctl: the choice of the table's row.
#include <algorithm>

#include "arrays.hpp"

namespace dpep::python {
namespace {

using array::opcode;
using array::operand;

dtype_kind kind_of_operand(const operand &o) noexcept {
  if (o.array) return kind_of(o.array->type());
  switch (o.number->what) {
  case array::scalar::kind::real:
    return dtype_kind::real;
  case array::scalar::kind::complex:
    return dtype_kind::complex;
  default:
    return dtype_kind::signed_integer;
  }
}

/// The row of the operation table for NumPy's definition of the operation on these operands.
opcode numpy_code(opcode code, std::span<const operand> operands, const array::element_options &options) noexcept {
  const auto any = [&](dtype_kind kind) {
    return std::ranges::any_of(operands, [=](const operand &o) { return kind_of_operand(o) == kind; });
  };
  switch (code) {
  case opcode::floor_divide:
    return any(dtype_kind::complex) ? code : opcode::numpy_floor_divide;
  case opcode::bitwise_right_shift:
    return any(dtype_kind::complex) || any(dtype_kind::real) ? code : opcode::numpy_right_shift;
  case opcode::reciprocal:
    return options.type || any(dtype_kind::complex) || any(dtype_kind::real) ? code : opcode::numpy_reciprocal;
  default:
    return code;
  }
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
    if (array::is_known_non_negative(*exponent.array)) return;
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
  return array::element(numpy_code(code, operands, options), operands, options);
}

}  // namespace dpep::python
