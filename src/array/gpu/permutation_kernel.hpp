// Generates the kernels of random permutations.
#pragma once

#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

/// Calls of the functions of device/array/permutations.cpp.
enum class permutation_step : std::uint8_t { count, draw, finish, clear, link, order, follow };

/// Memory operands of the kernels.
namespace permutation_operand {
enum : std::size_t { words, starts, counts, new_counts, used, targets, report, heads, links, to, count };
}

/// The work-items of a work-group, and the words that a work-group takes at once.
inline constexpr std::int64_t permutation_group = 256, permutation_tile = 16 * permutation_group;

/// Scalars are, of the steps that find targets, the first word, the number of the part, the last element, and of finish
/// the number of words; of clear, the number of words of 64 bits and of work-groups; of the others, the first exchange,
/// their number, and that of the elements. `sub_group`: its size.
generated_kernel generate_permutation(permutation_step, std::int64_t sub_group);

}  // namespace dpep::array::gpu
