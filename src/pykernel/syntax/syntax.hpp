// The syntax tree of a Python function, built by the bindings from Python's ast.
//
// One node type holds all expressions and one all statements. Their meaning is defined by the translator; a construct
// outside the language is represented by its name only.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dpep::pykernel {

/// A range of source text: lines from 1, columns in bytes from 0.
struct source_location {
  std::uint32_t line = 0, column = 0, end_line = 0, end_column = 0;
};

struct expression;
using expression_pointer = std::unique_ptr<const expression>;

struct expression {
  /// The comment of each kind lists the members in use; operands are in `parts`, in the order given.
  enum class kind : std::uint8_t {
    name,         // text: the identifier
    boolean,      // integer
    integer,      // integer; `too_large`: more than 63 bits, and `integer` holds the uint64 value, or 0 beyond 64 bits,
                  // where `number` holds the nearest float64
    real,         // number
    complex,      // number
    text,         // a string; text: its characters
    none,         // None
    unary,        // text: "-", "+", "~", "not"; operand
    binary,       // text: "+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "@"; left, right
    and_,         // operands, at least two
    or_,          // operands, at least two
    compare,      // names: the operators ("<", "in", "is not", …); one operand more than operators
    conditional,  // condition, value if true, value if false
    call,         // callee, arguments; names: keywords of the last arguments
    attribute,    // text: the attribute's name; object
    subscript,    // object, index
    slice,        // start, stop, step; each may be null
    tuple,        // elements
    list,         // elements
    other,        // text: the class name of the ast node
  };
  kind what = kind::other;
  bool too_large = false;
  bool shared = false;  // of a call: other work-items may change the array elements that it changes
  source_location at;
  std::string text;
  std::int64_t integer = 0;
  std::complex<double> number{};
  std::vector<expression_pointer> parts;
  std::vector<std::string> names;
};

inline bool is_ellipsis(const expression &e) { return e.what == expression::kind::other && e.text == "Ellipsis"; }

struct statement;
using block = std::vector<statement>;

struct statement {
  /// The comment of each kind lists the members in use; expressions are in `parts`, in the order given.
  enum class kind : std::uint8_t {
    assign,            // targets, then the value
    augmented_assign,  // target, value; text: the operator; shared
    annotation,        // an annotated name without a value
    expression,        // an expression
    if_,               // condition; body, otherwise
    while_,            // condition; body, otherwise
    for_,              // target, iterable; body, otherwise
    return_,           // value, or nothing
    break_,            //
    continue_,         //
    pass_,             //
    labelled,          // body; text: its label. Only byte code that is read back has this and the next kind
    break_to_label,    // continues after the enclosing labelled statement with the label `text`
    assert_,           // condition, message or nothing
    raise,             // exception, or nothing
    other,             // text: the class name of the ast node
  };
  kind what = kind::other;
  bool shared = false;     // other work-items may change the same element at once
  bool reordered = false;  // and the program says in which order
  source_location at;
  std::string text;
  std::vector<expression_pointer> parts;
  block body, otherwise;
};

struct parameter {
  std::string name;
  source_location at;
};

/// The source of a function; immutable once read.
struct function_source {
  std::string name;              // as messages show it
  std::string file;              //
  std::uint32_t first_line = 0;  // line number of lines[0]
  std::vector<std::string> lines;
  std::vector<parameter> parameters;
  block body;
  source_location at;  // its `def`

  std::string line(std::uint32_t number) const {
    return number >= first_line && number - first_line < lines.size() ? lines[number - first_line] : std::string();
  }
};

}  // namespace dpep::pykernel
