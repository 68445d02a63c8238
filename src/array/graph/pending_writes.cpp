// Pending writes: `y *= 2; y += x` changes an array in memory in one pass, as `y = y * 2 + x` does.
//
// The values that an update of a whole array computes from the array's own become those of the pending array. It keeps
// its memory, which the pass that computes them overwrites.
#include <algorithm>
#include <utility>

#include "array/graph/deferred_queue.hpp"

namespace dpep::array {
/// Whether a write of values can become pending: values that are computed from those of the array, or products, which
/// are often updated. No other array may refer to the memory: it would not show the new values.
bool deferred_queue::may_defer_write(const array_object &a, node &value) {
  if (a.base_ || !defers(a.layout.size, compiles_programs_) || value.reads_exposed || value.in_memory() || eager())
    return false;
  if (a.producer_) return is_below(value, *a.producer_);
  const storage &memory = *a.memory_;
  const bool whole = (a.layout.row_major || a.layout.column_major) && a.layout.offset == 0 &&
                     static_cast<std::size_t>(a.layout.size) * size_of(a.type) == memory.bytes;
  if (!whole || !memory.can_move()) return false;
  std::size_t reading = 0, unregistered = 0;  // nodes below the value
  walk_graph(value, node::new_walk(), [&](node &n) {
    if (n.memory.get() == &memory) {
      ++reading;
      unregistered += !n.registered_in_;
    }
    return !n.in_memory();
  });
  return (reading > 0 || value.is_product) && memory.reference_count() == 1 + memory.readers.size() + unregistered;
}

void deferred_queue::defer_write(array_object &a, ref<node> value) {
  if (value->result_array) value = identity_node(std::move(value));
  node &root = *value;
  pending_roots_.reserve(pending_roots_.size() + 1);
  const ref<node> before = std::exchange(a.producer_, std::move(value));
  if (before) remove_root(*before);
  pending_roots_.push_back(&root);
  root.result_array = &a;
  register_graph(root);
  pending_writes_ += !before && a.memory_;
  has_work_.store(true, std::memory_order_relaxed);
  a.pending_.store(true, std::memory_order_release);
  keep_within_limits(root);
}

/// Gives a copy of the array's elements to nodes that read them and are below no pending array: operands of a function
/// that is being called.
void deferred_queue::keep_for_operands(node &value, array_object &a) {
  const ref<storage> memory = a.memory_;
  std::vector<const node *> others;
  const std::uint64_t walk = node::new_walk();
  const auto collect = [&](node &root) {
    walk_graph(root, walk, [&](node &n) {
      if (n.memory == memory) others.push_back(&n);
      return !n.in_memory();
    });
  };
  collect(value);
  for (node *const root : pending_roots_) collect(*root);
  if (others.size() == memory->readers.size()) return;
  const ref<storage> copy = allocate(a.queue, a.kind, memory->bytes);
  evaluate({{identity_node(memory_node(a.type, a.layout, memory)), copy, a.layout, a.kind, false}});
  std::ranges::sort(others);
  const std::vector<node *> readers = memory->readers;
  for (node *const n : readers) {
    if (std::ranges::binary_search(others, n)) continue;
    not_read_by(*n);
    n->memory = copy;
    read_by(*n);
  }
}

/// Computes the values of a pending write into the array's memory.
void deferred_queue::write_back(node &n) {
  array_object &a = *n.result_array;
  const ref<node> value = std::exchange(a.producer_, nullptr);
  remove_root(n);
  --pending_writes_;
  try {
    keep_for_operands(n, a);
    store_values(a, value);
  } catch (...) {
    a.producer_ = value;
    n.result_array = &a;
    pending_roots_.push_back(&n);
    ++pending_writes_;
    throw;
  }
  if (!n.in_memory()) {
    n.memory = a.memory_;
    n.layout = a.layout;
    n.inputs.clear();
    read_by(n);
  }
  a.pending_.store(false, std::memory_order_release);
}

/// Computes the pending writes whose values the graph reads, so that later passes need not compute them again. What
/// reads the former elements is computed before: the root, too, if it reads them.
void deferred_queue::write_back_below(node &root) {
  if (pending_writes_ == 0) return;
  std::vector<ref<node>> found;
  walk_graph(root, node::new_walk(), [&](node &n) {
    if (&n != &root && is_pending_write(n)) found.push_back(ref<node>::share(&n));
    return !n.in_memory();
  });
  if (found.empty()) return;
  std::ranges::sort(found, {}, [](const ref<node> &n) { return n->depth; });
  const bool is_value_of_write = !root.result_array;  // and would not be found as a reader
  if (is_value_of_write) {
    register_graph(root);
    pending_roots_.push_back(&root);
  }
  const auto forget_root = [&] {
    if (is_value_of_write) std::erase(pending_roots_, &root);
  };
  try {
    for (const ref<node> &n : found)
      if (is_pending_write(*n)) write_back(*n);
  } catch (...) {
    forget_root();
    throw;
  }
  forget_root();
}

}  // namespace dpep::array
