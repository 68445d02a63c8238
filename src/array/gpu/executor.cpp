// The executor of GPUs: submits programs as generated kernels.
#include "array/gpu/executor.hpp"

#include <atomic>
#include <cstdio>

#include "array/gpu/launch.hpp"
#include "array/gpu/product.hpp"
#include "array/gpu/run_small.hpp"
#include "array/gpu/scan.hpp"
#include "array/gpu/search.hpp"
#include "array/gpu/selection.hpp"
#include "array/gpu/single_operations.hpp"
#include "array/gpu/sort.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array::gpu {
event run(const queue &where, const program &p, const program_arguments &arguments, bool aliased,
          const ordered_dependencies &after, owner_list owners) {
  runtime::queue_object &q = runtime::implementation_of(where, "array program");
  const std::shared_ptr<const prepared_kernels> prepared = prepare(p, arguments, aliased, q.code_target);
  if (!prepared->build_error.empty()) {
    static std::atomic<bool> reported{false};
    if (!reported.exchange(true))
      std::fprintf(
          stderr,
          "dpep: a generated kernel of '%s' does not compile, which is a defect of dpep. The expression is executed "
          "operation by operation instead, slower and with more memory. Further cases are not reported: %s\n",
          readable_name(p).c_str(), prepared->build_error.c_str());
    return run_single_operations(where, p, arguments, aliased, after, std::move(owners));
  }
  std::byte *workspace = nullptr;
  if (prepared->workspace_bytes) {
    owners.push_back(allocate_workspace(where, prepared->workspace_bytes));
    workspace = static_cast<std::byte *>(owners.back().get());
  }
  std::byte *const counters = prepared->uses_counters ? deferred_queue::of(where).counters() : nullptr;
  event last;
  // the last kernel completes last, because each waits for the one before
  const auto keep_owners = [&] {
    if (last)
      for (std::shared_ptr<void> &owner : owners) last.keep_alive(std::move(owner));
  };
  try {
    for (const prepared_kernel &kernel : prepared->kernels) {
      const filled_arguments filled(kernel.arguments, arguments, workspace, counters);
      last = launch(q, kernel, filled.bytes(), last ? ordered_dependencies({&last, 1}, &last) : after);
    }
  } catch (...) {  // earlier kernels use the owners' memory
    keep_owners();
    throw;
  }
  keep_owners();
  return last;
}

namespace {

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
  event select(const queue &q, selection_step step, const selection_arguments &s,
               const ordered_dependencies &after) const override {
    return gpu::select(q, step, s, after);
  }
  event search(const queue &q, const search_arguments &s, const ordered_dependencies &after) const override {
    return gpu::search(q, s, after);
  }
  event multiply(const queue &q, const matrix_product &p, const ordered_dependencies &after,
                 owner_list owners) const override {
    return gpu::multiply(q, p, after, std::move(owners));
  }
  bool multiply_now(const matrix_product &) const override { return false; }
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
