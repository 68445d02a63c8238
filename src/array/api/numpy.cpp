// Reductions, accumulations, output arrays, selected elements and NaN by NumPy's rules.
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

namespace {

bool is_extreme(reduction how) noexcept { return how == reduction::max || how == reduction::min; }

void check_where(const ndarray &x, const ndarray &where, const char *function) {
  if (where.type() != dtype::boolean)
    refuse(refusal::type, "{}: where must be a bool or an array of bools, got an array of {}", function,
           name_of(where.type()));
  const extents shapes[] = {x.shape(), where.shape()};
  if (!std::ranges::equal(broadcast_shapes(shapes), x.shape()))
    refuse(refusal::value, "{}: where of shape {} cannot be broadcast to the array's shape {}", function,
           text_of(where.shape()), text_of(x.shape()));
}

/// The elements that `where` selects, and in place of the others a number that does not change the result.
ndarray selected(reduction how, const ndarray &x, const numpy_reduce_options &options, const char *function) {
  check_where(x, *options.where, function);
  if (is_extreme(how) && !options.initial)
    refuse(refusal::value, "{}: where needs an initial value, because {} has no identity", function, function);
  const scalar number = is_extreme(how) ? *options.initial
                        : how == reduction::all || how == reduction::any
                            ? scalar::of(how == reduction::all)
                            : scalar::of(std::int64_t{how == reduction::prod});
  const ndarray neutral = full({}, number, x.type(), common_placement({&x, 1}, function));
  const operand choice[] = {{.array = options.where}, {.array = &x}, {.array = &neutral}};
  return element(opcode::where, choice);
}

/// The mean of the elements that `where` selects: their sum divided by their number.
ndarray selected_mean(const ndarray &x, const numpy_reduce_options &options, const char *function) {
  const ndarray numbers =
      is_inexact(x.type()) || !options.type ? x : astype(x, *options.type, casting::unsafe, order::keep, false);
  reduce_options plain;
  plain.axes = options.axes;
  plain.keep_dimensions = options.keep_dimensions;
  const ndarray total = reduce(reduction::sum, selected(reduction::sum, numbers, options, function), plain);
  plain.type = is_inexact(total.type()) ? total.type() : dtype::int64;
  const ndarray count = reduce(reduction::sum, broadcast_to(*options.where, x.shape()), plain);
  const operand operands[] = {{.array = &total}, {.array = &count}};
  return element(opcode::divide, operands);
}

/// The result of a reduction, reduced with the initial value. Without a result, one that is the initial value.
ndarray with_initial(reduction how, const std::optional<ndarray> &result, const ndarray &x,
                     const numpy_reduce_options &options, const char *function) {
  const placement where = common_placement({&x, 1}, function);
  if (!result) {
    reduce_options plain;
    plain.axes = options.axes;
    plain.keep_dimensions = options.keep_dimensions;
    return full(reduce(reduction::any, x, plain).shape(), *options.initial, x.type(), where);
  }
  const ndarray initial = full({}, *options.initial, result->type(), where);
  const operand operands[] = {{.array = &*result}, {.array = &initial}};
  switch (how) {
  case reduction::sum:
    return element(opcode::add, operands);
  case reduction::prod:
    return element(opcode::multiply, operands);
  case reduction::max:
    return element(opcode::maximum, operands);
  case reduction::min:
    return element(opcode::minimum, operands);
  default:
    refuse(refusal::type, "{}: there is no initial value of this reduction", function);
  }
}

/// A reduction with an initial value or of selected elements.
ndarray general_reduce(reduction how, const ndarray &x, const numpy_reduce_options &options, const char *function) {
  if (options.where && how == reduction::mean) return selected_mean(x, options, function);
  const ndarray source = options.where ? selected(how, x, options, function) : x;
  reduce_options plain;
  plain.axes = options.axes;
  plain.keep_dimensions = options.keep_dimensions;
  plain.type = options.type;
  if (x.size() == 0 && is_extreme(how)) {
    if (!options.initial) check_not_empty(how, x, options.axes, function);
    return with_initial(how, {}, x, options, function);
  }
  const ndarray result = reduce(how, source, plain);
  return options.initial ? with_initial(how, result, x, options, function) : result;
}

}  // namespace

ndarray numpy_reduce(reduction how, const ndarray &x, const numpy_reduce_options &options, const char *function) {
  const bool is_search = how == reduction::argmax || how == reduction::argmin;
  if (is_search && options.out && !can_cast(options.out->type(), dtype::int64))
    refuse(refusal::type, "{}: out must have a dtype that can be cast to int64, got {}", function,
           name_of(options.out->type()));
  if (options.where || options.initial) {
    const ndarray result = general_reduce(how, without_nan(x, options.for_nan), options, function);
    return stored(options.type ? astype(result, *options.type, casting::unsafe, order::keep, false) : result,
                  options.out, function);
  }
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
