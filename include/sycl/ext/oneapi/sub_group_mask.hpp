// Sets of work-items of a sub-group, and the ballot that makes them (extension sycl_ext_oneapi_sub_group_mask).
#pragma once

#include <climits>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <sycl/group_algorithms.hpp>
#include <sycl/marray.hpp>
#include <sycl/sub_group.hpp>

namespace sycl::ext::oneapi {

class sub_group_mask;
/// Returns the work-items of the sub-group whose predicate is true. All of them must call it together.
template <class G> sub_group_mask group_ballot(G group, bool predicate = true);

/// One bit for each work-item of a sub-group, in the order of their ids.
class sub_group_mask {
  using word = std::uint64_t;

public:
  static constexpr std::size_t max_bits = 64;
  static constexpr std::size_t word_size = 64;

  /// A bit that can be assigned to.
  class reference {
  public:
    reference(sub_group_mask &mask, std::size_t bit) : mask_(mask), bit_(bit) {}
    reference(const reference &) = default;
    reference &operator=(bool value) {
      mask_.set(bit_, value);
      return *this;
    }
    reference &operator=(const reference &from) { return *this = static_cast<bool>(from); }
    bool operator~() const { return !mask_.test(bit_); }
    operator bool() const { return mask_.test(bit_); }
    reference &flip() {
      mask_.flip(bit_);
      return *this;
    }

  private:
    sub_group_mask &mask_;
    std::size_t bit_;
  };

  sub_group_mask() : sub_group_mask(0) {}
  explicit sub_group_mask(unsigned long long bits) : sub_group_mask(bits, __dpep_sub_group_max_size()) {}
  template <std::integral T, std::size_t K> explicit sub_group_mask(const marray<T, K> &bits) : sub_group_mask() {
    insert_bits(bits);
  }

  bool operator[](id<1> bit) const { return test(bit); }
  reference operator[](id<1> bit) { return {*this, bit[0]}; }
  bool test(id<1> bit) const { return bits_ >> bit[0] & 1; }
  bool all() const { return bits_ == valid(); }
  bool any() const { return bits_ != 0; }
  bool none() const { return bits_ == 0; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(__builtin_popcountll(bits_)); }
  std::uint32_t size() const { return size_; }
  /// The lowest set bit, or size() if none is set.
  id<1> find_low() const { return none() ? size_ : static_cast<std::size_t>(__builtin_ctzll(bits_)); }
  /// The highest set bit, or size() if none is set.
  id<1> find_high() const { return none() ? size_ : static_cast<std::size_t>(63 - __builtin_clzll(bits_)); }

  /// Replaces the bits from `position` on by those of the number, or of the numbers one after the other. Bits beyond
  /// the mask are ignored.
  template <std::integral T> void insert_bits(T bits, id<1> position = 0) {
    constexpr std::size_t count = sizeof(T) * CHAR_BIT;
    if (position[0] >= size_) return;
    const word field = (count < 64 ? (word{1} << count % 64) - 1 : ~word{0}) << position[0];
    bits_ = ((bits_ & ~field) | (static_cast<word>(bits) << position[0] & field)) & valid();
  }
  template <std::integral T, std::size_t K> void insert_bits(const marray<T, K> &bits, id<1> position = 0) {
    for (std::size_t i = 0; i < K; i++) insert_bits(bits[i], position + i * sizeof(T) * CHAR_BIT);
  }
  /// Sets the number, or the numbers one after the other, to the bits from `position` on; those beyond the mask are 0.
  template <std::integral T> void extract_bits(T &bits, id<1> position = 0) const {
    bits = static_cast<T>(position[0] < size_ ? bits_ >> position[0] : 0);
  }
  template <std::integral T, std::size_t K> void extract_bits(marray<T, K> &bits, id<1> position = 0) const {
    for (std::size_t i = 0; i < K; i++) extract_bits(bits[i], position + i * sizeof(T) * CHAR_BIT);
  }

  void set() { bits_ = valid(); }
  void set(id<1> bit, bool value = true) {
    reset(bit);
    bits_ |= (word{value} << bit[0]) & valid();
  }
  void reset() { bits_ = 0; }
  void reset(id<1> bit) { bits_ &= ~(word{1} << bit[0]); }
  void reset_low() { bits_ &= bits_ - 1; }
  void reset_high() {
    if (any()) reset(find_high());
  }
  void flip() { bits_ ^= valid(); }
  void flip(id<1> bit) { bits_ ^= (word{1} << bit[0]) & valid(); }

  sub_group_mask &operator&=(const sub_group_mask &other) {
    bits_ &= other.bits_;
    return *this;
  }
  sub_group_mask &operator|=(const sub_group_mask &other) {
    bits_ |= other.bits_;
    return *this;
  }
  sub_group_mask &operator^=(const sub_group_mask &other) {
    bits_ ^= other.bits_;
    return *this;
  }
  sub_group_mask &operator<<=(std::size_t n) {
    bits_ = n < size_ ? bits_ << n & valid() : 0;
    return *this;
  }
  sub_group_mask &operator>>=(std::size_t n) {
    bits_ = n < size_ ? bits_ >> n : 0;
    return *this;
  }
  sub_group_mask operator~() const { return {~bits_ & valid(), size_}; }
  friend sub_group_mask operator&(sub_group_mask a, const sub_group_mask &b) { return a &= b; }
  friend sub_group_mask operator|(sub_group_mask a, const sub_group_mask &b) { return a |= b; }
  friend sub_group_mask operator^(sub_group_mask a, const sub_group_mask &b) { return a ^= b; }
  friend sub_group_mask operator<<(sub_group_mask a, std::size_t n) { return a <<= n; }
  friend sub_group_mask operator>>(sub_group_mask a, std::size_t n) { return a >>= n; }
  friend bool operator==(const sub_group_mask &, const sub_group_mask &) = default;

private:
  template <class G> friend sub_group_mask group_ballot(G, bool);
  sub_group_mask(word bits, std::uint32_t size) : bits_(bits), size_(size) { bits_ &= valid(); }

  word valid() const { return size_ < 64 ? (word{1} << size_) - 1 : ~word{0}; }

  word bits_;
  std::uint32_t size_;
};

template <class G> sub_group_mask group_ballot(G group, bool predicate) {
  static_assert(std::is_same_v<G, sub_group>, "group_ballot: the group must be a sub-group");
  const std::uint64_t own = std::uint64_t{predicate} << group.get_local_linear_id();
  return {reduce_over_group(group, own, bit_or<std::uint64_t>()),
          static_cast<std::uint32_t>(group.get_max_local_range()[0])};
}

}  // namespace sycl::ext::oneapi
