// Generates LLVM IR for compiled loops over blocks of elements.
#include <algorithm>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include <dpep/array_opcodes.hpp>

#include "array/cpu/operation_ir.hpp"

namespace dpep::array {
namespace {

void write_loop_kernel(std::string &text, std::span<const element_loop::input> inputs, const element_loop &loop,
                       std::string_view name) {
  text += fmt::format("define spir_kernel void @{}(ptr %arguments) #0 {{\nentry:\n", name);
  ir_writer w(text);
  // Addresses, and operands with one element for the whole block, are loaded once.
  const auto argument = [&](std::size_t i, const char *type) {
    const std::string at = w.let("getelementptr i8, ptr %arguments, i64 {}", 8 * i);
    return w.let("load {}, ptr {}, align 8, !invariant.load !0", type, at);
  };
  const std::string count = argument(0, "i64");
  std::vector<std::string> addresses, values(inputs.size() + loop.operations.size());
  for (std::size_t i = 0; i < inputs.size() + loop.results.size(); ++i) addresses.push_back(argument(1 + i, "ptr"));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].form == blocks::form::one)
      values[i] = w.let("load {}, ptr {}, align {}", ir_type(inputs[i].type), addresses[i], size_of(inputs[i].type));
  const std::string is_empty = w.let("icmp eq i64 {}, 0", count);
  w.line("br i1 {}, label %done, label %loop", is_empty);
  text += "loop:\n";
  w.line("%i = phi i64 [ 0, %entry ], [ %next, %loop ]");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].form == blocks::form::one) continue;
    const std::string type = ir_type(inputs[i].type),
                      at = w.let("getelementptr {}, ptr {}, i64 %i", type, addresses[i]);
    values[i] = w.let("load {}, ptr {}, align {}, !llvm.access.group !1", type, at, size_of(inputs[i].type));
  }
  for (std::size_t i = 0; i < loop.operations.size(); ++i)
    values[inputs.size() + i] = write_operation(w, loop, loop.operations[i], values);
  for (std::size_t i = 0; i < loop.results.size(); ++i) {
    const dtype t = loop.type_of(loop.results[i]);
    const std::string at = w.let("getelementptr {}, ptr {}, i64 %i", ir_type(t), addresses[inputs.size() + i]);
    w.line("store {} {}, ptr {}, align {}, !llvm.access.group !1", ir_type(t), values[loop.results[i]], at, size_of(t));
  }
  w.line("%next = add nuw i64 %i, 1");
  w.line("%more = icmp ult i64 %next, {}", count);
  w.line("br i1 %more, label %loop, label %done, !llvm.loop !2");
  text += "done:\n  ret void\n}\n";
}

/// The type of the real and imaginary parts of a complex number; empty for other numbers.
std::string part_type(dtype t) {
  return kind_of(t) != dtype_kind::complex ? "" : t == dtype::complex64 ? "float" : "double";
}

/// Loads a number. Complex numbers are loaded and stored by parts, so that loops over them can be vectorised.
std::string load_number(ir_writer &w, dtype t, const std::string &address, const char *metadata) {
  const std::string part = part_type(t);
  if (part.empty()) return w.let("load {}, ptr {}, align {}{}", user_function_type(t), address, size_of(t), metadata);
  const std::size_t bytes = size_of(t) / 2;
  const std::string imaginary_at = w.let("getelementptr i8, ptr {}, i64 {}", address, bytes);
  const std::string real = w.let("load {}, ptr {}, align {}{}", part, address, bytes, metadata);
  const std::string imaginary = w.let("load {}, ptr {}, align {}{}", part, imaginary_at, bytes, metadata);
  const std::string half = w.let("insertvalue {} poison, {} {}, 0", user_function_type(t), part, real);
  return w.let("insertvalue {} {}, {} {}, 1", user_function_type(t), half, part, imaginary);
}

void store_number(ir_writer &w, dtype t, const std::string &value, const std::string &address) {
  const std::string part = part_type(t);
  if (part.empty()) return w.line("store {} {}, ptr {}, align {}", user_function_type(t), value, address, size_of(t));
  const std::size_t bytes = size_of(t) / 2;
  const std::string imaginary_at = w.let("getelementptr i8, ptr {}, i64 {}", address, bytes);
  for (int k = 0; k < 2; ++k) {
    const std::string x = w.let("extractvalue {} {}, {}", user_function_type(t), value, k);
    w.line("store {} {}, ptr {}, align {}", part, x, k ? imaginary_at : address, bytes);
  }
}

