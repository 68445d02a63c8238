// Distributions of integers without an upper limit (logarithmic series, zipf), and uniform ones.
#pragma once

#include "device/math/exp.hpp"
#include "device/math/hyperbolic.hpp"
#include "device/math/pow.hpp"
#include "device/random/counts.hpp"

namespace dpep::device::random {

/// The logarithmic series distribution. A. Kemp: Efficient generation of logarithmically distributed pseudo-random
/// variables (1981).
class logseries_distribution {
public:
  DPEP_MEMBER explicit logseries_distribution(double p) : p_(p), r_(log1p(-p)) {}
  template <class F> DPEP_MEMBER static void choose(F use, double p) { use(logseries_distribution(p)); }

  DPEP_MEMBER outcome<count> attempt(const four_words &words) const {
    const double v = 1 - unit_number(words.a, words.b);
    if (v >= p_) return {1, true};
    const double q = -expm1(r_ * (1 - unit_number(words.c, words.d)));
    if (v > q * q) return {v >= q ? 1 : 2, true};
    const double k = floor_of(1 + log(v) / log(q));
    return {k < 0x1p63 ? count(k) : 1, both(k >= 1, k < 0x1p63)};
  }

private:
  double p_, r_;
};

/// The zipf distribution. L. Devroye: Non-uniform random variate generation (1986), p. 551. Numbers beyond int64 are
/// rejected.
class zipf_distribution {
public:
  DPEP_MEMBER explicit zipf_distribution(double a) : less_(a - 1), b_(pow(2.0, a - 1)) {
    least_ = pow(0x1p63, -less_);
    one_ = a >= 1025;  // b is infinite
  }
  template <class F> DPEP_MEMBER static void choose(F use, double a) { use(zipf_distribution(a)); }

  DPEP_MEMBER outcome<count> attempt(const four_words &words) const {
    if (one_) return {1, true};
    const double part = unit_number(words.a, words.b), u = part * least_ + (1 - part);
    const double v = unit_number(words.c, words.d), x = floor_of(pow(u, -1 / less_));
    if (!(x >= 1 && x < 0x1p63)) return {1, false};
    const double t = pow(1 + 1 / x, less_);
    return {count(x), v * x * (t - 1) / (b_ - 1) <= t / b_};
  }

private:
  double less_, b_, least_;
  bool one_;
};

/// Integers below `limit`; 0 stands for 2^64. D. Lemire: Fast random integer generation in an interval (2019).
class bounded_distribution {
public:
  DPEP_MEMBER explicit bounded_distribution(std::uint64_t limit)
      : limit_(limit), threshold_(limit ? (0 - limit) % limit : 0) {}
  template <class F> DPEP_MEMBER static void choose(F use, std::uint64_t limit) { use(bounded_distribution(limit)); }

  DPEP_MEMBER outcome<std::uint64_t> attempt(const four_words &words) const {
    const std::uint64_t word = words.a << 32 | words.b;
    return {limit_ ? high_product(word, limit_) : word, word * limit_ >= threshold_};
  }

private:
  std::uint64_t limit_, threshold_;
};

DPEP_INLINE count logseries(std::uint64_t element, std::uint64_t key, double p) {
  return first_accepted(logseries_distribution(p), element, key);
}
DPEP_INLINE count zipf(std::uint64_t element, std::uint64_t key, double a) {
  return first_accepted(zipf_distribution(a), element, key);
}
DPEP_INLINE std::uint64_t bounded(std::uint64_t element, std::uint64_t key, std::uint64_t limit) {
  return first_accepted(bounded_distribution(limit), element, key);
}

}  // namespace dpep::device::random
