// Generates LLVM IR for loops with inner loops over short axes: a kernel with a work-item for each element of the
// lanes.
//
// Operations are placed into a tree of loops. An operation joins a loop over its axis that has the values it needs, and
// begins another one where it needs the result of a reduction over that axis. Values that other loops read are in
// private variables and arrays, which become registers where the loops are unrolled.
#include <algorithm>
#include <map>

#include <dpep/array_opcodes.hpp>

#include "array/cpu/operation_ir.hpp"

namespace dpep::array {
namespace {

// Loops with at most so many operations in all are unrolled: their values fit registers, or nearly so.
constexpr std::int64_t max_unrolled = 200, max_unrolled_inside = 64;

bool is_position(reduction how) { return how == reduction::argmax || how == reduction::argmin; }
bool is_truth(reduction how) {
  return how == reduction::any || how == reduction::all || how == reduction::count_nonzero;
}

/// The smallest or largest value of the type; of floats, an infinity.
std::string extreme_of(dtype t, bool largest) {
  if (is_float(t)) return largest ? "0x7FF0000000000000" : "0xFFF0000000000000";
  const auto bits = 8 * size_of(t);
  switch (kind_of(t)) {
  case dtype_kind::boolean:
    return largest ? "1" : "0";
  case dtype_kind::signed_integer:
    return largest ? fmt::format("{}", (std::uint64_t{1} << (bits - 1)) - 1)
                   : fmt::format("-{}", std::uint64_t{1} << (bits - 1));
  default:
    return largest ? "-1" : "0";
  }
}

/// The state of a reduction of no elements.
std::string identity_of(reduction how, dtype t) {
  switch (how) {
  case reduction::sum:
    return is_float(t) ? "0.0" : "0";
  case reduction::prod:
    return is_float(t) ? "1.0" : "1";
  case reduction::max:
  case reduction::argmax:
    return extreme_of(t, false);
  case reduction::min:
  case reduction::argmin:
    return extreme_of(t, true);
  case reduction::all:
    return "1";
  default:
    return "0";
  }
}

class short_axis_writer {
public:
  explicit short_axis_writer(const element_loop &loop) : loop_(loop), w_(text_), values_(value_count()) {
    stores_last_ = std::ranges::any_of(loop.inputs, &element_loop::input::is_overwritten);
    nodes_.push_back({});
    for (std::size_t v = inputs(); v < values_.size(); ++v) place_operation(v);
    for (std::size_t k = 0; k < loop_.results.size(); ++k) place_store(k);
    find_storage();
  }

  std::string write(std::string_view name) {
    text_ = fmt::format("declare i64 @__dpep_global_id(i32)\n\ndefine spir_kernel void @{}(ptr %arguments) {{\n", name);
    const std::size_t head = text_.size();
    item_ = w_.let("call i64 @__dpep_global_id(i32 0)");
    read_arguments();
    allocate();
    indices_.assign(loop_.short_axes.size(), "");
    names_.emplace_back();
    for (std::size_t v = 0; v < inputs(); ++v)
      if (loop_.inputs[v].axes.empty() && !loop_.inputs[v].is_position) name_of(v);
    unrolls_all_ = operations_in(0) <= max_unrolled;
    write_list(0);
    std::string counters;
    for (int k = 0; k < loops_; ++k) counters += fmt::format("  %counter{} = alloca i64\n", k);
    text_.insert(head, counters);
    return text_ + "  ret void\n}\n" + declarations(loop_) + metadata_;
  }

private:
  using segment = element_loop::operation::state;
  enum class kind : std::uint8_t { loop, operation, start, store };
  /// A loop and what is in it, or an operation, the initial state of a reduction, or the store of a result. Node 0 is
  /// the code around all loops.
  struct node {
    kind what = kind::loop;
    int axis = -1;
    std::size_t index = 0;  // of the value or result
    std::size_t parent = 0;
    std::vector<std::size_t> children = {};
  };
  struct value {
    std::size_t node = 0;  // the operation; of reductions, the outermost loop over a reduced axis
    bool stored = false;   // in a private variable
    axis_set along;        // the axes of that variable
    std::string variable, position;
  };

  const element_loop &loop_;
  std::string text_, metadata_ = "!0 = !{}\n";
  ir_writer w_;
  std::vector<node> nodes_;
  std::vector<value> values_;
  std::string item_;
  std::vector<std::string> addresses_;
  std::vector<std::vector<std::string>> strides_;          // [axis][address]
  std::vector<std::string> indices_;                       // of the open loops, by axis
  std::vector<std::map<std::size_t, std::string>> names_;  // of values, for each open loop
  bool stores_last_ = false, unrolls_all_ = false;
  int loops_ = 0, metadata_count_ = 1;

