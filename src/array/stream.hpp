// The array work of one queue: what is pending, what was submitted last, and when the one becomes the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <dpep/array_functions.hpp>

#include "array/array_object.hpp"
#include "array/fuse.hpp"
#include "array/graph.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {

class stream final : public runtime::deferred_work {
public:
  static stream &of(const queue &);
  explicit stream(const queue &) {}

  /// Null when the array is not pending any more.
  ref<node> producer_of(const array_object &);
  /// Computes the values into new memory.
  ndarray compute_now(const queue &, ref<node>, usm_kind, layout);
  void store(array_object &to, ref<node>);
  void compute(array_object &);
  void forget(array_object &) noexcept;
  static void forget(node &) noexcept;

  void submit_noted() override;
  event last();
  /// Array work that was submitted by other means: what follows waits for it.
  void follow(event);
  pending_work pending() noexcept;

private:
  void evaluate(const queue &, std::vector<target>);
  void submit(const queue &, prepared);

  std::mutex mutex_;
  std::atomic<const void *> evaluating_{nullptr};  // the thread that holds the mutex to submit what was noted
  event last_;
};

}  // namespace dpep::array
