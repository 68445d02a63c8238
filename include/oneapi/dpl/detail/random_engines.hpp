// Random engines for kernels: each work-item has an engine of its own, at an offset into the sequence.
//
// The sequences are those of the engines of the same names in the standard library. An engine whose result is a
// sycl::vec returns as many consecutive numbers of the sequence at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sycl/vec.hpp>

namespace oneapi::dpl {
namespace detail {

template <class T> struct vector_traits {
  using scalar = T;
  static constexpr int length = 1;
};
template <class T, int N> struct vector_traits<sycl::vec<T, N>> {
  using scalar = T;
  static constexpr int length = N;
};
template <class T> using scalar_of = typename vector_traits<T>::scalar;
template <class T> inline constexpr int length_of = vector_traits<T>::length;

/// The functions that all engines have, from Derived::next(), which returns a number, and Derived::seed_with.
template <class Derived, class Result> class engine_base {
public:
  using result_type = Result;
  using scalar_type = scalar_of<Result>;

  result_type operator()() { return draw(length_of<Result>); }
  /// The first `count` components only; the others are unspecified.
  result_type operator()(unsigned count) { return draw(static_cast<int>(count)); }
  /// Skips numbers.
  void discard(unsigned long long count) { self().skip(count); }

private:
  Derived &self() { return static_cast<Derived &>(*this); }
  result_type draw(int count) {
    if constexpr (length_of<Result> == 1 && std::is_same_v<Result, scalar_type>) {
      return self().next();
    } else {
      result_type made;
      for (int i = 0; i < count && i < length_of<Result>; ++i) made[i] = self().next();
      return made;
    }
  }
};

}  // namespace detail

/// x = (a x + c) mod m
template <class UIntType, detail::scalar_of<UIntType> a, detail::scalar_of<UIntType> c, detail::scalar_of<UIntType> m>
class linear_congruential_engine : public detail::engine_base<linear_congruential_engine<UIntType, a, c, m>, UIntType> {
  using base = detail::engine_base<linear_congruential_engine, UIntType>;
  friend base;

public:
  using typename base::scalar_type;
  static constexpr scalar_type multiplier = a, increment = c, modulus = m, default_seed = 1;
  static constexpr scalar_type min() { return c == 0 ? 1 : 0; }
  static constexpr scalar_type max() { return m - 1; }

  linear_congruential_engine() { seed(); }
  explicit linear_congruential_engine(scalar_type s) { seed(s); }
  linear_congruential_engine(scalar_type s, unsigned long long offset) {
    seed(s);
    skip(offset);
  }
  void seed(scalar_type s = default_seed) { x_ = m && c % m == 0 && s % m == 0 ? 1 : m ? s % m : s; }

private:
  static std::uint64_t step(std::uint64_t x, std::uint64_t by, std::uint64_t plus) {
    return m ? (by * x + plus) % m : by * x + plus;
  }
  scalar_type next() { return x_ = static_cast<scalar_type>(step(x_, a, c)); }
  /// By the powers of two of the map x -> a x + c.
  void skip(unsigned long long count) {
    std::uint64_t by = a, plus = c, x = x_;
    for (; count; count >>= 1) {
      if (count & 1) x = step(x, by, plus);
      plus = step(plus, by, plus);
      by = step(by, by, 0);
    }
    x_ = static_cast<scalar_type>(x);
  }
  scalar_type x_;
};

/// x[i] = (x[i - s] - x[i - r] - carry) mod 2^w
template <class UIntType, std::size_t w, std::size_t s, std::size_t r>
class subtract_with_carry_engine : public detail::engine_base<subtract_with_carry_engine<UIntType, w, s, r>, UIntType> {
  using base = detail::engine_base<subtract_with_carry_engine, UIntType>;
  friend base;

public:
  using typename base::scalar_type;
  static constexpr std::size_t word_size = w, short_lag = s, long_lag = r;
  static constexpr std::uint32_t default_seed = 19780503;
  static constexpr scalar_type min() { return 0; }
  static constexpr scalar_type max() { return static_cast<scalar_type>((std::uint64_t{1} << w) - 1); }

