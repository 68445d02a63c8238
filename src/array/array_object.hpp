// The object behind dpep::ndarray: a layout over storage that may not be computed yet.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include <dpep/array.hpp>

#include "array/graph.hpp"
#include "array/layout.hpp"

namespace dpep::array {

class stream;  // the array work of one queue (stream.hpp)

/// Memory that arrays view, and what pending work there is on it. Its members after `queue` belong to the queue's
/// stream and are guarded by the stream's mutex.
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
  std::atomic<bool> exposed{false};  // others may write at any time: read at once

  std::vector<node *> readers;  // pending nodes that read this memory: they run before anything writes here
};

class array_object final : public object {
public:
  array_object(const dpep::queue &q, dtype type, dpep::array::layout l, ref<storage> s, bool writable)
      : queue(q), type(type), layout(std::move(l)), kind(s->kind), memory_(std::move(s)), writable(writable) {}
  /// Not computed yet: of a contiguous layout, without storage. (graph.cpp makes these.)
  array_object(const dpep::queue &q, dtype type, dpep::array::layout l, usm_kind kind, ref<node> n);
  ~array_object() override;

  const dpep::queue queue;
  const dtype type;
  const dpep::array::layout layout;
  const usm_kind kind;

  bool pending() const noexcept { return pending_.load(std::memory_order_acquire); }
  /// The storage; computes what is pending first (submits it, does not wait).
  const ref<storage> &memory();
  std::byte *first() { return memory()->base + layout.offset * std::int64_t(size_of(type)); }

private:
  friend class stream;  // the array work of one queue (stream.hpp)
  friend class node;
  std::atomic<bool> pending_{false};
  ref<storage> memory_;
  ref<node> producer_;  // while pending

public:
  std::atomic<bool> writable;
};

array_object &implementation_of(const ndarray &, const char *operation);
ndarray make_array(const queue &, dtype, layout, ref<storage>, bool writable = true);

}  // namespace dpep::array
