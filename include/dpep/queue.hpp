// Queues: submission of commands to one device. <dpep/kernel.hpp> launches kernels.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <vector>

#include <dpep/context.hpp>
#include <dpep/event.hpp>

namespace dpep {

/// The priority of kernels on GPUs, and on CPUs the scheduling priority of host tasks (low, or that of the process).
enum class queue_priority { normal, low, high };
enum class memory_advice { reset = 0, read_mostly, preferred_location, accessed_by };

struct queue_options {
  bool in_order = false;
  bool profiling = false;
  queue_priority priority = queue_priority::normal;
};

/// Receives the pending errors of a queue, in the order in which they occurred.
using async_handler = std::function<void(std::vector<std::exception_ptr>)>;
/// The events that a command waits for before it starts.
using dependencies = std::span<const event>;

/// The dependencies of work whose event will replace another one.
struct ordered_dependencies : dependencies {
  ordered_dependencies(dependencies after = {}, const event *replaced = nullptr)
      : dependencies(after), replaced(replaced) {}
  /// The replaced event, or null. The caller holds one reference to it, for ordering only, and does not share it before
  /// it is replaced. GPUs then avoid the cost of an event that is never queried.
  const event *replaced;
};

/// A handle: copies refer to the same queue. The last one may be destroyed while work is pending. The work completes,
/// and errors that were not delivered are printed on standard error.
class DPEP_API queue : public handle {
public:
  using handle::handle;
  /// Throws errc::invalid if the context does not contain the device.
  queue(const context &, const device &, queue_options = {}, async_handler = {});
  explicit queue(const device &where, queue_options options = {})
      : queue(context::default_for(where), where, options) {}

  const device &get_device() const noexcept;
  const context &get_context() const noexcept;
  const queue_options &options() const noexcept;

  // Commands start when their `dependencies` are complete; on an in-order queue also after all earlier commands. Short
  // commands may run during the call. All throw errc::invalid for a null pointer, freed USM memory, or bytes beyond an
  // allocation's end.

  /// Copies bytes between USM or host pointers, in any direction. Overlapping ranges are undefined behaviour.
  event copy(void *to, const void *from, std::size_t bytes, dependencies = {}) const;
  /// Writes `count` consecutive copies of the pattern, which is read during the call.
  event fill(void *to, const void *pattern, std::size_t pattern_bytes, std::size_t count, dependencies = {}) const;
  event prefetch(const void *pointer, std::size_t bytes, dependencies = {}) const;
  event advise(const void *pointer, std::size_t bytes, memory_advice, dependencies = {}) const;
  /// Calls the function on a runtime thread (on the calling thread only if the system can create no thread). An
  /// exception that it throws becomes a pending error of the queue.
  event host_task(std::function<void()> task, dependencies = {}) const;
  /// Completes when the given events are complete; without events, when all earlier commands are. Later commands wait
  /// for it.
  event barrier(dependencies = {}) const;

  /// Blocks until all submitted commands are complete. Without an asynchronous handler, then throws the first pending
  /// error, once; the others, most often its consequences, are dropped. With a handler, errors stay pending.
  void wait() const;
  /// As wait, but returns false early, without delivering errors, once `keep_waiting` returns false
  /// (event::wait_while).
  bool wait_while(const std::function<bool()> &keep_waiting) const;
  /// As wait, but passes pending errors to the asynchronous handler if there is one.
  void wait_and_throw() const;
  /// Delivers pending errors as wait_and_throw does, without waiting.
  void throw_asynchronous() const;
  /// Whether all submitted commands are complete.
  bool empty() const;
};

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::queue);
