// Fused runs over blocks of elements as LLVM IR.
#include <algorithm>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "array/ir_operations.hpp"

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

}  // namespace

std::string element_run::key() const {
  std::string key = row ? fmt::format("rows of {}: ", row) : "";
  for (const input &i : inputs) key += fmt::format("{}{}", code_of(i.type), i.form == blocks::form::one ? "'" : "");
  for (const operation &o : operations) {
    key += fmt::format("|{}{}{}", o.reduces ? "r" : "",
                       o.reduces ? static_cast<int>(*o.reduces) : static_cast<int>(o.code), code_of(o.type));
    for (std::uint8_t i = 0; i < o.count; ++i) key += fmt::format(" {}", o.operands[i]);
  }
  key += '>';
  for (const std::uint16_t r : results) key += fmt::format(" {}", r);
  return key;
}

std::string generate(const element_run &run, std::string_view name) {
  std::string text = fmt::format("; {}\n", run.key());
  if (run.row) return text + generate_rows(run, name);
  append(text, run.inputs, run, name);
  text += declarations(run);
  // a block's elements do not depend on each other, though a result may lie where an input does
  text += "!0 = !{}\n!1 = distinct !{}\n!2 = distinct !{!2, !3}\n!3 = !{!\"llvm.loop.parallel_accesses\", !1}\n";
  return text;
}

}  // namespace dpep::array
