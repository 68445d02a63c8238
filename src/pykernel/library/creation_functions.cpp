// Arrays that compiled loops create: private memory of the work-item.
#include <algorithm>

#include <fmt/format.h>

#include "pykernel/library/library.hpp"
#include "pykernel/translate/allocated_arrays.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/expressions.hpp"
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

/// Whether a function is one of a module of array functions.
bool is_of_arrays(std::string_view name) {
  const std::string_view module = name.substr(0, name.rfind('.'));
  return module == "numpy" || module == "dpnp" || module == "dpctl.tensor";
}

/// The numbers in nested lists and tuples, and the lengths of these.
struct members {
  std::vector<value> numbers;
  std::vector<std::int64_t> shape;
  bool known_shape = false;
  translation &ctx;
  const expression &call;

  void add(const value &v, std::size_t depth) {
    if (is_tuple(v.of)) {
      enter(v.members.size(), depth);
      for (const value &member : v.members) add(member, depth + 1);
      return;
    }
    if (!is_scalar(v.of))
      fail(ctx, error_kind::array_function, call,
           fmt::format("{}() takes numbers in compiled loops, got {}", source_text(ctx, *call.parts[0]),
                       display_name(v.of)));
    if (depth < shape.size()) ragged();
    known_shape = true;
    numbers.push_back(v);
  }
  void add(const expression &e, std::size_t depth) {
    if (e.what != expression::kind::list && e.what != expression::kind::tuple) return add(evaluate(ctx, e), depth);
    enter(e.parts.size(), depth);
    for (const expression_pointer &part : e.parts) {
      if (part->what == expression::kind::other && part->text == "Starred")
        fail(ctx, error_kind::array_function, call, "lists of arrays have no *sequences in compiled loops");
      add(*part, depth + 1);
    }
  }

private:
  [[noreturn]] void ragged() const {
    fail(ctx, error_kind::value, call, "an array is made of lists of different lengths");
  }
  void enter(std::size_t length, std::size_t depth) {
    if (depth == shape.size() && !known_shape)
      shape.push_back(std::int64_t(length));
    else if (depth >= shape.size() || shape[depth] != std::int64_t(length))
      ragged();
  }
};

}  // namespace

std::optional<value> array_of_members(translation &ctx, std::string_view name, const expression &call) {
  const std::string_view f = name.substr(name.rfind('.') + 1);
  if (!ctx.request.loop || !is_of_arrays(name) || (f != "array" && f != "asarray")) return std::nullopt;
  const std::size_t given = call.parts.size() - 1, positional = given - call.names.size();
  const bool has_type = given == 2 && (positional == 2 || call.names[0] == "dtype");
  const expression *const first = positional ? call.parts[1].get() : nullptr;
  const bool is_list = first && (first->what == expression::kind::list || first->what == expression::kind::tuple);
  if (!is_list || (given != 1 && !has_type)) {
    if (is_list)
      fail(ctx, error_kind::array_function, call,
           fmt::format("{}() takes a list and a dtype in compiled loops", source_text(ctx, *call.parts[0])));
    return std::nullopt;
  }
  members all{{}, {}, false, ctx, call};
  all.add(*first, 0);
  if (all.numbers.empty() || all.numbers.size() > std::size_t(most_private_elements))
    fail(ctx, error_kind::array_function, call,
         fmt::format("{}() creates arrays of 1 to {} elements in compiled loops", source_text(ctx, *call.parts[0]),
                     most_private_elements));
  dtype element = all.numbers[0].of->element;
  for (const value &v : all.numbers) element = array::promote(element, v.of->element);
  if (has_type) {
    const value t = evaluate(ctx, *call.parts[2]);
    if (t.of->what != type_properties::kind::none) element = data_type(ctx, t, call);
  }
  const value made = private_array(ctx, all.shape, element, false);
  for (std::size_t i = 0; i < all.numbers.size(); ++i)
    store(ctx, made, ctx.ir.offset(made.parts[0], ctx.ir.size(std::int64_t(i)), std::int64_t(size_of(element))),
          convert(ctx, all.numbers[i], element, call), call);
  return made;
}

std::optional<value> creation_function(translation &ctx, std::string_view name, const arguments &a) {
  const std::size_t dot = name.rfind('.');
  const std::string_view f = name.substr(dot + 1);
  if (!ctx.request.loop || !is_of_arrays(name)) return std::nullopt;
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
         fmt::format("{}() creates arrays of constant shapes with up to {} elements in compiled loops{}", a.function,
                     most_private_elements,
                     fills && !t ? ", and of other shapes that are known before the loop if it gets a dtype" : ""));
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
