// Kernels of one family of operations, for every signature; included by the sources of the families.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "array/blocks/known_divisor.hpp"
#include "array/blocks/types.hpp"
#include "device/elements/arithmetic.hpp"
#include "device/elements/entropy.hpp"
#include "device/elements/functions.hpp"
#include "device/elements/integers.hpp"
#include "device/elements/parts.hpp"
#include "device/elements/rounding.hpp"
#include "device/elements/special.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

namespace operations {
#define DPEP_UNARY(name, text, ...)                                                                                    \
  struct name {                                                                                                        \
    static constexpr opcode code = opcode::name;                                                                       \
    static constexpr int inputs = 1;                                                                                   \
    static constexpr std::string_view types = text;                                                                    \
    template <class T> [[gnu::always_inline]] static auto of(T x) { return elements::name(x); }                        \
  };
#define DPEP_BINARY(name, text, ...)                                                                                   \
  struct name {                                                                                                        \
    static constexpr opcode code = opcode::name;                                                                       \
    static constexpr int inputs = 2;                                                                                   \
    static constexpr std::string_view types = text;                                                                    \
    template <class T, class U> [[gnu::always_inline]] static auto of(T x, U y) { return elements::name(x, y); }       \
  };
#include <dpep/array_opcodes.hpp>
#include <dpep/array_operations.def>
}  // namespace operations

/// Whether the operation returns its operand unchanged.
template <class T> constexpr bool is_copy(opcode code) {
  using namespace operation_properties;
  const bool number = !elements::is_complex<T> && !elements::boolean<T>;
  return has_property(code, COPY | (elements::is_complex<T> ? NONE : COPY_OF_REAL) | (number ? COPY_OF_NUMBER : NONE) |
                                (elements::integral<T> ? COPY_OF_INTEGER : NONE) |
                                (std::is_unsigned_v<T> ? COPY_OF_UNSIGNED : NONE));
}

/// Whether one element costs nearly as much as a vector. Loops over these process whole vectors only; the remainder is
/// processed as one more vector.
constexpr bool is_costly(opcode code) {
  switch (family_of(code)) {
    using enum operation_family;
  case exponentials:
  case logarithms:
  case powers:
  case trigonometry:
  case inverse_trigonometry:
  case hyperbolic:
  case special:
  case gamma_functions:
  case bessel:
    return code != opcode::sqrt && code != opcode::rsqrt && code != opcode::pow_half;
  default:
    return false;
  }
}
template <class T> constexpr std::size_t vector_size = lanes<elements::wide_of<elements::real_of<T>>>;

template <class Op, class T> [[gnu::noinline]] void unary_vectors(std::size_t count, const T *x, T *to) {
  count = count / vector_size<T> * vector_size<T>;
  DPEP_VECTOR_LOOP_OF(vector_size<T>)
  for (std::size_t i = 0; i < count; ++i) to[i] = Op::of(x[i]);
}
template <class Op, class T> [[gnu::noinline]] void binary_vectors(std::size_t count, const T *x, const T *y, T *to) {
  count = count / vector_size<T> * vector_size<T>;
  DPEP_VECTOR_LOOP_OF(vector_size<T>)
  for (std::size_t i = 0; i < count; ++i) to[i] = Op::of(x[i], y[i]);
}
/// The last vector of a block whose size is not a multiple of the vector. It is computed before anything is written,
/// because the result may be at the address of an operand. It overlaps the vector before, whose last elements are
/// computed twice; a block shorter than a vector is padded with its last element.
template <class T> struct last_vector {
  T values[vector_size<T>];
  std::size_t first;  // the index in `values` of the first remaining element
  explicit last_vector(std::size_t count)
      : first(count < vector_size<T> ? 0 : vector_size<T> - count % vector_size<T>) {}
  /// The elements of the last vector, padded in `buffer` if the block is shorter.
  const T *operand(std::size_t count, const T *from, T (&buffer)[vector_size<T>]) const {
    if (count >= vector_size<T>) return from + count - vector_size<T>;
    for (std::size_t i = 0; i < vector_size<T>; ++i) buffer[i] = from[i < count ? i : count - 1];
    return buffer;
  }
  void store(std::size_t count, T *to) const {
    const std::size_t rest = count % vector_size<T>;
    for (std::size_t i = 0; i < rest; ++i) to[count - rest + i] = values[first + i];
  }
};

