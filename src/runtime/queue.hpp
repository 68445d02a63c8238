// The implementation of dpep::queue, with the launch path of dpep::launch.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <dpep/queue.hpp>

#include "backend/backend.hpp"
#include "runtime/device.hpp"
#include "runtime/empty_handle.hpp"
#include "runtime/recording.hpp"

namespace dpep::runtime {

/// The pending errors of a queue. Has its own reference count, since tasks may outlive their queue.
class error_store final : public backend::error_slot {
public:
  explicit error_store(async_handler handler) : mine_(std::make_shared<contents>(std::move(handler))) {}
  /// Prints errors that were not delivered on standard error.
  ~error_store() override;

  void report(std::exception_ptr) noexcept override;
  /// Without a handler, throws the first pending error and drops the others. With a handler, passes all pending errors
  /// to it if `to_handler`; otherwise they stay pending.
  void deliver(bool to_handler) override;
  bool has_errors() const noexcept { return mine_->pending.load(std::memory_order_acquire); }
  /// Whether deliver() has errors, or checks memory for them.
  bool has_work() const noexcept;

  /// Sets the back end's queue, before any task is submitted.
  void set_back(const std::shared_ptr<backend::queue> &queue) noexcept { mine_->back = queue; }
  /// Notes that a task of this queue depends on these events.
  void note_dependencies(dependencies after) {
    for (const event &e : after)
      if (e.get()) note_dependency(static_cast<const backend::event &>(*e.get()));
  }
  /// As deliver(true), then the same for the queues on whose tasks this queue's have depended, directly or indirectly.
  void deliver_with_dependencies();

private:
  /// The errors themselves. Queues that depend on each other refer to them without keeping them.
  struct contents {
    explicit contents(async_handler h) : handler(std::move(h)) {}
    const async_handler handler;
    std::mutex mutex;  // guards the vectors
    std::vector<std::exception_ptr> errors;
    std::vector<std::weak_ptr<contents>> depends_on;
    std::atomic<bool> pending{false};
    std::atomic<const contents *> last_noted{nullptr};  // in depends_on
    std::weak_ptr<backend::queue> back;
  };
  static void deliver(contents &, bool to_handler);
  /// Sets whether there are errors, and counts the stores that have some. The caller holds the mutex.
  static void set_pending(contents &, bool) noexcept;
  void note_dependency(const backend::event &);

  const std::shared_ptr<contents> mine_;
};

/// Work that a higher layer (the array engine) has recorded for a queue but not submitted. All other submissions to the
/// queue submit this work first, and waits for the queue submit its results.
class deferred_work {
public:
  virtual ~deferred_work() = default;
  /// Submits all recorded work; returns without waiting for it. Also called by the layer's own submissions.
  virtual void submit_all() = 0;
  /// Submits the recorded work whose values no other recorded or submitted work has used.
  virtual void submit_results() = 0;
  bool has_work() const noexcept { return has_work_.load(std::memory_order_relaxed); }

protected:
  std::atomic<bool> has_work_{false};
};

class queue_object final : public object {
public:
  using backend_factory =
      std::function<std::unique_ptr<backend::queue>(const queue_options &, ref<backend::error_slot>)>;
  /// An empty factory means device::make_queue of the back end.
  queue_object(const context &, const device &, queue_options, async_handler, const backend_factory & = {});
  ~queue_object() override;

  const dpep::context context;
  const dpep::device device;
  const queue_options options;
  backend::device &target;       // the device that runs the work
  backend::device &code_target;  // the root device, which kernels are compiled for and cached by

  /// The hot path: no allocation, no lookup. The command's code must be loaded by `code_target`. `command.arguments`
  /// are copied if the command outlives the call.
  event launch(backend::launch_command &command, dependencies after) {
    if (graphs_exist.load(std::memory_order_relaxed)) [[unlikely]]
      if (event node = record(command, after)) return node;
    return launch_unrecorded(command, after);
  }
  event launch_unrecorded(backend::launch_command &command, dependencies after) {
    submit_deferred();
    errors_->note_dependencies(after);
    ref<backend::event> done = back_->launch(command, after);
    if (traced_) [[unlikely]]
      trace(done, command.code->name, "kernel");
    return event(ref<object>(std::move(done)));
  }
  event submit(backend::command command, dependencies after, const char *name) {
    submit_deferred();
    return submit_without_deferred(std::move(command), after, name);
  }
  /// For the layer that has deferred the work, which orders the command itself.
  event submit_without_deferred(backend::command, dependencies after, const char *name);
  event submit_unrecorded(backend::command, dependencies after, const char *name);
  backend::queue &back() noexcept { return *back_; }
  const std::shared_ptr<backend::queue> &shared_back() const noexcept { return back_; }

  /// The state of recording into a graph, or null. Guarded by graph_mutex, except that null may be read at any time.
  std::unique_ptr<recording> current_recording;
  /// If the queue records, or must because of a recorded dependency: adds a node for the command and returns its event.
  /// Else returns an empty event.
  event record(const backend::launch_command &, dependencies after);
  event record(const backend::command &, dependencies after);

  deferred_work *deferred() const noexcept { return deferred_.load(std::memory_order_acquire); }
  /// Attaches the object for the lifetime of the queue. Returns the attached object: an existing one if another thread
  /// was first.
  deferred_work &attach(std::unique_ptr<deferred_work>) noexcept;
  void submit_deferred() {
    if (deferred_work *work = deferred(); work && work->has_work()) [[unlikely]]
      work->submit_all();
  }
  void submit_deferred_results() {
    if (deferred_work *work = deferred(); work && work->has_work()) [[unlikely]]
      work->submit_results();
  }
  error_store &errors() noexcept { return *errors_; }

private:
  void trace(const ref<backend::event> &, const std::string &name, const char *category);

  const ref<error_store> errors_;
  std::shared_ptr<backend::queue> back_;
  std::atomic<deferred_work *> deferred_{nullptr};
  const bool traced_;
  const std::uint32_t trace_row_;
};

/// Throws errc::invalid for an empty handle; `operation` names the caller in the message.
inline queue_object &implementation_of(const queue &q, const char *operation = "queue") {
  if (!q) [[unlikely]]
    throw_empty("queue", operation);
  return static_cast<queue_object &>(*q.get());
}

}  // namespace dpep::runtime
