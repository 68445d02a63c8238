// Scans on devices that run no host code.
#include "array/gpu/scan.hpp"

#include <deque>
#include <mutex>

#include "array/gpu/launch.hpp"
#include "array/gpu/scan_kernel.hpp"
#include "array/stream.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t short_row = 32;  // contiguous rows that one work-item scans

struct prepared_scan {
  prepared_kernel kernel;
  std::size_t workspace_bytes;
};

/// The most recent ones.
std::shared_ptr<const prepared_scan> prepare(const scan_task &t, backend::device &device) {
  using entry = std::pair<const backend::device *, scan_task>;
  static std::mutex mutex;
  static auto &known = *new std::deque<std::pair<entry, std::shared_ptr<const prepared_scan>>>;
  constexpr std::size_t most = 64;
  {
    const std::lock_guard lock(mutex);
    for (const auto &[of, scan] : known)
      if (of.first == &device && of.second == t) return scan;
  }
  made_kernel made = t.inner == 1 && t.length > short_row ? make_tile_scan(t) : make_row_scan(t);
  ref<const backend::code> code = compile_kernel(made, device);
  auto scan = std::make_shared<const prepared_scan>(prepared_scan{
      {std::move(code), std::move(made.arguments), made.local, std::size_t(made.groups)}, made.workspace_bytes});
  const std::lock_guard lock(mutex);
  known.emplace_front(entry{&device, t}, scan);
  if (known.size() > most) known.pop_back();
  return scan;
}

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
  const std::shared_ptr<const prepared_scan> scan = prepare(t, q.code_target);
  if (scan->workspace_bytes) {
    workspace = allocate_workspace(where, scan->workspace_bytes);
    const std::uint32_t zero = 0;
    last = q.submit(backend::fill_command{workspace.get(), &zero, sizeof zero, scan->workspace_bytes / sizeof zero},
                    {&last, 1}, "fill");
  }
  const filled_arguments filled(scan->kernel.arguments, arguments, static_cast<std::byte *>(workspace.get()), nullptr);
  last = launch(q, scan->kernel, filled.bytes(), {&last, 1});
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