template <class Op, class T> void unary(std::size_t count, const void *const *inputs, void *result) {
  using R = decltype(Op::of(T{}));
  const T *const x = static_cast<const T *>(inputs[0]);
  R *const to = static_cast<R *>(result);
  if constexpr (is_costly(Op::code)) {
    if (count % vector_size<T> == 0) return unary_vectors<Op, T>(count, x, to);
    last_vector<T> last(count);
    T buffer[vector_size<T>];
    unary_vectors<Op, T>(vector_size<T>, last.operand(count, x, buffer), last.values);
    unary_vectors<Op, T>(count, x, to);
    last.store(count, to);
  } else {
    each_element<T, R>(count, [=](std::size_t i) __attribute__((always_inline)) { to[i] = Op::of(x[i]); });
  }
}

template <class Op, class T, class U> void binary(std::size_t count, const void *const *inputs, void *result) {
  using R = decltype(Op::of(T{}, U{}));
  const T *const x = static_cast<const T *>(inputs[0]);
  const U *const y = static_cast<const U *>(inputs[1]);
  R *const to = static_cast<R *>(result);
  if constexpr (is_costly(Op::code) && (elements::any_float<T> || elements::is_complex<T>)) {
    if (count % vector_size<T> == 0) return binary_vectors<Op, T>(count, x, y, to);
    last_vector<T> last(count);
    T buffer[vector_size<T>], other[vector_size<T>];
    binary_vectors<Op, T>(vector_size<T>, last.operand(count, x, buffer), last.operand(count, y, other), last.values);
    binary_vectors<Op, T>(count, x, y, to);
    last.store(count, to);
  } else {
    each_element<T, R>(count, [=](std::size_t i) __attribute__((always_inline)) { to[i] = Op::of(x[i], y[i]); });
  }
}
template <class Op, class T, class U> void binary_by_one(std::size_t count, const void *const *inputs, void *result) {
  using R = decltype(Op::of(T{}, U{}));
  const T *const x = static_cast<const T *>(inputs[0]);
  const U y = *static_cast<const U *>(inputs[1]);
  R *const to = static_cast<R *>(result);
#ifdef __FMA__
  if constexpr (Op::code == opcode::divide && std::is_same_v<T, U> && std::is_floating_point_v<T>)
    return divide_by(count, x, y, to);
#endif
  each_element<T, R>(count, [=](std::size_t i) __attribute__((always_inline)) { to[i] = Op::of(x[i], y); });
}
template <class Op, class T, class U> void binary_of_one(std::size_t count, const void *const *inputs, void *result) {
  if constexpr (is_commutative(Op::code) && std::is_same_v<T, U>) {
    const void *swapped[] = {inputs[1], inputs[0]};
    binary_by_one<Op, T, U>(count, swapped, result);
  } else {
    using R = decltype(Op::of(T{}, U{}));
    const T x = *static_cast<const T *>(inputs[0]);
    const U *const y = static_cast<const U *>(inputs[1]);
    R *const to = static_cast<R *>(result);
    each_element<U, R>(count, [=](std::size_t i) __attribute__((always_inline)) { to[i] = Op::of(x, y[i]); });
  }
}

/// Kernels of functions with a vectorised fast path that returns NaN for the rare operands that it does not handle.
/// These are computed again by the complete function.
template <class Op, class Fast, class T>
void binary_with_fast_path(std::size_t count, const void *const *inputs, void *result) {
  constexpr std::size_t size = 256;
  const T *x = static_cast<const T *>(inputs[0]), *y = static_cast<const T *>(inputs[1]);
  T *to = static_cast<T *>(result);
  for (std::size_t begin = 0; begin < count; begin += size) {
    const std::size_t n = count - begin < size ? count - begin : size;
    T values[size];  // the result may overwrite the operands, which are still needed
    std::uint32_t missing = 0;
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < n; ++i) {
      const T value = Fast::of(x[i], y[i]);
      missing |= elements::isnan(value);
      values[i] = value;
    }
    if (missing)
      for (std::size_t i = 0; i < n; ++i)
        if (elements::isnan(values[i])) values[i] = Op::of(x[i], y[i]);
    std::memcpy(to, values, n * sizeof(T));
    x += n, y += n, to += n;
  }
}
#define DPEP_FAST_PATH(name)                                                                                           \
  struct fast_##name {                                                                                                 \
    template <class T> [[gnu::always_inline]] static T of(T x, T y) { return elements::quick_##name(x, y); }           \
  };
