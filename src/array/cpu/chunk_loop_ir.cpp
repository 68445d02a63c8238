// Generates LLVM IR for loops over chunks of a block: those that reduce the block, and those with repeated rows.
//
// A chunk is a loop of constant length, which LLVM vectorises and unrolls. Partial results of reductions are in an
// array of the length of a chunk, which becomes registers; the block is cut into pieces, as block kernels cut it, and a
// chunk has a vector for each chain of theirs. Repeated rows are the same in all chunks, so that they are loaded once,
// and divisions by them are products (jit/compile/invariant_divisions.hpp).
#include <algorithm>

#include "array/cpu/operation_ir.hpp"
#include "array/cpu/reduction_ir.hpp"

namespace dpep::array {
namespace {

class chunk_loop_writer {
public:
  explicit chunk_loop_writer(const element_loop &loop)
      : loop_(loop), w_(text_), values_(loop.inputs.size() + loop.operations.size()), chunk_(chunk_of(loop)) {}

  std::string write(std::string_view name) {
    text_ = fmt::format("define spir_kernel void @{}(ptr %arguments) #0 {{\nentry:\n", name);
    read_arguments();
    for (std::size_t r = 0; r < partial_.size(); ++r)
      w_.line("{} = alloca [{} x {}], align 64", partial_[r], chunk_, type_of(reduced_[r]));
    reduced_.empty() ? write_chunks("entry", "0", count_, "done") : write_pieces();
    text_ += "done:\n  ret void\n}\n";
    // Loops with calls have other passes, which would unroll them before they are vectorised.
    const bool calls = has_calls(loop_);
    return text_ + declarations(loop_) + "!0 = !{}\n!1 = distinct !{}\n!2 = distinct !{!2, !3, !4, !5}\n" +
           "!3 = !{!\"llvm.loop.parallel_accesses\", !1}\n!4 = !{!\"llvm.loop.interleave.count\", i32 1}\n" +
           fmt::format("!5 = !{{!\"llvm.loop.unroll.{}\"}}\n", calls ? "disable" : "full");
  }

private:
  const element_loop &loop_;
  std::string text_;
  ir_writer w_;
  std::vector<std::string> values_;
  const std::size_t chunk_;
  std::string count_;
  std::vector<std::string> addresses_;  // of inputs, results, and results of pieces
  std::vector<std::uint16_t> reduced_;  // the operations that reduce
  std::vector<std::string> partial_;    // their partial results

  std::size_t inputs() const { return loop_.inputs.size(); }
  dtype dtype_of(std::uint16_t operation) const { return loop_.operations[operation].type; }
  std::string type_of(std::uint16_t operation) const { return ir_type(dtype_of(operation)); }
  reduction how_of(std::uint16_t operation) const { return *loop_.operations[operation].reduces; }
  std::size_t vector_bytes(std::uint16_t operation) const {
    return chunk_ / reduction_chains * size_of(dtype_of(operation));
  }

  void read_arguments() {
    const auto argument = [&](std::size_t k, const char *type) {
      const std::string at = w_.let("getelementptr i8, ptr %arguments, i64 {}", 8 * k);
      return w_.let("load {}, ptr {}, align 8, !invariant.load !0", type, at);
    };
    count_ = argument(0, "i64");
    for (std::size_t o = 0; o < loop_.operations.size(); ++o) {
      if (!loop_.operations[o].reduces) continue;
      partial_.push_back(fmt::format("%partial{}", reduced_.size()));
      reduced_.push_back(std::uint16_t(o));
    }
    const std::size_t count = inputs() + loop_.results.size() + reduced_.size();
    for (std::size_t k = 0; k < count; ++k) addresses_.push_back(argument(1 + k, "ptr"));
    for (std::size_t k = 0; k < inputs(); ++k)
      if (loop_.inputs[k].form == blocks::form::one)
        values_[k] = w_.let("load {}, ptr {}, align {}", ir_type(loop_.inputs[k].type), addresses_[k],
                            size_of(loop_.inputs[k].type));
  }

  void write_pieces() {
    w_.line("br label %piece\npiece:");
    w_.line("%start = phi i64 [ 0, %entry ], [ %end, %piece_end ]");
    w_.line("%p = phi i64 [ 0, %entry ], [ %next_p, %piece_end ]");
    w_.line("%most = add nuw i64 %start, {}", chunk_ * max_chain_length);
    w_.line("%is_last = icmp ugt i64 %most, {}", count_);
    w_.line("%end = select i1 %is_last, i64 {}, i64 %most", count_);
    for (std::size_t r = 0; r < partial_.size(); ++r) start(r);
    write_chunks("piece", "%start", "%end", "piece_end");
    text_ += "piece_end:\n";
    for (std::size_t r = 0; r < partial_.size(); ++r) finish(r);
    w_.line("%next_p = add nuw i64 %p, 1");
    w_.line("%more_p = icmp ult i64 %end, {}", count_);
    w_.line("br i1 %more_p, label %piece, label %done");
  }

