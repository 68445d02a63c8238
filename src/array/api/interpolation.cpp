// Interpolation between points, in the arithmetic of numpy.interp, by the executor or composed: a search gives the
// interval of each element, and its ends are gathered.
#include <dpep/array_indexing.hpp>
#include <dpep/array_opcodes.hpp>
#include <dpep/array_sets.hpp>
#include <dpep/array_signals.hpp>

#include "array/api/selection.hpp"
#include "array/api/terms.hpp"
#include "array/base/errors.hpp"
#include "array/base/layout.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"

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

/// The executor's interpolation.
ndarray interpolated_by(const executor &by, const ndarray &x, const ndarray &xp, const ndarray &fp,
                        const interpolation_options &options) {
  const auto list = [](const ndarray &given, dtype type) {
    const ndarray cast = astype(given, type, casting::unsafe, order::row_major, false);
    return cast.row_major() ? cast : copy(cast, order::row_major);
  };
  const auto first = [](const ndarray &a) { return reinterpret_cast<double *>(implementation_of(a, name).first()); };
  const bool is_complex = kind_of(fp.type()) == dtype_kind::complex;
  const dtype type = is_complex ? dtype::complex128 : dtype::float64;
  const ndarray needles = list(x, dtype::float64), points = list(xp, dtype::float64), values = list(fp, type);
  const queue &q = x.get_queue();
  const ndarray made = make_empty(q, type, layout::contiguous(x.shape()), x.memory_kind());
  if (made.size() == 0) return made;
  interpolation_arguments a;
  a.x = first(needles), a.count = needles.size();
  a.xp = first(points), a.fp = first(values), a.length = points.size();
  a.is_complex = is_complex;
  a.has_left = options.left.has_value(), a.has_right = options.right.has_value();
  const std::complex<double> left = options.left.value_or(0.0), right = options.right.value_or(0.0);
  a.left[0] = left.real(), a.left[1] = left.imag(), a.right[0] = right.real(), a.right[1] = right.imag();
  a.to = first(made);
  if (!idle(q) || !by.interpolate_now(a))
    submit(q, {needles, points, values, made},
           [&](const ordered_dependencies &after) { return by.interpolate(q, a, after); });
  return made;
}

}  // namespace

ndarray interpolate(const ndarray &given, const ndarray &xp, const ndarray &fp, const interpolation_options &options) {
  check_same_queue(xp.get_queue(), given.get_queue(), name);
  check_same_queue(fp.get_queue(), given.get_queue(), name);
  const ndarray all[] = {given, xp, fp};
  const ndarray x = to_placement(given, {given.get_queue(), common_kind(all)});
  if (xp.dimensions() != 1 || fp.dimensions() != 1 || xp.size() != fp.size())
    refuse(refusal::value, "{}: xp and fp must have one axis of the same length, got shapes {} and {}", name,
           text_of(xp.shape()), text_of(fp.shape()));
  if (xp.size() == 0) refuse(refusal::value, "{}: array of sample points is empty", name);
  for (const ndarray *a : {&x, &xp})
    if (kind_of(a->type()) == dtype_kind::complex)
      refuse(refusal::type, "{}: x and xp must be real, got {} and {}", name, name_of(x.type()), name_of(xp.type()));
  const device &on = x.get_queue().get_device();
  if (const executor &by = executor_of(x.get_queue()); by.has_folds() && default_real(on) == dtype::float64)
    return interpolated_by(by, x, xp, fp, options);
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