DPEP_FAST_PATH(fmod)
DPEP_FAST_PATH(remainder)
DPEP_FAST_PATH(floor_divide)
DPEP_FAST_PATH(numpy_floor_divide)

#if DPEP_DEVICE_FUSED
/// sin, cos and tan for blocks of arguments, as vectors with a formula for moderate arguments. Blocks with large ones
/// are computed again by the function for any argument, whose results for moderate ones are the same.
#define DPEP_ANGLE_FUNCTION(name)                                                                                      \
  struct angle_##name {                                                                                                \
    template <device::arguments of, class T, class U>                                                                  \
    [[gnu::always_inline]] static T compute(T x, device::turn_counts<U> &counts) {                                     \
      return elements::back<T>(device::name<of>(elements::wide(x), counts));                                           \
    }                                                                                                                  \
  };
DPEP_ANGLE_FUNCTION(sin)
DPEP_ANGLE_FUNCTION(cos)
DPEP_ANGLE_FUNCTION(tan)

/// Returns whether an argument is large.
template <class F, device::arguments of, class T>
[[gnu::noinline]] bool angle_vectors(std::size_t count, const T *x, T *to) {
  count = count / vector_size<T> * vector_size<T>;
  device::turn_counts<elements::wide_of<T>> counts;
  DPEP_VECTOR_LOOP_OF(vector_size<T>)
  for (std::size_t i = 0; i < count; ++i) to[i] = F::template compute<of>(x[i], counts);
  return counts.any_large();
}
/// The result is not at the address of the operand. `large`: whether to expect large arguments, as in the block before.
template <class F, class T> void angle_block(std::size_t count, const T *x, T *to, bool &large) {
  using enum device::arguments;
  if (!large) large = angle_vectors<F, moderate>(count, x, to);
  if (large) large = angle_vectors<F, any>(count, x, to);
}
template <class F, class T> void unary_of_angles(std::size_t count, const void *const *inputs, void *result) {
  const T *const x = static_cast<const T *>(inputs[0]);
  T *const to = static_cast<T *>(result);
  const std::size_t whole = count / vector_size<T> * vector_size<T>;
  bool large = false;
  last_vector<T> last(count);
  T buffer[32 * vector_size<T>];
  if (whole != count) {
    T padded[vector_size<T>];
    angle_block<F>(vector_size<T>, last.operand(count, x, padded), last.values, large);
  }
  for (std::size_t begin = 0; begin < whole; begin += std::size(buffer)) {
    const std::size_t n = std::min(whole - begin, std::size(buffer));
    const T *from = x + begin;
    if (x == to) from = static_cast<const T *>(std::memcpy(buffer, from, n * sizeof(T)));
    angle_block<F>(n, from, to + begin, large);
  }
  if (whole != count) last.store(count, to);
}
#endif

template <class Op, class T> constexpr element_function unary_function() {
#if DPEP_DEVICE_FUSED
  if constexpr (elements::any_float<T>) {
    if constexpr (Op::code == opcode::sin) return unary_of_angles<angle_sin, T>;
    if constexpr (Op::code == opcode::cos) return unary_of_angles<angle_cos, T>;
    if constexpr (Op::code == opcode::tan) return unary_of_angles<angle_tan, T>;
  }
#endif
  return unary<Op, T>;
}

