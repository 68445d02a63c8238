// The language of random kernels: expressions on numbers of 32 bits, and statements for all work-items.
#pragma once

#include <cstdint>
#include <vector>

#include "spmd/random_kernel.hpp"

namespace dpep::test {

namespace random_program {

constexpr unsigned variables = 6;          // of a work-item
constexpr unsigned uniform_variables = 3;  // the same in all work-items of a group
constexpr unsigned array_size = 4;         // a private array, indexed by computed values

enum class leaf {
  constant,
  variable,
  uniform_variable,
  counter,
  local_id,
  global_id,
  group_id,
  local_size,
  in,
  table,
  array
};
enum class operation { add, sub, mul, exclusive_or, conjunction, shift, less, equal };

struct expression {
  bool is_leaf = true;
  leaf kind = leaf::constant;
  std::uint32_t number = 0;  // of the variable, or the constant
  operation how = operation::add;
  std::vector<expression> operands;
};

enum class action {
  assign,          // variable[number] = value
  assign_uniform,  // uniform_variable[number] = value
  assign_array,    // array[index] = value
  branch,          // if (value) body else other
  branch_same,     // if (same[i] & number) body else other: uniform by its data only
  loop,            // for (counter = 0; counter < trips; ++counter) { if (value) break; body }
  barrier,
  exchange,  // local[id] = value; barrier; variable[number] = local[(id + shift) % size]; barrier
  call,      // the same in a function
  leader,    // local[id] = value; barrier; if (id == 0) add them all into local[0]; barrier; read; barrier
  leave,     // if (value) return
};

}  // namespace random_program

struct random_kernel::statement {
  using action = random_program::action;
  using expression = random_program::expression;

  action what = action::assign;
  std::uint32_t number = 0;
  expression value, trips;
  bool uniform = false;  // a loop that barriers may be in
  std::vector<statement> body, other;
};

namespace random_program {
using statement = random_kernel::statement;
}

}  // namespace dpep::test
