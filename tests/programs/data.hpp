// Test data of the programs: pseudo-random numbers that are the same on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

namespace programs {

/// A linear congruential generator (Knuth's MMIX).
class random_numbers {
public:
  explicit random_numbers(std::uint64_t seed = 1) : state_(seed) {}
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33);
  }
  std::uint32_t below(std::uint32_t limit) { return next() % limit; }
  float fraction() { return static_cast<float>(next() & 0xffffff) / static_cast<float>(1 << 24); }

private:
  std::uint64_t state_;
};

inline std::vector<float> fractions(std::size_t count, std::uint64_t seed = 1) {
  random_numbers r(seed);
  std::vector<float> all(count);
  for (float &x : all) x = r.fraction();
  return all;
}
inline std::vector<std::uint32_t> integers(std::size_t count, std::uint32_t limit, std::uint64_t seed = 1) {
  random_numbers r(seed);
  std::vector<std::uint32_t> all(count);
  for (std::uint32_t &x : all) x = r.below(limit);
  return all;
}

inline void expect_near(const std::vector<float> &actual, const std::vector<float> &expected, float tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); i++) ASSERT_NEAR(actual[i], expected[i], tolerance) << i;
}

}  // namespace programs
