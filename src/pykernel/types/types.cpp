// Interning, promotion and names of types.
#include "pykernel/types/types.hpp"

#include <algorithm>
#include <charconv>
#include <deque>
#include <mutex>

#include <dpep/dtype_kinds.hpp>
#include <fmt/format.h>

namespace dpep::pykernel {
namespace {

using kind = type_properties::kind;

int rank(dtype t) { return rank_of(kind_of(t)); }

type promote_weak(type strong, type weak) {
  if (rank(weak->element) <= rank(strong->element)) return strong;
  if (rank(weak->element) == 3 && rank(strong->element) == 2)
    return scalar_type(strong->element == dtype::float64 ? dtype::complex128 : dtype::complex64);
  return scalar_type(weak->element);
}

}  // namespace

type intern(type_properties properties) {
  static std::mutex mutex;
  static auto *const all = new std::deque<type_properties>;  // never freed: static objects may refer to types
  const std::lock_guard lock(mutex);
  const auto found = std::ranges::find(*all, properties);
  return found != all->end() ? &*found : &all->emplace_back(std::move(properties));
}

type scalar_type(dtype t, bool weak) {
  static const auto all = [] {
    std::array<std::array<type, 2>, dtype_count> table{};
    for (int i = 0; i < dtype_count; ++i)
      for (int w = 0; w < 2; ++w)
        table[std::size_t(i)][std::size_t(w)] = intern({.what = kind::scalar, .element = dtype(i), .weak = w == 1});
    return table;
  }();
  return all[static_cast<std::size_t>(t)][weak];
}

type none_type() {
  static const type t = intern({.what = kind::none});
  return t;
}
type unset_type() {
  static const type t = intern({.what = kind::none, .name = "unset"});
  return t;
}

type simple_type(kind what, int dimensions) {
  return intern({.what = what, .dimensions = static_cast<std::uint8_t>(dimensions)});
}

type array_type(dtype element, int dimensions, char layout, address_space space, bool writable, int fixed_last_extent) {
  type_properties properties;
  properties.what = kind::array;
  properties.element = element;
  properties.dimensions = static_cast<std::uint8_t>(dimensions);
  properties.layout = layout;
  properties.space = space;
  properties.writable = writable;
  properties.fixed_last_extent = static_cast<std::uint8_t>(fixed_last_extent);
  return intern(std::move(properties));
}

type array_with_index32(type t) {
  type_properties properties = *t;
  properties.index32 = true;
  return intern(std::move(properties));
}
type array_with_aligned_rows(type t) {
  type_properties properties = *t;
  properties.aligned_rows = true;
  return intern(std::move(properties));
}
type array_with_extents(type t, std::vector<std::int64_t> extents) {
  type_properties properties = *t;
  properties.index32 = fits_index32(extents);
  properties.extents = std::move(extents);
  return intern(std::move(properties));
}

type array_with_shadow(type t, std::int64_t shadow) {
  if (t->shadow == shadow) return t;
  type_properties properties = *t;
  properties.shadow = shadow;
  return intern(std::move(properties));
}
type view_type(type array, int dimensions, char layout) {
  type t = array_type(array->element, dimensions, layout, array->space, array->writable);
  if (array->index32 && dimensions > 0) t = array_with_index32(t);
  return array_with_shadow(t, array->shadow);
}

type tuple_type(std::vector<type> members, std::vector<std::string> names, std::string name) {
  type_properties properties;
  properties.what = kind::tuple;
  properties.members = std::move(members);
  properties.names = std::move(names);
  properties.name = std::move(name);
  return intern(std::move(properties));
}

std::string text_of(type t) {
  switch (t->what) {
  case kind::scalar:
    if (!t->weak) return std::string(name_of(t->element));
    switch (rank(t->element)) {
    case 0:
      return "pybool";
    case 1:
      return "pyint";
    case 2:
      return "pyfloat";
    default:
      return "pycomplex";
    }
  case kind::none:
    return "None";
  case kind::tuple: {
    std::string text = t->name.empty() ? "tuple(" : t->name + "(";
    for (std::size_t i = 0; i < t->members.size(); ++i)
      text += (i ? ", " : "") + (t->names.empty() ? "" : t->names[i] + ": ") + text_of(t->members[i]);
    return text + ")";
  }
  case kind::array:
    return fmt::format("{}array({}, {}, {}{})",
                       t->space == address_space::local_space     ? "local "
                       : t->space == address_space::private_space ? "private "
                                                                  : "",
                       name_of(t->element), t->dimensions, t->layout, t->writable ? "" : ", readonly");
  case kind::array_expression:
    return fmt::format("expression({}, {})", name_of(t->element), t->dimensions);
  case kind::text:
    return "str";
  case kind::object:
    return "object";
  case kind::item:
    return fmt::format("Item({})", t->dimensions);
  case kind::nd_item:
    return fmt::format("NdItem({})", t->dimensions);
  case kind::group:
    return fmt::format("Group({})", t->dimensions);
  case kind::sub_group:
    return "SubGroup";
  case kind::atomic:
    return fmt::format("AtomicRef({})", name_of(t->element));
  case kind::reduction:
    return fmt::format("reduction({}, {})", name_of(t->element), t->name);
  }
  return "?";
}

std::string display_name(type t) {
  switch (t->what) {
  case kind::scalar:
    return t->weak ? text_of(t).substr(2) : text_of(t);  // Python's numbers without the prefix "py"
  case kind::tuple: {
    std::string text = t->name.empty() ? "tuple(" : t->name + "(";
    for (std::size_t i = 0; i < t->members.size(); ++i)
      text += (i ? ", " : "") + (t->names.empty() ? "" : t->names[i] + ": ") + display_name(t->members[i]);
    return text + ")";
  }
  case kind::array:
    return fmt::format("a {}{}{}-dimensional array of {}", t->writable ? "" : "read-only ",
                       t->space == address_space::local_space     ? "local "
                       : t->space == address_space::private_space ? "private "
                                                                  : "",
                       t->dimensions, name_of(t->element));
  case kind::array_expression:
    return fmt::format("a {}-dimensional array of {}", t->dimensions, name_of(t->element));
  case kind::object:
    return "a function, type or module";
  case kind::item:
  case kind::nd_item:
  case kind::group:
    return text_of(t).substr(0, text_of(t).find('('));
  case kind::atomic:
    return fmt::format("an AtomicRef of {}", name_of(t->element));
  case kind::reduction:
    return fmt::format("a reduction of {}", name_of(t->element));
  default:
    return text_of(t);
  }
}

std::optional<type> type_from_text(std::string_view text) {
  const auto element = [](std::string_view name) -> std::optional<dtype> {
    for (int i = 0; i < dtype_count; ++i)
      if (name_of(dtype(i)) == name) return dtype(i);
    return std::nullopt;
  };
  if (const auto t = element(text)) return scalar_type(*t);
  if (text == "pybool") return weak_boolean();
  if (text == "pyint") return weak_integer();
  if (text == "pyfloat") return weak_real();
  if (text == "pycomplex") return weak_complex();
  address_space space = address_space::global_space;
  if (text.starts_with("local ")) space = address_space::local_space, text.remove_prefix(6);
  if (!text.starts_with("array(") || !text.ends_with(")")) return std::nullopt;
  text = text.substr(6, text.size() - 7);
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view part = text.substr(0, comma);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    parts.push_back(part);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (parts.size() < 2 || parts.size() > 4) return std::nullopt;
  const auto t = element(parts[0]);
  int dimensions = -1;
  std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), dimensions);
  if (!t || dimensions < 0 || dimensions > max_dimensions) return std::nullopt;
  const char layout = parts.size() > 2 && parts[2].size() == 1 ? parts[2][0] : 'C';
  if (layout != 'A' && layout != 'C' && layout != 'F') return std::nullopt;
  return array_type(*t, dimensions, layout, space, parts.size() < 4 || parts[3] != "readonly");
}

