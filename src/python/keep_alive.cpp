// The list of Python objects that runtime threads are done with.
#include "keep_alive.hpp"

#include <atomic>

namespace dpep::python {
namespace {

/// Made when the object is handed over, so that pushing it needs no memory.
struct held {
  Py_buffer buffer{};  // buffer.obj is null when only `object` is held
  PyObject *object = nullptr;
  held *next = nullptr;
};

std::atomic<held *> finished{nullptr};

void push(held *node) noexcept {
  node->next = finished.load(std::memory_order_relaxed);
  while (!finished.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {}
}

}  // namespace

std::shared_ptr<void> hold(nanobind::object object) {
  auto *node = new held;
  node->object = object.release().ptr();
  return {node, push};
}

std::shared_ptr<void> hold(const Py_buffer &buffer) {
  auto *node = new held;
  node->buffer = buffer;
  return {node, push};
}

std::size_t release_finished() {
  // The whole list at once: a single reader of single nodes would meet the ABA problem.
  if (!finished.load(std::memory_order_relaxed)) return 0;
  std::size_t count = 0;
  for (held *node = finished.exchange(nullptr, std::memory_order_acquire); node; ++count) {
    held *next = node->next;
    Py_XDECREF(node->object);  // may run any Python code, this function included
    if (node->buffer.obj) PyBuffer_Release(&node->buffer);
    delete node;
    node = next;
  }
  return count;
}

}  // namespace dpep::python
