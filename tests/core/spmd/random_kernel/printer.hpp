// Prints a program as textual IR.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spmd/random_kernel/language.hpp"

namespace dpep::test::random_program {

/// Writes IR as a front end without any optimisation does: variables on the stack.
class printer {
public:
  std::string kernel(const std::vector<statement> &body) {
    line("define spir_kernel void @kernel(ptr %arguments) {");
    for (const char *name : {"in", "same", "table", "out"}) {
      line(std::string("%a.") + name + " = getelementptr ptr, ptr %arguments, i64 " + std::to_string(fields_++));
      line(std::string("%") + name + " = load ptr, ptr %a." + name);
    }
    line("%lid = call i64 @local_id()\n%lsz = call i64 @local_size()\n%grp = call i64 @__dpep_group_id(i32 0)");
    line("%before = mul i64 %grp, %lsz\n%gid = add i64 %before, %lid");
    line("%lid32 = trunc i64 %lid to i32\n%gid32 = trunc i64 %gid to i32\n%grp32 = trunc i64 %grp to i32");
    line("%lsz32 = trunc i64 %lsz to i32\n%local = call ptr @__dpep_local_memory()");
    for (unsigned i = 0; i < variables; ++i)
      line("%v" + std::to_string(i) + " = alloca i32\nstore i32 " + std::to_string(i) + ", ptr %v" + std::to_string(i));
    for (unsigned i = 0; i < uniform_variables; ++i)
      line("%u" + std::to_string(i) + " = alloca i32\nstore i32 " + std::to_string(i) + ", ptr %u" + std::to_string(i));
    for (unsigned i = 0; i < 3; ++i) line("%c" + std::to_string(i) + " = alloca i32");
    line("%array = alloca [4 x i32]\nstore [4 x i32] zeroinitializer, ptr %array");
    block(body, 0);
    finish();
    line("}");
    return text_ + functions;
  }

private:
  static constexpr const char *functions = R"(
define internal i64 @local_id() {
  %x = call i64 @__dpep_local_id(i32 0)
  %y = call i64 @__dpep_local_id(i32 1)
  %sx = call i64 @__dpep_local_size(i32 0)
  %row = mul i64 %y, %sx
  %id = add i64 %row, %x
  ret i64 %id
}
define internal i64 @local_size() {
  %sx = call i64 @__dpep_local_size(i32 0)
  %sy = call i64 @__dpep_local_size(i32 1)
  %size = mul i64 %sx, %sy
  ret i64 %size
}
define internal i32 @exchange(ptr %local, i32 %value, i64 %shift) noinline {
  %id = call i64 @local_id()
  %size = call i64 @local_size()
  %mine = getelementptr i32, ptr %local, i64 %id
  store i32 %value, ptr %mine
  call void @__dpep_group_barrier()
  %next = add i64 %id, %shift
  %other = urem i64 %next, %size
  %theirs = getelementptr i32, ptr %local, i64 %other
  %result = load i32, ptr %theirs
  call void @__dpep_group_barrier()
  ret i32 %result
}
define internal i32 @sum_by_leader(ptr %local, i32 %value) {
  %id = call i64 @local_id()
  %size = call i64 @local_size()
  %mine = getelementptr i32, ptr %local, i64 %id
  store i32 %value, ptr %mine
  call void @__dpep_group_barrier()
  %leads = icmp eq i64 %id, 0
  br i1 %leads, label %loop, label %meet
loop:
  %i = phi i64 [0, %0], [%i.next, %loop]
  %sum = phi i32 [0, %0], [%sum.next, %loop]
  %p = getelementptr i32, ptr %local, i64 %i
  %x = load i32, ptr %p
  %sum.next = add i32 %sum, %x
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %size
  br i1 %more, label %loop, label %store
store:
  store i32 %sum.next, ptr %local
  br label %meet
meet:
  call void @__dpep_group_barrier()
  %result = load i32, ptr %local
  call void @__dpep_group_barrier()
  ret i32 %result
}
)";

  void line(const std::string &text) { text_ += text + "\n"; }
  std::string name(const char *stem) { return std::string("%") + stem + "." + std::to_string(names_++); }
  static std::string label(const std::string &name) { return name.substr(1) + ":"; }
  std::string assign(const std::string &what) {
    const std::string result = name("x");
    line(result + " = " + what);
    return result;
  }
  std::string load(const std::string &place) { return assign("load i32, ptr " + place); }
  std::string element(const std::string &base, const std::string &index, std::uint32_t size) {
    const std::string cut = assign("and i32 " + index + ", " + std::to_string(size - 1));
    return assign("getelementptr i32, ptr " + base + ", i32 " + cut);
  }
  std::string condition(const expression &value) {
    const std::string x = evaluate(value);
    return assign("icmp ne i32 " + assign("and i32 " + x + ", 3") + ", 0");
  }

