// Numbers of the standard normal distribution.
//
// float64: the ziggurat method (Marsaglia, Tsang: The ziggurat method for generating random variables, 2000). The
// layer, the sign and the place in the layer are different bits of 64 (Doornik: An improved ziggurat method to generate
// normal random samples, 2005). One of 230 numbers takes further words.
//
// float32: the Box-Muller transform, with a word of 32 bits for the radius and one for the angle.
#pragma once

#include "device/math/exp.hpp"
#include "device/random/distributions.hpp"

namespace dpep::device::random {

/// Layers of equal area under the density exp(-x^2 / 2): layer n is as wide as x[n] and as high as the difference of
/// the densities at x[n + 1] and x[n]. Layer 0 is the widest, with the tail beyond x[1]; its x is that of a rectangle
/// of the same area.
struct normal_layers {
  static constexpr unsigned count = 1024;
  double x[count + 1], density[count + 1];

  constexpr normal_layers() : x(), density() {
    // the numbers with which the last layer ends at density 1
    constexpr double tail = 0x1.027c84109fad5p+2, area = 0x1.417941005fc17p-10, density_of_tail = 0x1.2ce74ae9493f7p-12;
    x[0] = area / density_of_tail;
    x[1] = tail;
    density[1] = density_of_tail;
    for (unsigned n = 1; n + 1 < count; ++n) {
      density[n + 1] = density[n] + area / x[n];
      x[n + 1] = root_of(-2 * log_of(density[n + 1]));
    }
    density[count] = 1;
  }

private:
  static constexpr double root_of(double square) {
    double root = square > 1 ? square : 1;
    for (double before = 2 * root; root < before;) before = root, root = (root + square / root) / 2;
    return root;
  }
  /// For y from 0 to 1: by the series of the inverse hyperbolic tangent.
  static constexpr double log_of(double y) {
    int halvings = 0;
    for (; y < 0.75; y *= 2) ++halvings;
    const double r = (y - 1) / (y + 1), square = r * r;
    double sum = 0;
    for (int k = 25; k > 0; k -= 2) sum = sum * square + 1 / double(k);
    return 2 * r * sum - halvings * 0x1.62e42fefa39efp-1;
  }
};
constexpr normal_layers layers_of_normal;

/// The number that two words give, unless it is rejected: those inside of the next layer are accepted.
DPEP_INLINE outcome<double> quick_normal(std::uint64_t a, std::uint64_t b) {
  // The bits that unit_number() does not use.
  const auto layer = std::uint32_t((a & 31) << 5 | (b & 31));
  const double x = unit_number(a, b) * layers_of_normal.x[layer];
  return {number(bits(x) | std::int64_t((b & 32) << 58)), x < layers_of_normal.x[layer + 1]};
}

/// The element's number if quick_normal() rejects the one of these words, from attempts of the element.
DPEP_INLINE double other_normal(std::uint64_t element, std::uint64_t key, std::uint64_t a, std::uint64_t b) {
#pragma clang loop unroll(disable)
  for (std::uint64_t attempt = 1;; ++attempt) {
    const auto [x, accepted] = quick_normal(a, b);
    if (accepted) return x;
    const auto layer = std::uint32_t((a & 31) << 5 | (b & 31));
    const four_words words = block_of(element, key, attempt);
    const double u = unit_number(words.a, words.b);
    if (layer == 0) {
      // Marsaglia: Generating a variable from the tail of the normal distribution (1964).
      const double beyond = -log(1 - u) / layers_of_normal.x[1], y = -log(open_unit(words.c));
      if (2 * y > beyond * beyond) return flip_sign(layers_of_normal.x[1] + beyond, x);
      continue;
    }
    const double lower = layers_of_normal.density[layer], upper = layers_of_normal.density[layer + 1];
    if (lower + u * (upper - lower) < exp(-0.5 * x * x)) return x;
    a = words.c, b = words.d;
  }
}

DPEP_INLINE double normal(std::uint64_t element, std::uint64_t key) {
  const four_words words = block_of(pair_of(element), key, 0);
  const bool is_first = element % 2;
  const std::uint64_t a = is_first ? words.a : words.c, b = is_first ? words.b : words.d;
  const auto [x, accepted] = quick_normal(a, b);
  return accepted ? x : other_normal(element, key, a, b);
}

/// The numbers of four adjacent elements.
DPEP_INLINE void normal_adjacent(double *to, std::uint64_t element, std::uint64_t key) {
  const std::uint64_t n = pair_of(element);
  const four_words first = block_of(n, key, 0), second = block_of(n + 1, key, 0);
  two_words words[] = {{first.a, first.b}, {first.c, first.d}, {second.a, second.b}, {second.c, second.d}};
  if (element % 2 == 0) {
    const four_words third = block_of(n + 2, key, 0);
    words[0] = words[1], words[1] = words[2], words[2] = words[3], words[3] = {third.a, third.b};
  }
  std::uint32_t rejected = 0;
#pragma clang loop unroll(full)
  for (std::uint32_t k = 0; k < 4; ++k) {
    const auto [x, accepted] = quick_normal(words[k].a, words[k].b);
    to[k] = x;
    rejected |= std::uint32_t(!accepted) << k;
  }
  // One copy of the code, and no indices that are not constant: these would need memory.
#pragma clang loop unroll(disable)
  for (; rejected; rejected &= rejected - 1) {
    const std::uint32_t one = rejected & -rejected;
    std::uint64_t at = 0, a = words[0].a, b = words[0].b;
#pragma clang loop unroll(full)
    for (std::uint32_t k = 1; k < 4; ++k) {
      const bool is_it = one == 1u << k;
      at = is_it ? k : at, a = is_it ? words[k].a : a, b = is_it ? words[k].b : b;
    }
    const double x = other_normal(element + at, key, a, b);
#pragma clang loop unroll(full)
    for (std::uint32_t k = 0; k < 4; ++k) to[k] = at == k ? x : to[k];
  }
}

/// Two numbers of the words for a radius and for an angle.
DPEP_INLINE pair<float> normal_pair_float32(std::uint64_t for_radius, std::uint64_t for_angle) {
  // u is (word + 1/2) / 2^32, and 1 - u that of the complement. The smaller one has all bits of the word.
  const auto word = std::uint32_t(for_radius);
  const float u = float(word) * 0x1p-32f + 0x1p-33f, rest = float(~word) * 0x1p-32f + 0x1p-33f;
  const auto [exponent, fraction] = split_ordinary(u);
  const float radius = square_root(-2 * log_of_parts(exponent, exponent == 0 ? -rest : fraction));
  // The nearest quarter of a turn, and the distance from it.
  const auto turns = std::uint32_t(for_angle), quarter = (turns + (1u << 29)) >> 30;
  const float t = float(std::int32_t(turns - (quarter << 30))) * 0x1p-32f + 0x1p-33f, z = t * t;
  const float sine = t * horner(z, 6.28318531f, -41.3417015f, 81.6052017f, -76.6978683f, 41.4728317f);
  const float cosine = horner(z, 1.0f, -19.7392082f, 64.9393692f, -85.4488220f, 59.4241066f);
  const bool odd = quarter & 1;
  const float x = odd ? sine : cosine, y = odd ? cosine : sine;
  const auto signed_by = [](float of, std::uint32_t half) {
    return number(bits(of) ^ std::int32_t(half << 30 & 1u << 31));
  };
  return {radius * signed_by(x, quarter + 1), radius * signed_by(y, quarter)};
}

/// The block of four elements: elements 4 n - 3 to 4 n have the block n.
DPEP_INLINE std::uint64_t four_of(std::uint64_t element) { return (element + 3) / 4; }

struct four_normals {
  float a, b, c, d;
};
DPEP_INLINE four_normals normals_float32(std::uint64_t number, std::uint64_t key) {
  const four_words words = block_of(number, key, 0);
  const auto [a, b] = normal_pair_float32(words.a, words.b);
  const auto [c, d] = normal_pair_float32(words.c, words.d);
  return {a, b, c, d};
}

DPEP_INLINE float normal_float32(std::uint64_t element, std::uint64_t key) {
  const four_words words = block_of(four_of(element), key, 0);
  const std::uint64_t in_block = (element + 3) % 4;
  const bool is_later = in_block & 2;
  const auto [x, y] = normal_pair_float32(is_later ? words.c : words.a, is_later ? words.d : words.b);
  return in_block & 1 ? y : x;
}

/// The numbers of eight adjacent elements.
DPEP_INLINE void normal_float32_adjacent(float *to, std::uint64_t element, std::uint64_t key) {
  const std::uint64_t n = four_of(element), skipped = (element + 3) % 4;
  const four_normals first = normals_float32(n, key), second = normals_float32(n + 1, key);
  four_normals third{};
  if (skipped) third = normals_float32(n + 2, key);
  float all[] = {first.a,  first.b,  first.c, first.d, second.a, second.b,
                 second.c, second.d, third.a, third.b, third.c,  third.d};
#pragma clang loop unroll(full)
  for (int k = 0; k < 10; ++k) all[k] = skipped & 2 ? all[k + 2] : all[k];
#pragma clang loop unroll(full)
  for (int k = 0; k < 8; ++k) to[k] = skipped & 1 ? all[k + 1] : all[k];
}

}  // namespace dpep::device::random
