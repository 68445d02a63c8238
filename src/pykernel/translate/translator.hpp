// From syntax to code: finds the types and takes everything apart that is not a machine number.
//
// A variable has one type in the whole function, so the function is translated again as long as an assignment widens
// one; the last pass's code is the result. Calls of device functions are translated in place, but for debuggers.
#pragma once

#include <map>
#include <set>

#include "pykernel/compile.hpp"
#include "pykernel/syntax/diagnostics.hpp"
#include "pykernel/types/value.hpp"

namespace dpep::pykernel {

/// What all passes found out about a variable.
struct variable_facts {
  type of = nullptr;
  std::optional<std::int64_t> known;  // every assignment gives this
  bool varies = false;                // no constant
  bool natural = true;                // no assignment gives a negative integer
  std::string text;                   // of texts and objects, which have no code
  std::shared_ptr<const entity> object;
  std::vector<std::uint32_t> slots;    // in this pass's code
  std::vector<std::uint32_t> mirrors;  // what debuggers see of an array and `slots` do not have
  std::uint32_t pass = 0;              // that `slots` are of
};

/// One function being translated: the kernel, or a device function that it calls.
struct frame {
  const callable &function;
  frame *caller = nullptr;
  place called_at;
  std::set<std::string, std::less<>> locals;
  std::map<std::string, variable_facts, std::less<>> variables;
  /// Calls in this function, by place and argument types.
  std::map<std::pair<const expression *, std::vector<type>>, std::unique_ptr<frame>> calls;
  std::uint32_t end_scope = 0;            // what `return` leaves
  std::uint32_t site = 0, site_pass = 0;  // in that pass's code
  struct loop {
    std::uint32_t end, next;  // what `break` and `continue` leave
  };
  std::vector<loop> loops;
  std::map<std::string, std::uint32_t, std::less<>> labels;  // the scopes of labelled statements around
};

/// A call's arguments.
struct arguments {
  const expression &call;
  std::string function;  // for messages
  std::vector<value> positional;
  std::vector<std::pair<std::string, value>> keywords;
};

class translator {
public:
  translator(const request &, code &);
  /// One pass; false when another is needed.
  bool pass();

  // Everything below is for the translator's own files.

  builder b;
  const request &asked;

  // --- variables.cpp
  void assign(std::string_view name, const value &, const expression &at);
  value read(std::string_view name, const expression &at);
  void collect_locals(frame &, const block &) const;
  [[noreturn]] void fail(mistake, const expression &at, const std::string &message) const;
  [[noreturn]] void fail(mistake, const place &at, const std::string &message) const;

  // --- shown_variables.cpp
  /// The function's place among those that debuggers see; nothing happens for others.
  void enter_site(frame &, const place &called_at);
  void show(std::string_view name, variable_facts &);
  void set_mirrors(const variable_facts &, const value &);

  // --- statements.cpp
  void body(const block &);
  bool always_returns(const block &) const;
  void statement_of(const statement &);
  void assign_to(const expression &target, const value &, const expression &at);
  void loop_over_range(const std::function<void(const value &)> &each, const value &start, const value &stop,
                       const value &step, const expression &at);
  void iterate(const expression &iterable, const std::function<void(const value &)> &each);
  void iterate_value(const value &, const expression &at,
                     const std::function<void(const value &, const value &)> &each);

  // --- expressions.cpp
  value evaluate(const expression &);
  value constant(const entity &, const expression &at);
  value attribute_of(const value &, const std::string &name, const expression &at);
  value choose(const value &condition, const expression &at, const std::function<value()> &yes,
               const std::function<value()> &no);

  // --- numbers.cpp
  value integer(std::int64_t);
  value truth_value(bool);
  value real(double);
  value scalar(dtype, node, bool weak = false, bool natural = false);
  value size_value(node n) { return scalar(dtype::int64, n, true, true); }
  value convert(const value &, type to, const expression &at);
  value convert(const value &v, dtype to, const expression &at) { return convert(v, scalar_type(to), at); }
  node truth(const value &, const expression &at);
  node integer_node(const value &, const expression &at, const char *what);  // i64
  std::int64_t known_integer(const value &, const expression &at, const std::string &what);
  value none() { return {.of = none_type()}; }
  value tuple(std::vector<value> members, std::vector<std::string> names = {}, std::string name = {});
  value object(entity);

  // --- arithmetic.cpp
  value binary(std::string_view op, const value &, const value &, const expression &at);
  value unary(std::string_view op, const value &, const expression &at);
  value compare(std::string_view op, const value &, const value &, const expression &at);
  value power(const value &, const value &, const expression &at);
  value divide_floor(const value &, const value &, type, bool remainder);
  value minimum(const value &, const value &, bool maximum, bool propagate_nan, const expression &at);

  // --- complex.cpp
  value complex_binary(std::string_view op, const value &, const value &, type);
  value complex_call(const std::string &name, const value &, const value *second);

