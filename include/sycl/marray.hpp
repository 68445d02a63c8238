// sycl::marray: an array of fixed size with element-wise arithmetic (SYCL 2020, section 4.14.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <sycl/half.hpp>

namespace sycl {

template <class T, std::size_t N> class marray;

namespace detail {
template <class A> inline constexpr bool is_marray = false;
template <class T, std::size_t N> inline constexpr bool is_marray<marray<T, N>> = true;
template <class A> inline constexpr std::size_t marray_count = 1;
template <class T, std::size_t N> inline constexpr std::size_t marray_count<marray<T, N>> = N;
/// Whether an operator with an marray takes an A as a scalar.
template <class A, class Marray>
concept marray_scalar =
    marray_count<A> == 1 && !std::is_same_v<A, Marray> && std::is_convertible_v<const A &, typename Marray::value_type>;
}  // namespace detail

template <class T, std::size_t N> class marray {
  static_assert(N > 0, "marray: the number of elements must be positive");

public:
  using value_type = T;
  using reference = T &;
  using const_reference = const T &;
  using iterator = T *;
  using const_iterator = const T *;

  constexpr marray() : elements_{} {}
  constexpr explicit(N != 1) marray(const T &all) : elements_{} {
    for (T &e : elements_) e = all;
  }
  /// Concatenates the elements of all arguments.
  template <class... A>
    requires(sizeof...(A) > 1 && (detail::marray_count<A> + ...) == N &&
             ((detail::is_marray<A> || std::is_convertible_v<A, T>) && ...))
  constexpr marray(const A &...parts) : elements_{} {
    std::size_t next = 0;
    (put(next, parts), ...);
  }
  constexpr marray &operator=(const T &all) { return *this = marray(all); }

  constexpr operator T() const
    requires(N == 1)
  {
    return elements_[0];
  }

  static constexpr std::size_t size() noexcept { return N; }
  constexpr T &operator[](std::size_t i) { return elements_[i]; }
  constexpr const T &operator[](std::size_t i) const { return elements_[i]; }
  constexpr T *begin() { return elements_; }
  constexpr const T *begin() const { return elements_; }
  constexpr T *end() { return elements_ + N; }
  constexpr const T *end() const { return elements_ + N; }

// Operators with a scalar are templates on its type for the same reason as those of vec.
#define DPEP_MARRAY_BINARY(OP)                                                                                         \
  friend constexpr marray operator OP(const marray &a, const marray &b)                                                \
    requires requires(T x) { x OP x; }                                                                                 \
  {                                                                                                                    \
    marray r;                                                                                                          \
    for (std::size_t i = 0; i < N; i++) r[i] = static_cast<T>(a[i] OP b[i]);                                           \
    return r;                                                                                                          \
  }                                                                                                                    \
  template <detail::marray_scalar<marray> S>                                                                           \
    requires requires(T x) { x OP x; }                                                                                 \
  friend constexpr marray operator OP(const marray &a, const S &b) {                                                   \
    return a OP marray(static_cast<T>(b));                                                                             \
  }                                                                                                                    \
  template <detail::marray_scalar<marray> S>                                                                           \
    requires requires(T x) { x OP x; }                                                                                 \
  friend constexpr marray operator OP(const S &a, const marray &b) {                                                   \
    return marray(static_cast<T>(a)) OP b;                                                                             \
  }                                                                                                                    \
  friend constexpr marray &operator OP## = (marray & a, const marray &b)                                               \
    requires requires(T x) { x OP x; }                                                                                 \
  {                                                                                                                    \
    return a = a OP b;                                                                                                 \
  }                                                                                                                    \
  template <detail::marray_scalar<marray> S>                                                                           \
    requires requires(T x) { x OP x; }                                                                                 \
  friend constexpr marray &operator OP## = (marray & a, const S &b) {                                                  \
    return a = a OP marray(static_cast<T>(b));                                                                         \
  }
  DPEP_MARRAY_BINARY(+)
  DPEP_MARRAY_BINARY(-)
  DPEP_MARRAY_BINARY(*)
  DPEP_MARRAY_BINARY(/)
  DPEP_MARRAY_BINARY(%)
  DPEP_MARRAY_BINARY(&)
  DPEP_MARRAY_BINARY(|)
  DPEP_MARRAY_BINARY(^)
  DPEP_MARRAY_BINARY(<<)
  DPEP_MARRAY_BINARY(>>)
#undef DPEP_MARRAY_BINARY

#define DPEP_MARRAY_RELATION(OP)                                                                                       \
  friend constexpr marray<bool, N> operator OP(const marray &a, const marray &b) {                                     \
    marray<bool, N> r;                                                                                                 \
    for (std::size_t i = 0; i < N; i++) r[i] = a[i] OP b[i];                                                           \
    return r;                                                                                                          \
  }                                                                                                                    \
  template <detail::marray_scalar<marray> S>                                                                           \
  friend constexpr marray<bool, N> operator OP(const marray &a, const S &b) {                                          \
    return a OP marray(static_cast<T>(b));                                                                             \
  }                                                                                                                    \
  template <detail::marray_scalar<marray> S>                                                                           \
  friend constexpr marray<bool, N> operator OP(const S &a, const marray &b) {                                          \
    return marray(static_cast<T>(a)) OP b;                                                                             \
  }
  DPEP_MARRAY_RELATION(==)
  DPEP_MARRAY_RELATION(!=)
  DPEP_MARRAY_RELATION(<)
  DPEP_MARRAY_RELATION(>)
  DPEP_MARRAY_RELATION(<=)
  DPEP_MARRAY_RELATION(>=)
  DPEP_MARRAY_RELATION(&&)
  DPEP_MARRAY_RELATION(||)
#undef DPEP_MARRAY_RELATION

