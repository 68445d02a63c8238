// The list of compilations under way, and what queues say of theirs.
#include "runtime/progress.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include <dpep/progress.hpp>

#include "backend/common/activities.hpp"

namespace dpep {
namespace runtime {

struct compilations {
  std::mutex mutex;
  std::vector<const compilation_in_progress *> list;
  std::uint64_t last_id = 0;

  static compilations &all() {
    static auto &the = *new compilations;
    return the;
  }
  std::uint64_t next_id() {
    const std::lock_guard lock(mutex);
    return ++last_id;
  }
  void append_to(std::vector<activity> &found) {
    const std::lock_guard lock(mutex);
    for (const compilation_in_progress *c : list)
      found.push_back({activity::kind::compilation, c->id_, c->name_, c->stage_,
                       std::max<std::uint64_t>(c->begun_, 1) - 1, c->stages_, 0, c->since_});
  }
};

compilation_in_progress::compilation_in_progress(std::string name, std::uint64_t stages)
    : id_(compilations::all().next_id()), stages_(stages), name_(std::move(name)) {
  const std::lock_guard lock(compilations::all().mutex);
  compilations::all().list.push_back(this);
}

compilation_in_progress::~compilation_in_progress() {
  const std::lock_guard lock(compilations::all().mutex);
  std::erase(compilations::all().list, this);
}

void compilation_in_progress::begin(const char *stage) {
  const std::lock_guard lock(compilations::all().mutex);
  stage_ = stage;
  ++begun_;
}

}  // namespace runtime

std::vector<activity> activities() {
  std::vector<activity> found;
  runtime::compilations::all().append_to(found);
  for (backend::busy_queue &q : backend::busy_cpu_queues())
    found.push_back({activity::kind::queue, q.id, std::move(q.first), {}, q.done, q.submitted, q.part, {}});
  return found;
}

}  // namespace dpep
