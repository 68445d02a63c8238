// The list of Python objects that runtime threads are done with.
#include "keep_alive.hpp"

#include <atomic>
#include <cstddef>
#include <utility>

namespace dpep::python {
namespace {

/// Made when the objects are handed over, so that pushing it needs no memory.
struct held {
  static constexpr std::size_t most = 16;

  Py_buffer buffer{};  // buffer.obj is null when only objects are held
  std::size_t count = 0;
  PyObject *objects[most];
  held *next = nullptr;
  alignas(std::max_align_t) std::byte control[64];  // of the shared_ptr
};

std::atomic<held *> finished{nullptr};

void push(held *node) noexcept {
  node->next = finished.load(std::memory_order_relaxed);
  while (!finished.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {}
}

/// Gives a shared_ptr's control block the room in the node. Who gives that back is done with the whole node.
template <class T> struct in_node {
  using value_type = T;
  held *node;

  explicit in_node(held *n) noexcept : node(n) {}
  template <class U> in_node(const in_node<U> &other) noexcept : node(other.node) {}
  T *allocate(std::size_t) noexcept {
    static_assert(sizeof(T) <= sizeof node->control && alignof(T) <= alignof(std::max_align_t));
    return reinterpret_cast<T *>(node->control);
  }
  void deallocate(T *, std::size_t) noexcept { push(node); }
  friend bool operator==(const in_node &, const in_node &) = default;
};

std::shared_ptr<void> shared(held *node) {
  return std::shared_ptr<void>(node, [](void *) noexcept {}, in_node<held>(node));
}

// Nodes to use again, and how many at most; with the GIL.
held *spare = nullptr;
std::size_t spares = 0;
constexpr std::size_t most_spares = 1024;

held *take_node() {
  if (!spare) return new held;
  --spares;
  return std::exchange(spare, spare->next);
}

void give_node(held *node) {
  if (spares >= most_spares) return delete node;
  ++spares;
  node->buffer.obj = nullptr;
  node->count = 0;
  node->next = std::exchange(spare, node);
}

}  // namespace

std::shared_ptr<void> hold(nanobind::object object) {
  held *const node = take_node();
  node->count = 1;
  node->objects[0] = object.release().ptr();
  return shared(node);
}

std::shared_ptr<void> hold(std::span<PyObject *const> objects) {
  if (objects.size() > held::most) {
    nanobind::list all;
    for (PyObject *x : objects) all.append(nanobind::handle(x));
    return hold(std::move(all));
  }
  held *const node = take_node();
  node->count = objects.size();
  for (std::size_t i = 0; i < objects.size(); ++i) node->objects[i] = Py_NewRef(objects[i]);
  return shared(node);
}

std::shared_ptr<void> hold(const Py_buffer &buffer) {
  held *const node = take_node();
  node->buffer = buffer;
  return shared(node);
}

std::size_t release_finished() {
  // The whole list at once: a single reader of single nodes would meet the ABA problem.
  if (!finished.load(std::memory_order_relaxed)) return 0;
  std::size_t count = 0;
  for (held *node = finished.exchange(nullptr, std::memory_order_acquire); node; ++count) {
    held *next = node->next;
    for (std::size_t i = 0; i < node->count; ++i)
      Py_DECREF(node->objects[i]);  // may run any Python code, this function included
    if (node->buffer.obj) PyBuffer_Release(&node->buffer);
    give_node(node);
    node = next;
  }
  return count;
}

}  // namespace dpep::python
