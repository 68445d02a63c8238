// Generates the LLVM IR of a kernel: structured control flow, variables, and the argument block.
//
// The code is written for work-groups as specified in dpep/device_builtins.hpp, so it runs on GPUs and, for tests, on
// CPUs.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "array/cpu/operation_ir.hpp"
#include "array/fusion/program.hpp"

namespace dpep::array::gpu {

/// A field of the argument block that each launch sets; the others are constants of the kernel.
struct argument_patch {
  enum class kind : std::uint8_t {
    memory,     // the address of the program's memory operand `index`
    workspace,  // the address of the workspace plus `index`
    counters,   // the address of the queue's counters
    scalar,     // 16 bytes: the program's scalar `index` as `type`
    ramp,       // 48 bytes: the ramp `index` as ramp_argument
  } what;
  std::uint16_t offset;  // in the block
  dtype type{};
  std::size_t index = 0;
};

struct argument_block {
  std::vector<std::byte> bytes;
  std::vector<argument_patch> patches;
};

/// The layout of a ramp in the argument block; read by device/array/casts.cpp.
struct ramp_argument {
  std::uint64_t start, step;
  double numbers[4];  // real and imaginary parts of start, then of step
};

struct code_holder {  // a base class, so that it is initialised before the ir_writer that refers to it
  std::string code_;
};

class kernel_text : code_holder, public ir_writer {
public:
  /// `wide`: indices are 64-bit.
  explicit kernel_text(bool wide);

  // -- Structure

  template <class F> void if_then(const std::string &condition, F then) {
    const std::string id = fresh_id();
    line("br i1 {}, label %then{}, label %join{}", condition, id, id);
    label("then" + id);
    then();
    line("br label %join{}", id);
    label("join" + id);
  }
  template <class F, class G> void if_else(const std::string &condition, F then, G otherwise) {
    const std::string id = fresh_id();
    line("br i1 {}, label %then{}, label %else{}", condition, id, id);
    label("then" + id);
    then();
    line("br label %join{}", id);
    label("else" + id);
    otherwise();
    line("br label %join{}", id);
    label("join" + id);
  }
  /// A loop while the index, of the integer type, is less than `end`. The body receives the index. Returns the variable
  /// that holds it.
  template <class F>
  std::string loop(const std::string &type, const std::string &first, const std::string &end, const std::string &step,
                   F body) {
    const std::string at = variable(type, 8);
    line("store {} {}, ptr {}", type, first, at);
    loop_on(type, at, "0", end, step, body);
    return at;
  }
  /// The same without unrolling, for loops that are rare or wait for memory: LLVM unrolls others.
  template <class F>
  void rolled_loop(const std::string &type, const std::string &first, const std::string &end, const std::string &step,
                   F body) {
    const std::string at = variable(type, 8);
    line("store {} {}, ptr {}", type, first, at);
    loop_on(type, at, "0", end, step, body, not_unrolled());
  }
  /// The same with an existing variable as index, while index + ahead < end.
  template <class F>
  void loop_on(const std::string &type, const std::string &at, const std::string &ahead, const std::string &end,
               const std::string &step, F body, const std::string &how = {}) {
    const std::string id = fresh_id();
    line("br label %loop{}", id);
    label("loop" + id);
    const std::string i = let("load {}, ptr {}", type, at);
    const std::string last = ahead == "0" ? i : let("add {} {}, {}", type, i, ahead);
    const std::string more = let("icmp slt {} {}, {}", type, last, end);
    line("br i1 {}, label %body{}, label %done{}", more, id, id);
    label("body" + id);
    body(i);
    line("store {} {}, ptr {}", type, let("add {} {}, {}", type, i, step), at);
    line("br label %loop{}{}", id, how);
    label("done" + id);
  }
  /// A loop over powers of two from `first` down to 1. `first` is an argument, so that LLVM does not unroll the loop.
  template <class F> void halving_loop(std::int64_t first, F body) {
    const std::string at = variable(index_type_, 8), id = fresh_id();
    line("store {} {}, ptr {}", index_type_, number(fmt::format("first step {}", first), first), at);
    line("br label %loop{}", id);
    label("loop" + id);
    const std::string step = let("load {}, ptr {}", index_type_, at);
    line("br i1 {}, label %body{}, label %done{}", let("icmp sgt {} {}, 0", index_type_, step), id, id);
    label("body" + id);
    body(step);
    line("store {} {}, ptr {}", index_type_, let("lshr {} {}, 1", index_type_, step), at);
    line("br label %loop{}", id);
    label("done" + id);
  }
  /// Repeats the body while the condition that it returns holds. Not unrolled.
  template <class F> void do_while(F test) {
    const std::string id = fresh_id();
    line("br label %again{}", id);
    label("again" + id);
    const std::string again = test();
    line("br i1 {}, label %again{}, label %go{}{}", again, id, id, not_unrolled());
    label("go" + id);
  }
  /// A private variable (alloca).
  std::string variable(const std::string &type, unsigned alignment);
  void barrier() { line("call void @__dpep_group_barrier()"); }

