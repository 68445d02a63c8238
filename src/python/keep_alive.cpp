// Python objects held by tasks, and the lock-free list of those that completed tasks have released.
#include "keep_alive.hpp"

#include <atomic>
#include <cstddef>
#include <utility>

namespace dpep::python {
namespace {

/// A list node with the objects that a task holds. Allocated with the GIL, so that the release in a runtime thread
/// allocates nothing.
struct held {
  static constexpr std::size_t max_objects = 16;

  Py_buffer buffer{};  // buffer.obj is null without a buffer
  std::size_t count = 0;
  PyObject *objects[max_objects];
  held *next = nullptr;
  alignas(std::max_align_t) std::byte control[64];  // control block of the shared_ptr
};

std::atomic<held *> finished{nullptr};

void push(held *node) noexcept {
  node->next = finished.load(std::memory_order_relaxed);
  while (!finished.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {}
}

/// Allocator that places a shared_ptr's control block in the node. Its deallocation is the last use of the node and
/// pushes it onto the list.
template <class T> struct node_allocator {
  using value_type = T;
  held *node;

  explicit node_allocator(held *n) noexcept : node(n) {}
  template <class U> node_allocator(const node_allocator<U> &other) noexcept : node(other.node) {}
  T *allocate(std::size_t) noexcept {
    static_assert(sizeof(T) <= sizeof node->control && alignof(T) <= alignof(std::max_align_t));
    return reinterpret_cast<T *>(node->control);
  }
  void deallocate(T *, std::size_t) noexcept { push(node); }
  friend bool operator==(const node_allocator &, const node_allocator &) = default;
};

std::shared_ptr<void> shared(held *node) {
  return std::shared_ptr<void>(node, [](void *) noexcept {}, node_allocator<held>(node));
}

// Free nodes for reuse. Protected by the GIL.
held *free_nodes = nullptr;
std::size_t free_count = 0;
constexpr std::size_t max_free_nodes = 1024;

held *allocate_node() {
  if (!free_nodes) return new held;
  --free_count;
  return std::exchange(free_nodes, free_nodes->next);
}

void free_node(held *node) {
  if (free_count >= max_free_nodes) return delete node;
  ++free_count;
  node->buffer.obj = nullptr;
  node->count = 0;
  node->next = std::exchange(free_nodes, node);
}

}  // namespace

std::shared_ptr<void> hold(nanobind::object object) {
  held *const node = allocate_node();
  node->count = 1;
  node->objects[0] = object.release().ptr();
  return shared(node);
}

std::shared_ptr<void> hold(std::span<PyObject *const> objects) {
  if (objects.size() > held::max_objects) {
    nanobind::list all;
    for (PyObject *x : objects) all.append(nanobind::handle(x));
    return hold(std::move(all));
  }
  held *const node = allocate_node();
  node->count = objects.size();
  for (std::size_t i = 0; i < objects.size(); ++i) node->objects[i] = Py_NewRef(objects[i]);
  return shared(node);
}

std::shared_ptr<void> hold(const Py_buffer &buffer) {
  held *const node = allocate_node();
  node->buffer = buffer;
  return shared(node);
}

std::size_t release_finished() {
  // Takes the whole list at once: removing single nodes would have the ABA problem.
  if (!finished.load(std::memory_order_relaxed)) return 0;
  std::size_t count = 0;
  for (held *node = finished.exchange(nullptr, std::memory_order_acquire); node; ++count) {
    held *next = node->next;
    for (std::size_t i = 0; i < node->count; ++i)
      Py_DECREF(node->objects[i]);  // may run any Python code, this function included
    if (node->buffer.obj) PyBuffer_Release(&node->buffer);
    free_node(node);
    node = next;
  }
  return count;
}

}  // namespace dpep::python
