// Operations of fused runs as LLVM instructions: for what generates their code.
//
// The operations that are an instruction or two are written out; mathematical functions are calls of the device
// library by their libm names. Bools are bytes of 0 or 1. No fast-math flags: each operation rounds by itself, so that
// a result does not depend on which tier computed it.
#pragma once

#include <span>
#include <string>

#include <fmt/format.h>

#include "array/cpu/compiled_loop.hpp"

namespace dpep::array {

inline bool is_float(dtype t) noexcept { return t == dtype::float32 || t == dtype::float64; }

/// Instructions of one operation, appended line by line.
class writer {
public:
  explicit writer(std::string &text) : text_(text) {}

  /// A fresh register with what the instruction computes.
  template <class... A> std::string let(fmt::format_string<A...> instruction, A &&...arguments) {
    std::string name = fmt::format("%t{}", next_++);
    text_ += fmt::format("  {} = {}\n", name, fmt::format(instruction, std::forward<A>(arguments)...));
    return name;
  }
  template <class... A> void line(fmt::format_string<A...> instruction, A &&...arguments) {
    text_ += "  " + fmt::format(instruction, std::forward<A>(arguments)...) + '\n';
  }
  std::string as_byte(const std::string &bit) { return let("zext i1 {} to i8", bit); }
  std::string as_bit(const std::string &byte) { return let("icmp ne i8 {}, 0", byte); }

private:
  std::string &text_;
  int next_ = 0;
};

std::string ir_type(dtype);
/// The same as functions of users have it: half precision and complex numbers are no bits there.
std::string number_type(dtype);
/// The operation's result, given the names of all values before it.
std::string write_operation(writer &, const element_run &, const element_run::operation &,
                            std::span<const std::string> values);
/// The larger (smaller) of two; a NaN wins, the first one's if both are.
std::string extreme(writer &, bool larger, dtype, const std::string &x, const std::string &y);
/// The function that the operation calls; empty where it is instructions.
std::string declaration_of(const element_run &, const element_run::operation &);
/// The functions that the run's operations call, and the attributes (#0) of its own: it is one work-item, whose loops
/// are what is vectorised.
std::string declarations(const element_run &);
/// The kernel of a run over rows, and what it declares.
std::string generate_rows(const element_run &, std::string_view name);

}  // namespace dpep::array
