// oneapi::mkl::rng: random engines, which are sequences with a position.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>

#include <dpep/random_engines.hpp>

#include <oneapi/mkl/rng/streams.hpp>
#include <sycl/queue.hpp>

namespace oneapi::mkl::rng {

namespace detail {
struct engine_access;
}

/// Philox-4x32-10. The seed is the key. Further numbers of a list are the counter's first value, low half first.
class philox4x32x10 {
public:
  static constexpr std::uint64_t default_seed = 0;
  explicit philox4x32x10(sycl::queue queue, std::uint64_t seed = default_seed)
      : philox4x32x10(std::move(queue), {seed}) {}
  philox4x32x10(sycl::queue queue, std::initializer_list<std::uint64_t> seed) : queue_(std::move(queue)) {
    const auto word = [&](std::size_t i) { return i < seed.size() ? seed.begin()[i] : 0; };
    stream_ = {.key = {static_cast<std::uint32_t>(word(0)), static_cast<std::uint32_t>(word(0) >> 32)},
               .low = word(1),
               .high = word(2)};
  }

private:
  friend detail::engine_access;
  sycl::queue queue_;
  detail::philox_stream stream_;
};

/// MRG32k3a. The seed is the first number of the first recurrence; a list has those of both, and others are 1.
class mrg32k3a {
public:
  static constexpr std::uint32_t default_seed = 1;
  explicit mrg32k3a(sycl::queue queue, std::uint32_t seed = default_seed) : mrg32k3a(std::move(queue), {seed}) {}
  mrg32k3a(sycl::queue queue, std::initializer_list<std::uint32_t> seed) : queue_(std::move(queue)) {
    using stream = detail::mrg32k3a_stream;
    const auto word = [&](std::size_t i, std::uint64_t m) {
      return i < seed.size() ? static_cast<std::uint32_t>(seed.begin()[i] % m) : 1U;
    };
    for (std::size_t i = 0; i < 3; ++i) stream_.x[i] = word(i, stream::m1), stream_.y[i] = word(3 + i, stream::m2);
    const auto is_zero = [](const std::uint32_t (&v)[3]) { return !(v[0] | v[1] | v[2]); };
    if (is_zero(stream_.x)) stream_.x[0] = 1;
    if (is_zero(stream_.y)) stream_.y[0] = 1;
  }

private:
  friend detail::engine_access;
  sycl::queue queue_;
  detail::mrg32k3a_stream stream_;
};

/// The Mersenne twister, Matsumoto and Nishimura (1998), seeded by its authors' functions, a list as an array. A
/// work-group computes the sequence; distributions are computed in parallel.
class mt19937 {
public:
  static constexpr std::uint32_t default_seed = 1;
  explicit mt19937(sycl::queue queue, std::uint32_t seed = default_seed) : mt19937(std::move(queue), {seed}) {}
  mt19937(sycl::queue queue, std::initializer_list<std::uint32_t> seed) : queue_(std::move(queue)) {
    std::uint32_t words[size];
    dpep::random_engines::seed_mersenne_twister(words, seed.begin(), seed.size());
    state_ = dpep::random_engines::allocate_words(queue_, size);
    queue_.copy(words, state_.get(), size).wait();
  }
  mt19937(const mt19937 &other) : queue_(other.queue_), position_(other.position_) { copy_state(other); }
  mt19937 &operator=(const mt19937 &other) {
    if (this == &other) return *this;
    queue_ = other.queue_;
    position_ = other.position_;
    copy_state(other);
    return *this;
  }

private:
  friend detail::engine_access;
  static constexpr std::size_t size = 624;

  void copy_state(const mt19937 &other) {
    state_ = dpep::random_engines::allocate_words(queue_, size);
    last_ = queue_.copy(other.state_.get(), state_.get(), size, other.last_);
    last_.wait();
  }

  sycl::queue queue_;
  std::shared_ptr<std::uint32_t> state_;  // in the device's memory
  std::uint64_t position_ = size;         // of the next number in the state; `size`: a new state is needed
  sycl::event last_;                      // of the state
};

using default_engine = philox4x32x10;

}  // namespace oneapi::mkl::rng
