// The choice of a queue's executor.
#include "array/executor.hpp"

#include <atomic>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "array/cpu/executor.hpp"
#include "array/fusion/wraps.hpp"
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
  const executor &mine = executor_of(q);
  if (!wraps_around(p)) [[likely]]
    return mine.run(q, p, arguments, after, std::move(owners));
  return submit_steps(owners, [&](event &last) {
    program_arguments moved = arguments;
    for (const auto parts = divide_at_wraps(p); const program_part &part : *parts) {
      for (std::size_t m = 0; m < moved.memory.size(); ++m) moved.memory[m] = arguments.memory[m] + part.distances[m];
      last = mine.run(q, part.code, moved, last ? ordered_dependencies({&last, 1}, &last) : after, {});
    }
  });
}

bool use_generated_kernels(bool yes) noexcept { return generated_everywhere.exchange(yes, std::memory_order_relaxed); }

}  // namespace dpep::array
