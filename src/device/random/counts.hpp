// Distributions of counts: Poisson, binomial and hypergeometric.
//
// W. Hoermann: The transformed rejection method for generating Poisson random variables (1993), and: The generation of
// binomial random variates (1993). E. Stadlober: The ratio of uniforms approach for generating discrete random variates
// (1990). Small means by inversion: probabilities are summed until they exceed a uniform number.
#pragma once

#include "device/math/exp.hpp"
#include "device/random/distributions.hpp"
#include "device/random/probabilities.hpp"

namespace dpep::device::random {

/// The largest integer that is not above, for numbers of a magnitude below 2^63.
DPEP_INLINE double floor_of(double x) { return __builtin_elementwise_floor(x); }

using count = std::int64_t;
/// A whole number that is not negative as int64, at most the largest.
DPEP_INLINE count count_of(double x) { return x < 0x1p63 ? count(x) : std::numeric_limits<count>::max(); }

/// Reciprocals of the counts that inversion tries. They take the place of divisions, of which each step would wait for
/// one.
struct count_reciprocals {
  static constexpr int most = 200;  // probabilities of greater counts are 0
  double of[most + 1];

  constexpr count_reciprocals() : of() {
    for (int k = 1; k <= most; ++k) of[k] = 1 / double(k);
  }
};
constexpr count_reciprocals reciprocals_of_counts;

/// Means below 10.
class small_poisson {
public:
  DPEP_MEMBER explicit small_poisson(double mean) : mean_(mean), zero_(exp(-mean)) {}

  DPEP_MEMBER outcome<count> attempt(const four_words &words) const {
    double u = unit_number(words.a, words.b), p = zero_;
    int k = 0;
    while (u >= p && k < count_reciprocals::most) u -= p, ++k, p *= mean_ * reciprocals_of_counts.of[k];
    return {k, true};
  }

private:
  double mean_, zero_;
};

/// Means of at least 10.
class large_poisson {
public:
  DPEP_MEMBER explicit large_poisson(double mean) : mean_(mean) {
    b_ = 0.931 + 2.53 * square_root(mean);
    a_ = -0.059 + 0.02483 * b_;
    inverse_alpha_ = 1.1239 + 1.1328 / (b_ - 3.4);
    limit_ = 0.9277 - 3.6224 / (b_ - 2);
  }

  DPEP_MEMBER outcome<count> quick(const four_words &words) const {
    const auto [k, s, v] = candidate_of(words);
    const bool accepted = both(s >= 0.07, v <= limit_);
    return {count(accepted ? k : 0), accepted};
  }
  DPEP_MEMBER outcome<count> attempt(const four_words &words) const {
    const auto [k, s, v] = candidate_of(words);
    if (s >= 0.07 && v <= limit_) return {count(k), true};
    if (k < 0 || k >= 0x1p63 || (s < 0.013 && v > s)) return {0, false};
    return {count(k), log(v * inverse_alpha_ / (a_ / (s * s) + b_)) <= log_poisson(k, mean_)};
  }

private:
  struct candidate {
    double k, s, v;
  };
  DPEP_MEMBER candidate candidate_of(const four_words &words) const {
    const double u = unit_number(words.a, words.b) - 0.5, v = 1 - unit_number(words.c, words.d);
    const double s = 0.5 - magnitude(u);
    return {floor_of((2 * a_ / s + b_) * u + mean_ + 0.43), s, v};
  }

  double mean_, a_, b_, inverse_alpha_, limit_;
};

class poisson_distribution {
public:
  template <class F> DPEP_MEMBER static void choose(F use, double mean) {
    // NaN, and means whose counts no int64 holds, have no acceptable candidates: their count is small.
    if (mean >= 10 && mean < 0x1p63)
      use(large_poisson(mean));
    else
      use(small_poisson(mean));
  }
};

/// The binomial distribution with n p < 10 and p <= 1/2. `flipped`: the result is n minus it.
class small_binomial {
public:
  DPEP_MEMBER small_binomial(double n, double p, bool flipped) : n_(n), odds_(p / (1 - p)), flipped_(flipped) {
    zero_ = exp(n * log1p(-p));
  }

