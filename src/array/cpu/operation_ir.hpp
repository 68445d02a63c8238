// Writes element operations as LLVM IR; used for compiled loops of the CPU executor and for kernels of the GPU
// executor.
//
// The instructions are those of the functions in src/device/elements, which clang compiled when dpep was built (see
// src/device/inline). Mathematical functions are calls of the device library by their libm names. Bools are bytes of 0
// or 1. There are no fast-math flags: each operation rounds by itself, so that a result does not depend on whether
// block kernels or compiled loops computed it.
#pragma once

#include <set>
#include <span>
#include <string>

#include <fmt/format.h>

#include "array/cpu/compiled_loop.hpp"

namespace dpep::array {

inline bool is_float(dtype t) noexcept { return t == dtype::float32 || t == dtype::float64; }

/// Appends instructions to a text, one a line.
class ir_writer {
public:
  explicit ir_writer(std::string &text) : text_(text) {}

  /// Appends the instruction; returns the name of the new register that holds its result.
  template <class... A> std::string let(fmt::format_string<A...> instruction, A &&...arguments) {
    std::string name = fmt::format("%t{}", next_++);
    text_ += fmt::format("  {} = {}\n", name, fmt::format(instruction, std::forward<A>(arguments)...));
    return name;
  }
  template <class... A> void line(fmt::format_string<A...> instruction, A &&...arguments) {
    text_ += "  " + fmt::format(instruction, std::forward<A>(arguments)...) + '\n';
  }

private:
  std::string &text_;
  int next_ = 0;
};

/// The LLVM type of an element. Half precision and complex numbers are integers of the same size.
std::string ir_type(dtype);
/// The type in the signatures of users' functions: half precision and complex numbers have types of their own there,
/// whereas ir_type() returns integers.
std::string user_function_type(dtype);
/// Writes the operation; returns the name of its result. `values`: the names of all values before it.
std::string write_operation(ir_writer &, const element_loop &, const element_loop::operation &,
                            std::span<const std::string> values);
/// The operation that combines two elements of a reduction; nothing for positions, truth values and others.
std::optional<opcode> pair_operation(reduction) noexcept;
/// Writes an operation on two values of a type, whose result has this type, too.
std::string write_pair(ir_writer &, opcode, dtype, const std::string &x, const std::string &y);
/// Whether write_operation() can write the operation. Others have branches, or are long: they are functions of
/// src/device/array.
bool has_body(opcode, std::span<const dtype> operands, dtype result) noexcept;
/// Adds the declarations of the functions that the operation calls.
void declare(const element_loop &, const element_loop::operation &, std::set<std::string> &declarations);
/// Whether the loop calls functions. The intrinsics in the bodies of operations (square roots, absolute values,
/// rounding, extremes of integers) become instructions and do not count.
bool has_calls(const element_loop &);
/// The declarations of all called functions, and the attributes (#0) of the kernel: it is one work-item, in which loops
/// are vectorised.
std::string declarations(const element_loop &);
/// The kernel of a loop over rows, with its declarations.
std::string row_loop_ir(const element_loop &, std::string_view name);
/// The kernel of a loop over chunks of a block, with its declarations.
std::string chunk_loop_ir(const element_loop &, std::string_view name);
/// The kernel of a loop with inner loops over short axes, with its declarations.
std::string short_axis_loop_ir(const element_loop &, std::string_view name);

}  // namespace dpep::array