type promote(type a, type b) {
  if (a == b) return a;
  if (a->weak && b->weak) return rank(a->element) >= rank(b->element) ? a : b;
  if (a->weak) return promote_weak(b, a);
  if (b->weak) return promote_weak(a, b);
  return scalar_type(array::promote(a->element, b->element));
}

type unify(type a, type b) {
  if (a == b) return a;
  if (a->what != b->what) return nullptr;
  if (is_scalar(a)) return promote(a, b);
  if (is_tuple(a)) {
    if (a->members.size() != b->members.size() || a->name != b->name) return nullptr;
    std::vector<type> members;
    for (std::size_t i = 0; i < a->members.size(); ++i) {
      const type m = unify(a->members[i], b->members[i]);
      if (!m) return nullptr;
      members.push_back(m);
    }
    return tuple_type(std::move(members), a->names, a->name);
  }
  if (is_array(a)) {
    if (a->element != b->element || a->dimensions != b->dimensions) return nullptr;
    type_properties both = *a;
    if (a->layout != b->layout) both.layout = 'A';
    if (a->space != b->space) both.space = address_space::global_space;
    both.writable = a->writable && b->writable;
    if (a->fixed_last_extent != b->fixed_last_extent) both.fixed_last_extent = 0;
    both.index32 = a->index32 && b->index32;
    both.aligned_rows = a->aligned_rows && b->aligned_rows;
    if (a->shadow != b->shadow) both.shadow = 0;
    if (a->extents != b->extents) both.extents.clear();
    return intern(std::move(both));
  }
  return nullptr;
}

}  // namespace dpep::pykernel
