// Shuffles of trivially copyable types between the work-items of a sub-group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <sycl/detail/device_functions.hpp>

namespace sycl::detail {

/// Returns `x` as moved in words: by `move32` if it has at most 32 bits, otherwise by `move64`.
template <class T, class Move32, class Move64> T move_words(const T &x, Move32 move32, Move64 move64) {
  static_assert(std::is_trivially_copyable_v<T>, "shuffle: the type must be trivially copyable");
  if constexpr (sizeof(T) <= 4) {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, &x, sizeof(T));
    bits = move32(bits);
    T result = x;
    __builtin_memcpy(&result, &bits, sizeof(T));
    return result;
  } else {
    T result = x;
    for (std::size_t at = 0; at < sizeof(T); at += 8) {
      const std::size_t bytes = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
      std::uint64_t bits = 0;
      __builtin_memcpy(&bits, reinterpret_cast<const char *>(&x) + at, bytes);
      bits = move64(bits);
      __builtin_memcpy(reinterpret_cast<char *>(&result) + at, &bits, bytes);
    }
    return result;
  }
}

/// Returns `x` of the work-item `lane` of the sub-group.
template <class T> T sub_group_shuffle(const T &x, std::uint32_t lane) {
  return move_words(
      x, [=](std::uint32_t bits) { return __dpep_sub_group_shuffle32(bits, lane); },
      [=](std::uint64_t bits) { return __dpep_sub_group_shuffle64(bits, lane); });
}
/// The same among the work-items whose bits are set in `mask`, which alone call it together.
template <class T> T masked_shuffle(const T &x, std::uint32_t lane, std::uint64_t mask) {
  return move_words(
      x, [=](std::uint32_t bits) { return __dpep_masked_shuffle32(bits, lane, mask); },
      [=](std::uint64_t bits) { return __dpep_masked_shuffle64(bits, lane, mask); });
}

}  // namespace sycl::detail
