// Arrays that compiled loops create: private memory of the work-item.
#include <algorithm>

#include <fmt/format.h>

#include "pykernel/library/library.hpp"
#include "pykernel/translate/allocated_arrays.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/loops.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

void fill(translation &ctx, const value &array, const value &with, std::int64_t count, const expression &at) {
  const value element = convert(ctx, with, array.of->element, at);
  loop_over_range(
      ctx,
      [&](const value &i) {
        store(ctx, array, ctx.ir.offset(array.parts[0], i.parts[0], std::int64_t(size_of(array.of->element))), element,
              at);
      },
      integer(ctx, 0), integer(ctx, count), integer(ctx, 1), at);
}

}  // namespace

std::optional<value> creation_function(translation &ctx, std::string_view name, const arguments &a) {
  const std::size_t dot = name.rfind('.');
  const std::string_view module = name.substr(0, dot), f = name.substr(dot + 1);
  if (!ctx.request.loop || (module != "numpy" && module != "dpnp" && module != "dpctl.tensor")) return std::nullopt;
  const bool fills = f == "full";
  if (f != "zeros" && f != "empty" && f != "ones" && !fills) return std::nullopt;
  const expression &at = a.call;
  const value &shape_given = require_argument(ctx, a, 0, "shape");
  const value *const t = find_argument(a, fills ? 2 : 1, "dtype");
  const value filling = fills ? require_argument(ctx, a, 1, "fill_value") : integer(ctx, 1);
  const auto is_known = [](const value &v) { return v.known.has_value(); };
  const bool constant =
      is_tuple(shape_given.of) ? std::ranges::all_of(shape_given.members, is_known) : is_known(shape_given);
  std::int64_t count = 1;
  std::vector<std::int64_t> shape;
  if (constant) shape = constant_shape(ctx, shape_given, at, fmt::format("the shape of {}()", f));
  for (const std::int64_t length : shape)
    if (__builtin_mul_overflow(count, length, &count)) count = most_private_elements + 1;
  if (!constant || count > most_private_elements || shape.empty())
    fail(ctx, error_kind::array_function, at,
         fmt::format("{}() creates arrays of constant shapes with up to {} elements in compiled loops", a.function,
                     most_private_elements));
  check_keywords(ctx, a);
  const bool no_type = !t || t->of->what == type_properties::kind::none;
  const dtype element = !no_type                         ? data_type(ctx, *t, at)
                        : fills && is_scalar(filling.of) ? filling.of->element
                                                         : dtype::float64;
  const value made = private_array(ctx, shape, element, f == "zeros");
  if (f == "ones" || fills) fill(ctx, made, filling, count, at);
  return made;
}

}  // namespace dpep::pykernel
