// A queue: where work for one device is submitted. Kernels are launched through <dpep/kernel.hpp>.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <vector>

#include <dpep/context.hpp>
#include <dpep/event.hpp>

namespace dpep {

enum class queue_priority { normal, low, high };
enum class memory_advice { reset = 0, read_mostly, preferred_location, accessed_by };

struct queue_options {
  bool in_order = false;
  bool profiling = false;
  queue_priority priority = queue_priority::normal;
};

using async_handler = std::function<void(std::vector<std::exception_ptr>)>;
using dependencies = std::span<const event>;

/// The last handle may go while work is pending: that completes all the same, and errors that nobody asked for by then
/// are said on standard error.
class DPEP_API queue : public handle {
public:
  using handle::handle;
  /// Throws errc::invalid when the context does not contain the device.
  queue(const context &, const device &, queue_options = {}, async_handler = {});
  explicit queue(const device &where, queue_options options = {})
      : queue(context::default_for(where), where, options) {}

  const device &get_device() const noexcept;
  const context &get_context() const noexcept;
  const queue_options &options() const noexcept;

  // Commands start when `dependencies` are complete, and on an in-order queue what was submitted before; short ones
  // have run when the call returns. All throw errc::invalid for null, freed USM, or bytes beyond an allocation's end.

  /// Bytes between USM or host pointers, in any direction. Overlapping ranges are an error of the caller.
  event copy(void *to, const void *from, std::size_t bytes, dependencies = {}) const;
  /// `count` copies of the pattern, which is read during the call, end to end.
  event fill(void *to, const void *pattern, std::size_t pattern_bytes, std::size_t count, dependencies = {}) const;
  event prefetch(const void *pointer, std::size_t bytes, dependencies = {}) const;
  event advise(const void *pointer, std::size_t bytes, memory_advice, dependencies = {}) const;
  /// Runs on a runtime thread (on the caller only when the system gives no thread at all). What it throws lands in the
  /// queue's error slot.
  event host_task(std::function<void()> task, dependencies = {}) const;
  /// Complete when the given events are; when none is given, when all work submitted so far is. Later work waits for
  /// it.
  event barrier(dependencies = {}) const;

  /// Blocks until everything submitted so far is complete. Without an asynchronous handler it then throws the first
  /// pending error of the queue, once; further ones, most often its consequences, are dropped with it. With a handler,
  /// errors stay pending.
  void wait() const;
  /// As wait, until `go_on` says no (event::wait_while); false, and no error delivered, when it did.
  bool wait_while(const std::function<bool()> &go_on) const;
  /// As wait, and hands pending errors to the asynchronous handler when there is one.
  void wait_and_throw() const;
  /// Delivers pending errors as wait_and_throw does, without waiting.
  void throw_asynchronous() const;
  /// Whether nothing submitted is still pending.
  bool empty() const;
};

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::queue);
