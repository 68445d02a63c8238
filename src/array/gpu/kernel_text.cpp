// Generates the LLVM IR of a kernel.
#include "array/gpu/kernel_text.hpp"

#include <dpep/array_opcodes.hpp>

#include <algorithm>
#include <cstring>

namespace dpep::array::gpu {

kernel_text::kernel_text(bool wide) : ir_writer(code_), index_type_(wide ? "i64" : "i32") {}

std::string kernel_text::let_at_entry(const std::string &instruction) {
  std::string name = fmt::format("%a{}", next_entry_++);
  entry_ += fmt::format("  {} = {}\n", name, instruction);
  return name;
}

std::string kernel_text::at_entry(const std::string &key, const std::string &instruction) {
  std::string &name = cached_[key];
  if (name.empty()) {
    name = let_at_entry(instruction);
    if (!wide()) name = let_at_entry(fmt::format("trunc i64 {} to i32", name));
  }
  return name;
}

std::string kernel_text::variable(const std::string &type, unsigned alignment) {
  return let_at_entry(fmt::format("alloca {}, align {}", type, alignment));
}

std::string kernel_text::arithmetic(const char *what, const std::string &a, const std::string &b) {
  const bool sum = *what == 'a';
  if (a == (sum ? "0" : "1")) return b;
  if (b == (sum ? "0" : "1")) return a;
  if (!sum && (a == "0" || b == "0")) return "0";
  return let("{} {} {}, {}", what, index_type_, a, b);
}

std::string kernel_text::to_64(const std::string &index) {
  if (wide() || index.find_first_not_of("0123456789") == std::string::npos) return index;
  return let("zext nneg i32 {} to i64", index);  // indices are never negative
}

std::size_t kernel_text::reserve(std::size_t bytes, std::size_t alignment) {
  const std::size_t at = (arguments_.bytes.size() + alignment - 1) / alignment * alignment;
  arguments_.bytes.resize(at + bytes);
  return at;
}

std::string kernel_text::read(std::size_t offset, const std::string &type, unsigned alignment) {
  const std::string at = let_at_entry(fmt::format("getelementptr i8, ptr %arguments, i64 {}", offset));
  return let_at_entry(fmt::format("load {}, ptr {}, align {}, !invariant.load !0", type, at, alignment));
}

std::string kernel_text::number_of(const std::string &type, const std::string &key, std::int64_t value) {
  std::string &name = cached_[type + key];
  if (!name.empty()) return name;
  const std::size_t bytes = type == "i64" ? 8 : 4, at = reserve(bytes, bytes);
  std::memcpy(arguments_.bytes.data() + at, &value, bytes);
  return name = read(at, type, unsigned(bytes));
}
std::string kernel_text::number(const std::string &key, std::int64_t value) {
  return number_of(index_type_, key, value);
}
std::string kernel_text::number_64(const std::string &key, std::int64_t value) { return number_of("i64", key, value); }
std::string kernel_text::number_32(const std::string &key, std::int64_t value) { return number_of("i32", key, value); }

std::string kernel_text::address(argument_patch::kind what, std::size_t index) {
  std::string &name = cached_[fmt::format("address {} {}", int(what), index)];
  if (!name.empty()) return name;
  const std::size_t at = reserve(8, 8);
  arguments_.patches.push_back({what, std::uint16_t(at), {}, index});
  return name = read(at, "ptr", 8);
}

std::string kernel_text::scalar(std::uint16_t which, dtype type) {
  std::string &name = cached_[fmt::format("scalar {} {}", which, int(type))];
  if (!name.empty()) return name;
  const std::size_t at = reserve(16, 16);
  arguments_.patches.push_back({argument_patch::kind::scalar, std::uint16_t(at), type, which});
  return name = read(at, ir_type(type), unsigned(size_of(type)));
}

std::string kernel_text::ramp(std::uint16_t which) {
  std::string &name = cached_[fmt::format("ramp {}", which)];
  if (!name.empty()) return name;
  const std::size_t at = reserve(sizeof(ramp_argument), 8);
  arguments_.patches.push_back({argument_patch::kind::ramp, std::uint16_t(at), {}, which});
  return name = let_at_entry(fmt::format("getelementptr i8, ptr %arguments, i64 {}", at));
}

void kernel_text::call(const std::string &name, const std::string &parameters, const std::string &arguments,
                       bool noinline) {
  declared_.insert(fmt::format("declare void @{}({})\n", name, parameters));
  line("call void @{}({}){}", name, arguments, noinline ? " noinline" : "");
}

std::string kernel_text::function_address(const std::string &name, std::initializer_list<const char *> parameters,
                                          bool noinline) {
  const std::string types = fmt::format("{}", fmt::join(parameters, ", "));
  declared_.insert(fmt::format("declare void @{}({})\n", name, types));
  if (!noinline) return "@" + name;
  std::string arguments;
  int number = 0;
  for (const char *type : parameters) arguments += fmt::format("{}{} %{}", number ? ", " : "", type, number), ++number;
  functions_ += fmt::format("define internal void @call_{0}({1}) noinline {{\n  call void @{0}({2})\n  ret void\n}}\n",
                            name, types, arguments);
  return "@call_" + name;
}

std::string kernel_text::function(const user_function &f, std::span<const std::string> values) {
  const auto bit_cast = [&](const std::string &value, const std::string &from, const std::string &to) {
    if (from == to) return value;
    const std::string at = variable(from, 16);
    line("store {} {}, ptr {}", from, value, at);
    return let("load {}, ptr {}", to, at);
  };
  element_loop loop;
  element_loop::operation o{user_code, f.to};
  o.function = ref<const user_function>::share(&f);
  o.count = std::uint8_t(f.from.size());
  std::vector<std::string> numbers;
  for (std::size_t k = 0; k < f.from.size(); ++k) {
    loop.inputs.push_back({f.from[k], blocks::form::vector});
    o.operands[k] = std::uint16_t(k);
    numbers.push_back(bit_cast(values[k], ir_type(f.from[k]), user_function_type(f.from[k])));
  }
  const std::string result = write_operation(*this, loop, o, numbers);
  declare(loop, o, declared_);
  return bit_cast(result, user_function_type(f.to), ir_type(f.to));
}

std::string kernel_text::operation(opcode code, dtype result, std::span<const dtype> types,
                                   std::span<const std::string> values) {
  const auto is_float32 = [](dtype t) { return t == dtype::float32; };
  const bool of_result = for_results_ && (code == opcode::divide || code == opcode::sqrt) && is_float32(result) &&
                         std::ranges::all_of(types, is_float32);
  if (!of_result && has_body(code, types, result)) {
    element_loop loop;
    for (const dtype t : types) loop.inputs.push_back({t, blocks::form::vector});
    const element_loop::operation o{code, result, {0, 1, 2}, std::uint8_t(types.size())};
    std::string name = write_operation(*this, loop, o, values);
    declare(loop, o, declared_);
    return name;
  }
  // library functions take addresses
  const std::string to = variable(ir_type(result), 16);
  std::string parameters = "ptr", arguments = "ptr " + to;
  for (std::size_t k = 0; k < types.size(); ++k) {
    const std::string from = variable(ir_type(types[k]), 16);
    line("store {} {}, ptr {}", ir_type(types[k]), values[k], from);
    parameters += ", ptr";
    arguments += ", ptr " + from;
  }
  const dtype cast_types[] = {types[0], result};
  const std::string name = of_result ? fmt::format("dpep_result_{}_{}", info(code).function, name_of(types[0]))
                                     : library_function(code, code == opcode::cast ? cast_types : types);
  call(name, parameters, arguments);
  return let("load {}, ptr {}", ir_type(result), to);
}

std::string kernel_text::local_memory(std::size_t bytes) {
  local_bytes_ = std::max(local_bytes_, bytes);
  return "%local";
}

std::string kernel_text::finish(std::string_view name, std::string_view comment) {
  std::string module = fmt::format("; {}\n@work_group_memory = internal constant i8 0\n", comment);
  module += fmt::format("define spir_kernel void @{}(ptr %arguments) #2 {{\nentry:\n{}", name, entry_);
  if (local_bytes_)
    module += fmt::format("  %local = call ptr @__dpep_static_local_memory(i64 {}, i64 16, ptr @work_group_memory)\n",
                          local_bytes_);
  module += "  br label %start\nstart:\n" + code_ + "  ret void\n}\n" + functions_;
  for (const std::string &declaration : declared_) module += declaration;
  module += "declare i64 @__dpep_group_id(i32) #1\n"
            "declare i64 @__dpep_local_id(i32) #1\n"
            "declare ptr @__dpep_static_local_memory(i64, i64, ptr) #1\n"
            "declare void @__dpep_group_barrier() #0\n"
            "attributes #0 = { convergent nounwind }\n"
            "attributes #1 = { nounwind willreturn memory(none) }\n"
            "!0 = !{}\n!1 = !{i32 1}\n!2 = !{!\"llvm.loop.unroll.disable\"}\n";
  for (int k = 1; k <= rolled_loops_; ++k) module += fmt::format("!{0} = distinct !{{!{0}, !2}}\n", 2 + k);
  // jit/targets/nvptx/loops.cpp decides how far loops are unrolled, and tells the assembler
  module += fmt::format("attributes #2 = {{ \"nvvm.minctasm\"=\"{}\" \"dpep-unrolled\" }}\n", resident_groups_);
  return module;
}

}  // namespace dpep::array::gpu
