// The function types of block kernels, shared by blocks.hpp and the kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dpep/array_opcodes.hpp>
#include <dpep/dtype.hpp>

namespace dpep::array::blocks {

/// The form of an operand: `count` contiguous elements, or one element for the whole block.
enum class form : std::uint8_t { vector, one };

/// result[i] = f(inputs[k][i]). The result may be at the address of an operand, but must not overlap operands
/// otherwise. Addresses need only be aligned to the elements.
using element_function = void (*)(std::size_t count, const void *const *inputs, void *result);

/// A matrix of `rows` x `columns` elements with two strides in bytes. Copies transpose in small squares, so that every
/// cache line is read and written once.
struct strided {
  void *data;
  std::int64_t row_stride, column_stride;
};
using copy_function = void (*)(std::size_t rows, std::size_t columns, strided to, strided from);

/// The source of a block's elements. Memory that is read once is prefetched. Tiles are in the cache; memory after a
/// tile may not be mapped, and each prefetch of it would cost a page table walk.
enum class origin : std::uint8_t { cache, memory };

/// A reduction that combines two values by an operation. The type of `state`: for sum, prod, max, min, logsumexp and
/// hypot the result's type (float16: float32), for any and all bool, for count_nonzero int64, for argmax and argmin a
/// pair (value, index).
struct reducer {
  /// state = combine(state, all elements of the block). Floats are combined pairwise, over lanes and pieces of the
  /// block.
  void (*block)(std::size_t count, const void *input, origin, std::uint64_t first_index, void *state);
  /// states[i] = combine(states[i], input[i]): a row of a matrix that is reduced over its rows. `index`, for argmax and
  /// argmin, is that of all elements of the row.
  void (*rows)(std::size_t count, const void *input, origin, std::uint64_t index, void *states);
  /// states[i] = combine(states[i], others[i]). The states must be those of earlier elements.
  void (*merge)(std::size_t count, const void *others, void *states);
  /// Converts states to result elements.
  void (*finish)(std::size_t count, const void *states, void *results);
  void (*start)(std::size_t count, void *states);  // initialises states with the identity
  std::size_t state_bytes;                         // of one state
  std::size_t result_bytes;
};

/// An accumulation: results[i] = state = combine(state, input[i]).
using scan_function = void (*)(std::size_t count, const void *input, void *results, void *state);

/// Sorts unsigned keys of 2, 4, 8 or 16 bytes in ascending order. A key of 16 bytes is two words, the lower one first.
using sort_function = void (*)(std::size_t count, void *keys);
/// Converts elements to unsigned keys of their size in the same order, or the reverse. The keys may be at the address
/// of the elements.
using encode_function = void (*)(std::size_t count, const void *elements, void *keys, bool descending);
using decode_function = void (*)(std::size_t count, const void *keys, void *elements, bool descending);
/// Converts elements to keys that contain their positions, first, first + 1, …, so that equal elements keep their
/// order: words with a position of 32 bits, or pairs of words with one of 64 bits. Sorted keys of complex128 are
/// completed by sort_ties().
using tag_function = void (*)(std::size_t count, const void *elements, void *keys, std::uint64_t first,
                              bool descending);
/// Extracts the positions of such keys.
using position_function = void (*)(std::size_t count, const void *keys, std::int64_t *positions);

}  // namespace dpep::array::blocks
