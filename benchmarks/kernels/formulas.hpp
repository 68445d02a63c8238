// Formulas that SYCL kernels and hand-written loops share.
#pragma once

#include <cmath>
#include <cstdint>

#include "shapes.h"

namespace bench {

/// The normal distribution function by the polynomial of Abramowitz and Stegun, 26.2.17: within 7.5e-8.
inline float normal_distribution(float d) {
  const float k = 1 / (1 + 0.2316419f * std::fabs(d));
  const float polynomial =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * std::exp(-0.5f * d * d) * polynomial;
  return d > 0 ? 1 - tail : tail;
}

struct option_prices {
  float call, put;
};

/// European options by Black and Scholes.
inline option_prices black_scholes(float spot, float strike, float years) {
  const float deviation = OPTION_VOLATILITY * std::sqrt(years);
  const float d1 =
      (std::log(spot / strike) + (OPTION_RATE + 0.5f * OPTION_VOLATILITY * OPTION_VOLATILITY) * years) / deviation;
  const float n1 = normal_distribution(d1), n2 = normal_distribution(d1 - deviation);
  const float discounted = strike * std::exp(-OPTION_RATE * years);
  return {spot * n1 - discounted * n2, discounted * (1 - n2) - spot * (1 - n1)};
}

/// One step of a binomial tree (Cox, Ross and Rubinstein).
struct binomial_step {
  float deviation;    // change of the price's logarithm in a step, up or down
  float up, down;     // discounted probabilities
  float price_ratio;  // of a node's price to that of the node it falls to

  explicit binomial_step(float years) {
    const float time = years / BINOMIAL_STEPS;
    deviation = OPTION_VOLATILITY * std::sqrt(time);
    price_ratio = std::exp(deviation);
    const float growth = std::exp(OPTION_RATE * time), fall = 1 / price_ratio;
    const float probability = (growth - fall) / (price_ratio - fall);
    up = probability / growth;
    down = (1 - probability) / growth;
  }
  float leaf_price(float spot, int i) const {
    return spot * std::exp(deviation * static_cast<float>(2 * i - BINOMIAL_STEPS));
  }
};

struct four_words {
  std::uint32_t word[4];
};

/// Philox 4x32-10 of Salmon, Moraes, Dror and Shaw: random words from a counter and a key.
inline four_words philox(std::uint32_t counter, std::uint32_t key0, std::uint32_t key1) {
  std::uint32_t a = counter, b = 0, c = 0, d = 0;
  for (int round = 0; round < 10; round++) {
    const std::uint64_t first = std::uint64_t(0xD2511F53u) * a, second = std::uint64_t(0xCD9E8D57u) * c;
    a = std::uint32_t(second >> 32) ^ b ^ key0;
    b = std::uint32_t(second);
    c = std::uint32_t(first >> 32) ^ d ^ key1;
    d = std::uint32_t(first);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return {{a, b, c, d}};
}

/// Whether the ray from the origin hits the sphere in front of it.
inline bool ray_hits(float x, float y, float z, float centre_x, float centre_y, float centre_z, float radius) {
  const float along = x * centre_x + y * centre_y + z * centre_z;
  const float tangent_squared = centre_x * centre_x + centre_y * centre_y + centre_z * centre_z - radius * radius;
  return along > 0 && along * along >= (x * x + y * y + z * z) * tangent_squared;
}

/// The direction of the ray through a pixel's centre: a field of view of 90 degrees along z.
inline float ray_direction(std::int64_t pixel, std::int64_t pixels) {
  return (2 * static_cast<float>(pixel) + 1) / static_cast<float>(pixels) - 1;
}

/// Advances a CRC-32 by eight bytes, in two words, with eight tables of 256 words ("slicing by 8").
inline std::uint32_t crc_step(const std::uint32_t *table, std::uint32_t crc, std::uint32_t low, std::uint32_t high) {
  low ^= crc;
  return table[7 * 256 + (low & 255)] ^ table[6 * 256 + (low >> 8 & 255)] ^ table[5 * 256 + (low >> 16 & 255)] ^
         table[4 * 256 + (low >> 24)] ^ table[3 * 256 + (high & 255)] ^ table[2 * 256 + (high >> 8 & 255)] ^
         table[1 * 256 + (high >> 16 & 255)] ^ table[high >> 24];
}

}  // namespace bench
