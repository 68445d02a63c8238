// Shared by the kernel generators of scans: states of the accumulation, and elements of the two operands.
#pragma once

#include "array/gpu/scan_kernel.hpp"

namespace dpep::array::gpu {

class scan_text {
public:
  explicit scan_text(const scan_task &);

protected:
  static std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

  const scan_task &task_;
  kernel_text text_;
  const std::string name_;
  const std::size_t bytes_;
  const std::string type_;

  std::int64_t item() const { return std::int64_t(size_of(task_.type)); }
  /// Whether accumulating is long code, of which a kernel has one copy.
  bool has_long_steps() const { return task_.how == accumulation::logsumexp; }
  std::string state() { return text_.variable(fmt::format("[{} x i8]", bytes_), 16); }
  void start(const std::string &s) { text_.call(name_ + "_start", "ptr", "ptr " + s); }
  void take(const std::string &s, const std::string &element) {
    text_.call(name_ + "_take", "ptr, ptr, i64", fmt::format("ptr {}, ptr {}, i64 0", s, element), has_long_steps());
  }
  void merge(const std::string &into, const std::string &from) {
    text_.call(name_ + "_merge", "ptr, ptr", fmt::format("ptr {}, ptr {}", into, from), has_long_steps());
  }
  void result(const std::string &to, const std::string &s) {
    text_.call(name_ + "_result", "ptr, ptr", fmt::format("ptr {}, ptr {}", to, s), has_long_steps());
  }
  void copy(const std::string &to, const std::string &from) { copy_state(text_, bytes_, to, from); }
  std::string arithmetic(const char *what, const std::string &a, const auto &b) {
    return text_.let("{} {} {}, {}", what, text_.index_type(), a, b);
  }
  std::string minus_one(const std::string &x) { return arithmetic("sub", x, 1); }
  std::string compare(const char *how, const std::string &a, const auto &b) {
    return text_.let("icmp {} {} {}, {}", how, text_.index_type(), a, b);
  }
  std::string select(const std::string &condition, const std::string &a, const std::string &b) {
    return text_.let("select i1 {}, {} {}, {} {}", condition, text_.index_type(), a, text_.index_type(), b);
  }
  std::string element_at(std::size_t operand, const std::string &index) {
    return text_.let("getelementptr {}, ptr {}, i64 {}", type_, text_.memory(operand), text_.to_64(index));
  }
  std::string at(const std::string &base, const std::string &index, std::size_t bytes) {
    return text_.let("getelementptr i8, ptr {}, i64 {}", base, text_.let("mul i64 {}, {}", text_.to_64(index), bytes));
  }
  unsigned alignment() const { return unsigned(size_of(real_of(task_.type))); }
  std::string load(std::size_t operand, const std::string &index) {
    return text_.let("load {}, ptr {}, align {}", type_, element_at(operand, index), alignment());
  }
  void store(const std::string &value, const std::string &index) {
    text_.line("store {} {}, ptr {}, align {}", type_, value, element_at(1, index), alignment());
  }
};

}  // namespace dpep::array::gpu
