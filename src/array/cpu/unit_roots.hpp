// Roots of unity in long double precision.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace dpep::array::cpu {

/// exp(-2 pi i k / n) for one n. The angle is reduced to an eighth of a turn in integers, so roots that are 1, i and so
/// on are exact. Each other root is a product of two entries of tables of about sqrt(n) entries.
class unit_roots {
public:
  struct root {
    long double re, im;
  };
  explicit unit_roots(std::uint64_t n) : n_(n), block_(static_cast<std::uint64_t>(std::sqrt(double(n) / 2)) + 1) {
    const long double step = 2 * std::numbers::pi_v<long double> / (4 * static_cast<long double>(n));
    for (std::uint64_t a = 0; a < block_; ++a) fine_.push_back(of_angle(step * static_cast<long double>(a)));
    for (std::uint64_t a = 0; a <= n / 2; a += block_) coarse_.push_back(of_angle(step * static_cast<long double>(a)));
  }
  root operator()(std::uint64_t k) const {
    const std::uint64_t quarters = 4 * (k % n_);  // of 1 / (4 n) turns
    const std::uint64_t quadrant = quarters / n_, angle = quarters % n_;
    const root r = 2 * angle <= n_ ? first_octant(angle) : swapped(first_octant(n_ - angle));
    switch (quadrant) {  // the cosine and the sine of the angle, of which the root has -sine
    case 0:
      return {r.re, -r.im};
    case 1:
      return {-r.im, -r.re};
    case 2:
      return {-r.re, r.im};
    default:
      return {r.im, r.re};
    }
  }

private:
  static root of_angle(long double x) { return {std::cos(x), std::sin(x)}; }
  static root swapped(root r) { return {r.im, r.re}; }
  root first_octant(std::uint64_t angle) const {
    const root a = coarse_[angle / block_], b = fine_[angle % block_];
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }

  const std::uint64_t n_, block_;
  std::vector<root> fine_, coarse_;
};

}  // namespace dpep::array::cpu
