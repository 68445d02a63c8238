// Complex numbers of half, float and double, and functions of them and of marrays (extension sycl_ext_oneapi_complex).
#pragma once

#include <complex>
#include <cstddef>
#include <istream>
#include <ostream>
#include <type_traits>

#include <sycl/half.hpp>
#include <sycl/marray.hpp>
#include <sycl/stream.hpp>

namespace sycl::ext::oneapi::experimental {

template <class T> class complex;

namespace detail {

template <class T> inline constexpr bool is_complex = false;
template <class T> inline constexpr bool is_complex<complex<T>> = true;
/// Whether numbers of type T can be the parts of a complex number.
template <class T>
concept complex_part = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, half>;
/// Whether functions take a T as a complex number without an imaginary part.
template <class T>
concept real_number = complex_part<T> || std::is_integral_v<T>;

/// The type that the standard library computes with: half is not one of its types.
template <class T> using standard_part = std::conditional_t<std::is_same_v<T, half>, float, T>;

template <class T> constexpr std::complex<standard_part<T>> to_standard(const complex<T> &z) {
  return {static_cast<standard_part<T>>(z.real()), static_cast<standard_part<T>>(z.imag())};
}
template <class T, class S> constexpr complex<T> from_standard(const std::complex<S> &z) {
  return complex<T>(static_cast<T>(z.real()), static_cast<T>(z.imag()));
}

/// The part of a number of either kind.
template <class T> struct part {
  using type = T;
};
template <class T> struct part<complex<T>> {
  using type = T;
};
/// The part of the result of pow: the widest of both.
template <class T, class U> struct wider {
  static constexpr bool any_double = std::is_same_v<T, double> || std::is_same_v<U, double>;
  static constexpr bool any_float = std::is_same_v<T, float> || std::is_same_v<U, float>;
  using type = std::conditional_t<any_double, double, std::conditional_t<any_float, float, half>>;
};
template <class T, class U> using wider_part = typename wider<typename part<T>::type, typename part<U>::type>::type;

}  // namespace detail

/// A complex number. T is half, float or double.
template <class T> class complex {
  static_assert(detail::complex_part<T>, "complex: the parts are of type sycl::half, float or double");

public:
  using value_type = T;

  constexpr complex(T re = T(), T im = T()) : re_(re), im_(im) {}
  template <class X>
    requires(!std::is_same_v<X, T>)
  constexpr complex(const complex<X> &z) : re_(static_cast<T>(z.real())), im_(static_cast<T>(z.imag())) {}
  template <class X>
  constexpr complex(const std::complex<X> &z) : re_(static_cast<T>(z.real())), im_(static_cast<T>(z.imag())) {}
  template <class X> constexpr operator std::complex<X>() const { return {static_cast<X>(re_), static_cast<X>(im_)}; }

  constexpr T real() const { return re_; }
  constexpr T imag() const { return im_; }
  constexpr void real(T x) { re_ = x; }
  constexpr void imag(T x) { im_ = x; }

  constexpr complex &operator=(T x) {
    re_ = x;
    im_ = T();
    return *this;
  }

  friend constexpr complex operator+(const complex &z, const complex &w) {
    return {static_cast<T>(z.re_ + w.re_), static_cast<T>(z.im_ + w.im_)};
  }
  friend constexpr complex operator-(const complex &z, const complex &w) {
    return {static_cast<T>(z.re_ - w.re_), static_cast<T>(z.im_ - w.im_)};
  }
  friend constexpr complex operator*(const complex &z, const complex &w) {
    return detail::from_standard<T>(detail::to_standard(z) * detail::to_standard(w));
  }
  friend constexpr complex operator/(const complex &z, const complex &w) {
    return detail::from_standard<T>(detail::to_standard(z) / detail::to_standard(w));
  }
  friend constexpr complex operator+(const complex &z, T y) { return {static_cast<T>(z.re_ + y), z.im_}; }
  friend constexpr complex operator-(const complex &z, T y) { return {static_cast<T>(z.re_ - y), z.im_}; }
  friend constexpr complex operator*(const complex &z, T y) {
    return {static_cast<T>(z.re_ * y), static_cast<T>(z.im_ * y)};
  }
  friend constexpr complex operator/(const complex &z, T y) {
    return {static_cast<T>(z.re_ / y), static_cast<T>(z.im_ / y)};
  }
  friend constexpr complex operator+(T x, const complex &w) { return w + x; }
  friend constexpr complex operator-(T x, const complex &w) {
    return {static_cast<T>(x - w.re_), static_cast<T>(-w.im_)};
  }
  friend constexpr complex operator*(T x, const complex &w) { return w * x; }
  friend constexpr complex operator/(T x, const complex &w) { return complex(x) / w; }
  friend constexpr complex operator+(const complex &z) { return z; }
  friend constexpr complex operator-(const complex &z) { return {static_cast<T>(-z.re_), static_cast<T>(-z.im_)}; }

#define DPEP_COMPLEX_ASSIGNMENT(OP)                                                                                    \
  friend constexpr complex &operator OP## = (complex & z, T y) { return z = z OP y; }                                  \
  template <class X> friend constexpr complex &operator OP## = (complex & z, const complex<X> &w) {                    \
    return z = z OP complex(w);                                                                                        \
  }
  DPEP_COMPLEX_ASSIGNMENT(+)
  DPEP_COMPLEX_ASSIGNMENT(-)
  DPEP_COMPLEX_ASSIGNMENT(*)
  DPEP_COMPLEX_ASSIGNMENT(/)
#undef DPEP_COMPLEX_ASSIGNMENT

