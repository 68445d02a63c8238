// Programs as generated kernels: which queues run them so, and their launches.
#include "array/gpu/programs.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "array/gpu/by_operation.hpp"
#include "array/gpu/launch.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array::gpu {
namespace {

std::atomic<bool> everywhere{[] {
  const char *const wanted = std::getenv("DPEP_ARRAY_KERNELS");
  return wanted && std::string_view(wanted) == "generated";
}()};

}  // namespace

bool generates_for(const runtime::queue_object &q) noexcept {
  return q.code_target.code_format() != "x86-64" || everywhere.load(std::memory_order_relaxed);
}
bool generate_everywhere(bool yes) noexcept { return everywhere.exchange(yes, std::memory_order_relaxed); }

event run(const queue &where, const program &p, const program_arguments &arguments, bool aliased, dependencies after,
          std::vector<std::shared_ptr<void>> owners) {
  runtime::queue_object &q = runtime::implementation_of(where, "array program");
  const std::shared_ptr<const prepared_work> work = prepare(p, arguments, aliased, q.code_target);
  if (!work->refused.empty()) {
    static std::atomic<bool> said{false};
    if (!said.exchange(true))
      std::fprintf(
          stderr,
          "dpep: a kernel of '%s' does not compile, which is a fault of dpep. It is run operation by operation, "
          "slower and with more memory, and so are others, of which nothing more is said: %s\n",
          readable_name(p).c_str(), work->refused.c_str());
    return run_by_operation(where, p, arguments, aliased, after, std::move(owners));
  }
  std::byte *workspace = nullptr;
  if (work->workspace_bytes) {
    owners.push_back(allocate_workspace(where, work->workspace_bytes));
    workspace = static_cast<std::byte *>(owners.back().get());
  }
  std::byte *const counters = work->uses_counters ? stream::of(where).counters() : nullptr;
  event last;
  for (const prepared_kernel &kernel : work->kernels) {
    const filled_arguments filled(kernel.arguments, arguments, workspace, counters);
    if (!last) {
      last = launch(q, kernel, filled.bytes(), after);
      continue;
    }
    const backend::replacing former(last);
    last = launch(q, kernel, filled.bytes(), {&last, 1});
  }
  // what comes last is complete last: each waits for the one before
  if (last)
    for (std::shared_ptr<void> &owner : owners) last.keep_alive(std::move(owner));
  return last;
}

}  // namespace dpep::array::gpu