  // -- Indices

  const std::string &index_type() const { return index_type_; }
  bool wide() const { return index_type_ == "i64"; }
  std::string add(const std::string &a, const std::string &b) { return arithmetic("add", a, b); }
  std::string mul(const std::string &a, const std::string &b) { return arithmetic("mul", a, b); }
  std::string less(const std::string &a, const std::string &b) { return let("icmp slt {} {}, {}", index_type_, a, b); }
  std::string to_64(const std::string &index);
  std::string group_id() { return at_entry("group", "call i64 @__dpep_group_id(i32 0)"); }
  std::string local_id() { return at_entry("item", "call i64 @__dpep_local_id(i32 0)"); }

  // -- Arguments: each is loaded once, at the start of the kernel, and identified by its key

  std::string number(const std::string &key, std::int64_t value);  // of the index type
  std::string number_64(const std::string &key, std::int64_t value);
  std::string number_32(const std::string &key, std::int64_t value);
  std::string memory(std::size_t operand) { return address(argument_patch::kind::memory, operand); }
  std::string workspace(std::size_t offset) { return address(argument_patch::kind::workspace, offset); }
  std::string counters() { return address(argument_patch::kind::counters, 0); }
  std::string scalar(std::uint16_t which, dtype);
  std::string ramp(std::uint16_t which);  // the address of the ramp_argument

  // -- Functions

  /// Calls a function of src/device/array. `arguments`: such as "ptr %x". `noinline`: the function is not inlined.
  void call(const std::string &name, const std::string &parameters, const std::string &arguments,
            bool noinline = false);
  /// Writes the operation on values of these types; returns its result.
  std::string operation(opcode, dtype result, std::span<const dtype> types, std::span<const std::string> values);
  /// Operations that `write` generates are executed once for each result of a reduction; device/array/results.cpp has
  /// their implementations.
  template <class F> void for_results(F write) {
    for_results_ = true;
    write();
    for_results_ = false;
  }
  /// Calls a user's function.
  std::string function(const user_function &, std::span<const std::string> values);
  /// The local memory of the kernel, at least this many bytes.
  std::string local_memory(std::size_t bytes);

  /// Limits registers so that this many work-groups are resident on a compute unit at once.
  void set_resident_groups(int groups) { resident_groups_ = groups; }

  /// The address of a function of src/device/array. `noinline`: calls through the address are not inlined.
  std::string function_address(const std::string &name, std::initializer_list<const char *> parameters, bool noinline);

  /// The complete module.
  std::string finish(std::string_view name, std::string_view comment);
  argument_block take_arguments() { return std::move(arguments_); }

private:
  std::string entry_, functions_;
  const std::string index_type_;
  int next_id_ = 0, next_entry_ = 0;
  std::map<std::string, std::string> cached_;  // by key: registers that are set at the start of the kernel
  std::set<std::string> declared_;
  argument_block arguments_;
  std::size_t local_bytes_ = 0;
  int resident_groups_ = 1, rolled_loops_ = 0;
  bool for_results_ = false;

  std::string not_unrolled() { return fmt::format(", !llvm.loop !{}", 2 + ++rolled_loops_); }
  std::string fresh_id() { return std::to_string(next_id_++); }
  void label(const std::string &name) { code_ += name + ":\n"; }
  std::string arithmetic(const char *what, const std::string &a, const std::string &b);
  std::string let_at_entry(const std::string &instruction);
  std::string at_entry(const std::string &key, const std::string &instruction);
  std::size_t reserve(std::size_t bytes, std::size_t alignment);
  std::string read(std::size_t offset, const std::string &type, unsigned alignment);
  std::string number_of(const std::string &type, const std::string &key, std::int64_t value);
  std::string address(argument_patch::kind, std::size_t index);
};

}  // namespace dpep::array::gpu