  friend constexpr marray operator+(const marray &a) { return a; }
  friend constexpr marray operator-(const marray &a) {
    marray r;
    for (std::size_t i = 0; i < N; i++) r[i] = static_cast<T>(-a[i]);
    return r;
  }
  friend constexpr marray operator~(const marray &a)
    requires requires(T x) { ~x; }
  {
    marray r;
    for (std::size_t i = 0; i < N; i++) r[i] = static_cast<T>(~a[i]);
    return r;
  }
  friend constexpr marray<bool, N> operator!(const marray &a) {
    marray<bool, N> r;
    for (std::size_t i = 0; i < N; i++) r[i] = !a[i];
    return r;
  }
  friend constexpr marray &operator++(marray &a)
    requires(!std::is_same_v<T, bool>)
  {
    return a += T(1);
  }
  friend constexpr marray &operator--(marray &a)
    requires(!std::is_same_v<T, bool>)
  {
    return a -= T(1);
  }
  friend constexpr marray operator++(marray &a, int)
    requires(!std::is_same_v<T, bool>)
  {
    return std::exchange(a, a + T(1));
  }
  friend constexpr marray operator--(marray &a, int)
    requires(!std::is_same_v<T, bool>)
  {
    return std::exchange(a, a - T(1));
  }

private:
  constexpr void put(std::size_t &next, const T &element) { elements_[next++] = element; }
  template <std::size_t M> constexpr void put(std::size_t &next, const marray<T, M> &part) {
    for (const T &element : part) elements_[next++] = element;
  }

  T elements_[N];
};

template <class T, class... U>
  requires(std::is_same_v<T, U> && ...)
marray(T, U...) -> marray<T, sizeof...(U) + 1>;

#define DPEP_MARRAY_ALIASES(NAME, T)                                                                                   \
  using m##NAME##2 = marray<T, 2>;                                                                                     \
  using m##NAME##3 = marray<T, 3>;                                                                                     \
  using m##NAME##4 = marray<T, 4>;                                                                                     \
  using m##NAME##8 = marray<T, 8>;                                                                                     \
  using m##NAME##16 = marray<T, 16>;
DPEP_MARRAY_ALIASES(bool, bool)
DPEP_MARRAY_ALIASES(char, std::int8_t)
DPEP_MARRAY_ALIASES(uchar, std::uint8_t)
DPEP_MARRAY_ALIASES(short, std::int16_t)
DPEP_MARRAY_ALIASES(ushort, std::uint16_t)
DPEP_MARRAY_ALIASES(int, std::int32_t)
DPEP_MARRAY_ALIASES(uint, std::uint32_t)
DPEP_MARRAY_ALIASES(long, std::int64_t)
DPEP_MARRAY_ALIASES(ulong, std::uint64_t)
DPEP_MARRAY_ALIASES(half, half)
DPEP_MARRAY_ALIASES(float, float)
DPEP_MARRAY_ALIASES(double, double)
#undef DPEP_MARRAY_ALIASES

}  // namespace sycl
