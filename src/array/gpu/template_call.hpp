// Generates a kernel that is one call of a template of src/device/array.
#pragma once

#include <string>

#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

class template_call {
public:
  explicit template_call(bool wide) : text_(wide) {}

  const std::string &index_type() const { return text_.index_type(); }
  void argument(const std::string &type, const std::string &value) {
    parameters_ += (parameters_.empty() ? "" : ", ") + type;
    arguments_ += (arguments_.empty() ? "" : ", ") + type + " " + value;
  }
  void memory(std::size_t operand) { argument("ptr", text_.memory(operand)); }
  void counters() { argument("ptr", text_.counters()); }
  void scalar_64(std::uint16_t which) { argument("i64", text_.scalar(which, dtype::int64)); }
  void scalar(std::uint16_t which, dtype type) { argument(ir_type(type), text_.scalar(which, type)); }
  void scalar_32(std::uint16_t which) { argument("i32", text_.scalar(which, dtype::uint32)); }
  // Numbers that each launch passes, so that arrays of all sizes have the same code.
  void size_64(const std::string &key, std::int64_t value) { argument("i64", text_.number_64(key, value)); }
  void size(const std::string &key, std::int64_t value) { argument(text_.index_type(), text_.number(key, value)); }
  void size_32(const std::string &key, std::int64_t value) { argument("i32", text_.number_32(key, value)); }
  /// A number that is part of the code.
  void constant(const std::string &type, std::int64_t value) { argument(type, std::to_string(value)); }
  void local_memory(std::size_t bytes) { argument("ptr", text_.local_memory(bytes)); }
  /// The address of a function.
  void function(const std::string &name, std::initializer_list<const char *> parameters, bool noinline = false) {
    argument("ptr", text_.function_address(name, parameters, noinline));
  }

  /// Completes the kernel, which calls the function.
  generated_kernel finish(std::string name, const std::string &function, std::int64_t local, std::int64_t groups,
                          int resident_groups) {
    text_.call(function, parameters_, arguments_);
    text_.set_resident_groups(resident_groups);
    generated_kernel kernel;
    kernel.name = std::move(name);
    kernel.text = text_.finish(kernel.name, function);
    kernel.arguments = text_.take_arguments();
    kernel.local = std::uint32_t(local);
    kernel.groups = groups;
    return kernel;
  }

private:
  kernel_text text_;
  std::string parameters_, arguments_;
};

}  // namespace dpep::array::gpu
