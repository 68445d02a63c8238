// Input, check sums and timing of the programs, in plain C++17 for dpcxx, nvcc and g++.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace programs {

/// Whether the program is called with the argument `small`, which selects sizes for CPUs.
inline bool is_small(int count, char **arguments) { return count > 1 && !std::strcmp(arguments[1], "small"); }

/// A bijection of 32-bit numbers whose results look random (the finaliser of MurmurHash3, in the public domain).
inline std::uint32_t mix(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

/// Number i of the sequence `seed`.
inline std::uint32_t random_bits(std::uint32_t seed, std::size_t i) { return mix(std::uint32_t(i) + mix(seed)); }

/// `n` numbers between `low` and `high`.
template <class T> std::vector<T> uniform(std::size_t n, T low, T high, std::uint32_t seed) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; i++) values[i] = low + (high - low) * T(random_bits(seed, i) >> 8) * T(1.0 / 16777216);
  return values;
}

/// `n` integers from 0 to `limit` - 1.
template <class T> std::vector<T> integers(std::size_t n, std::uint32_t limit, std::uint32_t seed) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; i++) values[i] = T(random_bits(seed, i) % limit);
  return values;
}

/// A mean of absolute values with weights that depend on the position. NaN if a value is.
template <class T> double checksum(const T *values, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; i++)
    sum += std::fabs(double(values[i])) * (1 + (mix(std::uint32_t(i)) & 0xff) / 256.0);
  return sum / double(n);
}
template <class T> double checksum(const std::vector<T> &values) { return checksum(values.data(), values.size()); }

/// Prints the name, the median time of `run` in milliseconds, and the check sum.
///
/// The check sum is that of the first run, since later runs continue with the results. A timed run calls `run` until 5
/// ms have passed, and `wait` once. With PROGRAMS_PROCESSOR_TIME in the environment, the time is that of all threads'
/// processors.
template <class Run, class Wait, class Result> void report(const char *name, Run run, Wait wait, Result result) {
  run();
  wait();
  const double sum = result();
  const bool processor_time = std::getenv("PROGRAMS_PROCESSOR_TIME");
  const auto milliseconds = [&] {
    if (processor_time) return 1e3 * double(std::clock()) / CLOCKS_PER_SEC;
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  const auto time_of = [&](int calls) {
    const double start = milliseconds();
    for (int i = 0; i < calls; i++) run();
    wait();
    return (milliseconds() - start) / calls;
  };
  double single = time_of(1);
  for (int i = 0; i < 3; i++) single = std::min(single, time_of(1));
  const int calls = std::max(1, int(std::ceil(5 / std::max(single, 0.001))));
  time_of(calls);
  std::vector<double> times;
  for (int i = 0; i < 11; i++) times.push_back(time_of(calls));
  std::sort(times.begin(), times.end());
  std::printf("%s %.6f %.12g\n", name, times[times.size() / 2], sum);
}

}  // namespace programs