/// Writes the kernel with a work-item for each element, which the kernel vectoriser compiles.
void write_item_kernel(std::string &text, const element_loop &loop, std::string_view name) {
  text += fmt::format("declare i64 @__dpep_global_id(i32)\n\ndefine spir_kernel void @{}(ptr %arguments) {{\n", name);
  ir_writer w(text);
  const std::string i = w.let("call i64 @__dpep_global_id(i32 0)");
  const auto address = [&](std::size_t k, dtype t, blocks::form form) {
    const std::string at = w.let("getelementptr i8, ptr %arguments, i64 {}", 8 * (k + 1));
    const std::string base = w.let("load ptr, ptr {}, align 8, !invariant.load !0", at);
    return form == blocks::form::one ? base : w.let("getelementptr {}, ptr {}, i64 {}", user_function_type(t), base, i);
  };
  const std::size_t inputs = loop.inputs.size();
  std::vector<std::string> values(inputs + loop.operations.size());
  for (std::size_t k = 0; k < inputs; ++k) {
    const dtype type = loop.inputs[k].type;
    const blocks::form form = loop.inputs[k].form;
    values[k] = load_number(w, type, address(k, type, form), form == blocks::form::one ? ", !invariant.load !0" : "");
  }
  for (std::size_t o = 0; o < loop.operations.size(); ++o)
    values[inputs + o] = write_operation(w, loop, loop.operations[o], values);
  for (std::size_t r = 0; r < loop.results.size(); ++r) {
    const dtype t = loop.type_of(loop.results[r]);
    store_number(w, t, values[loop.results[r]], address(inputs + r, t, blocks::form::vector));
  }
  text += "  ret void\n}\n";
}

}  // namespace

bool has_item_per_element(const element_loop &loop) noexcept {
  if (loop.row_length) return false;
  return !loop.short_axes.empty() || std::ranges::any_of(loop.operations, [](const element_loop::operation &o) {
    return o.function || o.code == opcode::sin || o.code == opcode::cos || o.code == opcode::tan;
  });
}

function_list element_loop::functions() const {
  function_list list;
  for (const operation &o : operations)
    if (o.function) list.push_back(o.function);
  return list;
}

std::string element_loop::key() const {
  std::string key = row_length ? fmt::format("rows of {}: ", row_length) : "";
  if (chunk) key = fmt::format("chunks of {}: ", chunk);
  for (const std::int64_t n : short_axes) key += fmt::format("{} x ", n);
  const auto axes_key = [&](axis_set axes) {
    return short_axes.empty() ? std::string() : fmt::format("{{{}}}", axes.bits());
  };
  for (const input &i : inputs)
    key +=
        fmt::format("{}{}{}{}{}{}", code_of(i.type), i.form == blocks::form::one ? "'" : "", i.is_position ? "#" : "",
                    i.is_overwritten ? "=" : "", i.is_repeated ? "%" : "", axes_key(i.axes));
  for (const operation &o : operations) {
    key += fmt::format("|{}{}{}", o.reduces ? "r" : "",
                       o.reduces ? static_cast<int>(*o.reduces) : static_cast<int>(o.code), code_of(o.type));
    if (o.function) key += o.function->symbol;
    key += axes_key(o.axes | o.over);
    if (o.reduces) key += axes_key(o.over);
    if (o.of_segment != operation::state::none) key += o.of_segment == operation::state::merged ? "m" : "c";
    for (std::uint8_t i = 0; i < o.count; ++i) key += fmt::format(" {}", o.operands[i]);
  }
  key += '>';
  for (const std::uint16_t r : results) key += fmt::format(" {}", r);
  return key;
}

std::string loop_ir(const element_loop &loop, std::string_view name) {
  std::string text = fmt::format("; {}\n", loop.key());
  if (loop.row_length) return text + row_loop_ir(loop, name);
  if (loop.has_chunks()) return text + chunk_loop_ir(loop, name);
  if (!loop.short_axes.empty()) return text + short_axis_loop_ir(loop, name);
  if (has_item_per_element(loop)) {
    write_item_kernel(text, loop, name);
    return text + declarations(loop) + "!0 = !{}\n";
  }
  write_loop_kernel(text, loop.inputs, loop, name);
  text += declarations(loop);
  // elements of a block are independent of each other, although a result may have the location of an input
  text += "!0 = !{}\n!1 = distinct !{}\n!2 = distinct !{!2, !3}\n!3 = !{!\"llvm.loop.parallel_accesses\", !1}\n";
  return text;
}

}  // namespace dpep::array