  std::size_t inputs() const { return loop_.inputs.size(); }
  std::size_t value_count() const { return loop_.inputs.size() + loop_.operations.size(); }
  const element_loop::operation &operation(std::size_t v) const { return loop_.operations[v - inputs()]; }
  axis_set axes_of(std::size_t v) const { return v < inputs() ? loop_.inputs[v].axes : operation(v).axes; }
  std::string type_of(std::size_t v) const { return ir_type(loop_.type_of(std::uint16_t(v))); }
  std::size_t bytes_of(std::size_t v) const { return size_of(loop_.type_of(std::uint16_t(v))); }
  int axes() const { return int(loop_.short_axes.size()); }
  std::int64_t length(int a) const { return loop_.short_axes[std::size_t(a)]; }

  // -- The tree

  std::size_t add_node(node n) {
    nodes_.push_back(std::move(n));
    nodes_[nodes_.back().parent].children.push_back(nodes_.size() - 1);
    return nodes_.size() - 1;
  }

  /// The child of `list` that is or contains the node; none if it is elsewhere.
  std::optional<std::size_t> child_with(std::size_t list, std::size_t n) const {
    for (; n != 0; n = nodes_[n].parent)
      if (nodes_[n].parent == list) return n;
    return {};
  }
  bool is_inside(std::size_t n, std::size_t loop) const {
    while (n != loop && n != 0) n = nodes_[n].parent;
    return n == loop;
  }

  /// The loop in which an operation on these axes and values can be appended. With `after_all`, in loops of its own.
  std::size_t place(axis_set domain, std::span<const std::size_t> needed, bool after_all = false) {
    std::size_t list = 0;
    for (int a = 0; a < axes(); ++a) {
      if (!domain.has(a)) continue;
      const std::vector<std::size_t> &children = nodes_[list].children;
      std::size_t first = after_all ? children.size() : 0;
      for (const std::size_t v : needed) {
        const std::size_t from = values_[v].node;
        const std::optional<std::size_t> child = child_with(list, from);
        if (!child) continue;
        const auto at = std::size_t(std::ranges::find(children, *child) - children.begin());
        const bool can_join = nodes_[*child].what == kind::loop && nodes_[*child].axis == a && from != *child;
        first = std::max(first, can_join ? at : at + 1);
      }
      std::optional<std::size_t> joined;
      for (std::size_t c = first; c < children.size() && !joined; ++c)
        if (nodes_[children[c]].what == kind::loop && nodes_[children[c]].axis == a) joined = children[c];
      list = joined ? *joined : add_node({kind::loop, a, 0, list});
    }
    return list;
  }

  std::vector<std::size_t> operations_needed(std::size_t v) const {
    std::vector<std::size_t> needed;
    for (std::uint8_t k = 0; k < operation(v).count; ++k)
      if (operation(v).operands[k] >= inputs()) needed.push_back(operation(v).operands[k]);
    return needed;
  }

  void place_operation(std::size_t v) {
    const element_loop::operation &o = operation(v);
    const std::size_t list = place(o.axes | o.over, operations_needed(v));
    values_[v].node = add_node({kind::operation, -1, v, list});
    if (!o.reduces) return;
    // The outermost loop over a reduced axis, before which the state is initialised.
    std::size_t outermost = values_[v].node;
    for (std::size_t n = list; n != 0; n = nodes_[n].parent)
      if (o.over.has(nodes_[n].axis)) outermost = n;
    values_[v].node = outermost;
    const std::size_t parent = nodes_[outermost].parent;
    nodes_.push_back({kind::start, -1, v, parent});
    std::vector<std::size_t> &children = nodes_[parent].children;
    children.insert(std::ranges::find(children, outermost), nodes_.size() - 1);
  }

  void place_store(std::size_t k) {
    const std::size_t v = loop_.results[k];
    const std::size_t needed[] = {v};
    add_node({kind::store, -1, k, place(axes_of(v), needed, stores_last_)});
  }

  /// The list in which the value becomes known.
  std::size_t list_of(std::size_t v) const { return nodes_[values_[v].node].parent; }

