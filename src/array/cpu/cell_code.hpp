// Cell code: the block kernel calls that compute a cell. Everything that depends on sizes is decided when it is built.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "array/blocks/blocks.hpp"
#include "array/cpu/compiled_loop.hpp"
#include "array/cpu/schedule.hpp"

namespace dpep::array {

/// An address: bases[base] + offset. The bases are set for each execution and cell: see base_table.
struct address {
  std::uint16_t base = 0;
  std::int64_t offset = 0;
};

/// The kernel that a call executes.
enum class action : std::uint8_t {
  element,           // function(count, from, to)
  copy,              // rows x count elements
  copy_nontemporal,  // count bytes
  fill,              // count elements
  gather,            // rows x count elements, from from[1] at the offsets at from[0]
  repeat,            // count bytes: the `rows` bytes at from[0], repeated periodically
  iota,              // count elements of the ramp at from[0], from the index at `position` on
  start,             // count states
  block,             // reduces a block into one state
  rows,              // combines each element of a row with its own state
  merge,             // merges count states at from[0] into those at `to`
  finish,            // converts count states at from[0] to results
};

/// A loop around a call. The strides, in bytes, are those of to, from[0], from[1], …; for actions with a position, the
/// fourth is the position's.
struct walk {
  using distances = std::array<std::int64_t, 1 + max_inputs>;
  std::int64_t count;
  distances strides;
};

/// A call of a block kernel, repeated by loops.
struct call {
  action what{};
  dtype type{};
  std::uint8_t inputs = 0;
  blocks::origin origin = blocks::origin::cache;  // block, rows: where their elements are
  std::uint64_t only_first = 0;     // bit l: executed only in the first iteration of loop l in the segment
  std::uint32_t element_bytes = 0;  // copy, fill, block, rows
  std::int64_t count = 1;
  union {
    blocks::element_function element = nullptr;
    blocks::copy_function copy;
    const blocks::reducer *reducer;
  };
  address to;
  std::array<address, max_inputs> from;
  address position;
  std::int64_t rows = 1;                                                  // copy, gather
  std::int64_t to_row = 0, to_column = 0, from_row = 0, from_column = 0;  // copy, gather: strides
  std::int64_t offset_row = 0, offset_column = 0;                         // gather
  std::uint16_t first_walk = 0, walks = 0;                                // in cell_code::walks, innermost first
  // element: the operation that `element` computes
  opcode code{};
  std::array<dtype, max_inputs> types{};
  std::array<blocks::form, max_inputs> forms{};
  const user_function *function = nullptr;
  std::uint16_t user_call = 0;  // a user's function: its index in cell_code::user_calls
};

/// Consecutive calls that one compiled loop can replace.
struct loop_call {
  static constexpr std::size_t max_addresses = 64;
  element_loop description;
  // set when the program is prepared for a device; null if the program is too short to compile
  std::shared_ptr<compiled_loop> loop;
  std::uint16_t first = 0, count = 0;  // the calls that it replaces
  std::int64_t elements = 0;           // or rows, if the loop is over rows
  bool item_per_element = false;       // the kernel has a work-item for each element
  std::vector<address> addresses;      // inputs of the description, then results
  std::vector<std::uint16_t> calls;    // for each address, the call that first reads or last writes it
  std::vector<std::int64_t> walks;     // counts of the loops around the compiled loop, innermost first
  // for each walk, strides of all addresses; then, for loops over rows, the distances between rows
  std::vector<std::int64_t> strides;
  /// A reduction of a block into a state of the segment.
  struct block_reduction {
    const blocks::reducer *reducer;
    address state;
  };
  std::vector<block_reduction> reductions;  // in the order of operations; the loop has a result for each piece
  std::int64_t piece = 0;                   // elements
};

/// The calls for one shape of cell.
struct cell_code {
  std::vector<call> calls;
  std::vector<walk> walks;
  // after[l]: the calls to execute after loop l steps; the last element: all calls
  std::vector<std::vector<std::uint16_t>> after;
  std::vector<loop_call> loop_calls;
  // for each call: 1 + the index of the compiled loop that starts with it, or 0
  std::vector<std::uint16_t> loop_call_at;
  // one for each call of a user's function; always compiled, because block kernels do not exist for them
  std::vector<loop_call> user_calls;
};

/// The bases of addresses. A position is an integer that is stepped like an address.
struct base_table {
  static constexpr std::uint16_t scratch = 0, scalars = 1, ramps = 2, first_operand = 3;
  std::uint16_t first_states = 0, first_position = 0, count = 0;
  std::vector<std::vector<std::int64_t>> steps;  // [base][loop]: bytes that a step of the loop adds
  std::vector<std::int64_t> states_of_chunk;     // [outer reduction]: bytes of one copy of all states
};

/// A reduction over axes that are cut into several cells. Segments accumulate states, which are merged at the end.
struct outer_reduction {
  std::uint16_t value;      // in work.code
  std::uint16_t temporary;  // the memory operand that receives the results
  const blocks::reducer *reducer;
  std::int64_t results = 1;
  std::int64_t copies = 1;  // segments along the reduced axes; each has its own states
};

/// A pass as block kernel calls: the code for each shape of cell.
struct pass_code {
  schedule plan;
  base_table bases;
  std::vector<outer_reduction> outers;
  // axes whose last block is shorter: bit k of the index into `variants` stands for remainder_axes[k]
  std::vector<int> remainder_axes;
  std::vector<cell_code> variants;
};

}  // namespace dpep::array
