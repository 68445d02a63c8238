// What block kernels look like: the types of their functions. For blocks.hpp, and for the kernels, which know no more.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dpep/array_opcodes.hpp>
#include <dpep/dtype.hpp>

namespace dpep::array::blocks {

/// What an operand looks like along a block: `count` neighbouring elements, or one for all.
enum class form : std::uint8_t { vector, one };

/// result[i] = f(inputs[k][i]). Operands and result may be the same memory, not overlap otherwise. No alignment beyond
/// the elements' is assumed.
using element_function = void (*)(std::size_t count, const void *const *inputs, void *result);

/// `rows` x `columns` elements, each side with its own two strides: transposing is done in small squares, so that every
/// cache line is read and written once.
struct strided {
  void *data;
  std::int64_t row_stride, column_stride;
};
using copy_function = void (*)(std::size_t rows, std::size_t columns, strided to, strided from);

/// Where a block's elements come from. Memory that is gone through once is asked for ahead; tiles are in the cache, and
/// what lies behind them may be nobody's, which costs a walk through the page tables each time that it is asked for.
enum class origin : std::uint8_t { cache, memory };

/// Reductions that combine by an operation of two values. `state` is of the reduction's accumulator type:
/// sum, prod, max, min, logsumexp, hypot in the result's type (float16: float32), any/all bool, count_nonzero int64,
/// argmax/argmin a pair (value, index).
struct reducer {
  /// state = combine(state, the block's elements). Floats: pairwise over lanes and eighths of the block.
  void (*block)(std::size_t count, const void *input, origin, std::uint64_t first_index, void *state);
  /// states[i] = combine(states[i], input[i]): a row of a matrix reduced over its columns. For argmax and argmin
  /// `index` is that of all elements of the row.
  void (*rows)(std::size_t count, const void *input, origin, std::uint64_t index, void *states);
  /// states[i] = combine(states[i], others[i]), the states of earlier elements first.
  void (*merge)(std::size_t count, const void *others, void *states);
  /// The result's elements from the states.
  void (*finish)(std::size_t count, const void *states, void *results);
  void (*start)(std::size_t count, void *states);  // identities
  std::size_t state_bytes;                         // of one state
  std::size_t result_bytes;
};

/// Running sums and the like: results[i] = state = combine(state, input[i]).
using scan_function = void (*)(std::size_t count, const void *input, void *results, void *state);

}  // namespace dpep::array::blocks
