// Writes to new memory. Where pending nodes read what a write would overwrite, the nodes keep the old memory, and the
// array gets new memory: the values are written there, and the elements around them are copied. So `u[1:-1] = f(u)`
// takes one pass without a temporary copy, and values such as those of f(u) need not be computed for arrays that nobody
// reads.
#include <algorithm>
#include <utility>

#include <dpep/exception.hpp>

#include "array/graph/deferred_queue.hpp"

namespace dpep::array {
namespace {

/// The elements of memory of `total` elements that a layout does not have, as layouts: those before it, behind it, and
/// the gaps between its rows, its planes and so on. They are not known for a layout whose axes have strides that are
/// negative or 0, or interleave.
struct surroundings {
  std::vector<layout> parts;
  bool known = false;
};
surroundings around(const layout &l, std::int64_t total) {
  std::vector<std::size_t> axes;  // longest stride first
  for (std::size_t i = 0; i < l.shape.size(); ++i)
    if (l.shape[i] != 1) axes.push_back(i);
  std::ranges::sort(axes, [&](std::size_t a, std::size_t b) { return l.strides[a] > l.strides[b]; });
  surroundings found;
  std::int64_t length = 1;  // of a row, a plane, …: from its first element to its last
  for (std::size_t k = axes.size(); k-- > 0;) {
    const std::int64_t stride = l.strides[axes[k]], gap = stride - length;
    if (gap < 0) return {};
    if (gap > 0) {
      extents_list shape(k + 2), strides(k + 2);
      for (std::size_t i = 0; i <= k; ++i) {
        shape[i] = l.shape[axes[i]] - (i == k ? 1 : 0);
        strides[i] = l.strides[axes[i]];
      }
      shape[k + 1] = gap;
      strides[k + 1] = 1;
      found.parts.emplace_back(std::move(shape), std::move(strides), l.offset + length);
    }
    length += (l.shape[axes[k]] - 1) * stride;
  }
  const auto add_run = [&](std::int64_t first, std::int64_t end) {
    if (first < end) found.parts.emplace_back(extents_list{end - first}, extents_list{1}, first);
  };
  add_run(0, l.offset);
  add_run(l.offset + length, total);
  found.known = true;
  return found;
}

/// The parts that are copied: all of the memory if that takes less time than a submission for each part.
std::vector<layout> copied_parts(surroundings &&rest, std::int64_t total, std::size_t bytes, bool is_submitted) {
  constexpr std::size_t few_bytes = 8 << 20;  // copied in 5 us by a GPU
  if (!is_submitted || rest.parts.size() < 2 || bytes > few_bytes) return std::move(rest.parts);
  return {layout(extents_list{total}, extents_list{1}, 0)};
}

/// Replaces memory in a graph whose nodes may not be registered yet.
void replace_memory(node &root, const storage &before, const ref<storage> &now) {
  walk_graph(root, node::new_walk(), [&](node &n) {
    if (n.memory.get() == &before) n.memory = now;
    return !n.in_memory();
  });
}

std::int64_t elements_of(const storage &memory, dtype type) {
  return static_cast<std::int64_t>(memory.bytes / size_of(type));
}

/// Whether the write has at least half of the elements, so that less is copied than with a temporary copy.
bool is_most(const layout &l, std::int64_t total) { return 2 * l.size >= total; }

}  // namespace

/// Gives new memory to an array of which most is about to be overwritten, if nodes that read the old one, the readers
/// and those of the value, would have to be computed before. They read the returned snapshot then, and the elements
/// around the written ones are copied from it. Returns null, and does nothing, if that does not pay off.
ref<storage> deferred_queue::move_from_readers(array_object &to, const ref<node> &value,
                                               std::vector<ref<node>> &readers) {
  const ref<storage> &memory = to.memory_;
  const std::int64_t total = elements_of(*memory, to.type);
  // Few elements are copied faster than two programs are submitted. Much memory is not kept twice.
  if (!defers(to.layout.size, compiles_programs_) || memory->bytes > max_held_ / 16 || !is_most(to.layout, total))
    return nullptr;
  if (!memory->can_move() || memory->bytes % size_of(to.type) != 0) return nullptr;
  surroundings rest = around(to.layout, total);
  if (!rest.known) return nullptr;
  // A reader of few values would keep much memory.
  std::vector<ref<node>> small;
  for (const ref<node> &r : readers)
    if (4 * r->bytes() < double(memory->bytes)) small.push_back(r);
  readers.clear();  // a reference would tell fusion that the values are needed
  evaluate_all(std::move(small));
  ref<storage> before;
  try {
    before = memory->move_to_snapshot();
  } catch (const exception &e) {
    if (e.code() != errc::memory_allocation) throw;
    readers = pending_readers(*memory, to.layout, to.type);
    return nullptr;
  }
  for (node *n : before->readers) n->memory = before;
  replace_memory(*value, *memory, before);
  try {
    for (const layout &part : copied_parts(std::move(rest), total, memory->bytes, compiles_programs_))
      evaluate({{identity_node(memory_node(to.type, part, before)), memory, part, to.kind, false}});
  } catch (...) {
    move_back(to, *before);
    throw;
  }
  return before;
}

/// Undoes move_from_readers.
void deferred_queue::move_back(array_object &to, storage &before) noexcept {
  to.memory_->move_back(before);
  for (node *n : to.memory_->readers) n->memory = to.memory_;
}

/// Gives memory to a pending array of one number, of which most is about to be written, through `to`: the array or a
/// view of it. Only the elements around those are filled. Returns the number, or null, and does nothing, for other
/// arrays.
ref<node> deferred_queue::fill_around(array_object &to) {
  array_object *const base = to.base_ ? to.base_.get() : &to;
  if (!base->producer_ || base->type != to.type) return nullptr;
  const node &filled = *base->producer_;
  if (filled.what != node::kind::view || filled.in_memory() || filled.inputs[0]->what != node::kind::number)
    return nullptr;
  const std::int64_t total = base->layout.size;
  if (!defers(to.layout.size, compiles_programs_) || !is_most(to.layout, total)) return nullptr;
  surroundings rest = around(to.layout, total);
  if (!rest.known) return nullptr;
  const ref<node> number = filled.inputs[0];
  const ref<storage> memory = allocate(to.queue, to.kind, static_cast<std::size_t>(total) * size_of(to.type));
  for (const layout &part : copied_parts(std::move(rest), total, memory->bytes, compiles_programs_))
    fill(number, memory, part);
  remove_root(*base->producer_);  // the node stays one number: others may read it
  const ref<node> last_link = std::move(base->producer_);
  base->memory_ = memory;
  base->pending_.store(false, std::memory_order_release);
  if (base != &to) compute(to);
  return number;
}

void deferred_queue::fill(const ref<node> &number, const ref<storage> &memory, const layout &part) {
  ref<node> all = view_node(number, part.shape, std::vector<int>(part.shape.size(), -1));
  evaluate({{std::move(all), memory, part, memory->kind, false}});
}

}  // namespace dpep::array