  subtract_with_carry_engine() { seed(); }
  explicit subtract_with_carry_engine(scalar_type value) { seed(value); }
  subtract_with_carry_engine(scalar_type value, unsigned long long offset) {
    seed(value);
    skip(offset);
  }
  void seed(scalar_type value = default_seed) {
    linear_congruential_engine<std::uint32_t, 40014, 0, 2147483563> from(
        static_cast<std::uint32_t>(value ? value % 2147483563 : default_seed));
    for (std::size_t i = 0; i < r; ++i) {
      std::uint64_t word = 0;
      for (std::size_t k = 0; k < (w + 31) / 32; ++k) word |= std::uint64_t{from()} << (32 * k);
      x_[i] = static_cast<scalar_type>(word & max());
    }
    carry_ = x_[r - 1] == 0 ? 1 : 0;
    at_ = 0;
  }

private:
  scalar_type next() {
    const std::size_t from = at_ >= s ? at_ - s : at_ + r - s;
    const std::uint64_t subtrahend = std::uint64_t{x_[at_]} + carry_, minuend = x_[from];
    carry_ = minuend < subtrahend ? 1 : 0;
    x_[at_] = static_cast<scalar_type>((minuend - subtrahend) & max());
    const scalar_type made = x_[at_];
    at_ = at_ + 1 < r ? at_ + 1 : 0;
    return made;
  }
  void skip(unsigned long long count) {
    for (; count; --count) next();
  }
  scalar_type x_[r];
  std::uint32_t carry_;
  std::size_t at_;
};

/// Of each block of p numbers of another engine, the first r.
template <class Engine, std::size_t p, std::size_t r>
class discard_block_engine
    : public detail::engine_base<discard_block_engine<Engine, p, r>, typename Engine::result_type> {
  using base = detail::engine_base<discard_block_engine, typename Engine::result_type>;
  friend base;

public:
  using typename base::scalar_type;
  static constexpr std::size_t block_size = p, used_block = r;
  static constexpr scalar_type min() { return Engine::min(); }
  static constexpr scalar_type max() { return Engine::max(); }

  discard_block_engine() = default;
  explicit discard_block_engine(scalar_type s) : engine_(s) {}
  discard_block_engine(scalar_type s, unsigned long long offset) : engine_(s) { skip(offset); }
  void seed() {
    engine_.seed();
    used_ = 0;
  }
  void seed(scalar_type s) {
    engine_.seed(s);
    used_ = 0;
  }
  const Engine &base_engine() const { return engine_; }

private:
  scalar_type next() {
    if (used_ == r) {
      engine_.discard(p - r);
      used_ = 0;
    }
    ++used_;
    const auto made = engine_(1);
    if constexpr (std::is_same_v<std::remove_const_t<decltype(made)>, scalar_type>)
      return made;
    else
      return made[0];
  }
  void skip(unsigned long long count) {
    for (; count; --count) next();
  }
  Engine engine_;
  std::size_t used_ = 0;
};

/// Philox: a counter that is encrypted by `rounds` rounds. Salmon et al., Parallel random numbers: as easy as 1, 2, 3
/// (2011). The sequence is that of C++26's std::philox_engine. Skips take no time.
template <class UIntType, std::size_t w, std::size_t n, std::size_t rounds, detail::scalar_of<UIntType>... constants>
class philox_engine : public detail::engine_base<philox_engine<UIntType, w, n, rounds, constants...>, UIntType> {
  using base = detail::engine_base<philox_engine, UIntType>;
  friend base;
  static_assert((w == 32 || w == 64) && (n == 2 || n == 4) && sizeof...(constants) == n);

public:
  using typename base::scalar_type;
  static constexpr std::size_t word_size = w, word_count = n, round_count = rounds;
  static constexpr scalar_type default_seed = 20111115;
  static constexpr scalar_type min() { return 0; }
  static constexpr scalar_type max() { return static_cast<scalar_type>(~std::uint64_t{0} >> (64 - w)); }

  philox_engine() { seed(); }
  explicit philox_engine(scalar_type s) { seed(s); }
  philox_engine(scalar_type s, unsigned long long offset) {
    seed(s);
    skip(offset);
  }
  void seed(scalar_type s = default_seed) {
    for (word &k : key_) k = 0;
    key_[0] = static_cast<word>(s);
    for (word &x : counter_) x = 0;
    at_ = n;
  }

private:
  using word = std::conditional_t<w == 32, std::uint32_t, std::uint64_t>;
  using wide = std::conditional_t<w == 32, std::uint64_t, unsigned __int128>;

