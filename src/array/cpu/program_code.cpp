// Loads prepared programs on devices, and caches them.
#include "array/cpu/program_code.hpp"

#include "array/cpu/stage_functions.hpp"
#include "array/fusion/program_cache.hpp"

namespace dpep::array {
namespace {

std::shared_ptr<const program_code> load(std::shared_ptr<const prepared_program> p, backend::device &device) {
  auto code = std::make_shared<program_code>();
  const std::size_t scratch =
      p->scratch_bytes + (p->stages.front().what == prepared_program::stage::kind::whole ? p->workspace_bytes : 0);
  for (const auto &stage : p->stages) {
    backend::code_object object;
    object.loaded = std::const_pointer_cast<prepared_program>(p);  // tasks keep the program alive
    object.entry = reinterpret_cast<void *>(entry_of(stage.what));
    object.name = p->name;
    code->stages.push_back(device.load(object, {.grouped = true, .static_local_bytes = scratch}));
  }
  code->program = std::move(p);
  return code;
}

using cache = program_cache<program_code>;

cache &all_prepared() {
  static cache &c = *new cache;  // never destroyed: programs may be executed while the process exits
  return c;
}

}  // namespace

std::shared_ptr<const program_code> prepare(const program &p, bool aliased, backend::device &device) {
  static thread_local program_key key;
  key.write(p, aliased, &device);
  if (auto known = all_prepared().find(key)) {
    if (!known->program->executed_again.exchange(true, std::memory_order_relaxed))
      known->program->request_compilation(true);
    return known;
  }
  return all_prepared().add(key, load(prepare_program(p, aliased, device), device));
}

}  // namespace dpep::array
