// The arguments of calls.
#include "pykernel/translate/arguments.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace dpep::pykernel {

const value *find_argument(const arguments &a, std::size_t position, std::string_view name) {
  if (position < a.positional.size()) return &a.positional[position];
  for (const auto &[key, v] : a.keywords)
    if (key == name) {
      a.read_keywords.push_back(key);
      return &v;
    }
  return nullptr;
}

void check_keywords(const translation &ctx, const arguments &a) {
  for (const auto &[key, v] : a.keywords)
    if (std::ranges::find(a.read_keywords, key) == a.read_keywords.end())
      fail(ctx, error_kind::typing, a.call, fmt::format("{}() has no argument '{}'", a.function, key));
}

const value &require_argument(const translation &ctx, const arguments &a, std::size_t position, std::string_view name) {
  if (const value *v = find_argument(a, position, name)) return *v;
  fail(ctx, error_kind::typing, a.call, fmt::format("{}() is missing its argument '{}'", a.function, name));
}

void check_count(const translation &ctx, const arguments &a, std::size_t least, std::size_t most) {
  const std::size_t given = a.positional.size() + a.keywords.size();
  if (given >= least && given <= most) return;
  fail(ctx, error_kind::typing, a.call,
       least == most ? fmt::format("{}() takes {} argument{}, got {}", a.function, least, least == 1 ? "" : "s", given)
                     : fmt::format("{}() takes {} to {} arguments, got {}", a.function, least, most, given));
}

dtype data_type(const translation &ctx, const value &v, const expression &at) {
  if (v.object && v.object->what == entity::kind::data_type) return v.object->element;
  if (v.of->what == type_properties::kind::text) {
    if (const auto t = type_from_text(v.text); t && is_scalar(*t)) return (*t)->element;
    constexpr std::pair<std::string_view, dtype> codes[] = {
        {"?", dtype::boolean},     {"b1", dtype::boolean},        {"i1", dtype::int8},        {"u1", dtype::uint8},
        {"i2", dtype::int16},      {"u2", dtype::uint16},         {"i4", dtype::int32},       {"u4", dtype::uint32},
        {"i8", dtype::int64},      {"u8", dtype::uint64},         {"f2", dtype::float16},     {"f4", dtype::float32},
        {"f8", dtype::float64},    {"c8", dtype::complex64},      {"c16", dtype::complex128}, {"int", dtype::int64},
        {"float", dtype::float64}, {"complex", dtype::complex128}};
    const auto *const code = std::ranges::find(codes, v.text, &std::pair<std::string_view, dtype>::first);
    if (code != std::end(codes)) return code->second;
    fail(ctx, error_kind::typing, at, fmt::format("'{}' is not a dtype: write \"float32\" or \"f4\"", v.text));
  }
  fail(ctx, error_kind::typing, at,
       fmt::format("expected a dtype such as numpy.float32 or a.dtype, got {}", display_name(v.of)));
}

std::string launch_hint(const translation &ctx) {
  const std::size_t parameters = ctx.root->function.source.parameters.size(), given = ctx.request.arguments.size();
  const bool first_is_item = given && is_item(ctx.request.arguments[0]);
  if (ctx.request.elementwise || given != parameters || given == 0 || ctx.current != ctx.root.get()) return "";
  return first_is_item
             ? fmt::format(": the kernel has {} parameters and was launched with {} argument{}, so the first is the "
                           "work-item",
                           parameters, given - 1, given == 2 ? "" : "s")
             : fmt::format(": the kernel has {} parameters and was launched with {} arguments; with a work-item as its "
                           "first, it takes {}",
                           parameters, given, given - 1);
}

}  // namespace dpep::pykernel
