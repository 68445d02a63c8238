// Writable views of some of a vec's elements: results of v.xy(), v.lo() and v.swizzle<...>().
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sycl {

template <class T, int N> class vec;

/// Names of elements for vec::swizzle.
struct elem {
  static constexpr int x = 0, y = 1, z = 2, w = 3;
  static constexpr int r = 0, g = 1, b = 2, a = 3;
  static constexpr int s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4, s5 = 5, s6 = 6, s7 = 7;
  static constexpr int s8 = 8, s9 = 9, sA = 10, sB = 11, sC = 12, sD = 13, sE = 14, sF = 15;
};

namespace detail {

template <class Result, class Vec, int... I> class swizzle;

/// Whether operators of a swizzle of one element and an A are those of vecs of one element: swizzles and numbers.
template <class A, class Result>
inline constexpr bool is_single_element =
    !requires { typename A::element_type; } && std::is_convertible_v<const A &, typename Result::element_type>;
template <class Result, class Vec, int I>
inline constexpr bool is_single_element<swizzle<Result, Vec, I>, Result> = true;

/// The named element accessors and swizzles of a vec or a swizzle with N elements.
template <class Derived, class T, int N> class swizzles {
  constexpr Derived &self() { return static_cast<Derived &>(*this); }
  constexpr const Derived &self() const { return static_cast<const Derived &>(*this); }

  template <class Self, int... I> static auto select(Self &self) {
    static_assert(((I >= 0 && I < N) && ...), "swizzle: no such element");
    return self.template make_swizzle<vec<T, sizeof...(I)>, I...>();
  }
  /// Elements Start, Start + Step, … of the N; of 4 if N is 3.
  template <int Start, int Step, class Self> static auto half_of(Self &self) {
    constexpr int count = N == 3 ? 2 : N / 2;
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      // the fourth element of three is unspecified: uses the last one
      return select<Self, (Start + I * Step < N ? Start + I * Step : N - 1)...>(self);
    }(std::make_integer_sequence<int, count>());
  }

public:
  template <int... I> auto swizzle() { return select<Derived, I...>(self()); }
  template <int... I> auto swizzle() const { return select<const Derived, I...>(self()); }

#define DPEP_ELEMENT(NAME, INDEX)                                                                                      \
  auto &NAME()                                                                                                         \
    requires(INDEX < N)                                                                                                \
  {                                                                                                                    \
    return self()[INDEX];                                                                                              \
  }                                                                                                                    \
  auto &NAME() const                                                                                                   \
    requires(INDEX < N)                                                                                                \
  {                                                                                                                    \
    return self()[INDEX];                                                                                              \
  }
  DPEP_ELEMENT(x, 0)
  DPEP_ELEMENT(y, 1)
  DPEP_ELEMENT(z, 2)
  DPEP_ELEMENT(w, 3)
  DPEP_ELEMENT(r, 0)
  DPEP_ELEMENT(g, 1)
  DPEP_ELEMENT(b, 2)
  DPEP_ELEMENT(a, 3)
  DPEP_ELEMENT(s0, 0)
  DPEP_ELEMENT(s1, 1)
  DPEP_ELEMENT(s2, 2)
  DPEP_ELEMENT(s3, 3)
  DPEP_ELEMENT(s4, 4)
  DPEP_ELEMENT(s5, 5)
  DPEP_ELEMENT(s6, 6)
  DPEP_ELEMENT(s7, 7)
  DPEP_ELEMENT(s8, 8)
  DPEP_ELEMENT(s9, 9)
  DPEP_ELEMENT(sA, 10)
  DPEP_ELEMENT(sB, 11)
  DPEP_ELEMENT(sC, 12)
  DPEP_ELEMENT(sD, 13)
  DPEP_ELEMENT(sE, 14)
  DPEP_ELEMENT(sF, 15)
#undef DPEP_ELEMENT

#define DPEP_HALF(NAME, START, STEP)                                                                                   \
  auto NAME()                                                                                                          \
    requires(N > 1)                                                                                                    \
  {                                                                                                                    \
    return half_of<START, STEP>(self());                                                                               \
  }                                                                                                                    \
  auto NAME() const                                                                                                    \
    requires(N > 1)                                                                                                    \
  {                                                                                                                    \
    return half_of<START, STEP>(self());                                                                               \
  }
  DPEP_HALF(lo, 0, 1)
  DPEP_HALF(hi, (N == 3 ? 2 : N / 2), 1)
  DPEP_HALF(even, 0, 2)
  DPEP_HALF(odd, 1, 2)
#undef DPEP_HALF

#ifdef SYCL_SIMPLE_SWIZZLES
#include <sycl/detail/simple_swizzles.inc>
#endif
};

/// Elements I... of a Vec (possibly const) that must outlive the swizzle. Result, the type of its value, is a template
/// argument so that argument-dependent lookup also finds Result's operators for swizzles.
template <class Result, class Vec, int... I>
class swizzle : public swizzles<swizzle<Result, Vec, I...>, typename Vec::element_type, sizeof...(I)> {
  static constexpr int count = sizeof...(I);
  static constexpr int index[] = {I...};
  using T = typename Vec::element_type;
  template <class, class, int> friend class swizzles;
  template <class, int> friend class sycl::vec;

public:
  using element_type = T;
  using value_type = T;

  explicit swizzle(Vec &whole) : whole_(whole) {}
  swizzle(const swizzle &) = default;

  Result value() const { return Result(typename Result::vector_t{__builtin_bit_cast(lane, whole_[I])...}); }
  operator Result() const
    requires(count > 1)
  {
    return value();
  }
  operator T() const
    requires(count == 1)
  {
    return whole_[index[0]];
  }

  const swizzle &operator=(const swizzle &from) const { return *this = from.value(); }
  template <class Other, int... J> const swizzle &operator=(const swizzle<Result, Other, J...> &from) const {
    return *this = from.value();
  }
  const swizzle &operator=(const Result &from) const {
    int next = 0;
    ((whole_[I] = from[next++]), ...);
    return *this;
  }
  const swizzle &operator=(const T &all) const {
    ((whole_[I] = all), ...);
    return *this;
  }

#define DPEP_SWIZZLE_ASSIGN(OP)                                                                                        \
  template <class A> const swizzle &operator OP## = (const A &other) const { return *this = Result(value() OP other); }
  DPEP_SWIZZLE_ASSIGN(+)
  DPEP_SWIZZLE_ASSIGN(-)
  DPEP_SWIZZLE_ASSIGN(*)
  DPEP_SWIZZLE_ASSIGN(/)
  DPEP_SWIZZLE_ASSIGN(%)
  DPEP_SWIZZLE_ASSIGN(&)
  DPEP_SWIZZLE_ASSIGN(|)
  DPEP_SWIZZLE_ASSIGN(^)
  DPEP_SWIZZLE_ASSIGN(<<)
  DPEP_SWIZZLE_ASSIGN(>>)
#undef DPEP_SWIZZLE_ASSIGN

  // A swizzle of one element converts to its vec and to its number. Without these operators, relations would be those
  // of numbers and return bool, and arithmetic would be ambiguous.
#define DPEP_SWIZZLE_BINARY(OP)                                                                                        \
  template <class A>                                                                                                   \
    requires(count == 1 && is_single_element<A, Result>)                                                               \
  friend auto operator OP(const swizzle &a, const A &b) {                                                              \
    return a.value() OP b;                                                                                             \
  }                                                                                                                    \
  template <class A>                                                                                                   \
    requires(count == 1 && is_single_element<A, Result> && !requires { typename A::element_type; })                    \
  friend auto operator OP(const A &a, const swizzle &b) {                                                              \
    return a OP b.value();                                                                                             \
  }
  DPEP_SWIZZLE_BINARY(+)
  DPEP_SWIZZLE_BINARY(-)
  DPEP_SWIZZLE_BINARY(*)
  DPEP_SWIZZLE_BINARY(/)
  DPEP_SWIZZLE_BINARY(%)
  DPEP_SWIZZLE_BINARY(&)
  DPEP_SWIZZLE_BINARY(|)
  DPEP_SWIZZLE_BINARY(^)
  DPEP_SWIZZLE_BINARY(<<)
  DPEP_SWIZZLE_BINARY(>>)
  DPEP_SWIZZLE_BINARY(==)
  DPEP_SWIZZLE_BINARY(!=)
  DPEP_SWIZZLE_BINARY(<)
  DPEP_SWIZZLE_BINARY(>)
  DPEP_SWIZZLE_BINARY(<=)
  DPEP_SWIZZLE_BINARY(>=)
  DPEP_SWIZZLE_BINARY(&&)
  DPEP_SWIZZLE_BINARY(||)
#undef DPEP_SWIZZLE_BINARY

#define DPEP_SWIZZLE_UNARY(OP)                                                                                         \
  friend auto operator OP(const swizzle &a)                                                                            \
    requires(count == 1)                                                                                               \
  {                                                                                                                    \
    return OP a.value();                                                                                               \
  }
  DPEP_SWIZZLE_UNARY(+)
  DPEP_SWIZZLE_UNARY(-)
  DPEP_SWIZZLE_UNARY(~)
  DPEP_SWIZZLE_UNARY(!)
#undef DPEP_SWIZZLE_UNARY

  const swizzle &operator++() const { return *this = Result(value() + T(1)); }
  const swizzle &operator--() const { return *this = Result(value() - T(1)); }
  Result operator++(int) const {
    const Result old = value();
    ++*this;
    return old;
  }
  Result operator--(int) const {
    const Result old = value();
    --*this;
    return old;
  }

  auto &operator[](int i) const { return whole_[index[i]]; }

  static constexpr std::size_t byte_size() noexcept { return sizeof(Result); }
  static constexpr std::size_t size() noexcept { return count; }
  static constexpr std::size_t get_size() noexcept { return sizeof(Result); }
  static constexpr std::size_t get_count() noexcept { return count; }

  template <class To, auto... Mode> auto convert() const { return value().template convert<To, Mode...>(); }
  template <class Other> Other as() const { return value().template as<Other>(); }
  template <class P> void load(std::size_t offset, P from) const {
    Result elements;
    elements.load(offset, from);
    *this = elements;
  }
  template <class P> void store(std::size_t offset, P to) const { value().store(offset, to); }

private:
  using lane = std::remove_cvref_t<decltype(std::declval<typename Result::vector_t>()[0])>;
  template <class R, int... J> auto make_swizzle() const { return detail::swizzle<R, Vec, index[J]...>(whole_); }

  Vec &whole_;
};

}  // namespace detail
}  // namespace sycl
