// The sequences of random engines, as work-items read them from any position.
//
// A stream has the numbers of a sequence in order. `draws<R>` is how many of them make a fraction of type R.
#pragma once

#include <cstdint>
#include <type_traits>

#include <sycl/builtins.hpp>

namespace oneapi::mkl::rng::detail {

/// Philox-4x32-10, Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011). Four numbers a counter.
struct philox_stream {
  std::uint32_t key[2];
  std::uint64_t low, high;                     // the counter at position 0
  std::uint64_t position = 0;                  // in numbers
  std::uint64_t in_block = ~std::uint64_t{0};  // the number of the block of four
  std::uint32_t block[4] = {};

  template <class R> static constexpr int draws = std::is_same_v<R, double> ? 2 : 1;

  void skip(std::uint64_t numbers) { position += numbers; }
  std::uint32_t next() {
    if (const std::uint64_t wanted = position / 4; wanted != in_block) {
      in_block = wanted;
      compute();
    }
    return block[position++ % 4];
  }

private:
  void compute() {
    constexpr std::uint64_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
    constexpr std::uint32_t weyl_0 = 0x9E3779B9, weyl_1 = 0xBB67AE85;
    const std::uint64_t lower = low + in_block, upper = high + (lower < low);
    std::uint32_t a = static_cast<std::uint32_t>(lower), b = static_cast<std::uint32_t>(lower >> 32),
                  c = static_cast<std::uint32_t>(upper), d = static_cast<std::uint32_t>(upper >> 32), k0 = key[0],
                  k1 = key[1];
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t p = multiplier_0 * a, q = multiplier_1 * c;
      a = static_cast<std::uint32_t>(q >> 32) ^ b ^ k0;
      c = static_cast<std::uint32_t>(p >> 32) ^ d ^ k1;
      b = static_cast<std::uint32_t>(q);
      d = static_cast<std::uint32_t>(p);
      k0 += weyl_0;
      k1 += weyl_1;
    }
    block[0] = a, block[1] = b, block[2] = c, block[3] = d;
  }
};

/// MRG32k3a, L'Ecuyer, Good parameters and implementations for combined multiple recursive random number generators
/// (1999). Numbers are less than m1.
struct mrg32k3a_stream {
  static constexpr std::uint64_t m1 = 4294967087, m2 = 4294944443;
  std::uint32_t x[3], y[3];  // the oldest number first

  template <class R> static constexpr int draws = 1;

  std::uint32_t next() {
    const double new_x = remainder<m1>(1403580.0 * x[1] - 810728.0 * x[0]);
    const double new_y = remainder<m2>(527612.0 * y[2] - 1370589.0 * y[0]);
    x[0] = x[1], x[1] = x[2], x[2] = static_cast<std::uint32_t>(new_x);
    y[0] = y[1], y[1] = y[2], y[2] = static_cast<std::uint32_t>(new_y);
    const double difference = new_x - new_y;
    return static_cast<std::uint32_t>(difference < 0 ? difference + m1 : difference);
  }
  /// Skips by the powers of two whose bits are set: the recurrences are products with matrices.
  void skip(std::uint64_t numbers) {
    matrix first{{{0, 1, 0}, {0, 0, 1}, {m1 - 810728, 1403580, 0}}};
    matrix second{{{0, 1, 0}, {0, 0, 1}, {m2 - 1370589, 0, 527612}}};
    for (; numbers; numbers >>= 1) {
      if (numbers & 1) {
        first.apply(x, m1);
        second.apply(y, m2);
      }
      first.square(m1);
      second.square(m2);
    }
  }

private:
  /// In double precision, which is exact below 2^53 and, unlike divisions of integers, vectorises.
  template <std::uint64_t m> static double remainder(double x) {
    constexpr auto modulus = static_cast<double>(m);
    double r = x - sycl::floor(x * (1 / modulus)) * modulus;
    if (r < 0) r += modulus;
    return r >= modulus ? r - modulus : r;
  }

  struct matrix {
    std::uint64_t at[3][3];
    void apply(std::uint32_t (&v)[3], std::uint64_t m) const {
      std::uint32_t result[3];
      for (int i = 0; i < 3; ++i)
        result[i] = static_cast<std::uint32_t>((at[i][0] * v[0] % m + at[i][1] * v[1] % m + at[i][2] * v[2] % m) % m);
      for (int i = 0; i < 3; ++i) v[i] = result[i];
    }
    void square(std::uint64_t m) {
      matrix result;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          result.at[i][j] = (at[i][0] * at[0][j] % m + at[i][1] * at[1][j] % m + at[i][2] * at[2][j] % m) % m;
      *this = result;
    }
  };
};

/// Numbers that an engine has stored.
struct stored_stream {
  const std::uint32_t *numbers;
  template <class R> static constexpr int draws = std::is_same_v<R, double> ? 2 : 1;
  void skip(std::uint64_t count) { numbers += count; }
  std::uint32_t next() { return *numbers++; }
};

/// A fraction in [0, 1).
template <class R, class Stream> R fraction(Stream &from) {
  if constexpr (std::is_same_v<Stream, mrg32k3a_stream>) {
    const double u = static_cast<double>(from.next()) / static_cast<double>(mrg32k3a_stream::m1);
    if constexpr (std::is_same_v<R, double>)
      return u;
    else
      return u < 0x1.fffffep-1 ? static_cast<float>(u) : 0x1.fffffep-1f;  // does not round to 1
  } else if constexpr (std::is_same_v<R, double>) {
    const std::uint64_t low = from.next(), high = from.next();
    return static_cast<double>((high << 32 | low) >> 11) * 0x1p-53;
  } else {
    return static_cast<float>(from.next() >> 8) * 0x1p-24f;
  }
}

}  // namespace oneapi::mkl::rng::detail
