// Scans on devices that run no host code.
#include "array/gpu/scan.hpp"

#include "array/gpu/launch.hpp"
#include "array/gpu/scan_kernel.hpp"
#include "array/stream.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t short_row = 32;  // contiguous rows that one work-item scans

}  // namespace

void scan(accumulation how, array_object &from, array_object &to, int axis) {
  const queue &where = to.queue;
  runtime::queue_object &q = runtime::implementation_of(where, "accumulation");
  scan_task t{how, to.type, 1, to.layout.shape[std::size_t(axis)], 1};
  for (int i = 0; i < to.layout.dimensions(); ++i)
    if (i != axis) (i < axis ? t.outer : t.inner) *= to.layout.shape[std::size_t(i)];

  program_arguments arguments;
  arguments.memory = {from.first(), to.first()};
  event last = last_event(where);
  std::shared_ptr<void> workspace;
  const made_kernel made = t.inner == 1 && t.length > short_row ? make_tile_scan(t) : make_row_scan(t);
  const prepared_kernel kernel{compile_kernel(made, q.code_target), made.arguments, made.local,
                               std::size_t(made.groups)};
  if (made.workspace_bytes) {
    workspace = allocate_workspace(where, made.workspace_bytes);
    const std::uint32_t zero = 0;
    last = q.submit(backend::fill_command{workspace.get(), &zero, sizeof zero, made.workspace_bytes / sizeof zero},
                    {&last, 1}, "fill");
  }
  const filled_arguments filled(kernel.arguments, arguments, static_cast<std::byte *>(workspace.get()), nullptr);
  last = launch(q, kernel, filled.bytes(), {&last, 1});
  const auto keep = [&](ref<storage> memory) {
    auto *const p = memory.get();
    last.keep_alive(std::shared_ptr<void>(p, [kept = std::move(memory)](void *) {}));
  };
  if (workspace) last.keep_alive(std::move(workspace));
  keep(from.memory());
  keep(to.memory());
  stream::of(where).order_after(last);
}

}  // namespace dpep::array::gpu