  DPEP_MEMBER outcome<count> attempt(const four_words &words) const {
    double u = unit_number(words.a, words.b), p = zero_, k = 0;
    const int most = n_ < count_reciprocals::most ? int(n_) : count_reciprocals::most;
    for (int next = 1; u >= p && next <= most; ++next, ++k)
      u -= p, p *= (odds_ * (n_ - k)) * reciprocals_of_counts.of[next];
    return {count_of(flipped_ ? n_ - k : k), true};
  }

private:
  double n_, odds_, zero_;
  bool flipped_;
};

class large_binomial {
public:
  DPEP_MEMBER large_binomial(double n, double p, bool flipped) : n_(n), p_(p), q_(1 - p), flipped_(flipped) {
    const double deviation = square_root(n * p * q_);
    b_ = 1.15 + 2.53 * deviation;
    a_ = -0.0873 + 0.0248 * b_ + 0.01 * p;
    center_ = n * p + 0.5;
    limit_ = 0.92 - 4.2 / b_;
    alpha_ = (2.83 + 5.1 / b_) * deviation;
    of_mode_ = log_binomial(floor_of((n + 1) * p), n, p, q_);
  }

  DPEP_MEMBER outcome<count> quick(const four_words &words) const {
    const auto [k, s, v] = candidate_of(words);
    const bool accepted = both(s >= 0.07, v <= limit_);
    const double whole = accepted ? k : 0;
    return {count_of(flipped_ ? n_ - whole : whole), accepted};
  }
  DPEP_MEMBER outcome<count> attempt(const four_words &words) const {
    const auto [k, s, v] = candidate_of(words);
    const bool inside = s >= 0.07 && v <= limit_;
    if (!inside) {
      if (!(k >= 0 && k <= n_)) return {0, false};
      if (log(v * alpha_ / (a_ / (s * s) + b_)) > log_binomial(k, n_, p_, q_) - of_mode_) return {0, false};
    }
    return {count_of(flipped_ ? n_ - k : k), true};
  }

private:
  struct candidate {
    double k, s, v;
  };
  DPEP_MEMBER candidate candidate_of(const four_words &words) const {
    const double u = unit_number(words.a, words.b) - 0.5, v = 1 - unit_number(words.c, words.d);
    const double s = 0.5 - magnitude(u);
    return {floor_of((2 * a_ / s + b_) * u + center_), s, v};
  }

  double n_, p_, q_, a_, b_, center_, limit_, alpha_, of_mode_;
  bool flipped_;
};

class binomial_distribution {
public:
  template <class F> DPEP_MEMBER static void choose(F use, std::int64_t trials, double p) {
    const bool flipped = p > 0.5;
    const double n = double(trials), least = flipped ? 1 - p : p;
    if (n * least < 10)
      use(small_binomial(n, least, flipped));
    else
      use(large_binomial(n, least, flipped));
  }
};

/// Of `good` + `bad` items, `sample` are drawn; the result is the number of good ones. By symmetry, the fewer of the
/// two kinds are counted in the smaller of sample and rest.
class hypergeometric_symmetry {
public:
  DPEP_MEMBER hypergeometric_symmetry(std::int64_t good, std::int64_t bad, std::int64_t sample)
      : good_(good), more_good_(good > bad), of_rest_(sample > good + bad - sample) {
    fewer = double(more_good_ ? bad : good);
    more = double(more_good_ ? good : bad);
    drawn = double(of_rest_ ? good + bad - sample : sample);
    drawn_count_ = of_rest_ ? good + bad - sample : sample;
  }
  double fewer, more, drawn;