  // --- arrays.cpp
  node extent(const value &array, int axis) {
    if (array.of->inner && axis == array.of->dimensions - 1) return b.size(array.of->inner);
    if (!array.of->extents.empty()) return b.size(array.of->extents[std::size_t(axis)]);
    return array.parts[1 + std::size_t(axis)];
  }
  node stride(const value &array, int axis);
  node elements(const value &array);
  node checked_index(const value &array, const value &index, int axis, const expression &at);
  node element_address(const value &array, const std::vector<value> &indices, const expression &at);
  value load(const value &array, node address);
  void store(const value &array, node address, const value &, const expression &at);
  value subscript(const value &, const expression &);
  value element_or_row(const value &array, const value &index, const expression &at);
  value view(const value &array, const expression &index, const expression &at);
  /// The same, but an element stays a place: an array without dimensions.
  value selection(const value &array, const expression &index, const expression &at);
  value place_of_element(const value &array, node address);
  node address_of(const value &array, const std::vector<value> &indices, const expression &at);
  void check_index(node wrapped, node extent, node given, int axis, const expression &at);
  value array_attribute(const value &, const std::string &name, const expression &at);
  std::vector<std::int64_t> known_shape(const value &, const expression &at, const std::string &what);
  // --- written_memory.cpp
  /// With checks: ends the kernel unless the element was written; says that it was; both for what has a shadow.
  void check_written(type array_or_reference, node address);
  void mark_written(type array_or_reference, node address);
  void mark_all(const value &array, bool written);
  static std::int64_t local_shadow(type local_array);
  void forget_local_memory(const std::vector<value> &arguments);

  value private_array(const std::vector<std::int64_t> &shape, dtype, bool zeroed);
  value local_array(const std::vector<std::int64_t> &shape, dtype, const expression &at);
  value local_array(std::size_t number);  // counted from 1

  // --- slices.cpp
  /// `target[…] = v`, and, with an operator, `target[…] op= v`, which is only evaluated behind the target.
  void store_subscript(const expression &target, const std::function<value()> &, std::string_view op,
                       const expression &at);
  void copy_elements(const value &to, const value &from, std::string_view op, const expression &at, bool backwards);

  // --- calls.cpp
  value call(const expression &);
  std::string launched_with() const;
  std::optional<std::pair<value, std::string>> method_of(const expression &callee);
  value call_function(const callable &, std::vector<value> positional,
                      std::vector<std::pair<std::string, value>> keywords, const expression &at);
  // --- functions_apart.cpp
  /// The call, if the code is for debuggers and the function can be one of its own: of numbers, without work-items.
  std::optional<value> call_apart(const callable &, const std::vector<value> &given, const std::vector<type> &types);
  value call_external(const std::shared_ptr<const external_function> &, const arguments &);
  value call_builtin(const std::string &name, arguments &);
  arguments evaluate_arguments(const expression &call, std::string name);
  /// The argument of this position or name; null when it is not given.
  const value *take(const arguments &, std::size_t position, std::string_view name) const;
  const value &need(const arguments &, std::size_t position, std::string_view name) const;
  void expect_count(const arguments &, std::size_t least, std::size_t most) const;
  dtype data_type(const value &, const expression &at) const;

  // --- python_functions.cpp, math_functions.cpp, kernel_functions.cpp, atomics.cpp, printing.cpp
  std::optional<value> python_function(std::string_view name, arguments &);
  std::optional<value> math_function(std::string_view name, arguments &);
  std::optional<value> kernel_function(std::string_view name, arguments &);
  std::optional<value> group_function(std::string_view name, arguments &);
  value identity(const std::string &op, type, const expression &at);
  memory_ordering known_ordering(const value *order, const value *scope, const expression &at);
  void barrier(bool sub_group, const value *scope, const expression &at);
  std::optional<value> atomic_function(std::string_view name, arguments &);
  /// Whether work-items, groups or sub-groups have such a method, and numbers and arrays have not.
  static bool asks_of_items(std::string_view method);
  value item_method(const value &, const std::string &name, arguments &);
  value atomic_method(const value &, const std::string &name, arguments &);
  std::unique_ptr<arguments> one_argument(const arguments &, const value &) const;
  void print(const arguments &);
  value tuple_function(std::string_view name, const arguments &);
  value rounded_integer(const value &, const value &digits, const expression &at);
  value close(const arguments &, bool as_numpy);
  value common_divisor(const value &, const value &, const expression &at);
  value number_method(const value &, const std::string &name, arguments &);
  value id(const char *builtin, int dimension);
  value linear(const char *ids, const char *sizes);
  value dimension_query(const char *builtin, const value &dimension, const expression &at);
  void need_groups(const std::string &what, const expression &at) const;

  frame *here = nullptr;
  int dimensions() const { return asked.dimensions; }
  std::string text_of(const expression &) const;
  const function_source &source() const { return here->function.source; }
  /// Ends the kernel with a message.
  void stop(std::string_view message, const place &at);

private:
  code &code_;
  std::unique_ptr<frame> root_;
  std::uint32_t pass_ = 0;
  bool changed_ = false;
  std::vector<type> local_arrays_;  // that this pass has come to

  struct function_apart {
    std::shared_ptr<const external_function> function;  // null: it cannot be
    type result = nullptr;
  };
  std::map<std::pair<const callable *, std::vector<type>>, function_apart> apart_;

  const function_apart &find_apart(const callable &, const std::vector<type> &);
  value argument(type, std::int64_t &offset);
  void give_result();
};

}  // namespace dpep::pykernel
