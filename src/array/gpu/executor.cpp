// The executor of GPUs: one function of this folder for each kind of work.
#include "array/gpu/executor.hpp"

#include "array/gpu/count.hpp"
#include "array/gpu/distances.hpp"
#include "array/gpu/filter.hpp"
#include "array/gpu/fourier.hpp"
#include "array/gpu/linear_algebra.hpp"
#include "array/gpu/permutation.hpp"
#include "array/gpu/prepared_kernels.hpp"
#include "array/gpu/product.hpp"
#include "array/gpu/random_integers.hpp"
#include "array/gpu/run_program.hpp"
#include "array/gpu/run_small.hpp"
#include "array/gpu/scan.hpp"
#include "array/gpu/search.hpp"
#include "array/gpu/selection.hpp"
#include "array/gpu/sort.hpp"
#include "array/gpu/sparse.hpp"

namespace dpep::array::gpu {
namespace {

[[noreturn]] void refuse_fold() {
  throw exception(errc::feature_not_supported, "fold: this device has no folds; compose them of other operations");
}

class gpu_executor final : public executor {
public:
  bool compiles_programs() const noexcept override { return true; }
  bool runs_inline() const noexcept override { return false; }
  event run(const queue &q, const program &p, const program_arguments &arguments, const ordered_dependencies &after,
            owner_list owners) const override {
    return gpu::run(q, p, arguments, is_aliased(p, arguments), after, std::move(owners));
  }
  void run_small(opcode code, const signature &s, const plain_operands &operands, array_object &result,
                 std::int64_t count) const override {
    gpu::run_small(code, s, operands, result, count);
  }
  void scan(accumulation how, array_object &from, array_object &to, int axis) const override {
    gpu::scan(how, from, to, axis);
  }
  void sort(array_object &from, array_object *values, array_object *positions, bool descending) const override {
    gpu::sort(from, values, positions, descending);
  }
  void expect_selection(const queue &q, selection_step last, std::int64_t count, std::int64_t row) const override {
    gpu::expect_selection(q, last, count, row);
  }
  event select(const queue &q, selection_step step, const selection_arguments &s,
               const ordered_dependencies &after) const override {
    return gpu::select(q, step, s, after);
  }
  event search(const queue &q, const search_arguments &s, const ordered_dependencies &after) const override {
    return gpu::search(q, s, after);
  }
  bool has_folds() const noexcept override { return false; }
  event fold(const queue &, const fold_arguments &, const ordered_dependencies &) const override { refuse_fold(); }
  void fold_now(const fold_arguments &) const override { refuse_fold(); }
  void update_now(const update_arguments &) const override { refuse_fold(); }
  event interpolate(const queue &, const interpolation_arguments &, const ordered_dependencies &) const override {
    refuse_fold();
  }
  bool interpolate_now(const interpolation_arguments &) const override { refuse_fold(); }
  event filter(const queue &q, const filter_arguments &f, const ordered_dependencies &after) const override {
    return gpu::filter(q, f, after);
  }
  event measure(const queue &q, const distance_arguments &d, const ordered_dependencies &after) const override {
    return gpu::measure(q, d, after);
  }
  event multiply(const queue &q, const matrix_product &p, const ordered_dependencies &after,
                 owner_list owners) const override {
    return gpu::multiply(q, p, after, std::move(owners));
  }
  bool multiply_now(const matrix_product &) const override { return false; }
  void count(array_object &bins, array_object *weights, array_object &sums) const override {
    gpu::count(bins, weights, sums);
  }
  std::int64_t least_permutation() const noexcept override { return 1 << 15; }
  void draw_targets(array_object &words, array_object &targets, array_object &report) const override {
    gpu::draw_targets(words, targets, report);
  }
  void exchange(array_object &targets, std::int64_t size, array_object &to) const override {
    gpu::exchange(targets, size, to);
  }
  bool draws_integers() const noexcept override { return true; }
  void draw_integers(const integer_draws &d, array_object &to, array_object &report) const override {
    gpu::draw_integers(d, to, report);
  }
  event apply(const matrix_work &w) const override { return gpu::apply(w); }
  event apply(const fourier_work &w) const override { return gpu::transform(w); }
  bool has_sparse_operations() const noexcept override { return false; }
  void apply(const sparse_work &w) const override { gpu::apply(w); }
  bool needs_compilation(const program &p, const program_arguments &arguments, backend::device &device) const override {
    return !is_prepared(p, arguments, is_aliased(p, arguments), device);
  }
  void compile(const program &p, const program_arguments &arguments, backend::device &device) const override {
    prepare(p, arguments, is_aliased(p, arguments), device);
  }
};

}  // namespace

const executor &the_executor() noexcept {
  static const gpu_executor instance;
  return instance;
}

}  // namespace dpep::array::gpu