  friend constexpr bool operator==(const complex &z, const complex &w) { return z.re_ == w.re_ && z.im_ == w.im_; }
  friend constexpr bool operator==(const complex &z, T y) { return z == complex(y); }
  friend constexpr bool operator==(T x, const complex &w) { return complex(x) == w; }

  /// Reads and writes numbers in the form (real,imaginary), on the host only.
  template <class C, class Traits>
  friend std::basic_istream<C, Traits> &operator>>(std::basic_istream<C, Traits> &in, complex &z) {
    std::complex<detail::standard_part<T>> read;
    if (in >> read) z = read;
    return in;
  }
  template <class C, class Traits>
  friend std::basic_ostream<C, Traits> &operator<<(std::basic_ostream<C, Traits> &out, const complex &z) {
    return out << detail::to_standard(z);
  }
  friend const sycl::stream &operator<<(const sycl::stream &out, const complex &z) {
    return out << "(" << z.re_ << "," << z.im_ << ")";
  }

private:
  T re_, im_;
};

template <class T> constexpr T real(const complex<T> &z) { return z.real(); }
template <class T> constexpr T imag(const complex<T> &z) { return z.imag(); }
template <detail::real_number T> constexpr T real(T x) { return x; }
template <detail::real_number T> constexpr T imag(T) { return T(); }
template <class T> T abs(const complex<T> &z) { return static_cast<T>(std::abs(detail::to_standard(z))); }
template <class T> T arg(const complex<T> &z) { return static_cast<T>(std::arg(detail::to_standard(z))); }
template <class T> constexpr T norm(const complex<T> &z) {
  return static_cast<T>(z.real() * z.real() + z.imag() * z.imag());
}
template <class T> constexpr complex<T> conj(const complex<T> &z) { return {z.real(), static_cast<T>(-z.imag())}; }
template <class T> complex<T> proj(const complex<T> &z) {
  return detail::from_standard<T>(std::proj(detail::to_standard(z)));
}
template <detail::complex_part T> T arg(T x) { return arg(complex<T>(x)); }
template <detail::complex_part T> constexpr T norm(T x) { return static_cast<T>(x * x); }
template <detail::complex_part T> constexpr complex<T> conj(T x) { return conj(complex<T>(x)); }
template <detail::complex_part T> complex<T> proj(T x) { return proj(complex<T>(x)); }
template <detail::complex_part T> complex<T> polar(const T &rho, const T &theta = T()) {
  using S = detail::standard_part<T>;
  return detail::from_standard<T>(std::polar(static_cast<S>(rho), static_cast<S>(theta)));
}

template <class T> complex<T> pow(const complex<T> &z, const complex<T> &y) {
  return detail::from_standard<T>(std::pow(detail::to_standard(z), detail::to_standard(y)));
}
template <class T, class U>
  requires(!std::is_same_v<T, U>)
complex<detail::wider_part<T, U>> pow(const complex<T> &z, const complex<U> &y) {
  using R = complex<detail::wider_part<T, U>>;
  return pow(R(z), R(y));
}
template <class T, detail::real_number U> complex<detail::wider_part<T, U>> pow(const complex<T> &z, const U &y) {
  using P = detail::wider_part<T, U>;
  return pow(complex<P>(z), complex<P>(static_cast<P>(y)));
}
template <detail::real_number T, class U> complex<detail::wider_part<T, U>> pow(const T &z, const complex<U> &y) {
  using P = detail::wider_part<T, U>;
  return pow(complex<P>(static_cast<P>(z)), complex<P>(y));
}