  /// Values that are read outside the loop that computes them get a variable, and so do states.
  void find_storage() {
    std::vector<axis_set> common(values_.size(), axis_set::first(64));  // axes of loops around the value and its uses
    const auto uses = [&](std::size_t v, std::size_t list) {
      if (v < inputs()) return;
      const std::size_t home = list_of(v);
      if (is_inside(list, home) && !operation(v).reduces) return;
      values_[v].stored = true;
      axis_set around;
      for (std::size_t n = home; n != 0; n = nodes_[n].parent)
        if (is_inside(list, n)) around = around | axis_set::of(nodes_[n].axis);
      common[v] = common[v] & around;
    };
    for (const node &n : nodes_) {
      if (n.what == kind::operation)
        for (std::uint8_t k = 0; k < operation(n.index).count; ++k) uses(operation(n.index).operands[k], n.parent);
      if (n.what == kind::store) uses(loop_.results[n.index], n.parent);
    }
    for (std::size_t v = inputs(); v < values_.size(); ++v) {
      if (operation(v).reduces) {
        values_[v].stored = true;
        uses(v, list_of(v));
      }
      if (values_[v].stored) values_[v].along = axes_of(v) - common[v];
    }
  }

  // -- Text

  void read_arguments() {
    std::size_t index = 1;
    const auto next = [&](const char *type) {
      const std::string at = w_.let("getelementptr i8, ptr %arguments, i64 {}", 8 * index++);
      return w_.let("load {}, ptr {}, align 8, !invariant.load !0", type, at);
    };
    const std::size_t count = inputs() + loop_.results.size();
    for (std::size_t k = 0; k < count; ++k) addresses_.push_back(next("ptr"));
    for (int a = 0; a < axes(); ++a) {
      strides_.emplace_back();
      for (std::size_t k = 0; k < count; ++k) strides_.back().push_back(next("i64"));
    }
  }

  std::int64_t elements_along(axis_set along) const {
    std::int64_t n = 1;
    for (int a = 0; a < axes(); ++a)
      if (along.has(a)) n *= length(a);
    return n;
  }

  void allocate() {
    for (std::size_t v = inputs(); v < values_.size(); ++v) {
      value &s = values_[v];
      if (!s.stored) continue;
      const std::int64_t n = elements_along(s.along);
      const auto variable = [&](const std::string &type) {
        return n == 1 ? w_.let("alloca {}", type) : w_.let("alloca [{} x {}]", n, type);
      };
      s.variable = variable(state_type(v));
      if (operation(v).reduces && is_position(*operation(v).reduces)) s.position = variable("i64");
    }
  }

  /// Of argmax and argmin, the value beside the position.
  dtype state_dtype(std::size_t v) const {
    const element_loop::operation &o = operation(v);
    return o.reduces && is_position(*o.reduces) ? loop_.type_of(o.operands[0]) : o.type;
  }
  std::string state_type(std::size_t v) const { return ir_type(state_dtype(v)); }

  std::string element_of(const std::string &variable, axis_set along, const std::string &type) {
    if (along.empty()) return variable;
    std::string at;
    for (int a = 0; a < axes(); ++a) {
      if (!along.has(a)) continue;
      if (!at.empty()) at = w_.let("mul i64 {}, {}", at, length(a));
      at = at.empty() ? indices_[std::size_t(a)] : w_.let("add i64 {}, {}", at, indices_[std::size_t(a)]);
    }
    return w_.let("getelementptr {}, ptr {}, i64 {}", type, variable, at);
  }

  /// The address of an operand or result for the indices of the open loops.
  std::string address_of(std::size_t k, axis_set along, bool is_block, const std::string &type) {
    std::string at = addresses_[k];
    for (int a = 0; a < axes(); ++a)
      if (along.has(a)) {
        const std::string distance = w_.let("mul i64 {}, {}", indices_[std::size_t(a)], strides_[std::size_t(a)][k]);
        at = w_.let("getelementptr i8, ptr {}, i64 {}", at, distance);
      }
    return is_block ? w_.let("getelementptr {}, ptr {}, i64 {}", type, at, item_) : at;
  }

  std::string position(std::size_t input, axis_set over) {
    std::string at = w_.let("ptrtoint ptr {} to i64", addresses_[input]);
    at = w_.let("sub i64 {}, {}", at, first_position);
    for (int a = 0; a < axes(); ++a)
      if (over.has(a)) {
        const std::string distance =
            w_.let("mul i64 {}, {}", indices_[std::size_t(a)], strides_[std::size_t(a)][input]);
        at = w_.let("add i64 {}, {}", at, distance);
      }
    return at;
  }

