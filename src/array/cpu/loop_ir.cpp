// Fused runs over blocks of elements as LLVM IR.
#include <algorithm>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "array/cpu/ir_operations.hpp"
#include "array/cpu/find_loops.hpp"

namespace dpep::array {
namespace {

void append(std::string &text, std::span<const element_run::input> inputs, const element_run &run,
            std::string_view name) {
  text += fmt::format("define spir_kernel void @{}(ptr %arguments) #0 {{\nentry:\n", name);
  writer w(text);
  // Addresses are read once; operands that are the same for all elements, too.
  const auto argument = [&](std::size_t i, const char *type) {
    const std::string place = w.let("getelementptr i8, ptr %arguments, i64 {}", 8 * i);
    return w.let("load {}, ptr {}, align 8, !invariant.load !0", type, place);
  };
  const std::string count = argument(0, "i64");
  std::vector<std::string> addresses, values(inputs.size() + run.operations.size());
  for (std::size_t i = 0; i < inputs.size() + run.results.size(); ++i) addresses.push_back(argument(1 + i, "ptr"));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].form == blocks::form::one)
      values[i] = w.let("load {}, ptr {}, align {}", ir_type(inputs[i].type), addresses[i], size_of(inputs[i].type));
  const std::string nothing = w.let("icmp eq i64 {}, 0", count);
  w.line("br i1 {}, label %done, label %loop", nothing);
  text += "loop:\n";
  w.line("%i = phi i64 [ 0, %entry ], [ %next, %loop ]");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].form == blocks::form::one) continue;
    const std::string type = ir_type(inputs[i].type),
                      place = w.let("getelementptr {}, ptr {}, i64 %i", type, addresses[i]);
    values[i] = w.let("load {}, ptr {}, align {}, !llvm.access.group !1", type, place, size_of(inputs[i].type));
  }
  for (std::size_t i = 0; i < run.operations.size(); ++i)
    values[inputs.size() + i] = write_operation(w, run, run.operations[i], values);
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    const dtype t = run.type_of(run.results[i]);
    const std::string place = w.let("getelementptr {}, ptr {}, i64 %i", ir_type(t), addresses[inputs.size() + i]);
    w.line("store {} {}, ptr {}, align {}, !llvm.access.group !1", ir_type(t), values[run.results[i]], place,
           size_of(t));
  }
  w.line("%next = add nuw i64 %i, 1");
  w.line("%more = icmp ult i64 %next, {}", count);
  w.line("br i1 %more, label %loop, label %done, !llvm.loop !2");
  text += "done:\n  ret void\n}\n";
}

/// The type of a complex number's parts; empty for other numbers.
std::string part_type(dtype t) {
  return kind_of(t) != dtype_kind::complex ? "" : t == dtype::complex64 ? "float" : "double";
}

/// Complex numbers are read and written by their parts, so that loops over them become loops over vectors.
std::string load_number(writer &w, dtype t, const std::string &address, const char *metadata) {
  const std::string part = part_type(t);
  if (part.empty()) return w.let("load {}, ptr {}, align {}{}", number_type(t), address, size_of(t), metadata);
  const std::size_t bytes = size_of(t) / 2;
  const std::string imaginary_at = w.let("getelementptr i8, ptr {}, i64 {}", address, bytes);
  const std::string real = w.let("load {}, ptr {}, align {}{}", part, address, bytes, metadata);
  const std::string imaginary = w.let("load {}, ptr {}, align {}{}", part, imaginary_at, bytes, metadata);
  const std::string half = w.let("insertvalue {} poison, {} {}, 0", number_type(t), part, real);
  return w.let("insertvalue {} {}, {} {}, 1", number_type(t), half, part, imaginary);
}

