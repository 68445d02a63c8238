// Random distributions for kernels, of scalars and of sycl::vec.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <oneapi/dpl/detail/random_engines.hpp>
#include <sycl/builtins.hpp>

namespace oneapi::dpl {
namespace detail {

/// The numbers of an engine one by one, also of an engine whose results are vectors.
template <class Engine> class number_source {
  using result = typename Engine::result_type;

public:
  explicit number_source(Engine &engine) : engine_(engine) {}
  /// A number from 0 to `last`.
  std::uint64_t next() {
    if constexpr (std::is_same_v<result, scalar_of<result>>) {
      return static_cast<std::uint64_t>(engine_()) - Engine::min();
    } else {
      if (at_ == length_of<result>) {
        made_ = engine_();
        at_ = 0;
      }
      return static_cast<std::uint64_t>(made_[at_++]) - Engine::min();
    }
  }
  static constexpr std::uint64_t last = static_cast<std::uint64_t>(Engine::max()) - Engine::min();
  /// A fraction in [0, 1).
  template <class R> R fraction() {
    const R u = static_cast<R>(next()) * (R(1) / (static_cast<R>(last) + R(1)));
    return u < R(1) ? u : R(1) - std::numeric_limits<R>::epsilon() / 2;  // rounding of float
  }

private:
  Engine &engine_;
  result made_{};
  int at_ = length_of<result>;
};

/// The call of distributions whose results do not depend on each other: Derived::make(source) returns one.
template <class Derived, class Result> class distribution_base {
public:
  using result_type = Result;
  using scalar_type = scalar_of<Result>;
  void reset() {}

  template <class Engine> result_type operator()(Engine &engine) { return draw(engine, length_of<Result>); }
  /// The first `count` components only; the others are unspecified.
  template <class Engine> result_type operator()(Engine &engine, unsigned count) {
    return draw(engine, static_cast<int>(count));
  }

private:
  template <class Engine> result_type draw(Engine &engine, int count) {
    number_source<Engine> from(engine);
    if constexpr (std::is_same_v<Result, scalar_type>) {
      return static_cast<Derived &>(*this).make(from);
    } else {
      result_type made;
      for (int i = 0; i < count && i < length_of<Result>; ++i) made[i] = static_cast<Derived &>(*this).make(from);
      return made;
    }
  }
};

}  // namespace detail

/// Integers from a to b, both included.
template <class IntType = int>
class uniform_int_distribution : public detail::distribution_base<uniform_int_distribution<IntType>, IntType> {
  friend detail::distribution_base<uniform_int_distribution, IntType>;

public:
  using typename detail::distribution_base<uniform_int_distribution, IntType>::scalar_type;
  uniform_int_distribution() : uniform_int_distribution(0) {}
  explicit uniform_int_distribution(scalar_type a, scalar_type b = std::numeric_limits<scalar_type>::max())
      : a_(a), b_(b) {}
  scalar_type a() const { return a_; }
  scalar_type b() const { return b_; }
  scalar_type min() const { return a_; }
  scalar_type max() const { return b_; }

private:
  template <class Source> scalar_type make(Source &from) const {
    const std::uint64_t range = static_cast<std::uint64_t>(b_) - static_cast<std::uint64_t>(a_);
    std::uint64_t x;
    if (Source::last <= 0xFFFFFFFFu && range < Source::last) {
      x = from.next() * (range + 1) / (Source::last + 1);
    } else {  // several numbers of the engine are the digits of one
      x = from.next();
      for (std::uint64_t filled = Source::last; filled < range;) {
        x = x * (Source::last + 1) + from.next();
        filled = filled > ~std::uint64_t{0} / (Source::last + 1) - 1 ? ~std::uint64_t{0}
                                                                     : filled * (Source::last + 1) + Source::last;
      }
      if (range != ~std::uint64_t{0}) x %= range + 1;
    }
    return static_cast<scalar_type>(static_cast<std::uint64_t>(a_) + x);
  }
  scalar_type a_, b_;
};

/// Numbers from a, included, to b, excluded.
template <class RealType = double>
class uniform_real_distribution : public detail::distribution_base<uniform_real_distribution<RealType>, RealType> {
  friend detail::distribution_base<uniform_real_distribution, RealType>;

public:
  using typename detail::distribution_base<uniform_real_distribution, RealType>::scalar_type;
  explicit uniform_real_distribution(scalar_type a = 0, scalar_type b = 1) : a_(a), b_(b) {}
  scalar_type a() const { return a_; }
  scalar_type b() const { return b_; }
  scalar_type min() const { return a_; }
  scalar_type max() const { return b_; }

private:
  template <class Source> scalar_type make(Source &from) const {
    const scalar_type x = a_ + (b_ - a_) * from.template fraction<scalar_type>();
    return x < b_ ? x : a_;
  }
  scalar_type a_, b_;
};

/// Normally distributed numbers, in pairs by Box and Muller's formula.
template <class RealType = double>
class normal_distribution : public detail::distribution_base<normal_distribution<RealType>, RealType> {
  friend detail::distribution_base<normal_distribution, RealType>;

public:
  using typename detail::distribution_base<normal_distribution, RealType>::scalar_type;
  explicit normal_distribution(scalar_type mean = 0, scalar_type stddev = 1) : mean_(mean), stddev_(stddev) {}
  scalar_type mean() const { return mean_; }
  scalar_type stddev() const { return stddev_; }
  void reset() { has_second_ = false; }

private:
  template <class> friend class lognormal_distribution;
  template <class Source> scalar_type make(Source &from) {
    if (has_second_) {
      has_second_ = false;
      return mean_ + stddev_ * second_;
    }
    const scalar_type u = from.template fraction<scalar_type>(), v = from.template fraction<scalar_type>();
    const scalar_type length = sycl::sqrt(scalar_type(-2) * sycl::log(scalar_type(1) - u));
    second_ = length * sycl::cospi(scalar_type(2) * v);
    has_second_ = true;
    return mean_ + stddev_ * length * sycl::sinpi(scalar_type(2) * v);
  }
  scalar_type mean_, stddev_, second_ = 0;
  bool has_second_ = false;
};

/// exp of normally distributed numbers.
template <class RealType = double>
class lognormal_distribution : public detail::distribution_base<lognormal_distribution<RealType>, RealType> {
  friend detail::distribution_base<lognormal_distribution, RealType>;

public:
  using typename detail::distribution_base<lognormal_distribution, RealType>::scalar_type;
  explicit lognormal_distribution(scalar_type m = 0, scalar_type s = 1) : normal_(m, s) {}
  scalar_type m() const { return normal_.mean(); }
  scalar_type s() const { return normal_.stddev(); }
  void reset() { normal_.reset(); }

private:
  template <class Source> scalar_type make(Source &from) { return sycl::exp(normal_.make(from)); }
  normal_distribution<scalar_type> normal_;
};

// Distributions of one parameter or two, by the inverse of their distribution function of u in [0, 1).
#define DPEP_DPL_INVERSE(name, first, first_value, second, second_value, formula)                                      \
  template <class RealType = double> class name : public detail::distribution_base<name<RealType>, RealType> {         \
    friend detail::distribution_base<name, RealType>;                                                                  \
                                                                                                                       \
  public:                                                                                                              \
    using typename detail::distribution_base<name, RealType>::scalar_type;                                             \
    explicit name(scalar_type first = first_value, scalar_type second = second_value)                                  \
        : first##_(first), second##_(second) {}                                                                        \
    scalar_type first() const { return first##_; }                                                                     \
    scalar_type second() const { return second##_; }                                                                   \
                                                                                                                       \
  private:                                                                                                             \
    template <class Source> scalar_type make(Source &from) const {                                                     \
      using R = scalar_type;                                                                                           \
      const R u = from.template fraction<R>();                                                                         \
      return formula;                                                                                                  \
    }                                                                                                                  \
    scalar_type first##_, second##_;                                                                                   \
  };
DPEP_DPL_INVERSE(weibull_distribution, a, 1, b, 1, b_ *sycl::pow(-sycl::log1p(-u), R(1) / a_))
DPEP_DPL_INVERSE(cauchy_distribution, a, 0, b, 1, a_ + b_ * sycl::tanpi(u - R(0.5)))
DPEP_DPL_INVERSE(extreme_value_distribution, a, 0, b, 1, a_ - b_ * sycl::log(-sycl::log(R(1) - u)))
#undef DPEP_DPL_INVERSE

/// Of mean 1 / lambda.
template <class RealType = double>
class exponential_distribution : public detail::distribution_base<exponential_distribution<RealType>, RealType> {
  friend detail::distribution_base<exponential_distribution, RealType>;

public:
  using typename detail::distribution_base<exponential_distribution, RealType>::scalar_type;
  explicit exponential_distribution(scalar_type lambda = 1) : lambda_(lambda) {}
  scalar_type lambda() const { return lambda_; }

private:
  template <class Source> scalar_type make(Source &from) const {
    return -sycl::log1p(-from.template fraction<scalar_type>()) / lambda_;
  }
  scalar_type lambda_;
};

/// True with the probability p.
template <class BoolType = bool>
class bernoulli_distribution : public detail::distribution_base<bernoulli_distribution<BoolType>, BoolType> {
  friend detail::distribution_base<bernoulli_distribution, BoolType>;

public:
  explicit bernoulli_distribution(double p = 0.5) : p_(p) {}
  double p() const { return p_; }

private:
  template <class Source> detail::scalar_of<BoolType> make(Source &from) const {
    return from.template fraction<double>() < p_;
  }
  double p_;
};

/// The failures before a success of probability p.
template <class IntType = int>
class geometric_distribution : public detail::distribution_base<geometric_distribution<IntType>, IntType> {
  friend detail::distribution_base<geometric_distribution, IntType>;

public:
  using typename detail::distribution_base<geometric_distribution, IntType>::scalar_type;
  explicit geometric_distribution(double p = 0.5) : p_(p) {}
  double p() const { return p_; }

private:
  template <class Source> scalar_type make(Source &from) const {
    return static_cast<scalar_type>(sycl::floor(sycl::log1p(-from.template fraction<double>()) / sycl::log1p(-p_)));
  }
  double p_;
};

}  // namespace oneapi::dpl
