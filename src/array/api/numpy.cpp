// Reductions, accumulations, output arrays and NaN by NumPy's rules.
#include <dpep/array_numpy.hpp>

#include <algorithm>

#include <dpep/array_opcodes.hpp>

#include "array/base/errors.hpp"
#include "array/base/layout.hpp"

namespace dpep::array {
namespace {

/// refusal::value for the extremes along an axis of length 0.
void check_not_empty(reduction how, const ndarray &x, const std::optional<std::vector<int>> &axes,
                     const char *function) {
  using enum reduction;
  if (how != max && how != min && how != argmax && how != argmin) return;
  const extents shape = x.shape();
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] == 0 && (!axes || std::ranges::count(*axes, static_cast<int>(axis))))
      refuse(refusal::value, "{}: shape {} has no elements along the reduced axes; at least one is needed", function,
             text_of(shape));
}

bool is_inexact(dtype t) noexcept { return kind_of(t) == dtype_kind::real || kind_of(t) == dtype_kind::complex; }

ndarray without_nan(const ndarray &x, std::optional<double> number) { return number ? replace_nan(x, *number) : x; }

ndarray stored(ndarray result, const ndarray *out, const char *function) {
  if (!out) return result;
  store_result(*out, result, function);
  return *out;
}

}  // namespace

void check_keeps_imaginary_parts(dtype from, dtype to, const char *operation) {
  if (kind_of(from) != dtype_kind::complex || kind_of(to) == dtype_kind::complex || to == dtype::boolean) [[likely]]
    return;
  refuse(refusal::type, "{}: {} cannot be cast to {} without losing imaginary parts; take the real part first",
         operation, name_of(from), name_of(to));
}

void store_result(const ndarray &out, const ndarray &result, const char *operation, casting how) {
  check_out_queue(out.get_queue(), result.get_queue(), operation);
  if (!std::ranges::equal(out.shape(), result.shape()))
    refuse(refusal::value, "{}: out has shape {}, but the result has shape {}", operation, text_of(out.shape()),
           text_of(result.shape()));
  if (how != casting::unsafe) check_keeps_imaginary_parts(result.type(), out.type(), operation);
  if (!can_cast(result.type(), out.type(), how)) {
    constexpr const char *rules[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    refuse(refusal::type, "{}: {} cannot be cast to {} of out (casting '{}')", operation, name_of(result.type()),
           name_of(out.type()), rules[static_cast<int>(how)]);
  }
  assign(out, out.type() == result.type() ? result : astype(result, out.type()));
}

ndarray replace_nan(const ndarray &x, double number) {
  const dtype_kind kind = kind_of(x.type());
  if (kind != dtype_kind::real && kind != dtype_kind::complex) return x;
  const operand operands[] = {{.array = &x}};
  const ndarray absent = element(opcode::isnan, operands);
  const scalar replacement = scalar::of(number);
  const operand choice[] = {{.array = &absent}, {.number = &replacement}, {.array = &x}};
  return element(opcode::where, choice);
}

ndarray numpy_indices(const ndarray &x, const char *function) {
  if (x.size() == 0) return astype(x, dtype::int64, casting::unsafe, order::keep, false);  // also of an empty list
  switch (kind_of(x.type())) {
  case dtype_kind::boolean:
    return astype(x, dtype::int64, casting::unsafe, order::keep, false);
  case dtype_kind::signed_integer:
  case dtype_kind::unsigned_integer:
    return x;
  default:
    refuse(refusal::type, "{}: indices must be integers; {} cannot be cast to int64 by the rule 'safe'", function,
           name_of(x.type()));
  }
}

void check_safe_cast(const ndarray &values, const ndarray &to, const char *function) {
  if (!can_cast(values.type(), to.type(), casting::safe))
    refuse(refusal::type, "{}: {} cannot be cast to the array's {} by the rule 'safe'", function,
           name_of(values.type()), name_of(to.type()));
}

ndarray numpy_reduce(reduction how, const ndarray &x, const numpy_reduce_options &options, const char *function) {
  const bool is_search = how == reduction::argmax || how == reduction::argmin;
  if (is_search && options.out && !can_cast(options.out->type(), dtype::int64))
    refuse(refusal::type, "{}: out must have a dtype that can be cast to int64, got {}", function,
           name_of(options.out->type()));
  if (x.size() == 0) check_not_empty(how, x, options.axes, function);
  reduce_options plain;
  plain.axes = options.axes;
  plain.keep_dimensions = options.keep_dimensions;
  if (how == reduction::mean && options.type) {
    const ndarray source =
        is_inexact(*options.type) ? astype(x, *options.type, casting::unsafe, order::keep, false) : x;
    const ndarray result = reduce(how, without_nan(source, options.for_nan), plain);
    return stored(astype(result, *options.type, casting::unsafe, order::keep, false), options.out, function);
  }
  plain.type = options.type;
  return stored(reduce(how, without_nan(x, options.for_nan), plain), options.out, function);
}

ndarray numpy_accumulate(accumulation how, const ndarray &x, const numpy_accumulate_options &options,
                         const char *function) {
  const ndarray numbers = without_nan(x, options.for_nan);
  const bool flat = !options.axis || x.dimensions() == 0;
  const std::int64_t size[] = {x.size()};
  accumulate_options plain;
  plain.axis = options.axis.value_or(0);
  plain.type = options.type;
  return stored(accumulate(how, flat ? reshape(numbers, size) : numbers, plain), options.out, function);
}

}  // namespace dpep::array
