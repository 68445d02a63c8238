// Writes reductions of a block as LLVM IR.
#include "array/cpu/reduction_ir.hpp"

#include <limits>

namespace dpep::array {
namespace {

std::string vector_type(const std::string &type, std::size_t lanes) {
  return lanes ? fmt::format("<{} x {}>", lanes, type) : type;
}

}  // namespace

std::string reduction_identity(reduction how, dtype t) {
  const bool largest = how == reduction::max;
  // LLVM writes hexadecimal floats as the bits of a double
  if (is_float(t)) return how == reduction::sum ? "0.0" : largest ? "0xFFF0000000000000" : "0x7FF0000000000000";
  const std::size_t bits = 8 * size_of(t);
  if (how == reduction::sum) return "0";
  if (kind_of(t) == dtype_kind::unsigned_integer) return largest ? "0" : "-1";
  const std::int64_t least = std::numeric_limits<std::int64_t>::min() >> (64 - bits);
  return fmt::format("{}", largest ? least : ~least);
}

std::string write_combination(ir_writer &w, reduction how, dtype t, const std::string &a, const std::string &b,
                              std::size_t lanes) {
  const std::string type = vector_type(ir_type(t), lanes), bits = vector_type("i1", lanes);
  if (how == reduction::sum) return w.let("{} {} {}, {}", is_float(t) ? "fadd" : "add", type, a, b);
  const bool largest = how == reduction::max;
  const auto select = [&](const std::string &condition, const std::string &yes, const std::string &no) {
    return w.let("select {} {}, {} {}, {} {}", bits, condition, type, yes, type, no);
  };
  if (!is_float(t)) {
    const char sign = kind_of(t) == dtype_kind::unsigned_integer ? 'u' : 's';
    return select(w.let("icmp {}{} {} {}, {}", sign, largest ? "gt" : "lt", type, b, a), b, a);
  }
  // b if it exceeds a, or is NaN
  const std::string exceeds = w.let("fcmp {} {} {}, {}", largest ? "ogt" : "olt", type, b, a);
  const std::string nan = w.let("fcmp uno {} {}, {}", type, b, b);
  return select(w.let("or {} {}, {}", bits, exceeds, nan), b, a);
}

std::string write_combinations(ir_writer &w, reduction how, dtype t, std::vector<std::string> partial,
                               std::size_t lanes) {
  for (std::size_t step = partial.size() / 2; step > 0; step /= 2)
    for (std::size_t k = 0; k < step; ++k)
      partial[k] = write_combination(w, how, t, partial[k], partial[k + step], lanes);
  std::string result = partial[0];
  for (std::size_t width = lanes, step = lanes / 2; step > 0; width = step, step /= 2) {
    const auto half = [&](std::size_t first) {
      std::string mask;
      for (std::size_t k = 0; k < step; ++k) mask += fmt::format("{}i32 {}", k ? ", " : "", first + k);
      return w.let("shufflevector {0} {1}, {0} poison, <{2} x i32> <{3}>", vector_type(ir_type(t), width), result, step,
                   mask);
    };
    const std::string low = half(0), high = half(step);
    result = write_combination(w, how, t, low, high, step);
  }
  return w.let("extractelement <1 x {}> {}, i64 0", ir_type(t), result);
}

}  // namespace dpep::array
