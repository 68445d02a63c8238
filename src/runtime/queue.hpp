// The object behind dpep::queue, with the launch path that the JIT's dpep::launch goes through.
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

namespace dpep::runtime {

/// Where the failures of a queue's tasks wait for someone to tell. Counted by itself: tasks may outlive their queue.
class error_store final : public backend::error_slot {
public:
  explicit error_store(async_handler handler) : handler_(std::move(handler)) {}
  ~error_store() override;  // says on stderr what nobody asked for

  void report(std::exception_ptr) noexcept override;
  /// Hands pending errors to the handler, if it is its turn; without a handler throws the first of them.
  void deliver(bool to_handler) override;

private:
  const async_handler handler_;
  std::mutex mutex_;
  std::vector<std::exception_ptr> errors_;
  std::atomic<bool> pending_{false};
};

/// Work for a queue that a layer above has noted and not submitted yet (the array engine). Whatever else is submitted
/// to the queue, or waits for it, submits this first.
class deferred_work {
public:
  virtual ~deferred_work() = default;
  /// Submits everything that is noted, and returns without waiting for it. Called by the layer's own submissions, too.
  virtual void submit_noted() = 0;
  bool any() const noexcept { return any_.load(std::memory_order_relaxed); }

protected:
  std::atomic<bool> any_{false};
};

class queue_object final : public object {
public:
  using maker = std::function<std::unique_ptr<backend::queue>(const queue_options &, ref<backend::error_slot>)>;
  queue_object(const context &, const device &, queue_options, async_handler, const maker & = {});
  ~queue_object() override;

  const dpep::context context;
  const dpep::device device;
  const queue_options options;
  backend::device &target;       // runs the work
  backend::device &code_target;  // what kernels are compiled for (and their cache keyed by): the root device

  /// The hot path: no allocation, no look-up. The command's code was loaded by `code_target`. `command.arguments` are
  /// copied if need be.
  event launch(backend::launch_command &command, dependencies after) {
    submit_deferred();
    ref<backend::event> done = back_->launch(command, after);
    if (traced_) [[unlikely]]
      trace(done, command.code->name, "kernel");
    return event(ref<object>(std::move(done)));
  }
  event submit(backend::command command, dependencies after, const char *what);
  backend::queue &back() noexcept { return *back_; }

  deferred_work *deferred() const noexcept { return deferred_.load(std::memory_order_acquire); }
  /// Attaches it, for as long as the queue lives; returns what is attached, which is another's when that came first.
  deferred_work &attach(std::unique_ptr<deferred_work>) noexcept;
  void submit_deferred() {
    if (deferred_work *noted = deferred(); noted && noted->any()) [[unlikely]]
      noted->submit_noted();
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

[[noreturn]] void throw_empty(const char *type, const char *operation);

/// Throws errc::invalid for an empty handle; `operation` names the caller in the message.
inline queue_object &implementation_of(const queue &q, const char *operation = "queue") {
  if (!q) [[unlikely]]
    throw_empty("queue", operation);
  return static_cast<queue_object &>(*q.get());
}

}  // namespace dpep::runtime
