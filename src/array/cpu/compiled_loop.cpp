// The table of compiled loops, and their compilation.
#include "array/cpu/compiled_loop.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "array/base/background.hpp"
#include "jit/launch/compiler.hpp"
#include "runtime/device.hpp"

namespace dpep::array {
namespace {

/// The loops that programs share, by device and key. When the table is full, loops that no program uses are removed.
struct loop_table {
  std::mutex mutex;
  std::map<std::pair<const backend::device *, std::string>, std::shared_ptr<compiled_loop>> loops;

  static loop_table &get() {
    static auto *const table = new loop_table;  // never destroyed: programs may be executed while the process exits
    return *table;
  }
};
constexpr std::size_t max_loops = 4096;

}  // namespace

std::shared_ptr<compiled_loop> compiled_loop::find(const element_loop &loop, backend::device &device) {
  loop_table &table = loop_table::get();
  const std::lock_guard lock(table.mutex);
  if (table.loops.size() >= max_loops)
    std::erase_if(table.loops, [](const auto &r) { return r.second.use_count() == 1; });
  std::shared_ptr<compiled_loop> &entry = table.loops[{&device, loop.key()}];
  if (!entry) {
    entry = std::make_shared<compiled_loop>(loop, device);
    entry->self_ = entry;
  }
  return entry;
}

backend::work_function compiled_loop::compile() {
  const std::lock_guard lock(compiling_);
  if (const backend::work_function done = function()) return done;
  const std::string text = loop_ir(loop_, "compiled_loop");
  const std::span<const unsigned char> bytes(reinterpret_cast<const unsigned char *>(text.data()), text.size());
  jit::source source{bytes, "compiled_loop", jit::digest_of(bytes)};
  if (!loop_.functions().empty()) source.make = [&] { return with_definitions(bytes, loop_.functions()); };
  jit::loaded_kernel loaded = jit::compile(source, {}, device_);
  code_ = std::move(loaded.code);
  function_.store(code_->host_function(), std::memory_order_release);
  return function();
}

void compiled_loop::request(bool again) noexcept {
  constexpr std::uint32_t enough = 8;
  if (requests_.load(std::memory_order_relaxed) >= enough) return;
  const std::uint32_t added = again ? enough : 1, before = requests_.fetch_add(added, std::memory_order_relaxed);
  if (before >= enough || before + added < enough) return;
  in_background([self = self_.lock()] { self->compile(); });  // if compilation fails, block kernels continue to be used
}

}  // namespace dpep::array