  /// The value's register; loads it if it has none in the open loops.
  std::string name_of(std::size_t v) {
    for (const auto &scope : names_)
      if (const auto known = scope.find(v); known != scope.end()) return known->second;
    std::string name;
    const std::string type = type_of(v);
    if (v < inputs()) {
      const element_loop::input &i = loop_.inputs[v];
      name = w_.let("load {}, ptr {}, align {}{}", type, address_of(v, i.axes, i.form == blocks::form::vector, type),
                    bytes_of(v), i.is_overwritten ? "" : ", !invariant.load !0");
    } else {
      const value &s = values_[v];
      const std::string &variable = s.position.empty() ? s.variable : s.position;
      name = w_.let("load {}, ptr {}, align {}", type, element_of(variable, s.along, type), bytes_of(v));
    }
    names_.back()[v] = name;
    return name;
  }

  void write_list(std::size_t list) {
    for (const std::size_t n : std::vector<std::size_t>(nodes_[list].children)) {
      const node &c = nodes_[n];
      switch (c.what) {
      case kind::loop:
        write_loop(n);
        break;
      case kind::operation:
        write_value(c.index);
        break;
      case kind::start:
        write_start(c.index, list);
        break;
      case kind::store: {
        const std::size_t v = loop_.results[c.index];
        const std::string type = type_of(v), x = v < inputs() ? name_of(v) : finished(v);
        w_.line("store {} {}, ptr {}, align {}", type, x, address_of(inputs() + c.index, axes_of(v), true, type),
                bytes_of(v));
        break;
      }
      }
    }
  }

  std::int64_t operations_in(std::size_t n) const {
    const node &c = nodes_[n];
    std::int64_t count = c.what == kind::loop ? 0 : 1;
    for (const std::size_t child : c.children) count += operations_in(child);
    return c.axis >= 0 ? count * length(c.axis) : count;
  }
  bool is_innermost(std::size_t n) const {
    return std::ranges::none_of(nodes_[n].children, [&](std::size_t c) { return nodes_[c].what == kind::loop; });
  }

  template <class F> void repeat(int axis, bool unrolled, const F &body) {
    const int number = loops_++;
    w_.line("br label %loop{}", number);
    // The counter is a variable as well: its phi would name the block before, which depends on what was written.
    const std::string counter = fmt::format("%counter{}", number);
    text_ += fmt::format("loop{}:\n", number);
    const std::string index = w_.let("load i64, ptr {}, align 8", counter);
    indices_[std::size_t(axis)] = index;
    names_.emplace_back();
    body();
    names_.pop_back();
    indices_[std::size_t(axis)].clear();
    const std::string next = w_.let("add nuw nsw i64 {}, 1", index);
    w_.line("store i64 {}, ptr {}, align 8", next, counter);
    const std::string more = w_.let("icmp ult i64 {}, {}", next, length(axis));
    const int id = metadata_count_++;
    w_.line("br i1 {}, label %loop{}, label %after{}, !llvm.loop !{}", more, number, number, id);
    text_ += fmt::format("after{}:\n", number);
    if (unrolled) {
      const int hint = metadata_count_++;
      metadata_ += fmt::format("!{0} = distinct !{{!{0}, !{1}}}\n!{1} = !{{!\"llvm.loop.unroll.full\"}}\n", id, hint);
    } else {
      metadata_ += fmt::format("!{0} = distinct !{{!{0}}}\n", id);
    }
  }

  void write_loop(std::size_t n) {
    const bool unrolled = unrolls_all_ || (is_innermost(n) && operations_in(n) <= max_unrolled_inside);
    w_.line("store i64 0, ptr %counter{}, align 8", loops_);
    repeat(nodes_[n].axis, unrolled, [&] { write_list(n); });
  }

  /// Initialises the states for all axes of the value that are inside this list.
  void write_start(std::size_t v, std::size_t list) {
    axis_set open;
    for (std::size_t n = list; n != 0; n = nodes_[n].parent) open = open | axis_set::of(nodes_[n].axis);
    write_start_along(v, axes_of(v) - open, 0);
  }
  void write_start_along(std::size_t v, axis_set left, int from) {
    for (int a = from; a < axes(); ++a) {
      if (!left.has(a)) continue;
      w_.line("store i64 0, ptr %counter{}, align 8", loops_);
      return repeat(a, unrolls_all_, [&] { write_start_along(v, left, a + 1); });
    }
    const element_loop::operation &o = operation(v);
    const value &s = values_[v];
    const std::string first_state = o.of_segment == segment::continued ? name_of(o.operands[o.count - 1u])
                                                                       : identity_of(*o.reduces, state_dtype(v));
    w_.line("store {} {}, ptr {}, align {}", state_type(v), first_state, element_of(s.variable, s.along, state_type(v)),
            size_of(state_dtype(v)));
    // The identity replaces no element that differs from it, so that it may have the first position.
    if (!s.position.empty()) {
      const std::string first = position(o.operands[1], {});
      w_.line("store i64 {}, ptr {}, align 8", first, element_of(s.position, s.along, "i64"));
    }
  }

