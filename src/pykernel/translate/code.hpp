// The compiler's intermediate form: typed instructions on machine numbers, in structured blocks.
//
// Everything that Python has more of (tuples, arrays, complex numbers, methods) is gone: the translator takes it apart.
// Nothing here is LLVM's, so a kernel whose machine code is in the disk cache is never lowered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pykernel/syntax/entity.hpp"
#include "pykernel/types/types.hpp"

namespace dpep::pykernel {

enum class machine : std::uint8_t { none, i1, i8, i16, i32, i64, f16, f32, f64, address };
inline bool is_float(machine t) { return t == machine::f16 || t == machine::f32 || t == machine::f64; }
int bits_of(machine);  // 64 for addresses
const char *name_of(machine);

enum class operation : std::uint8_t {
  // values; a, b, c are values
  integer,   // number
  real,      // number: the double's bits
  argument,  // number: byte offset in the kernel's arguments; c: it is not negative, and has at most that many bits
  get,       // number: the variable
  private_memory,  // number: elements of machine type `c`; zeroed when flag
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
  ashr,  // flag: no signed wrap
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
  fle,     // operands' type is a's; comparisons with NaN are false, fne true
  select,  // a ? b : c; number of what is computed in floats: `fast_math` flags
  trunc,
  zext,
  sext,
  fptosi,
  fptoui,
  sitofp,
  uitofp,
  fpcast,
  bits,
  wrap,              // index a, or, when it is negative, which c says, a + b: counted from the end
  offset,            // address a + b * number bytes
  load,              // from address a; flag: constant while the kernel runs
  string,            // address of `text`
  call,              // function `text`, list of arguments
  complex_call,      // C's complex function `text` of parts; its result goes to address a
  atomic,            // text: add, sub, and, or, xor, min, max, umin, umax, fadd, fsub, fmin, fmax,
                     // xchg, load, store: at a, with b; number: `memory_ordering`
  compare_exchange,  // at a: b expected, c desired; the old value; number: as above
  // effects
  set,         // variable `number` = a
  store,       // b to address a
  fence,       // number: `memory_ordering`
  fail,        // ends the kernel; text: what to say; number: line; more text: file, function
  fail_index,  // the same: index a is out of range for axis `c` of length b; text: file, function
  // structure; blocks by number
  branch,  // if a: block b, else block c (0: none)
  loop,    // block b computes a; while it is true: block c
  scope,   // block b; `leave` with the same number goes behind it
  leave,   // number of the scope
};

/// What may be assumed of floats: LLVM's flags, as Numba's `fastmath` names them.
enum fast_math : std::uint8_t { nnan = 1, ninf = 2, nsz = 4, arcp = 8, contract = 16, afn = 32, reassoc = 64 };
inline constexpr std::uint8_t all_fast_math = 127;

/// How accesses to memory are ordered, and for whom: kernel_api's MemoryOrder, whose numbers are C's, and MemoryScope.
struct memory_ordering {
  std::int64_t order = 0, scope = 3;  // relaxed, the device
  std::int64_t number() const { return order * 8 + scope; }
  static memory_ordering of(std::int64_t number) { return {number / 8, number % 8}; }
};

struct instruction {
  operation what;
  machine type = machine::none;
  bool flag = false;
  std::uint32_t line = 0;
  std::uint32_t site = 0;  // in `sites`
  std::uint32_t a = 0, b = 0, c = 0;
  std::int64_t number = 0;
  std::uint32_t text = 0;              // in `texts`
  std::uint32_t first = 0, count = 0;  // in `lists`
};

struct variable_slot {
  machine type;
  std::string name;
};

/// A function in the code: the kernel, the first of them, or a device function at one of its calls.
struct call_site {
  std::string function, file;
  std::uint32_t line = 0;       // of its `def`
  std::uint32_t caller = 0;     // in `sites`
  std::uint32_t called_at = 0;  // the call's line
};

/// A variable as its program knows it, for debuggers.
struct shown_variable {
  std::string name;
  type of;
  std::uint32_t site = 0;
  std::uint32_t argument = 0;        // counted from 1; 0: it is none
  std::vector<std::uint32_t> slots;  // of its parts, an array's as shown_parts_of_array says
};

/// What debuggers see of an array: its size, an element's bytes, the address, then shape and strides in bytes.
inline constexpr int shown_parts_of_array(int dimensions) { return 3 + 2 * dimensions; }

/// One kernel. Value 0 is nothing; block 0 is the kernel's body.
struct code {
  std::string name;
  std::string file;
  std::uint32_t line = 0;
  std::vector<instruction> instructions{1};
  std::vector<std::vector<std::uint32_t>> blocks{1};
  std::vector<variable_slot> variables;
  std::vector<std::shared_ptr<const external_function>> externals;  // that calls name
  bool debug = false;            // compiled for debuggers: as written, with all variables in memory
  std::vector<call_site> sites;  // with `debug`, like `shown`
  std::vector<shown_variable> shown;
  std::vector<std::string> texts;
  std::vector<std::uint32_t> lists;
  // Of a function of numbers rather than a kernel: argument k is parameter k / 8. Truths are bytes.
  std::vector<machine> parameters;
  std::vector<std::uint32_t> results;  // values: a number's parts
  dtype result{};
  type result_type = nullptr;

  const std::string &text_of(const instruction &i) const { return texts[i.text]; }
};

/// For people, and what two kernels have in common exactly when they compile to the same: lines only count where an
/// instruction says them.
DPEP_API std::string text_of(const code &, bool with_lines);

}  // namespace dpep::pykernel
