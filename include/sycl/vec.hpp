// sycl::vec: 1, 2, 3, 4, 8 or 16 elements of one type (SYCL 2020, section 4.14.2), on clang's vector types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <sycl/detail/convert.hpp>
#include <sycl/detail/lane.hpp>
#include <sycl/detail/swizzle.hpp>
#include <sycl/half.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl {

template <class T, int N> class vec;

namespace detail {

/// The element type of comparisons of elements of this size: 0 for false, -1 for true.
template <std::size_t Bytes> struct signed_of_size;
template <> struct signed_of_size<1> {
  using type = std::int8_t;
};
template <> struct signed_of_size<2> {
  using type = std::int16_t;
};
template <> struct signed_of_size<4> {
  using type = std::int32_t;
};
template <> struct signed_of_size<8> {
  using type = std::int64_t;
};
template <class T> using relation_t = typename signed_of_size<sizeof(T)>::type;

/// The number of elements that an argument of vec's constructor supplies.
template <class A> inline constexpr int count_in = 1;
template <class T, int N> inline constexpr int count_in<vec<T, N>> = N;
template <class R, class V, int... I> inline constexpr int count_in<swizzle<R, V, I...>> = sizeof...(I);

template <class A> inline constexpr bool is_vec = false;
template <class T, int N> inline constexpr bool is_vec<vec<T, N>> = true;
template <class A> inline constexpr bool is_swizzle = false;
template <class R, class V, int... I> inline constexpr bool is_swizzle<swizzle<R, V, I...>> = true;

template <class T, class A>
concept vec_part = (!is_vec<A> && !is_swizzle<A> && std::is_convertible_v<A, T>) ||
                   (requires { typename A::element_type; } && std::is_same_v<typename A::element_type, T>);

/// Whether A is an accessor that gives out pointers to T.
template <class A, class T>
concept accessor_to = requires(const A &a) {
  typename A::accessor_type;
  { a.get_pointer() } -> std::convertible_to<T *>;
};

/// Whether an operator with a vec takes an A as a scalar.
template <class A, class Vec>
concept vec_scalar =
    count_in<A> == 1 && !std::is_same_v<A, Vec> && std::is_convertible_v<const A &, typename Vec::element_type>;

}  // namespace detail

