// Scans on devices that run no host code.
#include "array/gpu/scan.hpp"

#include <algorithm>
#include <deque>
#include <mutex>

#include "array/gpu/launch.hpp"
#include "array/gpu/scan_kernel.hpp"
#include "array/stream.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t short_row = 32;      // contiguous rows that one work-item scans
constexpr std::int64_t long_row = 8 << 20;  // of which more tiles would wait for each other than there is room for

struct prepared_scan {
  std::vector<prepared_kernel> kernels;
  std::size_t workspace_bytes = 0;
  bool zeroed = false;  // before the launch

  void add(made_kernel made, backend::device &device) {
    ref<const backend::code> code = compile_kernel(made, device);
    kernels.push_back({std::move(code), std::move(made.arguments), made.local, std::size_t(made.groups)});
    workspace_bytes = std::max(workspace_bytes, made.workspace_bytes);
  }
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
  auto scan = std::make_shared<prepared_scan>();
  if (t.inner > 1 || t.length <= short_row) {
    scan->add(make_row_scan(t), device);
  } else if (t.length <= long_row) {
    scan->add(make_tile_scan(t), device);
    scan->zeroed = true;
  } else {
    for (made_kernel &made : make_chunk_scan(t)) scan->add(std::move(made), device);
  }
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
  const event start = last_event(where);
  event last = start;
  std::shared_ptr<void> workspace;
  const std::shared_ptr<const prepared_scan> scan = prepare(t, q.code_target);
  if (scan->workspace_bytes) {
    workspace = allocate_workspace(where, scan->workspace_bytes);
    const std::uint32_t zero = 0;
    if (scan->zeroed)
      last = q.submit(backend::fill_command{workspace.get(), &zero, sizeof zero, scan->workspace_bytes / sizeof zero},
                      {&last, 1}, "fill");
  }
  for (const prepared_kernel &kernel : scan->kernels) {
    const filled_arguments filled(kernel.arguments, arguments, static_cast<std::byte *>(workspace.get()), nullptr);
    const event before = last;
    last = launch(q, kernel, filled.bytes(), {&before, 1});
  }
  const auto keep = [&](ref<storage> memory) {
    auto *const p = memory.get();
    last.keep_alive(std::shared_ptr<void>(p, [kept = std::move(memory)](void *) {}));
  };
  if (workspace) last.keep_alive(std::move(workspace));
  keep(from.memory());
  keep(to.memory());
  stream::of(where).follow(start, last);
}

}  // namespace dpep::array::gpu
