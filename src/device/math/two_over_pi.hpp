// The bits of 2/pi, arranged for the reduction of arguments at compile time.
#pragma once

#include <cstdint>
#include <limits>

namespace dpep::device {

/// Row i is for exponents from 32 (i - 32) to 32 (i - 32) + 31. It holds 2/pi 2^(32 (i - 32)) without the bits of
/// weight 2^54 and more, in four parts of 53 bits, whose last bits weigh 2^1, 2^-52, 2^-105 and 2^-158. The last row,
/// NaN, is for infinities and NaN.
struct two_over_pi_table {
  double rows[65][4];
};

consteval two_over_pi_table make_two_over_pi() {
  // 2/pi to 1280 bits, after the binary point
  constexpr std::uint32_t words[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
                                     0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
                                     0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
                                     0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
                                     0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
                                     0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};
  two_over_pi_table table{};
  for (int row = 0; row < 64; ++row) {
    const int exponent = 32 * (row - 32);
    double weight = 0x1p53;  // of the current bit; bit i of 2/pi weighs 2^(exponent - i)
    int i = exponent - 53;
    for (int part = 0; part < 4; ++part)
      for (int count = 0; count < 53; ++count, ++i, weight *= 0.5)
        if (i >= 1 && i <= 1280 && (words[(i - 1) / 32] >> (31 - (i - 1) % 32) & 1)) table.rows[row][part] += weight;
  }
  for (double &part : table.rows[64]) part = std::numeric_limits<double>::quiet_NaN();
  return table;
}

constexpr two_over_pi_table two_over_pi = make_two_over_pi();

}  // namespace dpep::device
