// The state of one translation, passed as `ctx` to the functions that translate expressions, statements and calls.
//
// A variable has one type in the whole function, so the function is translated again whenever an assignment widens a
// variable's type; the code of the last pass is the result. Calls of device functions are inlined, except in kernels
// for debuggers.
#pragma once

#include <map>
#include <set>

#include "pykernel/compile.hpp"
#include "pykernel/syntax/diagnostics.hpp"
#include "pykernel/translate/value.hpp"

namespace dpep::pykernel {

/// The assignment of an elementwise expression that is not stored.
struct lazy_definition {
  std::shared_ptr<const array_expression> value;
  std::uint32_t block = 0;   // the IR block that it is in
  std::size_t loops = 0;     // the number of loops that it is in
  std::uint64_t stores = 0;  // the number of stores to arrays that precede it
};

/// Properties of a variable, accumulated over all passes.
struct variable_state {
  type of = nullptr;
  std::optional<std::int64_t> known;  // the value, if every assignment assigns this constant
  bool varies = false;                // assigned different values, or values that are not constant
  bool nonnegative = true;            // no assignment assigns a negative integer
  bool is_short = true;               // value::is_short of all assignments
  std::string text;                   // the value of a string variable, which has no code
  std::shared_ptr<const entity> object;
  std::string origin;                       // of arrays: value::origin of all assignments; empty if they differ
  bool of_iteration = false;                // value::of_iteration of an assignment
  std::optional<lazy_definition> lazy;      // of an expression that is not stored: its last assignment
  std::vector<std::uint32_t> slots;         // IR variables of the parts, in the current pass
  std::vector<std::uint32_t> debug_copies;  // IR variables of array properties that only debuggers read
  std::uint32_t assignments = 0;            // in the current pass so far
  std::uint32_t pass = 0;                   // the pass that `slots` belong to
  // Of a variable that was None, or had no value, before a compiled loop: the IR variable that is true once the loop
  // assigned it.
  std::optional<std::uint32_t> is_set;
  bool was_none = false;
  bool optional = false;  // a compiled loop assigns it None and numbers
};

/// A function in translation: the kernel, or a device function that is inlined into it.
struct frame {
  const callable &function;
  frame *caller = nullptr;
  source_location called_at;
  std::set<std::string, std::less<>> locals;
  std::set<std::string, std::less<>> assigned;  // of the outermost function: the names that its statements assign
  std::map<std::string, variable_state, std::less<>> variables;
  /// Inlined calls in this function, by call expression and argument types.
  std::map<std::pair<const expression *, std::vector<type>>, std::unique_ptr<frame>> calls;
  bool shared = false;           // other work-items may change the elements that it changes
  bool is_result_used = true;    // for more than its truth value
  std::uint32_t end_scope = 0;   // the scope that `return` leaves
  std::uint32_t body_block = 0;  // the IR block of its statements outside of branches and loops
  /// Parameters that are None, until a statement outside of branches and loops that are not decided by their types
  /// assigns them another value. Then they are variables like others.
  std::set<std::string, std::less<>> none_parameters;
  std::uint32_t site = 0, site_pass = 0;  // index in kernel_ir::sites, and the pass that it belongs to
  struct loop {
    std::uint32_t end, next;      // the scopes that `break` and `continue` leave
    bool stores_elements = true;  // it has assignments to elements, or calls that may have some
  };
  std::vector<loop> loops;
  std::map<std::string, std::uint32_t, std::less<>> labels;  // scopes of the enclosing labelled statements
};

/// A device function compiled as a function of its own, for debuggers.
struct out_of_line_function {
  std::shared_ptr<const external_function> function;  // null: it can only be inlined
  type result = nullptr;
};

struct translation {
  translation(const compile_request &, kernel_ir &);

  ir_builder ir;
  const compile_request &request;
  kernel_ir &kernel;
  std::unique_ptr<frame> root;
  frame *current = nullptr;  // the innermost function in translation
  std::uint32_t pass = 0;
  std::uint64_t stores = 0;  // stores to arrays in this pass so far
  bool changed = false;      // in this pass the type or constness of a variable changed: another pass is needed
  std::optional<compile_error> unread;  // the first read before any assignment in the code, whose type is not known yet
  std::vector<type> local_arrays;       // local arrays that this pass has allocated so far
  std::map<std::pair<const callable *, std::vector<type>>, out_of_line_function> out_of_line;
  std::vector<const expression *> unused;  // calls in translation whose results are not used, or as truth values only

  int dimensions() const { return request.dimensions; }
  /// Whether the current function repeats what is being translated. A work-item's loop over its iterations of a
  /// parallel loop does not count, since no array outlives one of those.
  bool is_repeated() const {
    const bool own_loop =
        current == root.get() && request.loop && request.loop->many_iterations && !request.single_task;
    return current->loops.size() > (own_loop ? 1 : 0);
  }
  const function_source &source() const { return current->function.source; }
};

/// Throws a compile_error at a location in the current function.
[[noreturn]] void fail(const translation &, error_kind, const expression &at, const std::string &message);
[[noreturn]] void fail(const translation &, error_kind, const source_location &at, const std::string &message);
/// The kind of an error about operands: `whole_array` if one of them is an array.
error_kind operand_error(std::initializer_list<type> operands);
/// Emits code that ends the kernel with an error.
void emit_error(translation &, std::string_view message, const source_location &at);
/// The message has numbers in place of its first two `{}`.
void emit_error_with(translation &, std::string_view message, node first, node second, const source_location &at);
/// The source text of an expression, for messages.
std::string source_text(const translation &, const expression &);

}  // namespace dpep::pykernel
