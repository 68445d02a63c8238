// The interface of the deferred queue for its nodes and arrays.
#pragma once

#include "runtime/queue.hpp"

namespace dpep::array {

class array_object;
class node;

/// Computes pending arrays. The deferred queue implements it.
class evaluator : public runtime::deferred_work {
public:
  /// The evaluator of a queue that has pending arrays.
  static evaluator &of(const queue &q) noexcept {
    return static_cast<evaluator &>(*runtime::implementation_of(q).deferred());
  }

  /// Submits the computation of a pending array, which then is not pending any more.
  virtual void compute(array_object &) = 0;
  /// Discards a pending array's values, at the release of its last handle.
  virtual void forget(array_object &) noexcept = 0;
  /// Removes a node that is destroyed.
  virtual void forget(node &) noexcept = 0;
};

}  // namespace dpep::array
