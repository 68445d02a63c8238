// Types of values in Python kernels. Interned: two types are the same when their pointers are.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpep/array.hpp>

namespace dpep::pykernel {

/// Where an array's elements lie.
enum class memory : std::uint8_t { global, local, work_item };

struct type_facts;
using type = const type_facts *;

struct type_facts {
  enum class kind : std::uint8_t {
    scalar,     // element; weak: a number of Python's, which takes the type of what it meets
    none,       //
    tuple,      // members; of named tuples and enums also names
    array,      // element, dimensions, layout, where
    text,       // a string: known when compiling
    object,     // a function, module, type or builtin: known when compiling
    item,       // kernel_api's, with dimensions
    nd_item,    //
    group,      //
    sub_group,  //
    atomic,     // a reference to one element
  };
  kind what = kind::none;
  dtype element = dtype::int64;
  bool weak = false;
  std::uint8_t dimensions = 0;
  char layout = 'A';  // 'C', 'F': contiguous; 'A': any strides
  memory where = memory::global;
  bool writable = true;
  std::uint8_t inner = 0;               // the last axis' length, where it is short and so part of the type; 0: any
  bool narrow = false;                  // elements are counted in 31 bits
  std::int64_t shadow = 0;              // bytes from an element to what says that it was written; 0: nothing does
  std::vector<std::int64_t> extents{};  // of all axes, where they are part of the type: local memory's
  std::vector<type> members{};
  std::vector<std::string> names{};
  std::string name{};  // of the named tuple

  friend bool operator==(const type_facts &, const type_facts &) = default;
};

/// The one object for these facts.
DPEP_API type intern(type_facts);

DPEP_API type scalar_type(dtype, bool weak = false);
inline type weak_integer() { return scalar_type(dtype::int64, true); }
inline type weak_real() { return scalar_type(dtype::float64, true); }
inline type weak_boolean() { return scalar_type(dtype::boolean, true); }
inline type weak_complex() { return scalar_type(dtype::complex128, true); }
DPEP_API type none_type();
DPEP_API type simple_type(type_facts::kind, int dimensions = 0);
DPEP_API type array_type(dtype, int dimensions, char layout, memory = memory::global, bool writable = true,
                         int inner = 0);
/// What is known of the elements' number, or of all axes' lengths, beside the other facts of an array's type.
DPEP_API type narrow_array(type);
DPEP_API type array_with_extents(type, std::vector<std::int64_t>);
DPEP_API type array_with_shadow(type, std::int64_t shadow);
/// Of a part of an array: what is known of its elements stays so.
DPEP_API type view_type(type array, int dimensions, char layout);
DPEP_API type tuple_type(std::vector<type> members, std::vector<std::string> names = {}, std::string name = {});

/// The longest last axis of an array of several that kernels are compiled for: points, colours, small vectors.
inline constexpr std::int64_t longest_inner = 16;

/// Whether the elements of such an array are counted in 31 bits.
inline bool is_narrow(std::span<const std::int64_t> shape) noexcept {
  std::int64_t count = 1;
  for (const std::int64_t length : shape)
    if (__builtin_mul_overflow(count, length > 0 ? length : 1, &count)) return false;
  return count < std::int64_t{1} << 31;
}

/// "float32", "pyint", "array(float32, 1, C)", "tuple(pyint, pyint)", as signatures have it.
DPEP_API std::string text_of(type);
/// "float32", "int", "a 1-dimensional array of float32", "tuple(int, int)": as programs name it, for messages.
DPEP_API std::string described(type);
/// Its inverse, for scalars and arrays.
DPEP_API std::optional<type> type_from_text(std::string_view);

inline bool is_scalar(type t) { return t->what == type_facts::kind::scalar; }
inline bool is_array(type t) { return t->what == type_facts::kind::array; }
inline bool is_tuple(type t) { return t->what == type_facts::kind::tuple; }
/// A work-item, or a group of them.
inline bool is_item(type t) {
  using enum type_facts::kind;
  return t->what == item || t->what == nd_item || t->what == group || t->what == sub_group;
}
inline bool is_integer(dtype t) {
  return kind_of(t) == dtype_kind::signed_integer || kind_of(t) == dtype_kind::unsigned_integer;
}
inline bool is_unsigned(dtype t) { return kind_of(t) == dtype_kind::unsigned_integer; }
inline bool is_real(dtype t) { return kind_of(t) == dtype_kind::real; }
inline bool is_complex(dtype t) { return kind_of(t) == dtype_kind::complex; }

/// The type of an operation on two scalars, as NumPy 2 has it: weak numbers take the other's type where their kind
/// allows it.
type promote(type, type);
/// The type of a variable that is assigned both; null when there is none.
type unify(type, type);

}  // namespace dpep::pykernel