template <class T, int N> class vec : public detail::swizzles<vec<T, N>, T, N> {
  static_assert(N == 1 || N == 2 || N == 3 || N == 4 || N == 8 || N == 16, "a vec has 1, 2, 3, 4, 8 or 16 elements");
  using lane = detail::lane_t<T>;
  static constexpr bool by_element = detail::computes_by_element<T>;
  static constexpr bool has_bits = !by_element && !detail::is_floating<T>;
  template <class, int> friend class vec;

public:
  using element_type = T;
  using value_type = T;
  using vector_t = lane __attribute__((ext_vector_type(N)));

  constexpr vec() = default;
  constexpr vec(const vec &) = default;
  constexpr vec &operator=(const vec &) = default;

  constexpr explicit(N != 1) vec(const T &all) : data_(detail::to_lane<T>(all)) {}
  template <std::same_as<vector_t> V> constexpr vec(const V &native) : data_(native) {}
  /// Concatenates the elements of all arguments.
  template <class... A>
    requires(sizeof...(A) > 1 && (detail::vec_part<T, A> && ...) && (detail::count_in<A> + ...) == N)
  constexpr vec(const A &...parts) {
    if constexpr (sizeof...(A) == N) {
      data_ = vector_t{detail::to_lane<T>(static_cast<T>(parts))...};
    } else {
      int next = 0;
      (put(next, parts), ...);
    }
  }
  constexpr vec &operator=(const T &all) { return *this = vec(all); }
  template <class V, int I>
    requires(N == 1)
  constexpr vec(const detail::swizzle<vec, V, I> &one) : vec(static_cast<T>(one)) {}
  template <class V, int I>
    requires(N == 1)
  constexpr vec &operator=(const detail::swizzle<vec, V, I> &one) {
    return *this = vec(one);
  }

  operator T() const
    requires(N == 1)
  {
    return (*this)[0];
  }
  explicit(N == 1) constexpr operator vector_t() const { return data_; }
  constexpr const vector_t &native() const { return data_; }

  static constexpr std::size_t byte_size() noexcept { return sizeof(vec); }
  static constexpr std::size_t size() noexcept { return N; }
  static constexpr std::size_t get_size() noexcept { return sizeof(vec); }
  static constexpr std::size_t get_count() noexcept { return N; }

  T &operator[](int i) { return reinterpret_cast<T *>(&data_)[i]; }
  const T &operator[](int i) const { return reinterpret_cast<const T *>(&data_)[i]; }

  template <class To, rounding_mode Mode = rounding_mode::automatic> vec<To, N> convert() const {
    return [this]<int... I>(std::integer_sequence<int, I...>) {
      using other = typename vec<To, N>::vector_t;
      return vec<To, N>(other{detail::to_lane<To>(detail::convert<To, Mode>((*this)[I]))...});
    }(std::make_integer_sequence<int, N>());
  }
  template <class Other> Other as() const {
    static_assert(sizeof(Other) == sizeof(vec), "vec::as keeps the bits, so the sizes must be equal");
    return __builtin_bit_cast(Other, *this);
  }

  /// Loads the elements from N * offset on.
  void load(std::size_t offset, const T *from) { __builtin_memcpy(&data_, from + N * offset, N * sizeof(T)); }
  void store(std::size_t offset, T *to) const { __builtin_memcpy(to + N * offset, &data_, N * sizeof(T)); }
  template <class P>
    requires detail::multi_ptr_to<P, const T>
  void load(std::size_t offset, P from) {
    load(offset, from.get_raw());
  }
  template <class P>
    requires detail::multi_ptr_to<P, T>
  void store(std::size_t offset, P to) const {
    store(offset, to.get_raw());
  }
  /// Not SYCL 2020's, but DPC++'s: the accessor's elements from N * offset on.
  template <detail::accessor_to<const T> A> void load(std::size_t offset, const A &from) {
    load(offset, static_cast<const T *>(from.get_pointer()));
  }
  template <detail::accessor_to<T> A> void store(std::size_t offset, const A &to) const {
    store(offset, static_cast<T *>(to.get_pointer()));
  }

// Operators with a scalar are templates on its type: otherwise a conversion of the scalar to T would compete with the
// conversion of a vec of one element to T and the built-in operator.
#define DPEP_VEC_BINARY(OP, CONDITION)                                                                                 \
  friend constexpr vec operator OP(const vec &a, const vec &b)                                                         \
    requires(CONDITION)                                                                                                \
  {                                                                                                                    \
    if constexpr (by_element)                                                                                          \
      return combine(a, b, [](T x, T y) { return x OP y; });                                                           \
    else                                                                                                               \
      return normal(a.data_ OP b.data_);                                                                               \
  }                                                                                                                    \
  template <detail::vec_scalar<vec> S>                                                                                 \
    requires(CONDITION)                                                                                                \
  friend constexpr vec operator OP(const vec &a, const S &b) {                                                         \
    return a OP vec(static_cast<T>(b));                                                                                \
  }                                                                                                                    \
  template <detail::vec_scalar<vec> S>                                                                                 \
    requires(CONDITION)                                                                                                \
  friend constexpr vec operator OP(const S &a, const vec &b) {                                                         \
    return vec(static_cast<T>(a)) OP b;                                                                                \
  }                                                                                                                    \
  friend constexpr vec &operator OP## = (vec & a, const vec &b)                                                        \
    requires(CONDITION)                                                                                                \
  {                                                                                                                    \
    return a = a OP b;                                                                                                 \
  }                                                                                                                    \
  template <detail::vec_scalar<vec> S>                                                                                 \
    requires(CONDITION)                                                                                                \
  friend constexpr vec &operator OP## = (vec & a, const S &b) {                                                        \
    return a = a OP vec(static_cast<T>(b));                                                                            \
  }
  DPEP_VEC_BINARY(+, true)
  DPEP_VEC_BINARY(-, true)
  DPEP_VEC_BINARY(*, true)
  DPEP_VEC_BINARY(/, true)
  DPEP_VEC_BINARY(%, has_bits)
  DPEP_VEC_BINARY(&, has_bits)
  DPEP_VEC_BINARY(|, has_bits)
  DPEP_VEC_BINARY(^, has_bits)
  DPEP_VEC_BINARY(<<, has_bits)
  DPEP_VEC_BINARY(>>, has_bits)
#undef DPEP_VEC_BINARY

#define DPEP_VEC_RELATION(OP)                                                                                          \
  friend constexpr auto operator OP(const vec &a, const vec &b) {                                                      \
    if constexpr (by_element)                                                                                          \
      return compare(a, b, [](T x, T y) { return x OP y; });                                                           \
    else                                                                                                               \
      return relation(a.data_ OP b.data_);                                                                             \
  }                                                                                                                    \
  template <detail::vec_scalar<vec> S> friend constexpr auto operator OP(const vec &a, const S &b) {                   \
    return a OP vec(static_cast<T>(b));                                                                                \
  }                                                                                                                    \
  template <detail::vec_scalar<vec> S> friend constexpr auto operator OP(const S &a, const vec &b) {                   \
    return vec(static_cast<T>(a)) OP b;                                                                                \
  }
  DPEP_VEC_RELATION(==)
  DPEP_VEC_RELATION(!=)
  DPEP_VEC_RELATION(<)
  DPEP_VEC_RELATION(>)
  DPEP_VEC_RELATION(<=)
  DPEP_VEC_RELATION(>=)
  DPEP_VEC_RELATION(&&)
  DPEP_VEC_RELATION(||)
