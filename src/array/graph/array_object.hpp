// The object behind dpep::ndarray: a layout over storage that may not be computed yet.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include <dpep/array.hpp>

#include "array/graph/node.hpp"
#include "runtime/queue.hpp"
#include "array/base/layout.hpp"

namespace dpep::array {

class deferred_queue;  // the array work of one queue (deferred_queue.hpp)

/// Blocks for short-lived objects, kept in a list of each thread: an array of ten elements is made and dropped more
/// often than malloc is quick.
void *allocate_object(std::size_t bytes);
void free_object(void *, std::size_t bytes) noexcept;

/// Memory that arrays view, and what pending work there is on it. Its members after `queue` belong to the queue's
/// stream and are guarded by the deferred queue's mutex.
class storage final : public object {
public:
  storage(const queue &, usm_kind, std::size_t bytes);  // allocates
  storage(const queue &, usm_kind, void *base, std::size_t bytes, std::shared_ptr<void> owner);
  ~storage() override;  // waits for nothing: what still runs keeps it

  std::byte *const base;
  const std::size_t bytes;
  const usm_kind kind;
  const dpep::queue queue;
  const std::shared_ptr<void> owner;
  /// Work of this queue, among its array work, need not keep it: when it dies, its memory goes to what comes later in
  /// that order (deferred_queue::memory).
  const bool in_order = false;
  std::atomic<bool> exposed{false};  // others may write at any time: read at once
  /// A stream in which others may still use the memory when this dies.
  std::atomic<std::uintptr_t> lent_to{0};

  static void *operator new(std::size_t bytes) { return allocate_object(bytes); }
  static void operator delete(void *p, std::size_t bytes) noexcept { free_object(p, bytes); }

  std::vector<node *> readers;  // pending nodes that read this memory: they run before anything writes here

private:
  storage(const dpep::queue &, usm_kind, std::size_t bytes, std::pair<void *, bool> memory);
  void free_behind_all();
  const bool owned_ = false;
};

class array_object;
// The graph's (graph.cpp):
/// Submits what is pending for the array; it is not pending when this returns.
void compute(array_object &);
/// A pending array's last handle is gone.
void forget(array_object &) noexcept;
/// Whether no array work of the queue is pending or in flight, so that the calling thread may access memory.
bool idle(const queue &) noexcept;
/// Whether the calling thread can access the memory of arrays of the queue, and the queue's device the host's memory.
inline bool is_host_accessible(const queue &q) noexcept {
  return runtime::implementation_of(q).target.capabilities().host_accessible;
}

class array_object final : public object {
public:
  array_object(const dpep::queue &q, dtype type, dpep::array::layout l, ref<storage> s, bool writable)
      : queue(q), type(type), layout(std::move(l)), kind(s->kind), memory_(std::move(s)), writable(writable) {}
  /// Not computed yet: shows a node (deferred_queue.cpp makes these).
  array_object(const dpep::queue &q, dtype type, dpep::array::layout l, usm_kind kind, ref<node> n);
  /// A view of such an array: what computes that, computes this.
  array_object(array_object &of, dtype type, dpep::array::layout l);
  ~array_object() override;
  static void *operator new(std::size_t bytes) { return allocate_object(bytes); }
  static void operator delete(void *p, std::size_t bytes) noexcept { free_object(p, bytes); }

  const dpep::queue queue;
  const dtype type;
  const dpep::array::layout layout;
  const usm_kind kind;

  bool pending() const noexcept { return pending_.load(std::memory_order_acquire); }
  /// The storage; computes what is pending first (submits it, does not wait).
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
  // While pending, one of these:
  ref<node> producer_;
  ref<array_object> base_;

public:
  std::atomic<bool> writable;
};

/// Waits for the event, and raises what has failed on the queue, whichever of its tasks it was.
void finish(const queue &, const event &);

/// Refuses a handle that is empty.
array_object &implementation_of(const ndarray &, const char *operation);
ndarray make_array(const queue &, dtype, layout, ref<storage>, bool writable = true);
/// A new array with memory of its own, not initialised. The layout covers its memory from the first element on.
ndarray make_empty(const queue &, dtype, layout, usm_kind);
/// The same memory, seen through another layout. A view of a pending array is pending, too.
ndarray make_view(array_object &, layout);
ndarray make_view(array_object &, dtype, layout);

}  // namespace dpep::array