  std::string evaluate(const expression &e) {
    if (e.is_leaf) switch (e.kind) {
      case leaf::constant:
        return std::to_string(e.number);
      case leaf::variable:
        return load("%v" + std::to_string(e.number));
      case leaf::uniform_variable:
        return load("%u" + std::to_string(e.number));
      case leaf::counter:
        return load("%c" + std::to_string(e.number));
      case leaf::local_id:
        return "%lid32";
      case leaf::global_id:
        return "%gid32";
      case leaf::group_id:
        return "%grp32";
      case leaf::local_size:
        return "%lsz32";
      case leaf::in:
        return load(assign("getelementptr i32, ptr %in, i64 %gid"));
      case leaf::table:
        return load(element("%table", evaluate(e.operands[0]), 16));
      case leaf::array:
        return load(element("%array", evaluate(e.operands[0]), array_size));
      }
    const std::string x = evaluate(e.operands[0]), y = evaluate(e.operands[1]);
    switch (e.how) {
    case operation::add:
      return assign("add i32 " + x + ", " + y);
    case operation::sub:
      return assign("sub i32 " + x + ", " + y);
    case operation::mul:
      return assign("mul i32 " + x + ", " + y);
    case operation::exclusive_or:
      return assign("xor i32 " + x + ", " + y);
    case operation::conjunction:
      return assign("and i32 " + x + ", " + y);
    case operation::shift:
      return assign("lshr i32 " + x + ", " + y);
    case operation::less:
      return assign("zext i1 " + assign("icmp ult i32 " + x + ", " + y) + " to i32");
    case operation::equal:
      return assign("zext i1 " + assign("icmp eq i32 " + x + ", " + y) + " to i32");
    }
    return {};
  }

  void block(const std::vector<statement> &body, unsigned loops) {
    for (const statement &each : body) one(each, loops);
  }

  void branch(const std::string &condition, const statement &s, unsigned loops) {
    const std::string yes = name("yes"), no = name("no"), meet = name("meet");
    line("br i1 " + condition + ", label " + yes + ", label " + no + "\n" + label(yes));
    block(s.body, loops);
    line("br label " + meet + "\n" + label(no));
    block(s.other, loops);
    line("br label " + meet + "\n" + label(meet));
  }

  void one(const statement &s, unsigned loops) {
    const std::string number = std::to_string(s.number);
    switch (s.what) {
    case action::assign:
      return line("store i32 " + evaluate(s.value) + ", ptr %v" + number);
    case action::assign_uniform:
      return line("store i32 " + evaluate(s.value) + ", ptr %u" + number);
    case action::assign_array: {
      const std::string value = evaluate(s.value);
      return line("store i32 " + value + ", ptr " + element("%array", evaluate(s.trips), array_size));
    }
    case action::branch:
      return branch(condition(s.value), s, loops);
    case action::branch_same: {
      const std::string same = load(assign("getelementptr i32, ptr %same, i64 %gid"));
      return branch(assign("icmp ne i32 " + assign("and i32 " + same + ", " + number) + ", 0"), s, loops);
    }
    case action::loop: {
      const std::string head = name("head"), test = name("test"), body = name("body"), done = name("done");
      const std::string counter = "%c" + std::to_string(loops);
      const std::string trips = assign("and i32 " + evaluate(s.trips) + ", 3");
      line("store i32 0, ptr " + counter + "\nbr label " + head + "\n" + label(head));
      const std::string more = assign("icmp ult i32 " + load(counter) + ", " + trips);
      line("br i1 " + more + ", label " + test + ", label " + done + "\n" + label(test));
      line("br i1 " + condition(s.value) + ", label " + done + ", label " + body + "\n" + label(body));
      block(s.body, loops + 1);
      line("store i32 " + assign("add i32 " + load(counter) + ", 1") + ", ptr " + counter);
      return line("br label " + head + "\n" + label(done));
    }
    case action::barrier:
      return line("call void @__dpep_group_barrier()");
    case action::exchange: {
      line("store i32 " + evaluate(s.value) + ", ptr " + assign("getelementptr i32, ptr %local, i64 %lid"));
      line("call void @__dpep_group_barrier()");
      const std::string other =
          assign("urem i64 " + assign("add i64 %lid, " + std::to_string(s.trips.number)) + ", %lsz");
      line("store i32 " + load(assign("getelementptr i32, ptr %local, i64 " + other)) + ", ptr %v" + number);
      return line("call void @__dpep_group_barrier()");
    }
    case action::call: {
      const std::string value = evaluate(s.value);
      return line(
          "store i32 " +
          assign("call i32 @exchange(ptr %local, i32 " + value + ", i64 " + std::to_string(s.trips.number) + ")") +
          ", ptr %v" + number);
    }
    case action::leader: {
      const std::string value = evaluate(s.value);
      return line("store i32 " + assign("call i32 @sum_by_leader(ptr %local, i32 " + value + ")") + ", ptr %v" +
                  number);
    }
    case action::leave: {
      const std::string yes = name("leave"), no = name("stay");
      line("br i1 " + condition(s.value) + ", label " + yes + ", label " + no + "\n" + label(yes));
      finish();
      return line(label(no));
    }
    }
  }

  void finish() {
    std::string sum = "0";
    for (unsigned i = 0; i < variables; ++i)
      sum = assign("add i32 " + assign("mul i32 " + sum + ", 31") + ", " + load("%v" + std::to_string(i)));
    for (unsigned i = 0; i < uniform_variables; ++i)
      sum = assign("add i32 " + assign("mul i32 " + sum + ", 31") + ", " + load("%u" + std::to_string(i)));
    for (unsigned i = 0; i < array_size; ++i)
      sum = assign("add i32 " + assign("mul i32 " + sum + ", 31") + ", " +
                   load(element("%array", std::to_string(i), array_size)));
    line("store i32 " + sum + ", ptr " + assign("getelementptr i32, ptr %out, i64 %gid") + "\nret void");
  }

  std::string text_;
  unsigned names_ = 0, fields_ = 0;
};

}  // namespace dpep::test::random_program