namespace detail {
/// An marray of the function's values.
template <std::size_t N, class F> auto for_each_element(F f) {
  marray<decltype(f(std::size_t())), N> r;
  for (std::size_t i = 0; i < N; ++i) r[i] = f(i);
  return r;
}
}  // namespace detail

#define DPEP_COMPLEX_OF_MARRAY(F)                                                                                      \
  template <class T, std::size_t N> auto F(const marray<complex<T>, N> &x) {                                           \
    return detail::for_each_element<N>([&](std::size_t i) { return F(x[i]); });                                        \
  }
#define DPEP_COMPLEX_FUNCTION(F)                                                                                       \
  template <class T> complex<T> F(const complex<T> &z) {                                                               \
    return detail::from_standard<T>(std::F(detail::to_standard(z)));                                                   \
  }                                                                                                                    \
  DPEP_COMPLEX_OF_MARRAY(F)
DPEP_COMPLEX_FUNCTION(acos)
DPEP_COMPLEX_FUNCTION(acosh)
DPEP_COMPLEX_FUNCTION(asin)
DPEP_COMPLEX_FUNCTION(asinh)
DPEP_COMPLEX_FUNCTION(atan)
DPEP_COMPLEX_FUNCTION(atanh)
DPEP_COMPLEX_FUNCTION(cos)
DPEP_COMPLEX_FUNCTION(cosh)
DPEP_COMPLEX_FUNCTION(exp)
DPEP_COMPLEX_FUNCTION(log)
DPEP_COMPLEX_FUNCTION(log10)
DPEP_COMPLEX_FUNCTION(sin)
DPEP_COMPLEX_FUNCTION(sinh)
DPEP_COMPLEX_FUNCTION(sqrt)
DPEP_COMPLEX_FUNCTION(tan)
DPEP_COMPLEX_FUNCTION(tanh)
DPEP_COMPLEX_OF_MARRAY(abs)
DPEP_COMPLEX_OF_MARRAY(arg)
DPEP_COMPLEX_OF_MARRAY(conj)
DPEP_COMPLEX_OF_MARRAY(imag)
DPEP_COMPLEX_OF_MARRAY(norm)
DPEP_COMPLEX_OF_MARRAY(proj)
DPEP_COMPLEX_OF_MARRAY(real)
#undef DPEP_COMPLEX_FUNCTION
#undef DPEP_COMPLEX_OF_MARRAY

template <detail::complex_part T, std::size_t N> auto proj(const marray<T, N> &x) {
  return detail::for_each_element<N>([&](std::size_t i) { return proj(x[i]); });
}
template <detail::complex_part T, std::size_t N> auto polar(const marray<T, N> &rho, T theta = T()) {
  return detail::for_each_element<N>([&](std::size_t i) { return polar(rho[i], theta); });
}
template <detail::complex_part T, std::size_t N> auto polar(const marray<T, N> &rho, const marray<T, N> &theta) {
  return detail::for_each_element<N>([&](std::size_t i) { return polar(rho[i], theta[i]); });
}
template <detail::complex_part T, std::size_t N> auto polar(T rho, const marray<T, N> &theta) {
  return detail::for_each_element<N>([&](std::size_t i) { return polar(rho, theta[i]); });
}

/// Element by element; at least one of the operands is an marray, and at least one is of complex numbers.
template <class X, class Y, std::size_t N>
  requires(detail::is_complex<X> || detail::is_complex<Y>)
auto pow(const marray<X, N> &x, const marray<Y, N> &y) {
  return detail::for_each_element<N>([&](std::size_t i) { return pow(x[i], y[i]); });
}
template <class X, class Y, std::size_t N>
  requires((detail::is_complex<X> || detail::is_complex<Y>) && !sycl::detail::is_marray<Y>)
auto pow(const marray<X, N> &x, const Y &y) {
  return detail::for_each_element<N>([&](std::size_t i) { return pow(x[i], y); });
}
template <class X, class Y, std::size_t N>
  requires((detail::is_complex<X> || detail::is_complex<Y>) && !sycl::detail::is_marray<X>)
auto pow(const X &x, const marray<Y, N> &y) {
  return detail::for_each_element<N>([&](std::size_t i) { return pow(x, y[i]); });
}

}  // namespace sycl::ext::oneapi::experimental
