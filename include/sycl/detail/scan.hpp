// Sequential scans: prefix sums, by any operation, over an array in one work-item.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <sycl/detail/fold.hpp>

namespace sycl::detail {

/// The number of elements in the widest vector registers; targets with narrower registers split blocks.
template <class T> inline constexpr int block_length = 64 / sizeof(T);
/// Unsigned integers, since sums within blocks may overflow where the requested sums do not.
template <class T>
using block_element = std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
template <class T> using block = T __attribute__((ext_vector_type(64 / sizeof(T))));

template <class T, class Op>
inline constexpr bool scans_in_blocks = [] {
  using enum operation;
  constexpr operation op = operation_of<Op>;
  if constexpr (!std::is_arithmetic_v<T> || (sizeof(T) != 4 && sizeof(T) != 8))
    return false;
  else if constexpr (std::is_integral_v<T>)
    return op == plus || op == multiplies || op == bit_and || op == bit_or || op == bit_xor || op == minimum ||
           op == maximum;
  else
    return op == plus || op == multiplies || op == minimum || op == maximum;
}();

// Blocks are passed by reference: the convention for passing vectors by value depends on the target.

/// x[i] = before[i] op x[i]
template <class T, operation op, class Block> void combine_blocks(Block &x, const Block &before) {
  using enum operation;
  using ordered = block<T>;
  if constexpr (op == plus)
    x = before + x;
  else if constexpr (op == multiplies)
    x = before * x;
  else if constexpr (op == bit_and)
    x = before & x;
  else if constexpr (op == bit_or)
    x = before | x;
  else if constexpr (op == bit_xor)
    x = before ^ x;
  else if constexpr (std::is_integral_v<T>)
    x = (Block)(op == minimum ? __builtin_elementwise_min((ordered)before, (ordered)x)
                              : __builtin_elementwise_max((ordered)before, (ordered)x));
  else
    x = op == minimum ? __builtin_elementwise_minimumnum(before, x) : __builtin_elementwise_maximumnum(before, x);
}

/// moved[i] = x[i - distance], and `fill` where there is none.
template <int distance, class Block, int... i>
void shift_up(Block &moved, const Block &x, const Block &fill, std::integer_sequence<int, i...>) {
  constexpr int length = sizeof...(i);
  moved = __builtin_shufflevector(fill, x, (i < distance ? i : length + i - distance)...);
}

template <class T, operation op, int distance = 1, class Block> void scan_block(Block &x, const Block &fill) {
  if constexpr (distance < block_length<T>) {
    Block moved;
    shift_up<distance>(moved, x, fill, std::make_integer_sequence<int, block_length<T>>());
    combine_blocks<T, op>(x, moved);
    scan_block<T, op, 2 * distance>(x, fill);
  }
}

enum class scan { inclusive, exclusive };

/// to[i] = first op from[0] op … op from[i], or without from[i] in exclusive scans. `to` may equal `from`.
template <scan kind, class T, class From, class To, class Op>
void scan_values(From from, To to, std::size_t count, T first, Op op) {
  std::size_t i = 0;
  if constexpr (scans_in_blocks<T, Op> && std::is_same_v<std::remove_cv_t<std::remove_pointer_t<From>>, T> &&
                std::is_same_v<To, T *>) {
    using element = block_element<T>;
    using values = block<element>;
    constexpr operation which = operation_of<Op>;
    constexpr std::size_t length = block_length<T>;
    const values fill = static_cast<element>(identity_of<T>(which));
    // The only dependency between blocks is one number; everything else of the next block can be computed before.
    for (; i + length <= count; i += length) {
      values x, result;
      __builtin_memcpy(&x, from + i, sizeof x);
      scan_block<T, which>(x, fill);
      if constexpr (kind == scan::exclusive)
        shift_up<1>(result, x, fill, std::make_integer_sequence<int, block_length<T>>());
      else
        result = x;
      const values before = static_cast<element>(first);
      combine_blocks<T, which>(result, before);
      __builtin_memcpy(to + i, &result, sizeof result);
      first = static_cast<T>(op(first, static_cast<T>(x[length - 1])));
    }
  }
  for (; i < count; i++) {
    const T next = static_cast<T>(op(first, static_cast<T>(from[i])));
    to[i] = kind == scan::exclusive ? first : next;
    first = next;
  }
}

/// to[i] = from[0] op … op from[i]; `count` is at least 1.
template <class T, class From, class To, class Op> void scan_inclusive(From from, To to, std::size_t count, Op op) {
  if constexpr (scans_in_blocks<T, Op>) {
    scan_values<scan::inclusive, T>(from, to, count, identity_of<T>(operation_of<Op>), op);
  } else {
    const T first = static_cast<T>(from[0]);
    to[0] = first;
    scan_values<scan::inclusive, T>(from + 1, to + 1, count - 1, first, op);
  }
}

}  // namespace sycl::detail
