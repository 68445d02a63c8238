// A kernel's LLVM IR while it is written: structured code, variables, and the block of arguments that it reads.
//
// Everything is written for work-groups of the contract in dpep/device_builtins.hpp, so the same text runs on GPUs and,
// for tests, on CPUs.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "array/cpu/ir_operations.hpp"
#include "array/fusion/program.hpp"

namespace dpep::array::gpu {

/// What a launch writes into the block of arguments besides the numbers that are known already.
struct argument_patch {
  enum class kind : std::uint8_t {
    memory,     // the address of the program's memory operand `index`
    workspace,  // the workspace's address plus `index`
    counters,   // the queue's counters
    scalar,     // 16 bytes: the program's scalar `index` as `type`
    ramp,       // 48 bytes: the ramp `index`
  } what;
  std::uint16_t offset;  // in the block
  dtype type{};
  std::size_t index = 0;
};

struct argument_block {
  std::vector<std::byte> bytes;
  std::vector<argument_patch> patches;
};

/// What a ramp looks like in the block of arguments; device/casts.cpp reads it.
struct ramp_argument {
  std::uint64_t start, step;
  double numbers[4];  // real and imaginary parts of start, then of step
};

struct held_text {  // a base, because the ir_writer that keeps a reference to it is one
  std::string code_;
};

class kernel_text : held_text, public ir_writer {
public:
  /// `wide`: indices take 64 bits.
  explicit kernel_text(bool wide);

  // -- Structure

  template <class F> void when(const std::string &condition, F then) {
    const std::string id = fresh_id();
    line("br i1 {}, label %then{}, label %join{}", condition, id, id);
    label("then" + id);
    then();
    line("br label %join{}", id);
    label("join" + id);
  }
  template <class F, class G> void choose(const std::string &condition, F then, G otherwise) {
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
  /// While the index, an integer of the type, is less than `end`; hands the index to the body. Returns the variable of
  /// the index.
  template <class F>
  std::string loop(const std::string &type, const std::string &first, const std::string &end, const std::string &step,
                   F body) {
    const std::string at = variable(type, 8);
    line("store {} {}, ptr {}", type, first, at);
    loop_on(type, at, "0", end, step, body);
    return at;
  }
  /// The same with the body's code once, where it is seldom run or waits anyway: LLVM unrolls others.
  template <class F>
  void short_loop(const std::string &type, const std::string &first, const std::string &end, const std::string &step,
                  F body) {
    const std::string at = variable(type, 8);
    line("store {} {}, ptr {}", type, first, at);
    loop_on(type, at, "0", end, step, body, not_unrolled());
  }
  /// The same on a variable that is there, while index + ahead < end.
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
  /// For a number of steps that halves each time, from this one to 1. It is an argument, so that the code stays short.
  template <class F> void halving(std::int64_t first, F body) {
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
  /// Again and again, while the condition that `test` computes holds; its code stays as long as it is.
  template <class F> void repeat_while(F test) {
    const std::string id = fresh_id();
    line("br label %again{}", id);
    label("again" + id);
    const std::string again = test();
    line("br i1 {}, label %again{}, label %go{}{}", again, id, id, not_unrolled());
    label("go" + id);
  }
  /// A variable of the work-item.
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

  // -- Arguments: each is read once, at the kernel's start. The key says which it is.

  std::string number(const std::string &key, std::int64_t value);  // of the type of indices
  std::string number_64(const std::string &key, std::int64_t value);
  std::string memory(std::size_t operand) { return address(argument_patch::kind::memory, operand); }
  std::string workspace(std::size_t offset) { return address(argument_patch::kind::workspace, offset); }
  std::string counters() { return address(argument_patch::kind::counters, 0); }
  std::string scalar(std::uint16_t which, dtype);
  std::string ramp(std::uint16_t which);  // its address

  // -- Functions

  /// A function of src/array/gpu/device on values: arguments such as "ptr %x". `apart`: stays a function.
  void call(const std::string &name, const std::string &parameters, const std::string &arguments, bool apart = false);
  /// The operation on values of these types.
  std::string operation(opcode, dtype result, std::span<const dtype> types, std::span<const std::string> values);
  /// Operations that `write` asks for are done once for a reduction's result: device/results.cpp says what is
  /// different.
  template <class F> void for_results(F write) {
    for_results_ = true;
    write();
    for_results_ = false;
  }
  /// A user's function of values.
  std::string function(const user_function &, std::span<const std::string> values);
  void sub_group_barrier();
  /// The work-item's number in its sub-group, an i32.
  std::string lane();
  /// The bits of another work-item of the sub-group, which are an integer of so many bytes; a number as lane()'s.
  std::string shuffle(std::size_t bytes, const std::string &bits, const std::string &lane);
  /// Work-group memory, of which a kernel has one piece.
  std::string local_memory(std::size_t bytes);

  /// A GPU's processor is to have room for so many work-groups at once: what a work-item's registers are limited by.
  void leave_room_for(int groups) { groups_at_once_ = groups; }

  /// The whole module, and the arguments that it reads.
  std::string finish(std::string_view name, std::string_view comment);
  argument_block take_arguments() { return std::move(arguments_); }

private:
  std::string entry_;
  const std::string index_type_;
  int next_id_ = 0, next_entry_ = 0;
  std::map<std::string, std::string> known_;  // by key: what was read at the start
  std::set<std::string> declared_;
  argument_block arguments_;
  std::size_t local_bytes_ = 0;
  int groups_at_once_ = 1, rolled_loops_ = 0;
  bool for_results_ = false;

  std::string not_unrolled() { return fmt::format(", !llvm.loop !{}", 2 + ++rolled_loops_); }
  std::string fresh_id() { return std::to_string(next_id_++); }
  void label(const std::string &name) { code_ += name + ":\n"; }
  std::string arithmetic(const char *what, const std::string &a, const std::string &b);
  std::string let_at_entry(const std::string &instruction);
  std::string at_entry(const std::string &key, const std::string &instruction);
  std::size_t room(std::size_t bytes, std::size_t alignment);
  std::string read(std::size_t offset, const std::string &type, unsigned alignment);
  std::string number_of(const std::string &type, const std::string &key, std::int64_t value);
  std::string address(argument_patch::kind, std::size_t index);
};

}  // namespace dpep::array::gpu
