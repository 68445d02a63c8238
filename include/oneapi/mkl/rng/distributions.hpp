// oneapi::mkl::rng: distributions.
//
// A distribution makes `outputs` numbers from `draws<Stream>` numbers of an engine's stream.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <oneapi/mkl/exceptions.hpp>
#include <oneapi/mkl/rng/streams.hpp>
#include <sycl/builtins.hpp>

namespace oneapi::mkl::rng {

namespace uniform_method {
struct standard {};
struct accurate {};
using by_default = standard;
}  // namespace uniform_method
namespace gaussian_method {
struct box_muller2 {};
using by_default = box_muller2;
}  // namespace gaussian_method
namespace exponential_method {
struct icdf {};
struct icdf_accurate {};
using by_default = icdf;
}  // namespace exponential_method
namespace poisson_method {
struct ptpe {};
struct gaussian_icdf_based {};
using by_default = ptpe;
}  // namespace poisson_method

namespace detail {

template <class T>
concept real_number = std::same_as<T, float> || std::same_as<T, double>;
template <class T>
concept uniform_number = real_number<T> || std::same_as<T, std::int32_t>;

inline void require(bool condition, const char *distribution, const char *what) {
  if (!condition) throw invalid_argument("rng", distribution, what);
}

}  // namespace detail

/// Numbers from a, inclusive, to b, exclusive.
template <detail::uniform_number Type = float, class Method = uniform_method::by_default> class uniform {
  using fraction_type = std::conditional_t<std::is_integral_v<Type>, double, Type>;

public:
  using method_type = Method;
  using result_type = Type;
  uniform() : uniform(Type(0), std::is_integral_v<Type> ? std::numeric_limits<Type>::max() : Type(1)) {}
  explicit uniform(Type a, Type b) : a_(a), b_(b) { detail::require(a < b, "uniform", "a must be less than b"); }
  Type a() const { return a_; }
  Type b() const { return b_; }

  static constexpr int outputs = 1;
  template <class Stream> static constexpr int draws = Stream::template draws<fraction_type>;
  template <class Stream> void make(Stream &from, Type (&to)[1]) const {
    const fraction_type u = detail::fraction<fraction_type>(from);
    if constexpr (std::is_integral_v<Type>) {
      const auto range = static_cast<double>(std::int64_t{b_} - std::int64_t{a_});
      to[0] = static_cast<Type>(a_ + static_cast<std::int64_t>(u * range));
    } else {
      const Type x = a_ + (b_ - a_) * u;
      to[0] = x < b_ ? x : a_;  // rounding may give b
    }
  }

private:
  Type a_, b_;
};

/// Normally distributed numbers, in pairs by Box and Muller's formula.
template <detail::real_number Type = float, class Method = gaussian_method::by_default> class gaussian {
public:
  using method_type = Method;
  using result_type = Type;
  gaussian() : gaussian(Type(0), Type(1)) {}
  explicit gaussian(Type mean, Type stddev) : mean_(mean), stddev_(stddev) {
    detail::require(stddev > 0, "gaussian", "stddev must be positive");
  }
  Type mean() const { return mean_; }
  Type stddev() const { return stddev_; }

  static constexpr int outputs = 2;
  template <class Stream> static constexpr int draws = 2 * Stream::template draws<Type>;
  template <class Stream> void make(Stream &from, Type (&to)[2]) const {
    const Type u = detail::fraction<Type>(from), v = detail::fraction<Type>(from);
    const Type length = stddev_ * sycl::sqrt(Type(-2) * sycl::log(Type(1) - u));
    to[0] = mean_ + length * sycl::sinpi(Type(2) * v);
    to[1] = mean_ + length * sycl::cospi(Type(2) * v);
  }

private:
  Type mean_, stddev_;
};

/// a plus exponentially distributed numbers of mean beta, by inversion.
template <detail::real_number Type = float, class Method = exponential_method::by_default> class exponential {
public:
  using method_type = Method;
  using result_type = Type;
  exponential() : exponential(Type(0), Type(1)) {}
  explicit exponential(Type a, Type beta) : a_(a), beta_(beta) {
    detail::require(beta > 0, "exponential", "beta must be positive");
  }
  Type a() const { return a_; }
  Type beta() const { return beta_; }

  static constexpr int outputs = 1;
  template <class Stream> static constexpr int draws = Stream::template draws<Type>;
  template <class Stream> void make(Stream &from, Type (&to)[1]) const {
    to[0] = a_ - beta_ * sycl::log1p(-detail::fraction<Type>(from));
  }

private:
  Type a_, beta_;
};

/// Numbers of events of mean lambda, by inversion: a search from the most likely number on, of about sqrt(lambda)
/// steps.
template <std::same_as<std::int32_t> Type = std::int32_t, class Method = poisson_method::by_default> class poisson {
public:
  using method_type = Method;
  using result_type = Type;
  poisson() : poisson(0.5) {}
  explicit poisson(double lambda) : lambda_(lambda) {
    detail::require(lambda > 0 && lambda < 2e9, "poisson", "lambda must be positive and less than 2e9");
  }
  double lambda() const { return lambda_; }

  static constexpr int outputs = 1;
  template <class Stream> static constexpr int draws = Stream::template draws<double>;
  /// Subtracts the probabilities of numbers alternately above and below the most likely one from a fraction.
  template <class Stream> void make(Stream &from, Type (&to)[1]) const {
    double u = detail::fraction<double>(from);
    const double mode = sycl::floor(lambda_);
    double above = sycl::exp(mode * sycl::log(lambda_) - lambda_ - sycl::lgamma(mode + 1)), below = above;
    double high = mode, low = mode;
    u -= above;
    while (u >= 0 && (above > 0 || low > 0)) {
      high += 1;
      above *= lambda_ / high;
      u -= above;
      if (u < 0) return void(to[0] = static_cast<Type>(high));
      if (low > 0) {
        below *= low / lambda_;
        low -= 1;
        u -= below;
        if (u < 0) return void(to[0] = static_cast<Type>(low));
      }
    }
    to[0] = static_cast<Type>(mode);
  }

private:
  double lambda_;
};

/// The engine's numbers. MRG32k3a's are less than 4294967087.
template <std::same_as<std::uint32_t> Type = std::uint32_t> class bits {
public:
  using result_type = Type;
  static constexpr int outputs = 1;
  template <class Stream> static constexpr int draws = 1;
  template <class Stream> void make(Stream &from, Type (&to)[1]) const { to[0] = from.next(); }
};

}  // namespace oneapi::mkl::rng
