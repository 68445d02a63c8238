// The object behind dpep::ndarray: a layout of storage, whose values may be pending.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include <dpep/array.hpp>

#include "array/base/layout.hpp"
#include "array/graph/node.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {

class deferred_queue;  // the array work of one queue (deferred_queue.hpp)

/// Allocates a short-lived object from free lists of the calling thread. Arrays of few elements are created and
/// destroyed so often that malloc would dominate.
void *allocate_object(std::size_t bytes);
void free_object(void *, std::size_t bytes) noexcept;

/// The memory of an array and its views, with the pending nodes that read it.
class storage final : public object {
public:
  storage(const queue &, usm_kind, std::size_t bytes);  // allocates
  storage(const queue &, usm_kind, void *base, std::size_t bytes, std::shared_ptr<void> owner);
  ~storage() override;  // never waits: work in flight keeps the memory alive

  std::byte *const base;
  const std::size_t bytes;
  const usm_kind kind;
  const dpep::queue queue;
  const std::shared_ptr<void> owner;
  /// Whether array work of this queue need not keep the memory alive: after the destructor, only later array work of
  /// the queue reuses it (deferred_queue::memory).
  const bool in_order = false;
  std::atomic<bool> exposed{false};  // others may write at any time, so nodes that read it are not deferred
  /// A stream in which others may still use the memory after the destructor; 0: none.
  std::atomic<std::uintptr_t> lent_to{0};

  static void *operator new(std::size_t bytes) { return allocate_object(bytes); }
  static void operator delete(void *p, std::size_t bytes) noexcept { free_object(p, bytes); }

  /// Pending nodes that read this memory, guarded by the deferred queue's mutex. They are computed before anything
  /// writes to it.
  std::vector<node *> readers;

private:
  storage(const dpep::queue &, usm_kind, std::size_t bytes, std::pair<void *, bool> memory);
  void free_after_submitted();
  const bool owned_ = false;
};

class array_object;
// Of deferred_queue.cpp:
/// Submits the computation of a pending array, which then is not pending any more.
void compute(array_object &);
/// Discards a pending array's values, at the release of its last handle.
void forget(array_object &) noexcept;
/// Whether no array work of the queue is in flight, so that the calling thread may read arrays' memory.
bool idle(const queue &) noexcept;
/// Whether the calling thread may also write to the memory of the array, which is not pending: no pending node reads
/// it.
bool may_write_now(array_object &) noexcept;
/// Submits the pending work that reads elements of the array. Called before work that is no program writes to them.
void evaluate_readers(array_object &);
/// Whether the calling thread can access the memory of the queue's arrays, and the queue's device the host's memory.
inline bool is_host_accessible(const queue &q) noexcept {
  return runtime::implementation_of(q).target.capabilities().host_accessible;
}

/// An array. It has storage, or is pending: its values are those of a node, or of a part of another pending array.
class array_object final : public object {
public:
  array_object(const dpep::queue &q, dtype type, dpep::array::layout l, ref<storage> s, bool writable)
      : queue(q), type(type), layout(std::move(l)), kind(s->kind), memory_(std::move(s)), writable(writable) {}
  /// A pending array with the values of a node. In deferred_queue.cpp.
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
  /// The storage. A pending array is computed first: submitted, without waiting.
  const ref<storage> &memory() {
    if (pending()) compute(*this);
    return memory_;
  }
  std::byte *first() { return memory()->base + layout.offset * std::int64_t(size_of(type)); }

private:
  friend class deferred_queue;  // the array work of one queue (deferred_queue.hpp)
  friend class node;
  friend void compute(array_object &);
  friend void forget(array_object &) noexcept;
  std::atomic<bool> pending_{false};
  ref<storage> memory_;
  // exactly one of these is set while the array is pending
  ref<node> producer_;
  ref<array_object> base_;

public:
  std::atomic<bool> writable;
};

/// Waits for the event, and throws the asynchronous errors of the queue, of any task.
void finish(const queue &, const event &);

/// The object of a handle. Throws refusal::type for an empty handle.
array_object &implementation_of(const ndarray &, const char *operation);
ndarray make_array(const queue &, dtype, layout, ref<storage>, bool writable = true);
/// A new array with uninitialised memory, which starts at the first element of the layout.
ndarray make_empty(const queue &, dtype, layout, usm_kind);
/// A view of the array's memory with another layout. A view of a pending array is pending, too.
ndarray make_view(array_object &, layout);
ndarray make_view(array_object &, dtype, layout);

}  // namespace dpep::array
