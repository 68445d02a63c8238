// The compiler's intermediate form: typed instructions on machine scalars, in structured blocks.
//
// Tuples, arrays, complex numbers and methods are already decomposed by the translator. The form does not depend on
// LLVM, so a kernel whose machine code is in the disk cache is never lowered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pykernel/syntax/entity.hpp"
#include "pykernel/types/types.hpp"

namespace dpep::pykernel {

enum class machine_type : std::uint8_t { none, i1, i8, i16, i32, i64, f16, f32, f64, pointer };
inline bool is_float(machine_type t) {
  return t == machine_type::f16 || t == machine_type::f32 || t == machine_type::f64;
}
int bits_of(machine_type);  // 64 for pointers
const char *name_of(machine_type);

/// The comment of each operation lists the members of `instruction` that it uses. Unless stated otherwise, a, b and c
/// are operands.
enum class operation : std::uint8_t {
  // Operations with a result.
  integer,   // a constant; number
  real,      // a constant; number: the double's bits
  argument,  // number: byte offset in the kernel's arguments; c: if not 0, the value is less than 2^c and not negative
  get,       // reads the variable `number`
  private_memory,  // allocates `number` elements of machine type `c`; flag: zeroed
  add,
  sub,
  mul,
  sdiv,
  udiv,
  srem,
  urem,
  bit_and,
  bit_or,
  bit_xor,
  shl,
  lshr,
  ashr,  // of the operations above, flag: no signed wrap
  fadd,
  fsub,
  fmul,
  fdiv,
  frem,
  fneg,
  eq,
  ne,
  slt,
  sle,
  ult,
  ule,
  feq,
  fne,
  flt,
  fle,     // comparisons have the type of operand a; with NaN, fne is true and the others are false
  select,  // a ? b : c. For this and all other floating-point operations, number: `fast_math` flags
  trunc,
  zext,
  sext,
  fptosi,
  fptoui,
  sitofp,
  uitofp,
  fpcast,
  bits,          // bit cast
  wrap,          // c ? a + b : a: index a of an axis of length b, counted from the end if c (a is negative)
  offset,        // the address a + b * number, in bytes
  load,          // from address a; flag: the memory is constant while the kernel runs
  string,        // the address of `text`
  call,          // function `text`; list of arguments
  complex_call,  // complex function `text` of the C library; list of arguments' parts; stores its result at a
  atomic,  // at address a with operand b; text: add, sub, and, or, xor, min, max, umin, umax, fadd, fsub, fmin, fmax,
           // xchg, load, store; number: `memory_ordering`
  compare_exchange,  // at address a: expected value b, desired value c; returns the old value; number:
                     // `memory_ordering`
  // Operations without a result.
  set,        // assigns a to the variable `number`
  store,      // stores b at address a
  fence,      // number: `memory_ordering`
  fail,       // ends the kernel with an error; texts: message, file, function; number: line
  fail_with,  // the same; the message has the numbers a and b in place of its first two `{}`
  // Control flow; b and c are block numbers.
  branch,  // if a: block b, else block c (0: none)
  loop,    // while block b computes a true a: block c
  scope,   // block b; `leave` of the scope `number` jumps to its end
  leave,   // number: the scope
};

/// Fast-math flags of LLVM, under the names that Numba's `fastmath` option uses.
enum fast_math : std::uint8_t { nnan = 1, ninf = 2, nsz = 4, arcp = 8, contract = 16, afn = 32, reassoc = 64 };
inline constexpr std::uint8_t all_fast_math = 127;

/// Memory order and scope, as the numbers of kernel_api's MemoryOrder (which are C's) and MemoryScope.
struct memory_ordering {
  std::int64_t order = 0, scope = 3;  // relaxed, device
  std::int64_t number() const { return order * 8 + scope; }
  static memory_ordering of(std::int64_t number) { return {number / 8, number % 8}; }
};

struct instruction {
  operation what;
  machine_type type = machine_type::none;
  bool flag = false;
  std::uint32_t line = 0;
  std::uint32_t site = 0;  // index in `sites`
  std::uint32_t a = 0, b = 0, c = 0;
  std::int64_t number = 0;
  std::uint32_t text = 0;              // index in `texts`
  std::uint32_t first = 0, count = 0;  // range of `lists`
};

/// A variable of machine type; a Python variable has one for each part of its value.
struct variable_slot {
  machine_type type;
  std::string name;
};

/// An inlined call of a device function; the first site is the kernel itself.
struct call_site {
  std::string function, file;
  std::uint32_t line = 0;       // of the function's `def`
  std::uint32_t caller = 0;     // index in `sites`
  std::uint32_t called_at = 0;  // line of the call
};

/// A Python variable, for debug information.
struct debug_variable {
  std::string name;
  type of;
  std::uint32_t site = 0;
  std::uint32_t argument = 0;        // parameter number from 1; 0: a local variable
  std::vector<std::uint32_t> slots;  // of its parts; of arrays, debug_words_of_array() slots
};

/// Number of slots that describe an array to debuggers: size, bytes of an element, address, shape, strides in bytes.
inline constexpr int debug_words_of_array(int dimensions) { return 3 + 2 * dimensions; }

/// A kernel, or an elementwise function, in the intermediate form. Instruction 0 means "no value"; block 0 is the body.
struct kernel_ir {
  std::string name;
  std::string file;
  std::uint32_t line = 0;
  std::vector<instruction> instructions{1};
  std::vector<std::vector<std::uint32_t>> blocks{1};
  std::vector<variable_slot> variables;
  std::vector<std::shared_ptr<const external_function>> externals;  // callees by name
  bool debug = false;                                               // not optimised, with all variables in memory
  std::vector<call_site> sites;                                     // only if `debug`
  std::vector<debug_variable> debug_variables;                      // only if `debug`
  std::vector<std::string> texts;
  std::vector<std::uint32_t> lists;
  // Of an elementwise function: `argument` with offset k reads parameter k / 8, and bools are i8. Empty for kernels.
  std::vector<machine_type> parameters;
  std::vector<std::uint32_t> results;  // the parts of the returned scalar
  dtype result{};
  type result_type = nullptr;
  // Of a compiled loop: the types of its outputs, where an array is the argument of that name, and whether a work-item
  // executes many iterations, so that the innermost loops are vectorised and not the work-items.
  std::vector<type> outputs;
  // The positions of the outputs that the loop may leave as they were: None, or without a value. For each a bool, which
  // says whether the loop assigned it, follows the outputs in memory.
  std::vector<std::uint32_t> optional_outputs;
  bool many_iterations = false;
  bool outputs_of_groups = false;  // a work-group stores its outputs together
  bool raises = false;             // may end with an exception that Python would raise in the same place

  const std::string &text_of(const instruction &i) const { return texts[i.text]; }
};

/// The intermediate form as text. Two kernels with the same text compile to the same machine code, so it is the cache
/// key. Without `with_lines` it contains only those line numbers that error messages of the kernel report.
DPEP_API std::string text_of(const kernel_ir &, bool with_lines);

}  // namespace dpep::pykernel
