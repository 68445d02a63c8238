// Types of values in Python kernels. They are interned, so types are equal if their pointers are.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpep/array.hpp>

namespace dpep::pykernel {

/// The address space of an array's elements, as in SYCL.
enum class address_space : std::uint8_t { global_space, local_space, private_space };

struct type_properties;
using type = const type_properties *;

struct type_properties {
  /// The comment of each kind lists the members in use.
  enum class kind : std::uint8_t {
    scalar,            // element; weak: a Python number, which takes the dtype of the other operand (NEP 50)
    none,              // None
    tuple,             // members; of named tuples also names, name
    array,             // element, dimensions, layout, space, and the members from `writable` to `extents`
    array_expression,  // element, dimensions: an elementwise expression of arrays, which computes elements on demand
    text,              // a string; a compile-time constant
    object,            // a function, module, type or builtin; a compile-time constant
    item,              // dimensions: kernel_api.Item, as the following three
    nd_item,           // dimensions
    group,             // dimensions
    sub_group,         //
    atomic,            // element: a reference to an element of an array
    reduction,         // element, name: the operation's group algorithm; kernel_api.reduction
  };
  kind what = kind::none;
  dtype element = dtype::int64;
  bool weak = false;
  std::uint8_t dimensions = 0;
  char layout = 'A';  // 'C', 'F': contiguous; 'A': any strides
  address_space space = address_space::global_space;
  bool writable = true;
  std::uint8_t fixed_last_extent = 0;   // length of the last axis if it is part of the type; 0: not fixed
  bool index32 = false;                 // the number of elements fits 31 bits, so 32-bit indices suffice
  bool aligned_rows = false;            // each row of the fixed length begins at a multiple of 16 bytes
  std::int64_t shadow = 0;              // bytes from an element to its initialisation flag; 0: not tracked
  std::vector<std::int64_t> extents{};  // all lengths if they are part of the type, as of local memory; else empty
  std::vector<type> members{};
  std::vector<std::string> names{};
  std::string name{};  // of the named tuple's class

  friend bool operator==(const type_properties &, const type_properties &) = default;
};

/// The unique type with these properties.
DPEP_API type intern(type_properties);

DPEP_API type scalar_type(dtype, bool weak = false);
inline type weak_integer() { return scalar_type(dtype::int64, true); }
inline type weak_real() { return scalar_type(dtype::float64, true); }
inline type weak_boolean() { return scalar_type(dtype::boolean, true); }
inline type weak_complex() { return scalar_type(dtype::complex128, true); }
DPEP_API type none_type();
/// The type of a variable that has no value when a compiled loop starts: None's, with another name.
DPEP_API type unset_type();
DPEP_API type simple_type(type_properties::kind, int dimensions = 0);
DPEP_API type array_type(dtype, int dimensions, char layout, address_space = address_space::global_space,
                         bool writable = true, int fixed_last_extent = 0);
/// The array type with a further property: 32-bit indices suffice, rows are aligned, all lengths are fixed, or
/// initialisation is tracked.
DPEP_API type array_with_index32(type);
DPEP_API type array_with_aligned_rows(type);
DPEP_API type array_with_extents(type, std::vector<std::int64_t>);
DPEP_API type array_with_shadow(type, std::int64_t shadow);
/// The type of a view of an array, which keeps the properties of its elements.
DPEP_API type view_type(type array, int dimensions, char layout);
DPEP_API type tuple_type(std::vector<type> members, std::vector<std::string> names = {}, std::string name = {});

/// The maximum length of a last axis that kernels are specialised for: points, colours, small vectors.
inline constexpr std::int64_t max_fixed_last_extent = 16;

/// Whether the number of elements, and each length, is less than 2^31.
inline bool fits_index32(std::span<const std::int64_t> shape) noexcept {
  std::int64_t count = 1;
  for (const std::int64_t length : shape)
    if (__builtin_mul_overflow(count, length > 0 ? length : 1, &count)) return false;
  return count < std::int64_t{1} << 31;
}

/// The type as signatures spell it: "float32", "pyint", "array(float32, 1, C)", "tuple(pyint, pyint)".
DPEP_API std::string text_of(type);
/// The type as messages name it: "float32", "int", "a 1-dimensional array of float32", "tuple(int, int)".
DPEP_API std::string display_name(type);
/// The inverse of `text_of` for scalars and arrays; nullopt if the text is not a type.
DPEP_API std::optional<type> type_from_text(std::string_view);

inline bool is_scalar(type t) { return t->what == type_properties::kind::scalar; }
inline bool is_array(type t) { return t->what == type_properties::kind::array; }
inline bool is_tuple(type t) { return t->what == type_properties::kind::tuple; }
/// Whether the type is a work-item, a work-group or a sub-group.
inline bool is_item(type t) {
  using enum type_properties::kind;
  return t->what == item || t->what == nd_item || t->what == group || t->what == sub_group;
}
inline bool is_integer(dtype t) {
  return kind_of(t) == dtype_kind::signed_integer || kind_of(t) == dtype_kind::unsigned_integer;
}
inline bool is_unsigned(dtype t) { return kind_of(t) == dtype_kind::unsigned_integer; }
inline bool is_real(dtype t) { return kind_of(t) == dtype_kind::real; }
inline bool is_complex(dtype t) { return kind_of(t) == dtype_kind::complex; }

/// The result type of an operation on two scalars, by NumPy 2's promotion rules (NEP 50).
type promote(type, type);
/// The type of a variable that is assigned values of both types; null if there is none.
type unify(type, type);

}  // namespace dpep::pykernel