template <class Op, class T> constexpr element_function binary_function() {
  if constexpr (elements::any_float<T>) {
    if constexpr (Op::code == opcode::fmod) return binary_with_fast_path<Op, fast_fmod, T>;
    if constexpr (Op::code == opcode::remainder) return binary_with_fast_path<Op, fast_remainder, T>;
    if constexpr (Op::code == opcode::floor_divide) return binary_with_fast_path<Op, fast_floor_divide, T>;
    if constexpr (Op::code == opcode::numpy_floor_divide) return binary_with_fast_path<Op, fast_numpy_floor_divide, T>;
  }
  return binary<Op, T, T>;
}

// The table is computed at compile time: first a list that is long enough for any family.
struct entry_list {
  std::array<element_entry, 600> entries{};
  std::size_t count = 0;
  constexpr void add(const element_entry &entry) { entries[count++] = entry; }
};

template <class Op, dtype a, dtype b> constexpr void add_binary(entry_list &list) {
  using enum form;
  constexpr bool same = a == b && is_sign_independent(Op::code);
  using T = std::conditional_t<same, typename unsigned_equivalent<element<a>>::type, element<a>>;
  using U = std::conditional_t<same, typename unsigned_equivalent<element<b>>::type, element<b>>;
  if constexpr (a == b)
    list.add({Op::code, a, b, vector, vector, binary_function<Op, T>()});
  else
    list.add({Op::code, a, b, vector, vector, binary<Op, T, U>});
  if constexpr (is_cheap(Op::code)) {
    list.add({Op::code, a, b, vector, one, binary_by_one<Op, T, U>});
    list.add({Op::code, a, b, one, vector, binary_of_one<Op, T, U>});
  }
}

template <class Op, bool wanted> constexpr void add_operation(entry_list &list) {
  if constexpr (!wanted)
    return;
  else {
    each_type([&]<dtype t> {
      constexpr std::string_view codes = "?bBhHiIlLefdFD";
      if constexpr (Op::types.find(codes[static_cast<std::size_t>(t)]) != std::string_view::npos) {
        if constexpr (facts_of(Op::code).result == result_rule::SCALED) {
          add_binary<Op, t, dtype::int32>(list);
          add_binary<Op, t, dtype::int64>(list);
        } else if constexpr (Op::inputs == 2) {
          add_binary<Op, t, t>(list);
        } else {
          using enum form;
          using T = element<t>;
          if constexpr (is_copy<T>(Op::code))
            list.add({Op::code, t, t, vector, vector, unary<operations::positive, raw<sizeof(T)>>});
          else if constexpr (is_sign_independent(Op::code))
            list.add({Op::code, t, t, vector, vector, unary<Op, typename unsigned_equivalent<T>::type>});
          else
            list.add({Op::code, t, t, vector, vector, unary_function<Op, T>()});
        }
      }
    });
    using enum dtype;
    if constexpr (facts_of(Op::code).result == result_rule::COMPARISON) {
      add_binary<Op, int64, uint64>(list);
      add_binary<Op, uint64, int64>(list);
    } else if constexpr (facts_of(Op::code).result == result_rule::QUOTIENT) {
      add_binary<Op, float32, complex64>(list);
      add_binary<Op, complex64, float32>(list);
      add_binary<Op, float64, complex128>(list);
      add_binary<Op, complex128, float64>(list);
    }
  }
}

template <operation_family f> constexpr entry_list entries_of() {
  entry_list list;
#define DPEP_UNARY(name, ...) add_operation<operations::name, family_of(opcode::name) == f>(list);
#define DPEP_BINARY(name, ...) DPEP_UNARY(name)
#include <dpep/array_operations.def>
  return list;
}

/// The same list with its exact length.
template <operation_family f>
constexpr auto table = [] {
  constexpr entry_list list = entries_of<f>();
  std::array<element_entry, list.count> entries{};
  for (std::size_t i = 0; i < list.count; ++i) entries[i] = list.entries[i];
  return entries;
}();

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA

#define DPEP_DEFINE_FAMILY(name)                                                                                       \
  namespace dpep::array::blocks::DPEP_ISA {                                                                            \
  const element_list name##_elements = {table<operation_family::name>.data(), table<operation_family::name>.size()};   \
  }
