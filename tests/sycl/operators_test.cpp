// The operators of vec and marray for all element types: which exist, with scalars of other types, and what they give.
#include <concepts>
#include <type_traits>

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

namespace {

template <class V> struct relation;  // the result of comparisons
template <class T, int N> struct relation<sycl::vec<T, N>> {
  using integer = std::conditional_t<
      sizeof(T) == 1, std::int8_t,
      std::conditional_t<sizeof(T) == 2, std::int16_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;
  using type = sycl::vec<integer, N>;
};
template <class T, std::size_t N> struct relation<sycl::marray<T, N>> {
  using type = sycl::marray<bool, N>;
};

#define DEFINE_OPERATION(name, OP, result)                                                                             \
  template <class V, class S>                                                                                          \
  concept name = requires(V v, S s) {                                                                                  \
    { v OP v } -> std::same_as<result>;                                                                                \
    { v OP s } -> std::same_as<result>;                                                                                \
    { s OP v } -> std::same_as<result>;                                                                                \
  };
#define DEFINE_BINARY(name, OP)                                                                                        \
  DEFINE_OPERATION(name, OP, V)                                                                                        \
  template <class V, class S>                                                                                          \
  concept assigns_##name = requires(V v, S s) {                                                                        \
    v OP## = v;                                                                                                        \
    v OP## = s;                                                                                                        \
  };
DEFINE_BINARY(adds, +)
DEFINE_BINARY(subtracts, -)
DEFINE_BINARY(multiplies, *)
DEFINE_BINARY(divides, /)
DEFINE_BINARY(takes_remainder, %)
DEFINE_BINARY(ands, &)
DEFINE_BINARY(ors, |)
DEFINE_BINARY(xors, ^)
DEFINE_BINARY(shifts_left, <<)
DEFINE_BINARY(shifts_right, >>)
DEFINE_OPERATION(equals, ==, typename relation<V>::type)
DEFINE_OPERATION(differs, !=, typename relation<V>::type)
DEFINE_OPERATION(is_less, <, typename relation<V>::type)
DEFINE_OPERATION(is_greater, >, typename relation<V>::type)
DEFINE_OPERATION(is_at_most, <=, typename relation<V>::type)
DEFINE_OPERATION(is_at_least, >=, typename relation<V>::type)
DEFINE_OPERATION(is_both, &&, typename relation<V>::type)
DEFINE_OPERATION(is_either, ||, typename relation<V>::type)
template <class V>
concept counts = requires(V v) {
  ++v;
  --v;
  { v++ } -> std::same_as<V>;
  { v-- } -> std::same_as<V>;
};
template <class V>
concept inverts = requires(V v) {
  { ~v } -> std::same_as<V>;
};

template <class V, class S> consteval void check_scalar() {
  using T = typename V::value_type;
  constexpr bool integral = std::is_integral_v<T>;
  static_assert(adds<V, S> && assigns_adds<V, S> && subtracts<V, S> && assigns_subtracts<V, S>);
  static_assert(multiplies<V, S> && assigns_multiplies<V, S> && divides<V, S> && assigns_divides<V, S>);
  static_assert(takes_remainder<V, S> == integral && assigns_takes_remainder<V, S> == integral);
  static_assert(ands<V, S> == integral && assigns_ands<V, S> == integral);
  static_assert(ors<V, S> == integral && assigns_ors<V, S> == integral);
  static_assert(xors<V, S> == integral && assigns_xors<V, S> == integral);
  static_assert(shifts_left<V, S> == integral && assigns_shifts_left<V, S> == integral);
  static_assert(shifts_right<V, S> == integral && assigns_shifts_right<V, S> == integral);
  static_assert(equals<V, S> && differs<V, S> && is_less<V, S> && is_greater<V, S> && is_at_most<V, S>);
  static_assert(is_at_least<V, S> && is_both<V, S> && is_either<V, S>);
}

template <class V> void check() {
  using T = typename V::value_type;
  check_scalar<V, T>();
  check_scalar<V, int>();
  check_scalar<V, bool>();
  check_scalar<V, std::int8_t>();
  check_scalar<V, double>();
  static_assert(counts<V> == !std::same_as<T, bool>);
  static_assert(inverts<V> == std::is_integral_v<T>);
  const V one(T(1)), two(T(2));
  const T sum = std::is_same_v<T, bool> ? T(1) : T(2);
  EXPECT_EQ((one + 1)[0], sum);
  EXPECT_EQ((2 * one)[0], T(2));
  EXPECT_EQ((two - one)[0], T(two[0] - one[0]));
  EXPECT_TRUE((one == 1)[0]);
  EXPECT_TRUE((true && one)[0]);
  EXPECT_FALSE((!one)[0]);
  EXPECT_EQ((+one)[0], T(1));
  EXPECT_EQ((-(-one))[0], T(1));
  if constexpr (std::is_integral_v<T>) {
    EXPECT_EQ((one & 1)[0], T(1));
    EXPECT_EQ((one << one)[0], T(T(1) << T(1)));
  }
}

template <class T> class operators : public testing::Test {};
using element_types = testing::Types<bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                                     unsigned long, long long, unsigned long long, sycl::half, float, double>;
TYPED_TEST_SUITE(operators, element_types);

}  // namespace

TYPED_TEST(operators, of_vec) {
  check<sycl::vec<TypeParam, 1>>();
  check<sycl::vec<TypeParam, 4>>();
}

TYPED_TEST(operators, of_marray) {
  check<sycl::marray<TypeParam, 1>>();
  check<sycl::marray<TypeParam, 5>>();
}
