// Generates LLVM IR for loops over rows: loops over the elements of a row, with reductions of the row between them.
//
// Values that a later loop reads are stored in a buffer of one row, in the first-level cache. Rows are reduced as block
// kernels do it: the same partial results, combined in the same order.
#include <algorithm>

#include <dpep/array_opcodes.hpp>

#include "array/cpu/operation_ir.hpp"
#include "array/cpu/reduction_ir.hpp"

namespace dpep::array {
namespace {

class row_loop_writer {
public:
  explicit row_loop_writer(const element_loop &loop) : loop_(loop), w_(text_), values_(value_count()) { find_stages(); }

  std::string write(std::string_view name) {
    text_ = fmt::format("define spir_kernel void @{}(ptr %arguments) #0 {{\nentry:\n", name);
    read_arguments();
    for (std::size_t v = 0; v < values_.size(); ++v)
      if (values_[v].buffered)
        w_.line("%buffer{} = alloca [{} x {}], align 64", v, loop_.row_length,
                ir_type(loop_.type_of(std::uint16_t(v))));
    const std::string is_empty = w_.let("icmp eq i64 {}, 0", rows_);
    w_.line("br i1 {}, label %done, label %row", is_empty);
    begin_block("row");
    w_.line("%r = phi i64 [ 0, %entry ], [ %next_row, %row_end ]");
    find_row();
    for (int stage = 0; stage <= last_stage_ + 1; ++stage) {
      write_row_values(stage);
      if (stage <= last_stage_) write_loop(stage);
    }
    finish_row();
    text_ += "done:\n  ret void\n}\n" + declarations(loop_) + metadata();
    return std::move(text_);
  }

private:
  struct value {
    bool per_row = false;   // one element for each row
    bool buffered = false;  // in a buffer
    // the number of the loop that computes it; of values with one element a row, the loop that they are computed before
    int stage = 0;
    std::string name;     // the register: for the row, or in the current loop
    std::string address;  // inputs and results: the address of the row
  };

  const element_loop &loop_;
  std::string text_;
  ir_writer w_;
  std::vector<value> values_;
  std::vector<std::string> addresses_, distances_, result_addresses_;
  std::string rows_, block_;
  int last_stage_ = 0, loops_ = 0;

  std::size_t inputs() const { return loop_.inputs.size(); }
  std::size_t value_count() const { return loop_.inputs.size() + loop_.operations.size(); }
  const element_loop::operation &operation(std::size_t v) const { return loop_.operations[v - inputs()]; }
  std::string type_of(std::size_t v) const { return ir_type(loop_.type_of(std::uint16_t(v))); }
  std::size_t bytes_of(std::size_t v) const { return size_of(loop_.type_of(std::uint16_t(v))); }
  bool is_result(std::size_t v) const { return std::ranges::find(loop_.results, v) != loop_.results.end(); }

  void find_stages() {
    for (std::size_t v = 0; v < inputs(); ++v) values_[v].per_row = loop_.inputs[v].form == blocks::form::one;
    for (std::size_t v = inputs(); v < values_.size(); ++v) {
      const element_loop::operation &o = operation(v);
      value &made = values_[v];
      if (o.reduces) {
        made.per_row = true;
        made.stage = o.operands[0] < inputs() ? 0 : values_[o.operands[0]].stage + 1;
        continue;
      }
      made.per_row = true;
      for (std::uint8_t k = 0; k < o.count; ++k) {
        made.per_row &= values_[o.operands[k]].per_row;
        made.stage = std::max(made.stage, values_[o.operands[k]].stage);
      }
      if (!made.per_row) last_stage_ = std::max(last_stage_, made.stage);
    }
    for (std::size_t v = inputs(); v < values_.size(); ++v) {
      const element_loop::operation &o = operation(v);
      for (std::uint8_t k = 0; k < o.count; ++k)
        if (value &from = values_[o.operands[k]]; o.operands[k] >= inputs() && !from.per_row)
          from.buffered |= o.reduces.has_value() || from.stage < values_[v].stage;
      values_[v].buffered |= !values_[v].per_row && is_result(v) && values_[v].stage < last_stage_;
    }
  }

