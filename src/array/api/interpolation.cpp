// Interpolation between points, in the arithmetic of numpy.interp: a search gives the interval of each element, and its
// ends are gathered.
#include <dpep/array_indexing.hpp>
#include <dpep/array_opcodes.hpp>
#include <dpep/array_sets.hpp>
#include <dpep/array_signals.hpp>

#include "array/api/terms.hpp"
#include "array/base/errors.hpp"
#include "array/base/layout.hpp"

namespace dpep::array {
namespace {

constexpr const char *name = "interp";

ndarray at(const ndarray &list, const ndarray &indices) {
  return take_elements(list, {&indices, 1}, 0, index_mode::clip);
}
term is_nan(const term &x) { return apply(opcode::isnan, x); }

/// The elements of x and their intervals.
struct intervals {
  ndarray x, xp;
  ndarray first, second;  // the points before and behind each element
};

/// Between points. NaN that comes from infinite values is avoided as by NumPy: the line starts from the other point.
/// For parts of complex numbers, NumPy multiplies by the reciprocals of distances.
term on_lines(const intervals &i, const ndarray &values, bool is_part) {
  const std::int64_t n = values.size();
  const term rise = term(part(values, 1, n - 1)) - part(values, 0, n - 1);
  const term run = term(part(i.xp, 1, n - 1)) - part(i.xp, 0, n - 1);
  const term slopes = is_part ? rise * (term(1.0) / run) : rise / run;
  const term slope = at(slopes, i.first), low = at(values, i.first), high = at(values, i.second);
  const term from = at(i.xp, i.first), to = at(i.xp, i.second);
  const term line = slope * (term(i.x) - from) + low, other = slope * (term(i.x) - to) + high;
  const term found = where(is_nan(line), where(is_nan(other) && equal(low, high), low, other), line);
  return where(equal(i.x, from), low, found);
}

term interpolated(const intervals &i, const ndarray &values, std::optional<double> left, std::optional<double> right,
                  const term &for_nan, bool is_part) {
  const std::int64_t n = values.size();
  const ndarray first = element_at(values, 0), last = element_at(values, n - 1);
  const term between = n == 1 ? term(broadcast_to(first, i.x.shape())) : on_lines(i, values, is_part);
  const term behind = where(term(element_at(i.xp, n - 1)) < i.x, right ? term(*right) : term(last), between);
  const term before = where(term(i.x) < element_at(i.xp, 0), left ? term(*left) : term(first), behind);
  const term at_end = where(equal(i.x, element_at(i.xp, n - 1)), last, before);
  return n == 1 ? at_end : where(is_nan(i.x), for_nan, at_end);  // as in NumPy, whose result for one point is no NaN
}

}  // namespace

ndarray interpolate(const ndarray &x, const ndarray &xp, const ndarray &fp, const interpolation_options &options) {
  check_same_queue(xp.get_queue(), x.get_queue(), name);
  check_same_queue(fp.get_queue(), x.get_queue(), name);
  if (xp.dimensions() != 1 || fp.dimensions() != 1 || xp.size() != fp.size())
    refuse(refusal::value, "{}: xp and fp must have one axis of the same length, got shapes {} and {}", name,
           text_of(xp.shape()), text_of(fp.shape()));
  if (xp.size() == 0) refuse(refusal::value, "{}: array of sample points is empty", name);
  for (const ndarray *a : {&x, &xp})
    if (kind_of(a->type()) == dtype_kind::complex)
      refuse(refusal::type, "{}: x and xp must be real, got {} and {}", name, name_of(x.type()), name_of(xp.type()));
  const device &on = x.get_queue().get_device();
  const dtype type = default_real(on);
  intervals i{cast(x, type), cast(xp, type), {}, {}};
  const term behind = searchsorted(i.xp, i.x, side::right);
  const scalar one = scalar::of(std::int64_t{1}), last = scalar::of(std::max<std::int64_t>(xp.size() - 2, 0));
  const operand previous[] = {behind.get(), {.number = &one}};
  const ndarray index = element(opcode::subtract, previous);
  const scalar zero = scalar::of(std::int64_t{0});
  const operand least[] = {{.array = &index}, {.number = &zero}};
  const ndarray from_zero = element(opcode::maximum, least);
  const operand limits[] = {{.array = &from_zero}, {.number = &last}};
  i.first = element(opcode::minimum, limits);
  const operand next[] = {{.array = &i.first}, {.number = &one}};
  i.second = element(opcode::add, next);
  const auto value = [](const std::optional<std::complex<double>> &z, bool real) {
    return z ? std::optional(real ? z->real() : z->imag()) : std::nullopt;
  };
  const bool is_complex = kind_of(fp.type()) == dtype_kind::complex;
  const ndarray values = cast(fp, is_complex ? default_complex(on) : type);
  const term real =
      interpolated(i, copy(real_part(values)), value(options.left, true), value(options.right, true), i.x, is_complex);
  if (!is_complex) return cast(real, type);
  const term imaginary = interpolated(i, copy(imaginary_part(values)), value(options.left, false),
                                      value(options.right, false), 0.0, is_complex);
  const ndarray made = empty(x.shape(), values.type(), placement_of(x));
  assign(real_part(made), real);
  assign(imaginary_part(made), imaginary);
  return made;
}

}  // namespace dpep::array
