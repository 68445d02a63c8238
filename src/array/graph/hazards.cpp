// Writes to memory that pending nodes read: the nodes are computed first, or in the same pass if each element is read
// at the index at which it is overwritten.
#include <algorithm>
#include <utility>

#include "array/base/overlap.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array {

byte_range range_of(const storage &memory, const layout &l, dtype type) noexcept {
  if (l.size == 0) return {memory.base(), memory.base()};
  const auto [first, last] = l.bounds();
  const auto bytes = static_cast<std::int64_t>(size_of(type));
  return {memory.base() + first * bytes, memory.base() + (last + 1) * bytes};
}

namespace {

/// Whether the node reads exactly the elements that are stored, at the same indices. A pass reads each element before
/// it writes it.
bool same_elements(const node &n, const storage &memory, const layout &to, dtype type) {
  const auto first = [](const storage &m, const layout &l, dtype t) {
    return m.base() + l.offset * static_cast<std::int64_t>(size_of(t));
  };
  return n.type == type && first(memory, to, type) == first(*n.memory, n.layout, n.type) &&
         n.layout.shape == to.shape && n.layout.strides == to.strides;
}

/// Whether a node in memory may read an element of that layout.
bool reads(const node &n, const storage &memory, const layout &l, dtype type) {
  if (!range_of(*n.memory, n.layout, n.type).overlaps(range_of(memory, l, type))) return false;
  return n.memory.get() != &memory || size_of(n.type) != size_of(type) || may_share_elements(n.layout, l);
}

/// Whether a store to the target in the pass that reads the graph may overwrite elements that are read later.
bool disturbs(node &root, const storage &memory, const layout &to, dtype type) {
  bool found = false;
  std::vector<node *> moved;  // nodes whose inputs have other axes than the target
  walk_graph(root, node::new_walk(), [&](node &n) {
    if (n.in_memory()) {
      found |= !same_elements(n, memory, to, type) && reads(n, memory, to, type);
      return false;
    }
    if (n.what == node::kind::element) return true;
    moved.push_back(&n);
    return false;
  });
  if (found) return true;
  const std::uint64_t walk = node::new_walk();
  for (node *each : moved)
    walk_graph(*each, walk, [&](node &n) {
      if (n.in_memory()) found |= reads(n, memory, to, type);
      return !n.in_memory();
    });
  return found;
}

/// Reductions to few elements in the graph that read the memory: `mean(x)` in `x -= mean(x)`. Once they are stored, a
/// pass may overwrite what they have read.
std::vector<ref<node>> reductions_of(node &root, const storage &memory, const layout &to, dtype type) {
  std::vector<ref<node>> found;
  walk_graph(root, node::new_walk(), [&](node &n) {
    if (n.what != node::kind::reduce || n.in_memory()) return !n.in_memory();
    if (n.size() > to.size / 16) return true;
    found.push_back(ref<node>::share(&n));
    return false;
  });
  std::erase_if(found, [&](const ref<node> &each) {
    bool is_reader = false;
    walk_graph(*each, node::new_walk(), [&](node &n) {
      is_reader |= n.in_memory() && reads(n, memory, to, type);
      return !n.in_memory();
    });
    return !is_reader;
  });
  return found;
}

bool reads_memory(node &root, const storage &memory) {
  bool found = false;
  walk_graph(root, node::new_walk(), [&](node &n) {
    found |= n.memory.get() == &memory;
    return !found && !n.in_memory();
  });
  return found;
}

ref<node> broadcast(ref<node> n, const extents_list &shape) {
  if (n->shape == shape) return n;
  // the node may have more leading axes of length 1 than the shape
  const auto extra = static_cast<std::ptrdiff_t>(shape.size()) - static_cast<std::ptrdiff_t>(n->shape.size());
  std::vector<int> source(shape.size(), -1);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::ptrdiff_t own = static_cast<std::ptrdiff_t>(i) - extra;
    if (own >= 0 && n->shape[static_cast<std::size_t>(own)] == shape[i]) source[i] = static_cast<int>(own);
  }
  return view_node(std::move(n), shape, std::move(source));
}

/// Whether the elements of the parts, at most 4, alternate in memory.
bool are_interleaved(std::span<const array_part> parts) {
  constexpr std::size_t most = 4;
  const layout &first = parts[0].to->layout;
  const auto count = static_cast<std::int64_t>(parts.size());
  if (parts.size() > most || std::ranges::find(first.strides, count) == first.strides.end()) return false;
  for (std::int64_t k = 0; k < count; ++k) {
    const layout &l = parts[static_cast<std::size_t>(k)].to->layout;
    if (l.offset != first.offset + k || l.shape != first.shape || l.strides != first.strides) return false;
  }
  return true;
}

}  // namespace

