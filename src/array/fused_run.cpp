// Compiling fused runs in the background, and finding them again.
#include "array/fused_run.hpp"

#include <list>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "jit/compiler.hpp"
#include "runtime/device.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {
namespace {

/// Runs that programs may share, by device and text. What no program has any more goes when the table is full.
struct run_table {
  std::mutex mutex;
  std::map<std::pair<const void *, std::string>, std::shared_ptr<fused_run>> runs;

  static run_table &get() {
    static auto *const table = new run_table;  // programs may run while the process ends
    return *table;
  }
};
constexpr std::size_t most_runs = 4096;

/// Compilations are host tasks of a queue of their own: the runtime has threads for those, and ends them properly.
queue &compilations(const device &where) {
  static std::mutex mutex;
  static auto *const queues = new std::map<const void *, queue>;
  const std::lock_guard lock(mutex);
  const auto found = queues->find(where.get());
  return found != queues->end()
             ? found->second
             : queues->emplace(where.get(), queue(where, queue_options{.in_order = true})).first->second;
}

}  // namespace

fused_run::fused_run(element_run run, const queue &where) : run_(std::move(run)), device_(where.get_device()) {}

std::shared_ptr<fused_run> fused_run::find(const element_run &run, const queue &where) {
  run_table &table = run_table::get();
  const void *device = &runtime::implementation_of(where).code_target;
  const std::lock_guard lock(table.mutex);
  if (table.runs.size() >= most_runs)
    std::erase_if(table.runs, [](const auto &r) { return r.second.use_count() == 1; });
  std::shared_ptr<fused_run> &entry = table.runs[{device, run.key()}];
  if (!entry) {
    entry = std::make_shared<fused_run>(run, where);
    entry->self_ = entry;
  }
  return entry;
}

backend::work_function fused_run::compile() {
  const std::string text = generate(run_, "fused_run");
  const std::span<const unsigned char> bytes(reinterpret_cast<const unsigned char *>(text.data()), text.size());
  const jit::source source{bytes, "fused_run", jit::digest_of(bytes)};
  jit::ready ready = jit::compile(source, {}, runtime::code_device_of(device_));
  code_ = std::move(ready.code);
  const backend::work_function function = code_->host_function();
  function_.store(function, std::memory_order_release);
  return function;
}

backend::work_function fused_run::ask() noexcept {
  if (asked_.fetch_add(1, std::memory_order_relaxed) != 1) return nullptr;
  try {
    compilations(device_).host_task([self = self_.lock()] {
      try {
        self->compile();
      } catch (...) {  // the block kernels go on doing the work
        self->failed_ = true;
      }
    });
  } catch (...) {
    failed_ = true;
  }
  return nullptr;
}

void wait_for_compilations() {
  for (const device &d : all_devices()) compilations(d).wait();
}

}  // namespace dpep::array
