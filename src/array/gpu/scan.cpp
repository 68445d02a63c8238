// Accumulations along an axis on devices that do not run host code: chooses, prepares and launches the kernel.
#include "array/gpu/scan.hpp"

#include <array>
#include <deque>
#include <mutex>

#include "array/gpu/launch.hpp"
#include "array/gpu/scan_kernel.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t short_row = 32;    // elements of a row that one work-item scans
constexpr std::int64_t many_rows = 1024;  // rows that occupy a compute unit with a work-item each
constexpr std::int64_t min_columns = 32;  // adjacent work-items that read whole cache lines

struct prepared_scan {
  prepared_kernel kernel;
  std::size_t word_bytes;
};

generated_kernel generate_kernel(const scan_task &t) {
  if (t.length <= short_row) return generate_row_scan(t);
  if (t.inner == 1) return generate_tile_scan(t);
  const bool occupies_device = t.outer * t.inner >= many_rows * t.device.compute_units;
  return t.inner >= min_columns && occupies_device ? generate_row_scan(t) : generate_column_scan(t);
}

/// Returns the prepared scan; the most recent are cached.
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
  generated_kernel generated = generate_kernel(t);
  ref<const backend::code> code = compile_kernel(generated, device);
  prepared_kernel kernel{std::move(code), std::move(generated.arguments), generated.local,
                         std::size_t(generated.groups)};
  auto scan = std::make_shared<const prepared_scan>(std::move(kernel), generated.workspace_bytes);
  const std::lock_guard lock(mutex);
  known.emplace_front(entry{&device, t}, scan);
  if (known.size() > most) known.pop_back();
  return scan;
}

}  // namespace

void expect_sum(const queue &where, std::int64_t length) {
  backend::device &device = runtime::implementation_of(where, "accumulation").code_target;
  compile_ahead(generate_kernel({accumulation::sum, dtype::int64, 1, length, 1, true, device_sizes(device.info())}),
                device);
}

void scan(accumulation how, array_object &from, array_object &to, int axis) {
  const queue &where = to.queue;
  runtime::queue_object &q = runtime::implementation_of(where, "accumulation");
  scan_task t{how, to.type, 1, to.layout.shape[std::size_t(axis)], 1, false, device_sizes(q.code_target.info())};
  for (int i = 0; i < to.layout.dimensions(); ++i)
    if (i != axis) (i < axis ? t.outer : t.inner) *= to.layout.shape[std::size_t(i)];

  program_arguments arguments;
  arguments.memory = {from.first(), to.first(), nullptr};
  const auto all = reinterpret_cast<std::uintptr_t>(from.first()) | reinterpret_cast<std::uintptr_t>(to.first()) |
                   (t.outer > 1 ? std::size_t(t.length) * size_of(t.type) : 0);
  t.aligned = all % 16 == 0;
  const std::shared_ptr<const prepared_scan> scan = prepare(t, q.code_target);
  using memories = std::array<ref<storage>, 2>;
  auto owners = std::make_shared<memories>(memories{from.memory(), to.memory()});
  deferred_queue &order = deferred_queue::of(where);
  order.in_turn([&](const ordered_dependencies &after) {
    std::shared_ptr<void> words;
    std::byte *counters = nullptr;
    if (scan->word_bytes) {
      deferred_queue::tagged_words words_used = order.words(scan->word_bytes);
      arguments.memory[2] = words_used.first;
      arguments.scalars.push_back(scalar::of(std::int64_t(words_used.tag)));
      words = std::move(words_used.keep);
      counters = order.counters();
    }
    const filled_arguments filled(scan->kernel.arguments, arguments, nullptr, counters);
    event done = launch(q, scan->kernel, filled.bytes(), after);
    if (!done) return done;
    if (words) done.keep_alive(std::move(words));
    done.keep_alive(std::move(owners));
    return done;
  });
}

}  // namespace dpep::array::gpu
