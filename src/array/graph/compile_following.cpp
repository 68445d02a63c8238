// While a program is compiled, so is the one that follows.
//
// Where one pass cannot do what is wanted (a variance: first the means), what comes next is known only when the first
// is submitted, and each takes tens of milliseconds to compile for a GPU. So when the first has to be compiled, the
// next is found as if that had been done already, and compiled by another thread meanwhile.
#include <utility>
#include <vector>

#include "array/base/background.hpp"
#include "array/cpu/machine.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array {
namespace {

/// For a while, the stores' nodes are in memory.
class as_if_stored {
public:
  explicit as_if_stored(const std::vector<target> &stores) {
    for (const target &t : stores) {
      if (!t.marks || t.value->in_memory()) continue;
      changed_.push_back({t.value, t.value->layout});
      t.value->memory = t.memory;
      t.value->layout = t.to;
    }
  }
  ~as_if_stored() {
    for (change &c : changed_) {
      c.value->memory = nullptr;
      c.value->layout = std::move(c.layout);
    }
  }
  as_if_stored(const as_if_stored &) = delete;

private:
  struct change {
    ref<node> value;
    struct layout layout;
  };
  std::vector<change> changed_;
};

}  // namespace

void stream::compile_following(const composition &first) noexcept {
  if (following_.empty()) return;
  backend::device &device = queue_object_.code_target;
  try {
    if (!compiles_first(first.code, first.arguments, queue_object_)) return;
    const as_if_stored stored(first.stores);
    fused next = fuse(following_, {.generated = generates_});
    if (!next.first.empty()) next = fuse(std::vector{target_of(*next.first.front())}, {.generated = generates_});
    if (!next.first.empty()) return;
    in_background([code = std::move(next.work.code), arguments = std::move(next.work.arguments), &device] {
      compile_ahead(code, arguments, device);
    });
  } catch (...) {  // its turn will come
  }
}

}  // namespace dpep::array
