// Writes reductions of a block as LLVM IR: the same partial results as those of block kernels, in the same order (see
// blocks/reducers.hpp).
#pragma once

#include <string>
#include <vector>

#include "array/cpu/operation_ir.hpp"

namespace dpep::array {

/// The number of chains of vector operations, and the pieces in which no chain is longer than 16.
inline constexpr std::size_t reduction_chains = 8, max_chain_length = 16;
/// Of a loop that is unrolled for all chains.
inline constexpr std::size_t most_unrolled_operations = 40;

/// The elements of a vector.
inline std::size_t lanes_of(dtype t) { return blocks::vector_bytes() / size_of(t); }

/// The value that changes no other: a constant.
std::string reduction_identity(reduction, dtype);
/// Combines two vectors of this many lanes, or two elements (0 lanes).
std::string write_combination(ir_writer &, reduction, dtype, const std::string &a, const std::string &b,
                              std::size_t lanes);
/// Combines the vectors of all chains, and then their elements.
std::string write_combinations(ir_writer &, reduction, dtype, std::vector<std::string> partial, std::size_t lanes);

}  // namespace dpep::array
