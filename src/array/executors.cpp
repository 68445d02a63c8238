// The choice of a queue's executor.
#include "array/executor.hpp"

#include <atomic>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "array/cpu/executor.hpp"
#include "array/gpu/executor.hpp"

namespace dpep::array {
namespace {

std::atomic<bool> generated_everywhere{[] {
  const char *const wanted = std::getenv("DPEP_ARRAY_KERNELS");
  return wanted && std::string_view(wanted) == "generated";
}()};

}  // namespace

const executor &executor_of(const runtime::queue_object &q) noexcept {
  const bool runs_host_code = q.code_target.capabilities().runs_inline;
  return runs_host_code && !generated_everywhere.load(std::memory_order_relaxed) ? cpu::the_executor()
                                                                                 : gpu::the_executor();
}

event run(const queue &q, const program &p, const program_arguments &arguments, const ordered_dependencies &after,
          owner_list owners) {
  runtime::queue_object &mine = runtime::implementation_of(q, "array program");
  return executor_of(mine).run(q, p, arguments, after, std::move(owners));
}

bool use_generated_kernels(bool yes) noexcept { return generated_everywhere.exchange(yes, std::memory_order_relaxed); }

}  // namespace dpep::array
