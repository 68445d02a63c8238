// Compilation of the next program on another thread, while the first is compiled.
//
// If one pass cannot compute the targets (a variance needs the means first), the next program is known only once the
// first is submitted, and each takes tens of milliseconds to compile for a GPU. So when the first must be compiled, the
// next is fused as if the first's results were stored, and another thread compiles it meanwhile.
#include <utility>
#include <vector>

#include "array/base/background.hpp"
#include "array/executor.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array {
namespace {

/// Treats the stored nodes as in memory for its lifetime.
class stored_scope {
public:
  explicit stored_scope(const std::vector<target> &stores) {
    for (const target &t : stores) {
      if (!t.updates_node || t.value->in_memory()) continue;
      changed_.push_back({t.value, t.value->layout});
      t.value->memory = t.memory;
      t.value->layout = t.to;
    }
  }
  ~stored_scope() {
    for (change &c : changed_) {
      c.value->memory = nullptr;
      c.value->layout = std::move(c.layout);
    }
  }
  stored_scope(const stored_scope &) = delete;

private:
  struct change {
    ref<node> value;
    struct layout layout;
  };
  std::vector<change> changed_;
};

}  // namespace

void deferred_queue::compile_next(const fused_program &first) noexcept {
  if (next_targets_.empty()) return;
  backend::device &device = queue_object_.code_target;
  try {
    const executor &compiler = executor_of(queue_object_);
    if (!compiler.needs_compilation(*first.code, first.arguments, device)) return;
    const stored_scope stored(first.stores);
    fusion_result next = fuse(next_targets_, {.limit_compile_time = compiles_programs_});
    if (!next.prerequisites.empty())
      next = fuse(std::vector{target_of(*next.prerequisites.front())}, {.limit_compile_time = compiles_programs_});
    if (!next.prerequisites.empty()) return;
    ahead_of_use([code = std::move(next.fused.code), arguments = std::move(next.fused.arguments), &compiler, &device] {
      compiler.compile(*code, arguments, device);
    });
  } catch (...) {  // the same error is raised when the program is submitted
  }
}

}  // namespace dpep::array