/// The nodes of pending arrays that read elements of the layout, directly or through other nodes but `except`.
std::vector<ref<node>> deferred_queue::pending_readers(const storage &memory, const layout &of, dtype type,
                                                       const node *except) {
  std::vector<node *> readers;
  for (node *n : memory.readers)
    if (reads(*n, memory, of, type)) readers.push_back(n);
  std::vector<ref<node>> found;
  if (readers.empty()) return found;
  for (node *root : pending_roots_) {
    bool is_reader = false;
    walk_graph(*root, node::new_walk(), [&](node &n) {
      is_reader = is_reader || (n.in_memory() && std::ranges::find(readers, &n) != readers.end());
      return !is_reader && !n.in_memory() && &n != except;
    });
    if (is_reader) found.push_back(ref<node>::share(root));
  }
  return found;
}

void deferred_queue::store(array_object &a, ref<node> n) {
  n = broadcast(cast_node(std::move(n), a.type), a.layout.shape);
  if (a.layout.size == 0) return;
  const lock held(*this);
  if (may_defer_write(a, *n)) return defer_write(a, std::move(n));
  const ref<node> number = a.pending() ? fill_around(a) : nullptr;
  try {
    store_values(a, std::move(n));
  } catch (...) {
    if (number) fill(number, a.memory(), a.layout);  // as it was before the write
    throw;
  }
}

void deferred_queue::store_parts(std::span<const array_part> parts) {
  const lock held(*this);
  std::vector<target> targets;
  for (const array_part &p : parts) {
    array_object &a = *p.to;
    targets.push_back({broadcast(cast_node(p.value, a.type), a.layout.shape), a.memory(), a.layout, a.kind, false});
    write_back_below(*targets.back().value);
  }
  // Where programs are compiled, one for each part is compiled less often than one for each combination of parts. But
  // elements that alternate in memory are written in whole vectors if one program has them.
  const bool interleaved = are_interleaved(parts);
  if (!compiles_programs_ || interleaved) {
    fusion_result together =
        fuse(targets, {.same_indices = interleaved, .same_space = true, .limit_compile_time = compiles_programs_});
    if (together.prerequisites.empty()) return submit(std::move(together.fused));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) store_values(*parts[i].to, std::move(targets[i].value));
}

/// Stores values that have the type and shape of the array, which is in memory.
void deferred_queue::store_values(array_object &a, ref<node> n) {
  const ref<storage> memory = a.memory();
  write_back_below(*n);
  bool separate = disturbs(*n, *memory, a.layout, a.type);
  if (separate) {
    std::vector<ref<node>> first = reductions_of(*n, *memory, a.layout, a.type);
    if (!first.empty()) {
      evaluate_all(std::move(first));
      separate = disturbs(*n, *memory, a.layout, a.type);
    }
  }
  // What reads the memory only through the value of a pending write is computed afterwards, from the value in memory.
  std::vector<ref<node>> before = pending_readers(*memory, a.layout, a.type, n->result_array ? nullptr : n.get());
  std::vector<target> targets;
  const ref<storage> snapshot = separate || !before.empty() ? move_from_readers(a, n, before) : nullptr;
  if (snapshot) separate = false;
  if (!separate && !before.empty()) {
    // Readers below the stored value are stored by the same pass: `x += x * y` reads x once, even if x * y is an array.
    const std::uint64_t walk = node::new_walk();
    std::vector<node *> found;
    walk_graph(*n, walk, [&](node &each) {
      if (each.result_array) found.push_back(&each);
      return !each.in_memory() && each.what == node::kind::element;
    });
    std::erase_if(before, [&](const ref<node> &r) {
      if (std::ranges::find(found, r.get()) == found.end() || !(r->shape == a.layout.shape)) return false;
      if (is_pending_write(*r)) return false;
      targets.push_back(target_of(*r));
      return true;
    });
  }
  evaluate_all(std::move(before));
  if (separate) {
    if (n->in_memory()) n = identity_node(std::move(n));
    evaluate({target_of(*n)});
  }
  targets.push_back({std::move(n), memory, a.layout, a.kind, false});
  std::vector<ref<node>> others = related_results(targets);
  std::erase_if(others, [&](const ref<node> &other) { return reads_memory(*other, *memory); });
  try {
    evaluate(std::move(targets), others);
  } catch (...) {
    if (snapshot) move_back(a, *snapshot);
    throw;
  }
}

}  // namespace dpep::array
