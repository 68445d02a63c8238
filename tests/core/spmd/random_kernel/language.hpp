// The language of random kernels: expressions over all types of numbers, and statements of work-items.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dpep::test::random_program {

enum class type : std::uint8_t { i8, i16, i32, i64, f16, f32, f64 };
constexpr std::array all_types{type::i8, type::i16, type::i32, type::i64, type::f16, type::f32, type::f64};
constexpr bool is_float(type t) { return t >= type::f16; }
constexpr unsigned bits_of(type t) { return std::array{8u, 16u, 32u, 64u, 16u, 32u, 64u}[static_cast<unsigned>(t)]; }
constexpr unsigned bytes_of(type t) { return bits_of(t) / 8; }
constexpr const char *name_of(type t) {
  return std::array{"i8", "i16", "i32", "i64", "half", "float", "double"}[static_cast<unsigned>(t)];
}

/// The types of a work-item's variables, and of those that are uniform in a group.
constexpr std::array variables{type::i32, type::i32, type::i32, type::f32, type::f32,
                               type::i64, type::f64, type::i16, type::i8,  type::f16};
constexpr std::array uniform_variables{type::i32, type::i32, type::f32};
constexpr unsigned most_loops = 3;  // nested, each with a counter

/// Private arrays: the last three are fields of one array of structures.
struct private_array {
  type of;
  unsigned length;  // a power of two
};
constexpr std::array arrays{private_array{type::i32, 8}, private_array{type::f64, 4}, private_array{type::i8, 16},
                            private_array{type::i32, 4}, private_array{type::f32, 4}, private_array{type::i16, 4}};
constexpr unsigned first_field = 3;

constexpr unsigned own_elements = 4;  // of the output, for each type and work-item
constexpr unsigned bins = 16;         // for each atomic operation

enum class id { global, local, group, local_size, lane, sub_group_size, sub_group, x };
constexpr unsigned ids = 8;

/// The index of an input element, computed from the work-item's linear id and a small number. An input has
/// 4 * work-items + 16 elements.
enum class input_index {
  own,
  strided2,
  strided3,
  strided4,
  ahead,
  reversed,
  own_int,
  flipped,
  behind,
  row,
  gathered,
  same
};
constexpr unsigned input_indices = 12;

enum class unary { negate, complement, population_count, byte_swap, absolute, square_root, floor };
enum class binary {
  add,
  sub,
  mul,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right_logical,
  shift_right_arithmetic,
  divide,
  remainder,
  minimum,
  maximum,
  add_with_overflow
};
constexpr unsigned integer_binaries = 14;

struct expression {
  enum class kind {
    constant,
    variable,
    uniform,
    counter,
    id,
    in,       // an input's element; operand: the index if gathered or uniform
    out,      // an element of the work-item's output
    array,    // an element of a private array; operand: the index
    unary,    // how; operand
    binary,   // how; operands
    compare,  // how: the predicate; operands of one type
    select,   // operands: condition, true value, false value
    convert,  // operand of another type
    vector    // one element of: four own elements of the input as a vector, times the operand
  };
  kind what = kind::constant;
  type of = type::i32;
  std::uint32_t number = 0, how = 0;
  std::uint64_t bits = 0;
  std::vector<expression> operands;
};

/// The index in local memory: a permutation of the group's local ids; for reads, any index.
enum class local_index { own, reversed, flipped, shifted, multiple, computed };

enum class action {
  assign,
  assign_uniform,
  assign_array,  // at `index`
  store,         // to an own element of the output, at `index`
  store_all,     // to all own elements, in any order
  store_pair,    // to two own elements, as a vector
  store_same,    // all work-items of a group: the same value to one address
  branch,
  branch_same,  // uniform by its data only
  branch_ids,   // by an id and a uniform number: a bound, or bits
  choose,       // a switch
  loop,
  break_loop,     // if (value) break
  continue_loop,  // if (value) continue
  return_item,    // if (value) return
  barrier,
  exchange,       // through local memory
  call,           // the same in a function, and with neighbours
  leader,         // local[id] = value; barrier; if (id == 0) add all; barrier
  tree,           // sums in halving steps, in scratch memory
  scan,           // by the leader, in scratch memory
  scan_in_steps,  // of doubling length, from one buffer to another
  sort,           // exchanges over halving distances, in doubling runs
  tiles,          // a product of tiles, in two buffers
  shuffle,
  sub_group_exchange,  // through local memory, with the sub-group's barriers
  count,               // atomic operation on a bin in global memory
  own_atomic,          // on an own element, and its old value
  own_compare_exchange,
  histogram,   // local bins, in which `body` counts
  count_local  // in a histogram's body
};

/// The condition of `branch_ids` on an id (local or global) and a number.
enum class id_test { below, at_least, at_most, has_bits, lacks_bits, in_int };
constexpr unsigned id_tests = 6;
constexpr unsigned id_bound = 64;  // exclusive bound of the numbers

struct statement {
  action what = action::assign;
  type of = type::i32;
  std::uint32_t number = 0, how = 0;
  local_index write = local_index::own, read = local_index::own;
  expression value, index;
  bool uniform = false;  // all work-items of the group take the same path
  std::vector<statement> body, other;
  std::vector<std::vector<statement>> cases;
};
using block = std::vector<statement>;

/// The geometry of the launch.
struct shape {
  bool grouped = true;
  unsigned dimensions = 1;
  std::array<std::size_t, 3> groups{1, 1, 1}, local{1, 1, 1}, offset{0, 0, 0};
  std::uint32_t sub_group_size = 1;

  std::size_t group_size() const { return local[0] * local[1] * local[2]; }
  std::size_t group_count() const { return groups[0] * groups[1] * groups[2]; }
  std::size_t items() const { return group_size() * group_count(); }
};

struct program {
  shape launch;
  block group_code;  // convergent: may contain barriers
  block item_code;   // divergent, after that
};

/// Atomic operations on bins; each operation has bins of its own, so that the order does not matter.
constexpr std::array atomic_names{"add", "xor", "or", "and", "umax", "min", "sub", "umin"};

/// The memory of a launch, in the order of the arguments.
struct data {
  std::array<std::vector<std::byte>, all_types.size()> in, out;
  std::vector<std::uint32_t> same;         // one for each work-item, equal within a work-group
  std::vector<std::uint32_t> bins32;       // of each operation
  std::vector<std::uint64_t> bins64;       //
  std::vector<std::uint32_t> group_words;  // four for each group
  std::vector<std::uint64_t> result;       // final values of a work-item's variables
};
constexpr std::size_t results = variables.size() + uniform_variables.size() + 2;

}  // namespace dpep::test::random_program
