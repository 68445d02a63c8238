// x 2/pi modulo 4, for every x.
//
// Only those bits of 2/pi are multiplied that matter for the exponent of x (Payne and Hanek's method): bits that
// contribute multiples of 4 are left out, and so are those too small to affect the result. No double is closer to a
// multiple of pi/2 than 2^-62, relatively, no float closer than 2^-30.
#pragma once

#include "device/math/number.hpp"
#include "device/math/two_over_pi.hpp"

namespace dpep::device {

/// x 2/pi = quadrant + remainder, up to multiples of 4. NaN for infinities.
struct reduced_double {
  std::int64_t quadrant;  // modulo 4: only its two low bits
  pair<double> remainder;
};
struct reduced_float {
  std::int64_t quadrant;
  double remainder;
};

/// a modulo 4, in [-2, 2], exactly.
DPEP_INLINE double modulo_4(double a) { return a - 4 * round_to_even(a * 0.25); }

DPEP_INLINE reduced_double reduce(double x) {
  using U = std::uint64_t;
  const U x_bits = U(bits(magnitude(x)));
  const U block = (x_bits + (U{1} << 52)) >> 57;  // a row of the table: 32 exponents
  // x = m 2^(32 (block - 32)), m in [1, 2^32)
  const double m = number(std::int64_t(x_bits - (block << 57) + (U{1024} << 52)));
  const double *row = two_over_pi.rows[block];

  const auto p0 = exact_product(m, row[0]);  // below 2^86; row[0] has no bits below 2
  const auto p1 = exact_product(m, row[1]);  // below 2^33
  const auto p2 = exact_product(m, row[2]);  // below 2^-20
  const double whole = modulo_4(p0.high);
  const auto sum = exact_sum(p0.low, p1.high);
  const double shifted = (whole + sum.high) + format<double>::round_magic;
  const double fraction = (whole - (shifted - format<double>::round_magic)) + sum.high;  // exact
  const auto tail = exact_sum(p2.high, p1.low);
  const auto rest = exact_sum(sum.low, tail.high);
  // rarely |rest.high| > |fraction|; r is still correct within an ulp of r.high, since nothing cancels after this
  const auto r = exact_sum_ordered(fraction, rest.high);
  const double low = (rest.low + tail.low) + (p2.low + m * row[3]) + r.low;
  return {bits(shifted), {r.high, low}};
}

/// In double precision, with 2/pi in three parts. The first two have so few bits that products and sums are exact.
DPEP_INLINE reduced_float reduce(float x_float) {
  const double x = magnitude(x_float);
  // one row for each 26 exponents, selected by comparisons: less work than a table in memory
  const bool above_51 = x >= 0x1p51, above_77 = x >= 0x1p77, above_103 = x >= 0x1p103;
  const auto choose = [&](double c0, double c1, double c2, double c3) {
    const double low = above_51 ? c1 : c0;
    const double high = above_103 ? c3 : c2;
    return above_77 ? high : low;
  };
  const double part0 = choose(0x1.45f306ep-1, -0x1.1b1bbebp-28, 0x1.4a7f09dp-54, -0x1.505c159p-81);
  const double part1 = choose(-0x1.b1bbeadp-32, 0x1.4fe13acp-59, 0x1.7d1f535p-84, -0x1.911f925p-111);
  const double part2 =
      choose(-0x1.80f62a0b82b2dp-62, -0x1.70565911f924fp-91, -0x1.11f924eb53362p-115, 0x1.4acc9e21c821p-143);
  const double product0 = x * part0, product1 = x * part1;
  const double sum = modulo_4(product0) + product1;
  const double shifted = sum + format<double>::round_magic;
  return {bits(shifted), (sum - (shifted - format<double>::round_magic)) + x * part2};
}

}  // namespace dpep::device
