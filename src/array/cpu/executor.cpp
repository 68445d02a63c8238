// The executor of CPUs: submits prepared programs.
#include "array/cpu/executor.hpp"

#include <cstring>

#include "array/base/scalars.hpp"
#include "array/cpu/count.hpp"
#include "array/cpu/distances.hpp"
#include "array/cpu/filter.hpp"
#include "array/cpu/fold.hpp"
#include "array/cpu/fourier.hpp"
#include "array/cpu/interpolate.hpp"
#include "array/cpu/linear_algebra.hpp"
#include "array/cpu/partition.hpp"
#include "array/cpu/product.hpp"
#include "array/cpu/program_code.hpp"
#include "array/cpu/scan.hpp"
#include "array/cpu/scratch_check.hpp"
#include "array/cpu/search.hpp"
#include "array/cpu/selection.hpp"
#include "array/cpu/sort.hpp"
#include "array/cpu/sparse.hpp"
#include "array/cpu/stage_functions.hpp"
#include "array/cpu/update.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {
namespace {

/// The launch arguments as bytes; small ones are stored in the object itself.
class packed_arguments {
public:
  packed_arguments(const prepared_program &p, const program_arguments &from) {
    const std::size_t scalars = sizeof(run_header) + p.operands * sizeof(void *);
    const std::size_t scalars_at = (scalars + 15) & ~std::size_t{15};
    const std::size_t ramps_at = scalars_at + p.scalars.size() * 16;
    bytes_ = ramps_at + from.ramps.size() * sizeof(blocks::ramp);
    if (bytes_ > sizeof inline_) heap_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
    std::byte *const to = heap_ ? heap_.get() : inline_;
    new (to) run_header{&p, nullptr, 0, std::uint32_t(scalars_at), std::uint32_t(ramps_at)};
    if (p.operands) std::memcpy(to + sizeof(run_header), from.memory.data(), p.operands * sizeof(void *));
    for (std::size_t k = 0; k < p.scalars.size(); ++k)
      write_element(to + scalars_at + 16 * k, p.scalars[k].second, from.scalars[p.scalars[k].first]);
    for (std::size_t k = 0; k < from.ramps.size(); ++k)
      new (to + ramps_at + k * sizeof(blocks::ramp)) blocks::ramp{from.ramps[k].first, from.ramps[k].second};
  }
  run_header &header() { return *reinterpret_cast<run_header *>(heap_ ? heap_.get() : inline_); }
  std::span<const std::byte> bytes() const { return {heap_ ? heap_.get() : inline_, bytes_}; }

private:
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> heap_;
  alignas(16) std::byte inline_[512];
};

std::shared_ptr<void> allocate_workspace(const queue &q, std::size_t bytes) {
  return {allocate(usm_kind::host, bytes, 64, q.get_context(), q.get_device()),
          [where = q.get_context()](void *p) { free(p, where); }};
}

event launch_stage(runtime::queue_object &q, const program_code &code, std::size_t k, packed_arguments &arguments,
                   dependencies after) {
  const prepared_program::stage &stage = code.program->stages[k];
  arguments.header().stage = std::uint32_t(k);
  // The CPU back end treats code without measured run time as short if a launch has few work-items. Large work-groups
  // mark stages that are not short.
  const std::size_t items = stage.is_short ? 1 : 128;
  backend::launch_command command{
      code.stages[k].get(), {1, {stage.units * items, 1, 1}, {items, 1, 1}, {}}, arguments.bytes(), 0, {}};
  return q.launch(command, after);
}

}  // namespace

