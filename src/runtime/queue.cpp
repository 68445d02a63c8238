// dpep::queue: checks arguments, hands commands to the back end, and delivers errors.
#include "runtime/queue.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <new>

#include <fmt/format.h>

#include <dpep/idle.hpp>
#include <dpep/interrupts.hpp>

#include "backend/common/cancellation.hpp"
#include "runtime/context.hpp"
#include "runtime/guard_zones.hpp"
#include "runtime/host_task.hpp"
#include "runtime/memory.hpp"
#include "runtime/trace.hpp"

namespace dpep {

namespace runtime {

// -- Errors

error_store::~error_store() {
  std::vector<std::exception_ptr> errors;
  {
    const std::lock_guard lock(mine_->mutex);  // another queue's deliver_with_dependencies may be reading them
    errors.swap(mine_->errors);
    set_pending(*mine_, false);
  }
  for (const std::exception_ptr &error : errors) {
    // Not delivered by a wait: an error must not be lost silently.
    try {
      std::rethrow_exception(error);
    } catch (const std::exception &e) {
      std::fprintf(stderr, "dpep: an error of a queue that was not waited for: %s\n", e.what());
    } catch (...) {
      std::fprintf(stderr, "dpep: an error of a queue that was not waited for (not a std::exception)\n");
    }
  }
}

void error_store::report(std::exception_ptr error) noexcept {
  std::lock_guard lock(mine_->mutex);
  try {
    mine_->errors.push_back(std::move(error));
  } catch (const std::bad_alloc &) {
    if (mine_->errors.empty())
      return static_cast<void>(std::fputs("dpep: a queue's error is lost: out of memory\n", stderr));
  }
  set_pending(*mine_, true);
}

void error_store::set_pending(contents &of, bool pending) noexcept {
  if (of.pending.exchange(pending, std::memory_order_acq_rel) == pending) return;
  slots_with_errors_.fetch_add(pending ? 1 : std::size_t(-1), std::memory_order_acq_rel);
}

bool error_store::has_work() const noexcept { return has_errors() || memory_is_guarded(); }

void error_store::deliver(bool to_handler) {
  if (memory_is_guarded()) [[unlikely]]
    if (std::exception_ptr error = check_all_guards()) report(std::move(error));
  deliver(*mine_, to_handler);
}

void error_store::deliver(contents &from, bool to_handler) {
  if (!from.pending.load(std::memory_order_acquire) || (from.handler && !to_handler)) return;
  std::vector<std::exception_ptr> errors;
  {
    std::lock_guard lock(from.mutex);
    errors.swap(from.errors);
    set_pending(from, false);
  }
  if (errors.empty()) return;
  if (from.handler) return from.handler(std::move(errors));
  // The other errors are most often consequences of the first.
  std::rethrow_exception(errors.front());
}

void error_store::note_dependency(const backend::event &e) {
  const backend::error_slot *const slot = e.errors();
  if (!slot || slot == this) return;
  const auto *const other = dynamic_cast<const error_store *>(slot);
  if (!other || mine_->last_noted.load(std::memory_order_relaxed) == other->mine_.get()) return;
  const auto is_other = [&](const std::weak_ptr<contents> &noted) {
    return !noted.owner_before(other->mine_) && !other->mine_.owner_before(noted);
  };
  const std::lock_guard lock(mine_->mutex);
  if (std::ranges::none_of(mine_->depends_on, is_other)) {
    std::erase_if(mine_->depends_on, [](const std::weak_ptr<contents> &noted) { return noted.expired(); });
    mine_->depends_on.push_back(other->mine_);
  }
  mine_->last_noted.store(other->mine_.get(), std::memory_order_relaxed);
}

void error_store::deliver_with_dependencies() {
  deliver(true);
  std::vector<std::shared_ptr<contents>> reached{mine_};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (i > 0) {
      if (const auto queue = reached[i]->back.lock()) queue->pending();  // a GPU's queue reports failures when asked
      deliver(*reached[i], true);
    }
    const std::lock_guard lock(reached[i]->mutex);
    for (const std::weak_ptr<contents> &w : reached[i]->depends_on)
      if (std::shared_ptr<contents> c = w.lock(); c && std::ranges::find(reached, c) == reached.end())
        reached.push_back(std::move(c));
  }
}

// -- The object

queue_object::queue_object(const dpep::context &context, const dpep::device &device, queue_options options,
                           async_handler handler, const backend_factory &make_backend)
    : context(context),
      device(device),
      options(options),
      target(backend_of(device)),
      code_target(code_device_of(device)),
      errors_(make_object<error_store>(handler ? std::move(handler) : implementation_of(context).handler)),
      traced_(trace::enabled()),
      trace_row_(traced_ ? trace::new_row(fmt::format("queue on {}", device.info().name)) : 0) {
  queue_options actual = options;
  actual.profiling |= traced_;
  back_ = make_backend ? make_backend(actual, errors_) : target.make_queue(actual, errors_);
  errors_->set_back(back_);
  implementation_of(context).add_queue(back_);
}

queue_object::~queue_object() {
  delete deferred();
  if (graphs_exist.load(std::memory_order_relaxed)) stop_recording(*this);
}

deferred_work &queue_object::attach(std::unique_ptr<deferred_work> work) noexcept {
  deferred_work *expected = nullptr;
  if (deferred_.compare_exchange_strong(expected, work.get(), std::memory_order_acq_rel)) return *work.release();
  return *expected;
}

event queue_object::submit_without_deferred(backend::command command, dependencies after, const char *name) {
  if (graphs_exist.load(std::memory_order_relaxed)) [[unlikely]]
    if (event node = record(command, after)) return node;
  return submit_unrecorded(std::move(command), after, name);
}

event queue_object::submit_unrecorded(backend::command command, dependencies after, const char *name) {
  errors_->note_dependencies(after);
  ref<backend::event> done = back_->submit(std::move(command), after);
  if (traced_) trace(done, name, name);
  return event(ref<object>(std::move(done)));
}

void queue_object::trace(const ref<backend::event> &done, const std::string &name, const char *category) {
  if (!done) return;
  backend::event *const e = done.get();  // valid in the callback: the event itself calls it
  done->when_complete([e, name, category, row = trace_row_] {
    const event_times times = e->times();
    trace::record(name, category, times.start ? times.start : times.end, times.end, row);
  });
}

}  // namespace runtime