  /// Writes the loop over the chunks from `start` to `end`, of which there is at least one.
  void write_chunks(const char *before, const std::string &start, const std::string &end, const char *after) {
    w_.line("br label %chunk\nchunk:");
    w_.line("%c = phi i64 [ {}, %{} ], [ %next_c, %chunk_end ]", start, before);
    w_.line("br label %element\nelement:");
    write_elements();
    text_ += "chunk_end:\n";
    w_.line("%next_c = add nuw i64 %c, {}", chunk_);
    w_.line("%more_c = icmp ult i64 %next_c, {}", end);
    w_.line("br i1 %more_c, label %chunk, label %{}", after);
  }

  std::string partial_vector(std::size_t r, std::size_t chain) {
    return w_.let("getelementptr i8, ptr {}, i64 {}", partial_[r], chain * vector_bytes(reduced_[r]));
  }
  std::string vector_type(std::size_t r) const {
    return fmt::format("<{} x {}>", chunk_ / reduction_chains, type_of(reduced_[r]));
  }

  void start(std::size_t r) {
    const std::string identity = reduction_identity(how_of(reduced_[r]), dtype_of(reduced_[r]));
    for (std::size_t chain = 0; chain < reduction_chains; ++chain)
      w_.line("store {} splat ({} {}), ptr {}, align {}", vector_type(r), type_of(reduced_[r]), identity,
              partial_vector(r, chain), size_of(dtype_of(reduced_[r])));
  }

  void finish(std::size_t r) {
    std::vector<std::string> vectors;
    for (std::size_t chain = 0; chain < reduction_chains; ++chain)
      vectors.push_back(w_.let("load {}, ptr {}, align {}", vector_type(r), partial_vector(r, chain),
                               size_of(dtype_of(reduced_[r]))));
    const std::string type = type_of(reduced_[r]);
    const std::string result = write_combinations(w_, how_of(reduced_[r]), dtype_of(reduced_[r]), std::move(vectors),
                                                  chunk_ / reduction_chains);
    const std::string to =
        w_.let("getelementptr {}, ptr {}, i64 %p", type, addresses_[inputs() + loop_.results.size() + r]);
    w_.line("store {} {}, ptr {}, align {}", type, result, to, size_of(dtype_of(reduced_[r])));
  }

  void write_elements() {
    w_.line("%j = phi i64 [ 0, %chunk ], [ %next_j, %element ]");
    w_.line("%i = add nuw i64 %c, %j");
    const auto at = [&](const std::string &type, const std::string &from, const char *index) {
      return w_.let("getelementptr {}, ptr {}, i64 {}", type, from, index);
    };
    const auto load = [&](dtype t, const std::string &from, const char *metadata = "") {
      return w_.let("load {}, ptr {}, align {}, !llvm.access.group !1{}", ir_type(t), from, size_of(t), metadata);
    };
    const auto store = [&](dtype t, const std::string &value, const std::string &to) {
      w_.line("store {} {}, ptr {}, align {}, !llvm.access.group !1", ir_type(t), value, to, size_of(t));
    };
    for (std::size_t k = 0; k < inputs(); ++k) {
      const dtype t = loop_.inputs[k].type;
      if (loop_.inputs[k].form == blocks::form::one) continue;
      if (loop_.inputs[k].is_repeated)  // nothing writes to it during the loop
        values_[k] = load(t, at(ir_type(t), addresses_[k], "%j"), ", !invariant.load !0");
      else
        values_[k] = load(t, at(ir_type(t), addresses_[k], "%i"));
    }
    std::size_t r = 0;
    for (std::size_t k = 0; k < loop_.operations.size(); ++k) {
      const element_loop::operation &o = loop_.operations[k];
      if (!o.reduces) {
        values_[inputs() + k] = write_operation(w_, loop_, o, values_);
        continue;
      }
      const std::string partial = at(ir_type(o.type), partial_[r++], "%j"), before = load(o.type, partial);
      store(o.type, write_combination(w_, *o.reduces, o.type, before, values_[o.operands[0]], 0), partial);
    }
    for (std::size_t k = 0; k < loop_.results.size(); ++k) {
      const dtype t = loop_.type_of(loop_.results[k]);
      store(t, values_[loop_.results[k]], at(ir_type(t), addresses_[inputs() + k], "%i"));
    }
    w_.line("%next_j = add nuw i64 %j, 1");
    w_.line("%more_j = icmp ult i64 %next_j, {}", chunk_);
    w_.line("br i1 %more_j, label %element, label %chunk_end, !llvm.loop !2");
  }
};

}  // namespace

bool can_reduce_blocks(reduction how, dtype t) noexcept {
  const bool known = how == reduction::sum || how == reduction::max || how == reduction::min;
  return known && t != dtype::boolean && has_registers(t);
}

std::size_t chunk_of(const element_loop &loop) noexcept {
  if (loop.chunk) return std::size_t(loop.chunk);
  std::size_t lanes = lanes_of(dtype::float64);
  for (const element_loop::operation &o : loop.operations)
    if (o.reduces && is_float(o.type)) lanes = lanes_of(o.type);
  return reduction_chains * lanes;
}

std::string chunk_loop_ir(const element_loop &loop, std::string_view name) {
  return chunk_loop_writer(loop).write(name);
}

}  // namespace dpep::array