  scalar_type next() {
    if (at_ == n) {
      encrypt();
      add(1);
      at_ = 0;
    }
    return block_[at_++];
  }
  void skip(unsigned long long count) {
    const unsigned long long left = n - at_;
    if (count <= left) {
      at_ += static_cast<std::size_t>(count);
      return;
    }
    count -= left;
    add(count / n);
    at_ = n;
    for (count %= n; count; --count) next();
  }
  void add(unsigned long long blocks) {
    for (std::size_t i = 0; i < n && blocks; ++i) {
      const wide sum = static_cast<wide>(counter_[i]) + static_cast<word>(blocks);
      counter_[i] = static_cast<word>(sum);
      if constexpr (w == 32)
        blocks = (blocks >> 32) + static_cast<unsigned long long>(sum >> 32);
      else
        blocks = static_cast<unsigned long long>(sum >> 64);
    }
  }
  void encrypt() {
    constexpr word all[] = {constants...};  // a multiplier and the constant of its key, for each pair of words
    word x[n], key[n / 2];
    for (std::size_t i = 0; i < n; ++i) x[i] = counter_[i];
    for (std::size_t i = 0; i < n / 2; ++i) key[i] = key_[i];
    for (std::size_t round = 0; round < rounds; ++round) {
      word made[n];
      for (std::size_t pair = 0; pair < n / 2; ++pair) {
        const word factor = n == 4 ? x[2 - 2 * pair] : x[0], other = x[2 * pair + 1];
        const wide product = static_cast<wide>(factor) * all[2 * pair];
        made[2 * pair] = static_cast<word>(product >> w) ^ key[pair] ^ other;
        made[2 * pair + 1] = static_cast<word>(product);
      }
      for (std::size_t i = 0; i < n; ++i) x[i] = made[i];
      for (std::size_t pair = 0; pair < n / 2; ++pair) key[pair] = static_cast<word>(key[pair] + all[2 * pair + 1]);
    }
    for (std::size_t i = 0; i < n; ++i) block_[i] = x[i];
  }
  word counter_[n], key_[n / 2], block_[n];
  std::size_t at_;
};

using minstd_rand0 = linear_congruential_engine<std::uint32_t, 16807, 0, 2147483647>;
using minstd_rand = linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647>;
using ranlux24_base = subtract_with_carry_engine<std::uint32_t, 24, 10, 24>;
using ranlux48_base = subtract_with_carry_engine<std::uint64_t, 48, 5, 12>;
using ranlux24 = discard_block_engine<ranlux24_base, 223, 23>;
using ranlux48 = discard_block_engine<ranlux48_base, 389, 11>;
using philox4x32 = philox_engine<std::uint_fast32_t, 32, 4, 10, 0xCD9E8D57, 0x9E3779B9, 0xD2511F53, 0xBB67AE85>;
using philox4x64 = philox_engine<std::uint_fast64_t, 64, 4, 10, 0xCA5A826395121157, 0x9E3779B97F4A7C15,
                                 0xD2E7470EE14C6C93, 0xBB67AE8584CAA73B>;

template <int N> using minstd_rand0_vec = linear_congruential_engine<sycl::vec<std::uint32_t, N>, 16807, 0, 2147483647>;
template <int N> using minstd_rand_vec = linear_congruential_engine<sycl::vec<std::uint32_t, N>, 48271, 0, 2147483647>;
template <int N> using ranlux24_base_vec = subtract_with_carry_engine<sycl::vec<std::uint32_t, N>, 24, 10, 24>;
template <int N> using ranlux48_base_vec = subtract_with_carry_engine<sycl::vec<std::uint64_t, N>, 48, 5, 12>;
template <int N> using ranlux24_vec = discard_block_engine<ranlux24_base_vec<N>, 223, 23>;
template <int N> using ranlux48_vec = discard_block_engine<ranlux48_base_vec<N>, 389, 11>;
template <int N>
using philox4x32_vec =
    philox_engine<sycl::vec<std::uint_fast32_t, N>, 32, 4, 10, 0xCD9E8D57, 0x9E3779B9, 0xD2511F53, 0xBB67AE85>;
template <int N>
using philox4x64_vec = philox_engine<sycl::vec<std::uint_fast64_t, N>, 64, 4, 10, 0xCA5A826395121157,
                                     0x9E3779B97F4A7C15, 0xD2E7470EE14C6C93, 0xBB67AE8584CAA73B>;

namespace experimental {
using dpl::philox4x32;
using dpl::philox4x32_vec;
using dpl::philox4x64;
using dpl::philox4x64_vec;
using dpl::philox_engine;
}  // namespace experimental

}  // namespace oneapi::dpl