void store_number(writer &w, dtype t, const std::string &value, const std::string &address) {
  const std::string part = part_type(t);
  if (part.empty()) return w.line("store {} {}, ptr {}, align {}", number_type(t), value, address, size_of(t));
  const std::size_t bytes = size_of(t) / 2;
  const std::string imaginary_at = w.let("getelementptr i8, ptr {}, i64 {}", address, bytes);
  for (int k = 0; k < 2; ++k) {
    const std::string x = w.let("extractvalue {} {}, {}", number_type(t), value, k);
    w.line("store {} {}, ptr {}, align {}", part, x, k ? imaginary_at : address, bytes);
  }
}

/// Runs with functions of the user's: a work-item an element, for the vectoriser that knows branches and loops.
void append_items(std::string &text, const element_run &run, std::string_view name) {
  text += fmt::format("declare i64 @__dpep_global_id(i32)\n\ndefine spir_kernel void @{}(ptr %arguments) {{\n", name);
  writer w(text);
  const std::string i = w.let("call i64 @__dpep_global_id(i32 0)");
  const auto address = [&](std::size_t k, dtype t, blocks::form form) {
    const std::string place = w.let("getelementptr i8, ptr %arguments, i64 {}", 8 * (k + 1));
    const std::string base = w.let("load ptr, ptr {}, align 8, !invariant.load !0", place);
    return form == blocks::form::one ? base : w.let("getelementptr {}, ptr {}, i64 {}", number_type(t), base, i);
  };
  const std::size_t inputs = run.inputs.size();
  std::vector<std::string> values(inputs + run.operations.size());
  for (std::size_t k = 0; k < inputs; ++k) {
    const auto [type, form] = run.inputs[k];
    values[k] = load_number(w, type, address(k, type, form), form == blocks::form::one ? ", !invariant.load !0" : "");
  }
  for (std::size_t o = 0; o < run.operations.size(); ++o)
    values[inputs + o] = write_operation(w, run, run.operations[o], values);
  for (std::size_t r = 0; r < run.results.size(); ++r) {
    const dtype t = run.type_of(run.results[r]);
    store_number(w, t, values[run.results[r]], address(inputs + r, t, blocks::form::vector));
  }
  text += "  ret void\n}\n";
}

}  // namespace

bool goes_by_items(const element_run &run) noexcept {
  if (run.row) return false;
  return std::ranges::any_of(run.operations, [](const element_run::operation &o) {
    return o.function || o.code == opcode::sin || o.code == opcode::cos || o.code == opcode::tan;
  });
}

function_list element_run::functions() const {
  function_list list;
  for (const operation &o : operations)
    if (o.function) list.push_back(o.function);
  return list;
}

std::string element_run::key() const {
  std::string key = row ? fmt::format("rows of {}: ", row) : "";
  for (const input &i : inputs) key += fmt::format("{}{}", code_of(i.type), i.form == blocks::form::one ? "'" : "");
  for (const operation &o : operations) {
    key += fmt::format("|{}{}{}", o.reduces ? "r" : "",
                       o.reduces ? static_cast<int>(*o.reduces) : static_cast<int>(o.code), code_of(o.type));
    if (o.function) key += o.function->symbol;
    for (std::uint8_t i = 0; i < o.count; ++i) key += fmt::format(" {}", o.operands[i]);
  }
  key += '>';
  for (const std::uint16_t r : results) key += fmt::format(" {}", r);
  return key;
}

std::string generate(const element_run &run, std::string_view name) {
  std::string text = fmt::format("; {}\n", run.key());
  if (run.row) return text + generate_rows(run, name);
  if (goes_by_items(run)) {
    append_items(text, run, name);
    return text + declarations(run) + "!0 = !{}\n";
  }
  append(text, run.inputs, run, name);
  text += declarations(run);
  // a block's elements do not depend on each other, though a result may lie where an input does
  text += "!0 = !{}\n!1 = distinct !{}\n!2 = distinct !{!2, !3}\n!3 = !{!\"llvm.loop.parallel_accesses\", !1}\n";
  return text;
}

}  // namespace dpep::array
