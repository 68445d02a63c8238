// Submits programs as generated kernels.
#include "array/gpu/run_program.hpp"

#include <atomic>
#include <cstdio>

#include "array/gpu/launch.hpp"
#include "array/gpu/single_operations.hpp"

namespace dpep::array::gpu {

event run(const queue &where, const program &p, const program_arguments &arguments, bool aliased,
          const ordered_dependencies &after, owner_list owners) {
  runtime::queue_object &q = runtime::implementation_of(where, "array program");
  const std::shared_ptr<const prepared_kernels> prepared = prepare_unless_small(p, arguments, aliased, q.code_target);
  if (!prepared) return run_single_operations(where, p, arguments, aliased, after, std::move(owners));
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
  return run_kernels(where, *prepared, arguments, after, std::move(owners));
}

}  // namespace dpep::array::gpu
