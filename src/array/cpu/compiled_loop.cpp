// Compiling fused runs in the background, and finding them again.
#include "array/cpu/compiled_loop.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "array/base/background.hpp"
#include "jit/launch/compiler.hpp"
#include "runtime/device.hpp"

namespace dpep::array {
namespace {

/// Runs that programs share, by device and text. What no program has any more goes when the table is full.
struct run_table {
  std::mutex mutex;
  std::map<std::pair<const backend::device *, std::string>, std::shared_ptr<fused_run>> runs;

  static run_table &get() {
    static auto *const table = new run_table;  // programs may run while the process ends
    return *table;
  }
};
constexpr std::size_t most_runs = 4096;

}  // namespace

std::shared_ptr<fused_run> fused_run::find(const element_run &run, backend::device &device) {
  run_table &table = run_table::get();
  const std::lock_guard lock(table.mutex);
  if (table.runs.size() >= most_runs)
    std::erase_if(table.runs, [](const auto &r) { return r.second.use_count() == 1; });
  std::shared_ptr<fused_run> &entry = table.runs[{&device, run.key()}];
  if (!entry) {
    entry = std::make_shared<fused_run>(run, device);
    entry->self_ = entry;
  }
  return entry;
}

backend::work_function fused_run::compile() {
  const std::lock_guard lock(compiling_);
  if (const backend::work_function done = function()) return done;
  const std::string text = generate(run_, "fused_run");
  const std::span<const unsigned char> bytes(reinterpret_cast<const unsigned char *>(text.data()), text.size());
  jit::source source{bytes, "fused_run", jit::digest_of(bytes)};
  if (!run_.functions().empty()) source.make = [&] { return with_definitions(bytes, run_.functions()); };
  jit::loaded_kernel loaded = jit::compile(source, {}, device_);
  code_ = std::move(loaded.code);
  function_.store(code_->host_function(), std::memory_order_release);
  return function();
}

void fused_run::ask() noexcept {
  if (asked_.load(std::memory_order_relaxed) > 1 || asked_.fetch_add(1, std::memory_order_relaxed) != 1) return;
  in_background([self = self_.lock()] { self->compile(); });  // where that fails, block kernels go on doing the work
}

}  // namespace dpep::array
