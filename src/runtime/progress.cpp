// dpep::activities: the list of running compilations, and the busy queues of the CPU back end.
#include "runtime/progress.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include <dpep/progress.hpp>

#include "backend/common/queue_progress.hpp"

namespace dpep {
namespace runtime {

/// The running compilations of the process.
struct compilation_list {
  std::mutex mutex;
  std::vector<const compilation_in_progress *> list;
  std::uint64_t last_id = 0;

  static compilation_list &get() {
    static auto &instance = *new compilation_list;
    return instance;
  }
  std::uint64_t next_id() {
    const std::lock_guard lock(mutex);
    return ++last_id;
  }
  void append_to(std::vector<activity> &found) {
    const std::lock_guard lock(mutex);
    for (const compilation_in_progress *c : list)
      found.push_back({activity::kind::compilation, c->id_, c->name_, c->stage_,
                       std::max<std::uint64_t>(c->begun_stages_, 1) - 1, c->stages_, 0, c->since_});
  }
};

compilation_in_progress::compilation_in_progress(std::string name, std::uint64_t stages)
    : id_(compilation_list::get().next_id()), stages_(stages), name_(std::move(name)) {
  const std::lock_guard lock(compilation_list::get().mutex);
  compilation_list::get().list.push_back(this);
}

compilation_in_progress::~compilation_in_progress() {
  const std::lock_guard lock(compilation_list::get().mutex);
  std::erase(compilation_list::get().list, this);
}

void compilation_in_progress::begin_stage(const char *stage) {
  const std::lock_guard lock(compilation_list::get().mutex);
  stage_ = stage;
  ++begun_stages_;
}

}  // namespace runtime

std::vector<activity> activities() {
  std::vector<activity> found;
  runtime::compilation_list::get().append_to(found);
  for (backend::busy_queue &q : backend::busy_cpu_queues())
    found.push_back(
        {activity::kind::queue, q.id, std::move(q.oldest_task), {}, q.completed, q.submitted, q.oldest_fraction, {}});
  return found;
}

}  // namespace dpep
