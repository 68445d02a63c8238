// The syntax tree of a Python function, as the compiler reads it: made from Python's ast by the bindings.
//
// One node type for all expressions and one for all statements: what they mean is the translator's to know, and what is
// outside the language needs a name only.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dpep::pykernel {

/// Where something stands in the file: lines from 1, columns in bytes from 0.
struct place {
  std::uint32_t line = 0, column = 0, end_line = 0, end_column = 0;
};

struct expression;
using expression_pointer = std::unique_ptr<const expression>;

struct expression {
  enum class kind : std::uint8_t {
    name,         // text: the identifier
    boolean,      // integer
    integer,      // integer; `too_large`: beyond 64 bits
    real,         // number
    complex,      // number
    text,         // text
    none,         //
    unary,        // text: "-", "+", "~", "not"; operand
    binary,       // text: "+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "@"; left, right
    both,         // and: operands, at least two
    either,       // or: the same
    compare,      // names: the operators ("<", "in", "is not", …); one operand more
    conditional,  // condition, then, else
    call,         // callee, arguments; names: keywords of the last arguments
    attribute,    // text: the name; of what
    subscript,    // of what, index
    slice,        // start, stop, step; each may be null
    tuple,        // elements
    list,         // elements
    other,        // text: Python's name of the node
  };
  kind what = kind::other;
  bool too_large = false;
  place at;
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
  enum class kind : std::uint8_t {
    assign,       // targets, value last
    augmented,    // target, value; text: the operator
    declare,      // annotation without a value
    evaluate,     // an expression
    branch,       // condition; body, otherwise
    repeat,       // while: condition; body, otherwise
    iterate,      // for: target, iterable; body, otherwise
    give_back,    // return: value, or nothing
    leave,        // break
    next,         // continue
    nothing,      // pass
    labelled,     // body; text: its label. Of byte code, like the next
    leave_label,  // goes on behind the statement with the label `text`, which is around this one
    expect,       // assert: condition, message or nothing
    raise,        // exception, or nothing
    other,        // text: Python's name of the node
  };
  kind what = kind::other;
  place at;
  std::string text;
  std::vector<expression_pointer> parts;
  block body, otherwise;
};

struct parameter {
  std::string name;
  place at;
};

/// A function's source. Never changes.
struct function_source {
  std::string name;              // as it is called in messages
  std::string file;              //
  std::uint32_t first_line = 0;  // of `lines`
  std::vector<std::string> lines;
  std::vector<parameter> parameters;
  block body;
  place at;  // its `def`

  std::string line(std::uint32_t number) const {
    return number >= first_line && number - first_line < lines.size() ? lines[number - first_line] : std::string();
  }
};

}  // namespace dpep::pykernel