  /// The number of good items of the sample, for k of the fewer items in the smaller part.
  DPEP_MEMBER count good_in_sample(count k) const {
    const count good = more_good_ ? drawn_count_ - k : k;
    return of_rest_ ? good_ - good : good;
  }
  /// The logarithm of the probability of k, without the terms that do not depend on it.
  DPEP_MEMBER double log_weight(double k) const {
    return -(log_factorial(k) + log_factorial(fewer - k)) -
           (log_factorial(drawn - k) + log_factorial(more - drawn + k));
  }
  /// The probability of 0.
  DPEP_MEMBER double zero() const {
    if (drawn == 0 || fewer == 0) return 1;
    const double p = drawn / (fewer + more), q = 1 - p;
    return exp(log_binomial(0, fewer, p, q) + log_binomial(drawn, more, p, q) -
               log_binomial(drawn, fewer + more, p, q));
  }

private:
  std::int64_t good_, drawn_count_;
  bool more_good_, of_rest_;
};

class small_hypergeometric {
public:
  DPEP_MEMBER explicit small_hypergeometric(const hypergeometric_symmetry &s) : s_(s), zero_(s.zero()) {}

  DPEP_MEMBER outcome<count> attempt(const four_words &words) const {
    double u = unit_number(words.a, words.b), p = zero_, k = 0;
    const double most = s_.fewer < s_.drawn ? s_.fewer : s_.drawn;
    while (u >= p && k < most) {
      u -= p;
      p *= (s_.fewer - k) * (s_.drawn - k) / ((k + 1) * (s_.more - s_.drawn + k + 1));
      ++k;
    }
    return {s_.good_in_sample(count(k)), true};
  }

private:
  hypergeometric_symmetry s_;
  double zero_;
};

class large_hypergeometric {
public:
  DPEP_MEMBER explicit large_hypergeometric(const hypergeometric_symmetry &s) : s_(s) {
    const double all = s.fewer + s.more, share = s.fewer / all;
    center_ = s.drawn * share + 0.5;
    const double deviation = square_root((all - s.drawn) * s.drawn * share * (1 - share) / (all - 1) + 0.5);
    width_ = 1.7155277699214135 * deviation + 0.8989161620588988;  // 2 sqrt(2 / e), 3 - 2 sqrt(3 / e)
    const double most = (s.fewer < s.drawn ? s.fewer : s.drawn) + 1, far = floor_of(center_ + 16 * deviation);
    end_ = most < far ? most : far;
    of_mode_ = s.log_weight(floor_of((s.drawn + 1) * (s.fewer + 1) / (all + 2)));
  }

  DPEP_MEMBER outcome<count> attempt(const four_words &words) const {
    const double x = 1 - unit_number(words.a, words.b), y = unit_number(words.c, words.d);
    const double w = center_ + width_ * (y - 0.5) / x;
    if (!(w >= 0 && w < end_)) return {0, false};
    const double k = floor_of(w), t = s_.log_weight(k) - of_mode_;
    // The first test, which is sufficient, needs no logarithm.
    return {s_.good_in_sample(count(k)), x * (4 - x) - 3 <= t || 2 * log(x) <= t};
  }

private:
  hypergeometric_symmetry s_;
  double center_, width_, end_, of_mode_;
};

class hypergeometric_distribution {
public:
  template <class F> DPEP_MEMBER static void choose(F use, std::int64_t good, std::int64_t bad, std::int64_t sample) {
    const hypergeometric_symmetry s(good, bad, sample);
    // No item of the fewer is drawn with a probability of about exp(-mean).
    if (s.drawn <= 10 || s.fewer <= 10 || s.drawn * s.fewer < 10 * (s.fewer + s.more))
      use(small_hypergeometric(s));
    else
      use(large_hypergeometric(s));
  }
};

template <class D, class... P> DPEP_INLINE count chosen(std::uint64_t element, std::uint64_t key, P... parameters) {
  count made = 0;
  D::choose([&](const auto &method) { made = first_accepted(method, element, key); }, parameters...);
  return made;
}
DPEP_INLINE count poisson(std::uint64_t element, std::uint64_t key, double mean) {
  return chosen<poisson_distribution>(element, key, mean);
}
DPEP_INLINE count binomial(std::uint64_t element, std::uint64_t key, std::int64_t trials, double p) {
  return chosen<binomial_distribution>(element, key, trials, p);
}
DPEP_INLINE count hypergeometric(std::uint64_t element, std::uint64_t key, std::int64_t good, std::int64_t bad,
                                 std::int64_t sample) {
  return chosen<hypergeometric_distribution>(element, key, good, bad, sample);
}

}  // namespace dpep::device::random