  void write_value(std::size_t v) {
    const element_loop::operation &o = operation(v);
    if (o.reduces) return write_step(v);
    std::vector<std::string> operands(values_.size());
    for (std::uint8_t k = 0; k < o.count; ++k) operands[o.operands[k]] = name_of(o.operands[k]);
    const std::string name = write_operation(w_, loop_, o, operands);
    names_.back()[v] = name;
    const value &s = values_[v];
    if (s.stored)
      w_.line("store {} {}, ptr {}, align {}", type_of(v), name, element_of(s.variable, s.along, type_of(v)),
              bytes_of(v));
  }

  /// The value that is stored: of reductions that are a part of a segment's, the segment's state.
  std::string finished(std::size_t v) {
    const element_loop::operation &o = operation(v);
    const std::string x = name_of(v);
    if (o.of_segment != segment::merged) return x;
    const std::string state = name_of(o.operands[o.count - 1u]);
    if (const std::optional<opcode> code = pair_operation(*o.reduces)) return write_pair(w_, *code, o.type, state, x);
    return w_.let("{} {} {}, {}", truth_operation(*o.reduces), ir_type(o.type), state, x);
  }

  static const char *truth_operation(reduction how) {
    return how == reduction::any ? "or" : how == reduction::all ? "and" : "add";
  }

  std::string truth(dtype t, const std::string &x) {
    return w_.let("{} {} {}, {}", is_float(t) ? "fcmp une" : "icmp ne", ir_type(t), x, is_float(t) ? "0.0" : "0");
  }

  /// Combines the state with one more element.
  void write_step(std::size_t v) {
    const element_loop::operation &o = operation(v);
    const value &s = values_[v];
    const dtype t = state_dtype(v);
    const std::string type = ir_type(t), x = name_of(o.operands[0]), at = element_of(s.variable, s.along, type);
    const std::string state = w_.let("load {}, ptr {}, align {}", type, at, size_of(t));
    std::string next;
    if (const std::optional<opcode> code = pair_operation(*o.reduces)) {
      next = write_pair(w_, *code, t, state, x);
    } else if (is_truth(*o.reduces)) {
      const std::string one = truth(loop_.type_of(o.operands[0]), x);
      const std::string number = w_.let("zext i1 {} to {}", one, type);
      next = w_.let("{} {} {}, {}", truth_operation(*o.reduces), type, state, number);
    } else {
      // As elements::reductions::position: the first of equal elements, and the first NaN.
      const bool largest = *o.reduces == reduction::argmax;
      std::string better;
      if (is_float(t)) {
        better = w_.let("fcmp {} {} {}, {}", largest ? "ugt" : "ult", type, x, state);
        const std::string number = w_.let("fcmp ord {} {}, 0.0", type, state);
        better = w_.let("and i1 {}, {}", better, number);
      } else {
        const bool is_signed = kind_of(t) == dtype_kind::signed_integer;
        better = w_.let("icmp {}{} {} {}, {}", is_signed ? "s" : "u", largest ? "gt" : "lt", type, x, state);
      }
      next = w_.let("select i1 {}, {} {}, {} {}", better, type, x, type, state);
      const std::string position_at = element_of(s.position, s.along, "i64");
      const std::string before = w_.let("load i64, ptr {}, align 8", position_at);
      const std::string here = position(o.operands[1], o.over);
      const std::string first = w_.let("select i1 {}, i64 {}, i64 {}", better, here, before);
      w_.line("store i64 {}, ptr {}, align 8", first, position_at);
    }
    w_.line("store {} {}, ptr {}, align {}", type, next, at, size_of(t));
  }
};

}  // namespace

bool can_reduce_short_axis(reduction how, dtype t) noexcept {
  const bool known = has_registers(t);
  if (const std::optional<opcode> code = pair_operation(how)) {
    const dtype types[] = {t, t};
    return known && blocks::find_reducer(how, t) && has_body(*code, types, t);
  }
  return known && (is_truth(how) || is_position(how));
}

std::string short_axis_loop_ir(const element_loop &loop, std::string_view name) {
  return short_axis_writer(loop).write(name);
}

}  // namespace dpep::array
