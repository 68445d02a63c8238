// oneapi::mkl::rng: the generation of random numbers, by kernels.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <oneapi/mkl/rng/distributions.hpp>
#include <oneapi/mkl/rng/engines.hpp>
#include <sycl/buffer.hpp>
#include <sycl/group_algorithms.hpp>
#include <sycl/local_accessor.hpp>

namespace oneapi::mkl::rng {

namespace detail {

/// The numbers that a work-item makes: the more, the cheaper is a skip to its position.
template <class Stream>
inline constexpr std::int64_t numbers_per_item = std::is_same_v<Stream, mrg32k3a_stream> ? 256 : 8;

/// Writes the distribution's numbers; a work-item has a row of them.
template <class Distribution, class Stream, class To> struct fill {
  Distribution distribution;
  Stream stream;
  std::int64_t n;
  To to;

  void operator()(sycl::id<1> item) const {
    constexpr int outputs = Distribution::outputs;
    constexpr std::int64_t row = numbers_per_item<Stream>;
    const auto begin = static_cast<std::int64_t>(item[0]) * row, end = begin + row < n ? begin + row : n;
    Stream mine = stream;
    mine.skip(static_cast<std::uint64_t>(begin / outputs * Distribution::template draws<Stream>));
    for (std::int64_t i = begin; i < end; i += outputs) {
      typename Distribution::result_type made[outputs];
      distribution.make(mine, made);
      for (int k = 0; k < outputs && i + k < end; ++k) to[static_cast<std::size_t>(i + k)] = made[k];
    }
  }
};

/// The Mersenne twister's next `count` numbers, by one work-group. A template, so that only programs with the engine
/// compile it.
template <class Word> struct twist {
  static constexpr int size = 624, middle = 397;
  static constexpr std::size_t items = 256;
  Word *state;
  std::uint64_t position, count;
  Word *to;  // null: skips the numbers
  sycl::local_accessor<Word, 1> words;

  void operator()(sycl::nd_item<1> item) const {
    const int lane = static_cast<int>(item.get_local_id(0));
    for (int i = lane; i < size; i += static_cast<int>(items)) words[i] = state[i];
    sycl::group_barrier(item.get_group());
    std::uint64_t at = position, done = 0;
    while (done < count) {
      if (at == size) {
        renew(item, lane);
        at = 0;
      }
      const std::uint64_t here = size - at < count - done ? size - at : count - done;
      if (to)
        for (std::uint64_t i = static_cast<std::uint64_t>(lane); i < here; i += items)
          to[done + i] = tempered(words[static_cast<int>(at + i)]);
      at += here;
      done += here;
    }
    sycl::group_barrier(item.get_group());
    for (int i = lane; i < size; i += static_cast<int>(items)) state[i] = words[i];
  }

private:
  /// A word depends on the one `middle` words further on, so that `size - middle` words are independent.
  void renew(sycl::nd_item<1> item, int lane) const {
    constexpr int width = size - middle;
    for (int first = 0; first < size; first += width) {
      const int i = first + lane, end = first + width < size ? first + width : size;
      std::uint32_t made = 0;
      if (lane < width && i < end) {
        const std::uint32_t bits =
            (words[i] & 0x80000000U) | (words[i + 1 < size ? i + 1 : i + 1 - size] & 0x7fffffffU);
        made = words[i + middle < size ? i + middle : i + middle - size] ^ bits >> 1 ^ (bits & 1 ? 0x9908b0dfU : 0);
      }
      sycl::group_barrier(item.get_group());
      if (lane < width && i < end) words[i] = made;
      sycl::group_barrier(item.get_group());
    }
  }
  static std::uint32_t tempered(std::uint32_t x) {
    x ^= x >> 11;
    x ^= x << 7 & 0x9d2c5680U;
    x ^= x << 15 & 0xefc60000U;
    return x ^ x >> 18;
  }
};

struct engine_access {
  template <class Engine> static sycl::queue &queue(Engine &e) { return e.queue_; }
  template <class Engine> static void skip(Engine &e, std::uint64_t numbers) {
    if constexpr (std::is_same_v<Engine, mt19937>)
      advance(e, numbers, nullptr);
    else
      e.stream_.skip(numbers);
  }