namespace cpu {
namespace {

class cpu_executor final : public executor {
public:
  bool compiles_programs() const noexcept override { return false; }
  bool runs_inline() const noexcept override { return true; }
  bool needs_compilation(const program &, const program_arguments &, backend::device &) const override { return false; }
  void compile(const program &, const program_arguments &, backend::device &) const override {}
  void scan(accumulation how, array_object &from, array_object &to, int axis) const override {
    cpu::scan(how, from, to, axis);
  }
  void sort(array_object &from, array_object *values, array_object *positions, bool descending) const override {
    cpu::sort(from, values, positions, descending);
  }
  void partition(array_object &from, array_object *values, array_object *positions, std::span<const std::int64_t> ranks,
                 bool descending) const override {
    cpu::partition(from, values, positions, ranks, descending);
  }
  event multiply(const queue &q, const matrix_product &p, const ordered_dependencies &after,
                 owner_list owners) const override {
    return cpu::multiply(q, p, after, std::move(owners));
  }
  bool multiply_now(const matrix_product &p) const override { return cpu::multiply_now(p); }
  event select(const queue &q, selection_step step, const selection_arguments &s,
               const ordered_dependencies &after) const override {
    return cpu::select(q, step, s, after);
  }
  bool select_now(selection_step step, const selection_arguments &s) const override { return cpu::select_now(step, s); }
  event search(const queue &q, const search_arguments &s, const ordered_dependencies &after) const override {
    return cpu::search(q, s, after);
  }
  bool has_folds() const noexcept override { return true; }
  event fold(const queue &q, const fold_arguments &f, const ordered_dependencies &after) const override {
    return cpu::fold(q, f, after);
  }
  void fold_now(const fold_arguments &f) const override { cpu::fold_now(f); }
  void update_now(const update_arguments &u) const override { cpu::update_now(u); }
  event interpolate(const queue &q, const interpolation_arguments &a,
                    const ordered_dependencies &after) const override {
    return cpu::interpolate(q, a, after);
  }
  bool interpolate_now(const interpolation_arguments &a) const override { return cpu::interpolate_now(a); }
  event filter(const queue &q, const filter_arguments &f, const ordered_dependencies &after) const override {
    return cpu::filter(q, f, after);
  }
  event measure(const queue &q, const distance_arguments &d, const ordered_dependencies &after) const override {
    return cpu::measure(q, d, after);
  }
  void count(array_object &bins, array_object *weights, array_object &sums) const override {
    cpu::count(bins, weights, sums);
  }
  event apply(const matrix_work &w) const override { return cpu::apply(w); }
  event apply(const fourier_work &w) const override { return cpu::transform(w); }
  bool apply_now(const fourier_work &w) const override { return cpu::transform_now(w); }
  bool has_sparse_operations() const noexcept override { return true; }
  void apply(const sparse_work &w) const override { cpu::apply(w); }
  event run(const queue &, const program &, const program_arguments &, const ordered_dependencies &,
            owner_list) const override;
  void run_small(opcode, const signature &, const plain_operands &, array_object &, std::int64_t) const override {
    throw exception(errc::feature_not_supported, "run_small: the executor of CPUs runs inline");
  }
};

event cpu_executor::run(const queue &where, const program &p, const program_arguments &arguments,
                        const ordered_dependencies &after, owner_list owners) const {
  runtime::queue_object &q = runtime::implementation_of(where, "array program");
  const bool aliased = is_aliased(p, arguments);
  const std::shared_ptr<const program_code> code = prepare(p, aliased, q.code_target);
  packed_arguments packed(*code->program, arguments);
  const prepared_program &program = *code->program;
  if (program.workspace_bytes && program.stages.front().what != prepared_program::stage::kind::whole) {
    owners.push_back(allocate_workspace(where, program.workspace_bytes));
    packed.header().workspace = static_cast<std::byte *>(owners.back().get());
    if (checks_scratch()) fill_with_nan(packed.header().workspace, program.workspace_bytes);
    std::memset(packed.header().workspace + program.counters_offset, 0, code->stages.size() * sizeof(std::uint64_t));
  }
  event last;
  for (std::size_t k = 0; k < code->stages.size(); ++k) {
    const event before = last;
    last = launch_stage(q, *code, k, packed,
                        k == 0   ? dependencies(after)
                        : before ? dependencies(&before, 1)
                                 : dependencies());
    if (last)
      for (const std::shared_ptr<void> &owner : owners) last.keep_alive(owner);
  }
  return last;
}

}  // namespace

const executor &the_executor() noexcept {
  static const cpu_executor instance;
  return instance;
}

}  // namespace cpu
}  // namespace dpep::array
