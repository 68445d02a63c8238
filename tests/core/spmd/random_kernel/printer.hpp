// A program as textual IR.
#pragma once

#include <cmath>
#include <cstdio>

#include "spmd/random_kernel/language.hpp"

namespace dpep::test::random_program {

/// Emits IR like a front end without optimisation, with variables on the stack.
class printer {
public:
  explicit printer(const program &program) : program_(program) {}

  /// Returns the functions of a module. The kernel is `@kernel`; its arguments point to the members of `data`, in
  /// order, and the last is the number of work-items. It needs 16 bytes of dynamic local memory for each work-item of a
  /// group.
  std::string kernel();

private:
  using text = std::string;
  static text decimal(std::uint64_t x) { return std::to_string(x); }

  void line(const text &what) { text_ += what + "\n"; }
  text name(const char *stem) { return text("%") + stem + "." + decimal(names_++); }
  static text label(const text &name) { return name.substr(1) + ":"; }
  text assign(const text &what) {
    const text result = name("x");
    line(result + " = " + what);
    return result;
  }
  text load(type of, const text &address) { return assign(text("load ") + name_of(of) + ", ptr " + address); }
  void store(type of, const text &value, const text &address) {
    line(text("store ") + name_of(of) + " " + value + ", ptr " + address);
  }
  text element(const text &type_name, const text &base, const text &index) {
    return assign("getelementptr " + type_name + ", ptr " + base + ", i64 " + index);
  }
  text wide(const text &x) { return assign("zext i32 " + x + " to i64"); }
  /// The low bits of an i32, as an index.
  text masked(const text &x, unsigned count) { return wide(assign("and i32 " + x + ", " + decimal(count - 1))); }
  static text number(type of, const char *stem) { return text("%") + stem + "." + name_of(of); }

  void preamble();
  void results();

  // Expressions (print_expressions.cpp).
  static text constant(type of, std::uint64_t value);
  text evaluate(const expression &);
  text identity(const expression &);
  text input(const expression &);
  text own_vector(const expression &);
  text array_element(std::uint32_t number, const text &index);
  text make_unary(const expression &, const text &x);
  text make_binary(const expression &, const text &x, const text &y);
  text make_compare(unsigned how, type of, const text &x, const text &y);
  text convert(type from, type to, const text &x);
  text condition(const expression &);

  // Statements (print_statements.cpp).
  void print(const block &);
  void print(const statement &);
  void print_branch(const text &condition, const statement &);
  text test_of_ids(const statement &);
  void print_choice(const statement &);
  void print_loop(const statement &);
  void print_exchange(const statement &);
  void print_sub_group(const statement &);
  void print_atomic(const statement &);
  void print_histogram(const statement &);
  text local_slot(local_index, const statement &, const text &own, const text &size);
  text own_element(type of, const text &index);
  void jump_if(const expression &condition, const text &target);
  void barrier() { line("call void @__dpep_group_barrier()"); }

  const program &program_;
  text text_;
  unsigned names_ = 0;
  unsigned histogram_how_ = 0;
  struct loop {
    text next, done;
  };
  std::vector<loop> loops_;
};

}  // namespace dpep::test::random_program