namespace {

using runtime::check_range;
using runtime::implementation_of;

}  // namespace

queue::queue(const dpep::context &where, const device &on, queue_options options, async_handler handler) {
  if (!on) runtime::throw_empty("device", "queue");
  if (!where) runtime::throw_empty("context", "queue");
  if (!where.contains(on))
    throw exception(errc::invalid,
                    fmt::format("queue: the device '{}' is not in the context; create the context with it, "
                                "or omit the context to use the default one",
                                on.info().name));
  implementation_ = make_object<runtime::queue_object>(where, on, options, std::move(handler));
}

const device &queue::get_device() const noexcept { return static_cast<const runtime::queue_object *>(get())->device; }
const context &queue::get_context() const noexcept {
  return static_cast<const runtime::queue_object *>(get())->context;
}
const queue_options &queue::options() const noexcept {
  return static_cast<const runtime::queue_object *>(get())->options;
}

event queue::copy(void *to, const void *from, std::size_t bytes, dependencies after) const {
  auto &mine = implementation_of(*this, "copy");
  check_range(to, bytes, "copy (to)");
  check_range(from, bytes, "copy (from)");
  return mine.submit(backend::copy_command{to, from, bytes}, after, "copy");
}

event queue::fill(void *to, const void *pattern, std::size_t pattern_bytes, std::size_t count,
                  dependencies after) const {
  auto &mine = implementation_of(*this, "fill");
  if (pattern_bytes == 0 || !pattern)
    throw exception(errc::invalid, "fill: the pattern is empty; pass at least one byte");
  if (count > std::numeric_limits<std::size_t>::max() / pattern_bytes)
    throw exception(errc::invalid,
                    fmt::format("fill: {} times {} bytes exceed the address space", count, pattern_bytes));
  check_range(to, pattern_bytes * count, "fill");
  return mine.submit(backend::fill_command{to, pattern, pattern_bytes, count}, after, "fill");
}

