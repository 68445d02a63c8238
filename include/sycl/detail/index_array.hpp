// The common base of range and id: up to three numbers with element-wise arithmetic.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>

// Unrolls loops over dimensions. Required in the device pass, which disables unrolling of other loops.
#define DPEP_UNROLL _Pragma("clang loop unroll(full)")

namespace sycl::detail {

/// Types that convert to a range or id, except numbers: arithmetic between an id<1> and a fraction is the fraction's.
template <class T, class Self>
concept index_operand = !std::is_arithmetic_v<T> && std::is_convertible_v<const T &, const Self &>;

/// The base class of range and id; `Self` is the derived class.
template <class Self, int Dimensions> class index_array {
  static_assert(1 <= Dimensions && Dimensions <= 3, "SYCL has one, two and three dimensions");

public:
  static constexpr int dimensions = Dimensions;

  constexpr std::size_t get(int dimension) const noexcept { return values_[dimension]; }
  constexpr std::size_t &operator[](int dimension) noexcept { return values_[dimension]; }
  constexpr std::size_t operator[](int dimension) const noexcept { return values_[dimension]; }
  constexpr std::size_t hash() const noexcept {
    std::size_t mixed = 0;
    for (int i = 0; i < Dimensions; i++) mixed = mixed * 1000003 + values_[i];
    return mixed;
  }

  friend constexpr bool operator==(const Self &a, const Self &b) noexcept {
    DPEP_UNROLL for (int i = 0; i < Dimensions; i++) if (a[i] != b[i]) return false;
    return true;
  }
  // Whether each element is the number. A template, since comparisons of an id<1> with a number of a type other than
  // size_t would be ambiguous with the built-in operator on the converted id.
  template <std::integral T> friend constexpr bool operator==(const Self &a, T b) noexcept {
    DPEP_UNROLL for (int i = 0; i < Dimensions; i++) if (a[i] != static_cast<std::size_t>(b)) return false;
    return true;
  }

// Each operator with two operands of this type, and with a number on either side. Templates on the number's type, for
// the reason above.
#define DPEP_INDEX_OPERATOR(op)                                                                                        \
  template <index_operand<Self> Left, index_operand<Self> Right>                                                       \
  friend constexpr Self operator op(const Left &left, const Right &right) noexcept {                                   \
    const Self &a = left, &b = right;                                                                                  \
    Self r = a;                                                                                                        \
    DPEP_UNROLL for (int i = 0; i < Dimensions; i++) r[i] = a[i] op b[i];                                              \
    return r;                                                                                                          \
  }                                                                                                                    \
  template <std::integral T> friend constexpr Self operator op(const Self &a, T b) noexcept {                          \
    Self r = a;                                                                                                        \
    DPEP_UNROLL for (int i = 0; i < Dimensions; i++) r[i] = a[i] op static_cast<std::size_t>(b);                       \
    return r;                                                                                                          \
  }                                                                                                                    \
  template <std::integral T> friend constexpr Self operator op(T a, const Self &b) noexcept {                          \
    Self r = b;                                                                                                        \
    DPEP_UNROLL for (int i = 0; i < Dimensions; i++) r[i] = static_cast<std::size_t>(a) op b[i];                       \
    return r;                                                                                                          \
  }
#define DPEP_INDEX_ASSIGNMENT(op)                                                                                      \
  DPEP_INDEX_OPERATOR(op)                                                                                              \
  friend constexpr Self &operator op## = (Self & a, const Self &b) noexcept {                                          \
    DPEP_UNROLL for (int i = 0; i < Dimensions; i++) a[i] op## = b[i];                                                 \
    return a;                                                                                                          \
  }                                                                                                                    \
  template <std::integral T> friend constexpr Self &operator op## = (Self & a, T b) noexcept {                         \
    DPEP_UNROLL for (int i = 0; i < Dimensions; i++) a[i] op## = static_cast<std::size_t>(b);                          \
    return a;                                                                                                          \
  }
  // clang-format off
  DPEP_INDEX_ASSIGNMENT(+) DPEP_INDEX_ASSIGNMENT(-) DPEP_INDEX_ASSIGNMENT(*) DPEP_INDEX_ASSIGNMENT(/)
  DPEP_INDEX_ASSIGNMENT(%) DPEP_INDEX_ASSIGNMENT(<<) DPEP_INDEX_ASSIGNMENT(>>) DPEP_INDEX_ASSIGNMENT(&)
  DPEP_INDEX_ASSIGNMENT(|) DPEP_INDEX_ASSIGNMENT(^)
  DPEP_INDEX_OPERATOR(&&) DPEP_INDEX_OPERATOR(||) DPEP_INDEX_OPERATOR(<) DPEP_INDEX_OPERATOR(>)
  DPEP_INDEX_OPERATOR(<=) DPEP_INDEX_OPERATOR(>=)
  // clang-format on
#undef DPEP_INDEX_ASSIGNMENT
#undef DPEP_INDEX_OPERATOR

                  friend constexpr Self operator+(const Self &a) {
    return a;
  }
  friend constexpr Self operator-(const Self &a) {
    Self r = a;
    DPEP_UNROLL for (int i = 0; i < Dimensions; i++) r[i] = -a[i];
    return r;
  }
  friend constexpr Self &operator++(Self &a) { return a += 1; }
  friend constexpr Self &operator--(Self &a) { return a -= 1; }
  friend constexpr Self operator++(Self &a, int) {
    const Self before = a;
    a += 1;
    return before;
  }
  friend constexpr Self operator--(Self &a, int) {
    const Self before = a;
    a -= 1;
    return before;
  }

protected:
  constexpr index_array() = default;
  constexpr index_array(std::size_t a, std::size_t b, std::size_t c) {
    values_[0] = a;
    if constexpr (Dimensions > 1) values_[1] = b;
    if constexpr (Dimensions > 2) values_[2] = c;
  }

  std::size_t values_[Dimensions]{};
};

/// The row-major position of `index` in an array of the extent `extent`: the last dimension varies fastest.
template <class Index, class Extent> constexpr std::size_t linear(const Index &index, const Extent &extent) {
  std::size_t position = index[0];
  DPEP_UNROLL for (int i = 1; i < Index::dimensions; i++) position = position * extent[i] + index[i];
  return position;
}

}  // namespace sycl::detail