  void begin_block(std::string name) {
    text_ += name + ":\n";
    block_ = std::move(name);
  }

  void read_arguments() {
    std::size_t index = 0;
    const auto next = [&](const char *type) {
      const std::string at = w_.let("getelementptr i8, ptr %arguments, i64 {}", 8 * index++);
      return w_.let("load {}, ptr {}, align 8, !invariant.load !0", type, at);
    };
    rows_ = next("i64");
    const std::size_t count = inputs() + loop_.results.size();
    for (std::size_t k = 0; k < count; ++k) addresses_.push_back(next("ptr"));
    for (std::size_t k = 0; k < count; ++k) distances_.push_back(next("i64"));
  }

  void find_row() {
    const auto address = [&](std::size_t k) {
      const std::string distance = w_.let("mul i64 %r, {}", distances_[k]);
      return w_.let("getelementptr i8, ptr {}, i64 {}", addresses_[k], distance);
    };
    for (std::size_t v = 0; v < inputs(); ++v) {
      values_[v].address = address(v);
      if (values_[v].per_row)
        values_[v].name = w_.let("load {}, ptr {}, align {}", type_of(v), values_[v].address, bytes_of(v));
    }
    result_addresses_.clear();
    for (std::size_t k = 0; k < loop_.results.size(); ++k) result_addresses_.push_back(address(inputs() + k));
  }

  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const value &v : values_) list.push_back(v.name);
    return list;
  }

  /// Writes the values with one element a row that become known before the loop of this stage.
  void write_row_values(int stage) {
    for (std::size_t v = inputs(); v < values_.size(); ++v) {
      if (!values_[v].per_row || values_[v].stage != stage) continue;
      const element_loop::operation &o = operation(v);
      if (o.reduces)
        values_[v].name = reduce(*o.reduces, o.operands[0], o.count == 2 ? values_[o.operands[1]].name : "");
      else
        values_[v].name = write_operation(w_, loop_, o, names());
    }
  }

  void write_loop(int stage) {
    const std::string head = fmt::format("loop{}", stage), i = fmt::format("%i{}", stage), before = block_;
    w_.line("br label %{}", head);
    begin_block(head);
    w_.line("{} = phi i64 [ 0, %{} ], [ %next{}, %{} ]", i, before, stage, head);
    const auto element = [&](const std::string &type, const std::string &address) {
      return w_.let("getelementptr {}, ptr {}, i64 {}", type, address, i);
    };
    const auto load = [&](std::size_t v, const std::string &from) {
      values_[v].name = w_.let("load {}, ptr {}, align {}, !llvm.access.group !1", type_of(v),
                               element(type_of(v), from), bytes_of(v));
    };
    const auto store = [&](std::size_t v, const std::string &to) {
      w_.line("store {} {}, ptr {}, align {}, !llvm.access.group !1", type_of(v), values_[v].name,
              element(type_of(v), to), bytes_of(v));
    };
    for (value &v : values_)
      if (!v.per_row) v.name.clear();
    const auto need = [&](std::size_t v) {
      if (!values_[v].name.empty()) return;
      load(v, v < inputs() ? values_[v].address : fmt::format("%buffer{}", v));
    };
    for (std::size_t v = inputs(); v < values_.size(); ++v) {
      if (values_[v].per_row || values_[v].stage != stage) continue;
      const element_loop::operation &o = operation(v);
      for (std::uint8_t k = 0; k < o.count; ++k) need(o.operands[k]);
      values_[v].name = write_operation(w_, loop_, o, names());
      if (values_[v].buffered) store(v, fmt::format("%buffer{}", v));
    }
    // Stored in the last loop: a result may have the location of an input that all loops read.
    if (stage == last_stage_)
      for (std::size_t k = 0; k < loop_.results.size(); ++k) {
        const std::size_t v = loop_.results[k];
        if (values_[v].per_row) continue;
        need(v);
        store(v, result_addresses_[k]);
      }
    w_.line("%next{} = add nuw i64 {}, 1", stage, i);
    w_.line("%more{} = icmp ult i64 %next{}, {}", stage, stage, loop_.row_length);
    w_.line("br i1 %more{}, label %{}, label %after{}, !llvm.loop !{}", stage, head, stage, loop_number(loops_++));
    begin_block(fmt::format("after{}", stage));
  }

