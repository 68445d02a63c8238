// Cell code: the calls of block kernels that do one cell, with everything decided that sizes decide.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "array/blocks/blocks.hpp"
#include "array/cpu/compiled_loop.hpp"
#include "array/cpu/schedule.hpp"

namespace dpep::array {

/// An address: bases[base] + offset. Bases are what a run and a cell bring: see base_table.
struct address {
  std::uint16_t base = 0;
  std::int64_t offset = 0;
};

enum class action : std::uint8_t {
  element,  // function(count, from, to)
  copy,     // rows x count elements
  stream,   // count bytes
  fill,     // count elements
  repeat,   // count bytes: the first `rows` of them are at from[0], and then come again and again
  ramp,     // count elements, from the ramp at from[0] and the position at `position`
  start,    // count states
  block,    // a block into one state
  rows,     // a row into as many states
  merge,    // count states at from[0] into those at `to`
  finish,   // count states at from[0] to results
};

/// How a call is repeated: the strides are those of to, from[0], from[1], …; the fourth is that of the position for
/// actions that have one.
struct walk {
  using distances = std::array<std::int64_t, 1 + most_inputs>;
  std::int64_t count;
  distances strides;
};

struct call {
  action what{};
  dtype type{};
  std::uint8_t inputs = 0;
  blocks::origin origin = blocks::origin::cache;  // block, rows: of their elements
  std::uint64_t only_first = 0;                   // bit l: only where loop l of the segment is at its beginning
  std::uint32_t element_bytes = 0;                // copy, fill, block, rows
  std::int64_t count = 1;
  union {
    blocks::element_function element = nullptr;
    blocks::copy_function copy;
    const blocks::reducer *reducer;
  };
  address to;
  std::array<address, most_inputs> from;
  address position;
  std::int64_t rows = 1;                                                  // copy
  std::int64_t to_row = 0, to_column = 0, from_row = 0, from_column = 0;  // copy: strides
  std::uint16_t first_walk = 0, walks = 0;                                // in cell_code::walks, innermost first
  // element: what `element` does
  opcode code{};
  std::array<dtype, most_inputs> types{};
  std::array<blocks::form, most_inputs> forms{};
  const user_function *function = nullptr;
  std::uint16_t alone = 0;  // of a user's function: in cell_code::alone
};

/// Neighbouring element calls as one compiled loop, once it is there.
struct fused_call {
  static constexpr std::size_t most_addresses = 32;
  element_run description;
  std::shared_ptr<fused_run> run;      // set when the program is prepared for a device
  std::uint16_t first = 0, count = 0;  // the calls that it stands for
  std::int64_t elements = 0;           // or rows
  bool by_elements = false;            // the function is one of work-items, an element each
  std::vector<address> addresses;      // of the description's inputs, then of its results
  std::vector<std::uint16_t> calls;    // of each address: the call that reads or writes there
  std::vector<std::int64_t> walks;     // counts, innermost first
  std::vector<std::int64_t> strides;   // for each walk, those of the addresses; of runs over rows, from row to row
};

/// The calls for one shape of cell.
struct cell_code {
  std::vector<call> calls;
  std::vector<walk> walks;
  std::vector<std::vector<std::uint16_t>> after;  // after[l]: the calls to do when loop l steps; the last: all
  std::vector<fused_call> fused;
  std::vector<std::uint16_t> fused_at;  // for each call 1 + the fused call that begins with it, or 0
  std::vector<fused_call> alone;        // each call of a user's function by itself: always compiled
};

/// What addresses are relative to. A position is an integer that moves like an address.
struct base_table {
  static constexpr std::uint16_t scratch = 0, scalars = 1, ramps = 2, first_operand = 3;
  std::uint16_t first_states = 0, first_position = 0, count = 0;
  std::vector<std::vector<std::int64_t>> steps;  // [base][loop]: what a step of the loop adds
  std::vector<std::int64_t> states_of_chunk;     // [outer reduction]: bytes of one copy of all states
};

struct outer_reduction {
  std::uint16_t value;      // in work.code
  std::uint16_t temporary;  // operand for the results
  const blocks::reducer *reducer;
  std::int64_t results = 1;
  std::int64_t copies = 1;  // segments along the reduced axes
};

struct lowered {
  schedule plan;
  base_table bases;
  std::vector<outer_reduction> outers;
  std::vector<int> edges;  // axes whose last step is shorter: bit k of a variant's number is edges[k]
  std::vector<cell_code> variants;
};

lowered lower(schedule);

}  // namespace dpep::array