event queue::prefetch(const void *pointer, std::size_t bytes, dependencies after) const {
  auto &mine = implementation_of(*this, "prefetch");
  check_range(pointer, bytes, "prefetch");
  return mine.submit(backend::prefetch_command{pointer, bytes}, after, "prefetch");
}

event queue::advise(const void *pointer, std::size_t bytes, memory_advice advice, dependencies after) const {
  auto &mine = implementation_of(*this, "advise");
  // A hint about more than the allocation is one about all of it: programs that count elements too large give such.
  bytes = runtime::bytes_within_allocation(pointer, bytes);
  check_range(pointer, bytes, "advise");
  return mine.submit(backend::advise_command{pointer, bytes, advice}, after, "advise");
}

event queue::host_task(std::function<void()> task, dependencies after) const {
  auto &mine = implementation_of(*this, "host_task");
  if (!task) throw exception(errc::invalid, "host_task: the function is empty");
  return mine.submit(backend::host_command{std::move(task)}, after, "host_task");
}

event queue::barrier(dependencies after) const {
  return implementation_of(*this, "barrier").submit(backend::barrier_command{}, after, "barrier");
}

void queue::wait() const {
  auto &mine = implementation_of(*this, "wait");
  runtime::reject_recording(mine, "queue::wait");
  mine.submit_deferred_results();
  runtime::reject_self_wait(mine.back(), "queue::wait");
  mine.back().wait();
  mine.errors().deliver(false);
}

bool queue::wait_while(const std::function<bool()> &keep_waiting) const {
  auto &mine = implementation_of(*this, "wait_while");
  runtime::reject_recording(mine, "queue::wait_while");
  mine.submit_deferred_results();
  runtime::reject_self_wait(mine.back(), "queue::wait_while");
  std::vector<event> pending;
  for (auto &e : mine.back().pending()) pending.emplace_back(ref<object>(std::move(e)));
  if (!event::wait_while(pending, keep_waiting)) return false;
  mine.errors().deliver(false);
  return true;
}

void queue::wait_and_throw() const {
  auto &mine = implementation_of(*this, "wait_and_throw");
  runtime::reject_recording(mine, "queue::wait_and_throw");
  mine.submit_deferred_results();
  runtime::reject_self_wait(mine.back(), "queue::wait_and_throw");
  mine.back().wait();
  mine.errors().deliver(true);
}

void queue::throw_asynchronous() const { implementation_of(*this, "throw_asynchronous").errors().deliver(true); }

bool is_idle(const queue &q) noexcept {
  if (!q || runtime::graphs_exist.load(std::memory_order_relaxed)) return false;
  auto &mine = implementation_of(q);
  if (runtime::deferred_work *const work = mine.deferred(); work && work->has_work()) return false;
  return mine.target.capabilities().runs_inline && mine.back().empty() && !mine.errors().has_work();
}

bool queue::empty() const {
  auto &mine = implementation_of(*this, "empty");
  mine.submit_deferred_results();
  return mine.back().empty();
}

std::string interrupts::describe_unfinished_kernels(const queue &q) {
  std::string message;
  for (const ref<backend::event> &e : runtime::implementation_of(q).back().pending())
    e->append_unfinished_kernels(message);
  return message;
}

void interrupts::stop_kernels(const queue &q) noexcept {
  try {
    for (const ref<backend::event> &e : runtime::implementation_of(q).back().pending()) backend::stop_kernels(*e);
  } catch (const std::bad_alloc &) {  // no memory for the list: the kernels continue
  }
  backend::drop_work_at_exit(true);
}

}  // namespace dpep
