// Random numbers in arrays.
#pragma once

#include <mutex>

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// A generator of random numbers: Philox4x32-10, which computes the n-th numbers of a sequence from n and the seed
/// (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011). Each element is computed by itself, so numbers
/// depend on the seed and the calls before only, not on the device. Arrays are float64 unless a dtype is given. Members
/// may be called by several threads: each array then has numbers of its own.
class DPEP_API random_generator {
public:
  explicit random_generator(std::uint64_t seed) noexcept : key_(seed) {}
  /// Restarts the sequence with another seed.
  void seed(std::uint64_t) noexcept;

  /// Uniformly distributed in [low, high).
  ndarray uniform(extents shape, double low, double high, const placement &);
  /// Normally distributed. refusal::value for a negative deviation.
  ndarray normal(extents shape, double mean, double deviation, const placement &);
  /// Uniformly distributed over the `count` integers from `least` on, and cast to the dtype. refusal::value unless
  /// `count` is from 1 to 2^53.
  ndarray integers(extents shape, std::int64_t least, std::uint64_t count, dtype, const placement &);

private:
  /// Blocks of two numbers each, from `first` on.
  struct blocks {
    std::uint64_t first, key;
  };
  /// The next blocks, for as many numbers; they are not used again.
  blocks take(std::int64_t numbers) noexcept;

  std::mutex mutex_;
  std::uint64_t key_, next_block_ = 0;
};

}  // namespace dpep::array