  /// Calls submit(stream, events) with the engine's next numbers, and moves the engine behind them. Returns the event
  /// of the command that it submits.
  template <class Engine, class Submit>
  static sycl::event with_stream(Engine &e, std::uint64_t numbers, const std::vector<sycl::event> &after,
                                 const Submit &submit) {
    const auto stream = e.stream_;
    e.stream_.skip(numbers);
    return submit(stream, after);
  }
  template <class Submit>
  static sycl::event with_stream(mt19937 &e, std::uint64_t numbers, const std::vector<sycl::event> &after,
                                 const Submit &submit) {
    const std::shared_ptr<std::uint32_t> stored = dpep::random_engines::allocate_words(e.queue_, numbers);
    advance(e, numbers, stored.get());
    std::vector<sycl::event> all = after;
    all.push_back(e.last_);
    const sycl::event done = submit(stored_stream{stored.get()}, all);
    if (done.get()) done.keep_alive(stored);
    return done;
  }

private:
  template <class Engine> static void advance(Engine &e, std::uint64_t numbers, std::uint32_t *to) {
    if (!numbers) return;
    e.last_ = e.queue_.submit([&](sycl::handler &h) {
      h.depends_on(e.last_);
      using kernel = twist<std::uint32_t>;
      const sycl::local_accessor<std::uint32_t, 1> words(kernel::size, h);
      h.parallel_for(sycl::nd_range<1>(kernel::items, kernel::items),
                     kernel{e.state_.get(), e.position_, numbers, to, words});
    });
    if (e.last_.get()) e.last_.keep_alive(e.state_);
    e.position_ = (e.position_ + numbers - 1) % Engine::size + 1;
  }
};

/// Generates by submit(fill, range, events).
template <class Distribution, class Engine, class Submit>
sycl::event generate(const Distribution &distribution, Engine &engine, std::int64_t n,
                     const std::vector<sycl::event> &after, const Submit &submit) {
  require(n >= 0, "generate", "n must not be negative");
  constexpr int outputs = Distribution::outputs;
  const auto with = [&](const auto &stream, const std::vector<sycl::event> &all) {
    using stream_type = std::remove_cvref_t<decltype(stream)>;
    const std::int64_t items = (n + numbers_per_item<stream_type> - 1) / numbers_per_item<stream_type>;
    return submit(distribution, stream, sycl::range<1>(static_cast<std::size_t>(items)), all);
  };
  using stream_type =
      std::conditional_t<std::is_same_v<Engine, mt19937>, stored_stream,
                         std::conditional_t<std::is_same_v<Engine, mrg32k3a>, mrg32k3a_stream, philox_stream>>;
  const std::int64_t numbers = (n + outputs - 1) / outputs * Distribution::template draws<stream_type>;
  return engine_access::with_stream(engine, static_cast<std::uint64_t>(numbers), after, with);
}

}  // namespace detail

/// Writes n numbers of the distribution, and moves the engine behind those that it used.
template <class Distribution, class Engine>
sycl::event generate(const Distribution &distribution, Engine &engine, std::int64_t n,
                     typename Distribution::result_type *r, const std::vector<sycl::event> &dependencies = {}) {
  detail::require(n <= 0 || r, "generate", "the result is a null pointer");
  return detail::generate(distribution, engine, n, dependencies,
                          [&]<class Stream>(const Distribution &d, const Stream &stream, sycl::range<1> items,
                                            const std::vector<sycl::event> &after) {
                            using to = typename Distribution::result_type *;
                            return detail::engine_access::queue(engine).parallel_for(
                                items, after, detail::fill<Distribution, Stream, to>{d, stream, n, r});
                          });
}

template <class Distribution, class Engine>
void generate(const Distribution &distribution, Engine &engine, std::int64_t n,
              sycl::buffer<typename Distribution::result_type, 1> &r) {
  detail::require(n <= static_cast<std::int64_t>(r.size()), "generate", "the buffer has fewer than n elements");
  detail::generate(distribution, engine, n, {},
                   [&]<class Stream>(const Distribution &d, const Stream &stream, sycl::range<1> items,
                                     const std::vector<sycl::event> &after) {
                     return detail::engine_access::queue(engine).submit([&](sycl::handler &h) {
                       h.depends_on(after);
                       const sycl::accessor to(r, h, sycl::read_write);
                       using fill = detail::fill<Distribution, Stream, std::remove_const_t<decltype(to)>>;
                       h.parallel_for(items, fill{d, stream, n, to});
                     });
                   });
}

/// Moves the engine behind the next numbers. The Mersenne twister computes them.
template <class Engine> void skip_ahead(Engine &engine, std::uint64_t num_to_skip) {
  detail::engine_access::skip(engine, num_to_skip);
}

}  // namespace oneapi::mkl::rng
