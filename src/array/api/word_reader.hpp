// Reading the generator's words on the host, one after the other.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include <dpep/array_random.hpp>

#include "array/api/random_words.hpp"

namespace dpep::array {

/// Reads words and halves of words one after the other.
class random_generator::word_reader {
public:
  /// The caller holds the generator's mutex as long as the reader exists.
  explicit word_reader(random_generator &g) noexcept
      : generator_(g), next_(g.next_words()), has_half_(g.state_.has_half), half_(g.state_.half) {}
  ~word_reader() {
    generator_.take_words(taken_);
    generator_.state_.has_half = has_half_;
    generator_.state_.half = half_;
  }
  word_reader(const word_reader &) = delete;

  std::uint64_t next_word() noexcept {
    if (at_ == end_) {  // few words at first: many calls need no more
      end_ = std::min(2 * end_ + 8, words_.size());
      philox_words(words_.data(), end_, next_.first + taken_, next_.key, next_.counter);
      at_ = 0;
    }
    ++taken_;
    return words_[at_++];
  }
  std::uint32_t next_half() noexcept {
    if (has_half_) {
      has_half_ = false;
      return half_;
    }
    const std::uint64_t word = next_word();
    has_half_ = true;
    half_ = std::uint32_t(word >> 32);
    return std::uint32_t(word);
  }

  /// An integer from 0 to `range`, by Lemire's method.
  std::uint64_t integer(std::uint64_t range) noexcept {
    if (range == 0) return 0;
    if (range == 0xffffffff) return next_half();
    if (range < 0xffffffff) {
      const auto count = std::uint32_t(range) + 1;
      std::uint64_t product = std::uint64_t(next_half()) * count;
      if (std::uint32_t(product) < count) {
        const std::uint32_t threshold = (0 - count) % count;
        while (std::uint32_t(product) < threshold) product = std::uint64_t(next_half()) * count;
      }
      return product >> 32;
    }
    if (range == ~std::uint64_t{0}) return next_word();
    const std::uint64_t count = range + 1;
    auto product = static_cast<unsigned __int128>(next_word()) * count;
    if (std::uint64_t(product) < count) {
      const std::uint64_t threshold = (0 - count) % count;
      while (std::uint64_t(product) < threshold) product = static_cast<unsigned __int128>(next_word()) * count;
    }
    return std::uint64_t(product >> 64);
  }

  /// An integer from 0 to `range`: the lowest bits of the first word whose lowest bits are not above it.
  std::uint64_t masked_integer(std::uint64_t range) noexcept {
    const std::uint64_t mask = ~std::uint64_t{0} >> (std::countl_zero(range | 1) & 63);
    for (;;) {
      const std::uint64_t drawn = (range <= 0xffffffff ? next_half() : next_word()) & mask;
      if (drawn <= range) return drawn;
    }
  }

  /// Parts of halves with 1, 8 or 16 bits, the lowest first.
  std::uint32_t next_part(int bits) noexcept {
    if (parts_ == 0) rest_ = next_half(), parts_ = 32 / bits;
    const std::uint32_t part = rest_ & ((1u << bits) - 1);
    rest_ >>= bits, --parts_;
    return part;
  }
  /// An integer from 0 to `range` by Lemire's method from such parts.
  std::uint32_t small_integer(std::uint32_t range, int bits) noexcept {
    const std::uint32_t last = (1u << bits) - 1, count = range + 1;
    if (range == last) return next_part(bits);
    const std::uint32_t threshold = (last - range) % count;
    std::uint32_t product = next_part(bits) * count;
    while ((product & last) < threshold) product = next_part(bits) * count;
    return product >> bits;
  }

  /// masked_integer() of i, i - 1, … down to 1 or more, as many as `to` has. No branch depends on whether a word is
  /// accepted, which processors cannot predict.
  void masked_integers(std::uint32_t i, std::span<std::uint64_t> to) noexcept {
    std::uint32_t mask = ~std::uint32_t{0} >> std::countl_zero(i);
    for (std::size_t taken = 0; taken < to.size();) {
      to[taken] = next_half() & mask;
      const bool accepted = to[taken] <= i;
      taken += accepted ? 1 : 0;
      i -= accepted ? 1 : 0;
      mask = i <= mask / 2 ? mask / 2 : mask;
    }
  }

  /// Exchanges elements from the last down to `first` with random ones before them (Fisher and Yates). Positions are
  /// drawn some steps ahead, so that the memory is in the cache when it is needed.
  /// `is_masked`: by masked_integer(), else integer(): NumPy's permutations and its choice() use different ones.
  template <class T> void shuffle(T *elements, std::int64_t count, std::int64_t first, bool is_masked) noexcept {
    constexpr std::int64_t ahead = 64;
    std::array<std::uint64_t, ahead> positions;
    for (std::int64_t i = count - 1; i >= first;) {
      const std::int64_t steps = std::min(ahead, i - first + 1);
      if (is_masked && std::uint64_t(i) <= 0xffffffff)
        masked_integers(std::uint32_t(i), std::span(positions).first(std::size_t(steps)));
      else
        for (std::int64_t k = 0; k < steps; ++k)
          positions[std::size_t(k)] = is_masked ? masked_integer(std::uint64_t(i - k)) : integer(std::uint64_t(i - k));
      for (std::int64_t k = 0; k < steps; ++k) __builtin_prefetch(elements + positions[std::size_t(k)], 1);
      for (std::int64_t k = 0; k < steps; ++k, --i) std::swap(elements[i], elements[positions[std::size_t(k)]]);
    }
  }

private:
  random_generator &generator_;
  const part next_;
  std::uint64_t taken_ = 0;
  bool has_half_;
  std::uint32_t half_;
  std::uint32_t rest_ = 0;
  int parts_ = 0;  // that are left in `rest_`
  std::array<std::uint64_t, 1024> words_;
  std::size_t at_ = 0, end_ = 0;
};

}  // namespace dpep::array