  void finish_row() {
    w_.line("br label %row_end");
    begin_block("row_end");
    for (std::size_t k = 0; k < loop_.results.size(); ++k)
      if (const std::size_t v = loop_.results[k]; values_[v].per_row)
        w_.line("store {} {}, ptr {}, align {}", type_of(v), values_[v].name, result_addresses_[k], bytes_of(v));
    w_.line("%next_row = add nuw i64 %r, 1");
    w_.line("%more_rows = icmp ult i64 %next_row, {}", rows_);
    w_.line("br i1 %more_rows, label %row, label %done");
  }

  // -- Reductions

  /// Reduces a value along the row; the result is combined with `state`, or with the identity if that is empty.
  std::string reduce(reduction how, std::size_t v, const std::string &state) {
    const dtype t = loop_.type_of(std::uint16_t(v));
    const std::string type = ir_type(t), from = v < inputs() ? values_[v].address : fmt::format("%buffer{}", v);
    const std::string identity = reduction_identity(how, t);
    const std::string of_row = reduce_piece(how, t, type, from, identity);
    return write_pair(w_, *pair_operation(how), t, state.empty() ? identity : state, of_row);
  }

  std::string reduce_piece(reduction how, dtype t, const std::string &type, const std::string &from,
                           const std::string &identity) {
    const std::size_t n = lanes_of(t), count = std::size_t(loop_.row_length);
    const std::string vector = fmt::format("<{} x {}>", n, type);
    std::vector<std::string> partial(reduction_chains, fmt::format("splat ({} {})", type, identity));
    const auto element = [&](std::size_t i) { return w_.let("getelementptr {}, ptr {}, i64 {}", type, from, i); };
    std::size_t i = 0;
    const auto add_vector = [&](std::size_t chain) {
      const std::string x = w_.let("load {}, ptr {}, align {}", vector, element(i), size_of(t));
      partial[chain] = write_combination(w_, how, t, partial[chain], x, n);
      i += n;
    };
    while (i + reduction_chains * n <= count)
      for (std::size_t k = 0; k < reduction_chains; ++k) add_vector(k);
    while (i + n <= count) add_vector(0);
    std::string result = write_combinations(w_, how, t, std::move(partial), n);
    for (; i < count; ++i) {
      const std::string x = w_.let("load {}, ptr {}, align {}", type, element(i), size_of(t));
      result = write_combination(w_, how, t, result, x, 0);
    }
    return result;
  }

  // -- Metadata

  static int loop_number(int loop) { return 3 + loop; }
  std::string metadata() const {
    // elements of a row are independent of each other, although a result may have the location of an input
    std::string list = "!0 = !{}\n!1 = distinct !{}\n!2 = !{!\"llvm.loop.parallel_accesses\", !1}\n";
    for (int k = 0; k < loops_; ++k) list += fmt::format("!{0} = distinct !{{!{0}, !2}}\n", loop_number(k));
    return list;
  }
};

}  // namespace

bool can_reduce_rows(reduction how, dtype t, std::int64_t row_length) noexcept {
  const bool known = how == reduction::sum || how == reduction::max || how == reduction::min;
  return known && is_float(t) && row_length <= std::int64_t(reduction_chains * max_chain_length * lanes_of(t));
}

std::string row_loop_ir(const element_loop &loop, std::string_view name) { return row_loop_writer(loop).write(name); }

}  // namespace dpep::array