#undef DPEP_VEC_RELATION

  friend constexpr vec operator+(const vec &a) { return a; }
  friend constexpr vec operator-(const vec &a) {
    if constexpr (by_element)
      return combine(a, a, [](T x, T) { return -x; });
    else
      return normal(-a.data_);
  }
  friend constexpr vec operator~(const vec &a)
    requires(has_bits)
  {
    return normal(~a.data_);
  }
  friend constexpr auto operator!(const vec &a) { return a == vec(T()); }
  friend constexpr vec &operator++(vec &a)
    requires(!std::is_same_v<T, bool>)
  {
    return a += vec(T(1));
  }
  friend constexpr vec &operator--(vec &a)
    requires(!std::is_same_v<T, bool>)
  {
    return a -= vec(T(1));
  }
  friend constexpr vec operator++(vec &a, int)
    requires(!std::is_same_v<T, bool>)
  {
    return std::exchange(a, a + vec(T(1)));
  }
  friend constexpr vec operator--(vec &a, int)
    requires(!std::is_same_v<T, bool>)
  {
    return std::exchange(a, a - vec(T(1)));
  }

private:
  template <class, class, int> friend class detail::swizzles;
  template <class R, int... I> auto make_swizzle() { return detail::swizzle<R, vec, I...>(*this); }
  template <class R, int... I> auto make_swizzle() const { return detail::swizzle<R, const vec, I...>(*this); }

  /// Normalises a result of lane-wise arithmetic: for bool, any set bit means true.
  static constexpr vec normal(const vector_t &x) {
    if constexpr (std::is_same_v<T, bool>)
      return vec(__builtin_convertvector((x != vector_t(0)) & 1, vector_t));
    else
      return vec(x);
  }
  template <class R> static constexpr auto relation(const R &x) {
    using result = vec<detail::relation_t<T>, N>;
    return result((typename result::vector_t)x);
  }

  template <class F> static constexpr vec combine(const vec &a, const vec &b, const F &f) {
    vec result(T{});
    for (int i = 0; i < N; i++)
      result.data_[i] = detail::to_lane<T>(f(detail::from_lane<T>(a.data_[i]), detail::from_lane<T>(b.data_[i])));
    return result;
  }
  template <class F> static constexpr auto compare(const vec &a, const vec &b, const F &f) {
    using truth = detail::relation_t<T>;
    typename vec<truth, N>::vector_t result(0);
    for (int i = 0; i < N; i++)
      result[i] = f(detail::from_lane<T>(a.data_[i]), detail::from_lane<T>(b.data_[i])) ? truth(-1) : truth(0);
    return vec<truth, N>(result);
  }

  constexpr void put(int &next, const T &element) { data_[next++] = detail::to_lane<T>(element); }
  template <class A>
    requires(detail::is_vec<A> || detail::is_swizzle<A>)
  constexpr void put(int &next, const A &part) {
    for (int i = 0; i < detail::count_in<A>; i++) data_[next++] = detail::to_lane<T>(part[i]);
  }

  vector_t data_;
};

template <class T, class... U>
  requires(std::is_same_v<T, U> && ...)
vec(T, U...) -> vec<T, static_cast<int>(sizeof...(U)) + 1>;

// SYCL 1.2.1's names, which programs still use.
using byte = std::uint8_t;
using schar = signed char;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;

#define DPEP_VEC_ALIASES(NAME, T)                                                                                      \
  using NAME##2 = vec<T, 2>;                                                                                           \
  using NAME##3 = vec<T, 3>;                                                                                           \
  using NAME##4 = vec<T, 4>;                                                                                           \
  using NAME##8 = vec<T, 8>;                                                                                           \
  using NAME##16 = vec<T, 16>;
DPEP_VEC_ALIASES(char, std::int8_t)
DPEP_VEC_ALIASES(uchar, std::uint8_t)
DPEP_VEC_ALIASES(short, std::int16_t)
DPEP_VEC_ALIASES(ushort, std::uint16_t)
DPEP_VEC_ALIASES(int, std::int32_t)
DPEP_VEC_ALIASES(uint, std::uint32_t)
DPEP_VEC_ALIASES(long, std::int64_t)
DPEP_VEC_ALIASES(ulong, std::uint64_t)
DPEP_VEC_ALIASES(schar, schar)
DPEP_VEC_ALIASES(longlong, longlong)
DPEP_VEC_ALIASES(ulonglong, ulonglong)
DPEP_VEC_ALIASES(half, half)
DPEP_VEC_ALIASES(float, float)
DPEP_VEC_ALIASES(double, double)
#undef DPEP_VEC_ALIASES

}  // namespace sycl
