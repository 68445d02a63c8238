// The object behind dpep::ndarray: a layout of storage, whose values may be pending.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <dpep/array.hpp>

#include "array/base/layout.hpp"
#include "array/graph/evaluator.hpp"
#include "array/graph/node.hpp"
#include "array/graph/object_memory.hpp"
#include "array/graph/storage.hpp"

namespace dpep::array {

/// An array. It has storage, or is pending: its values are those of a node, or of a part of another pending array.
class array_object final : public object {
public:
  array_object(const dpep::queue &q, dtype type, dpep::array::layout l, ref<storage> s, bool writable)
      : queue(q), type(type), layout(std::move(l)), kind(s->kind), memory_(std::move(s)), writable(writable) {}
  /// A pending array with the values of a node.
  array_object(const dpep::queue &q, dtype type, dpep::array::layout l, usm_kind kind, ref<node> n);
  /// A pending view of a pending array that is no view itself, computed with it.
  array_object(array_object &of, dtype type, dpep::array::layout l);
  ~array_object() override;
  static void *operator new(std::size_t bytes) { return allocate_object(bytes); }
  static void operator delete(void *p, std::size_t bytes) noexcept { free_object(p, bytes); }

  const dpep::queue queue;
  const dtype type;
  const dpep::array::layout layout;
  const usm_kind kind;

  bool pending() const noexcept { return pending_.load(std::memory_order_acquire); }
  /// Submits the computation of a pending array.
  void compute() {
    if (pending()) evaluator::of(queue).compute(*this);
  }
  /// The storage. A pending array is computed first: submitted, without waiting.
  const ref<storage> &memory() {
    compute();
    return memory_;
  }
  /// Whether it is pending and has memory that its values overwrite. Requires the deferred queue's lock.
  bool has_pending_write() const noexcept { return producer_ && memory_; }
  std::byte *first() { return memory()->base() + layout.offset * std::int64_t(size_of(type)); }

private:
  friend class deferred_queue;  // the array work of one queue (deferred_queue.hpp)
  std::atomic<bool> pending_{false};
  ref<storage> memory_;
  // exactly one of these is set while the array is pending; `memory_` is set too if its values overwrite that
  ref<node> producer_;
  ref<array_object> base_;

public:
  std::atomic<bool> writable;
};

/// Whether the node has the values of an array's pending write. Requires the deferred queue's lock.
inline bool is_pending_write(const node &n) noexcept { return n.result_array && n.result_array->has_pending_write(); }

/// The object of a handle. Throws refusal::type for an empty handle.
array_object &implementation_of(const ndarray &, const char *operation);
ndarray make_array(const queue &, dtype, layout, ref<storage>, bool writable = true);

}  // namespace dpep::array
