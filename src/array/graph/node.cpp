// Construction and destruction of nodes.
#include "array/graph/node.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include <dpep/array_opcodes.hpp>

#include "array/graph/evaluator.hpp"
#include "array/graph/object_memory.hpp"
#include "array/graph/storage.hpp"

namespace dpep::array {
namespace {

/// The list of the loop in ~node() that is releasing nodes on this thread; null if there is none. A pointer needs no
/// destructor: nodes may be released by destructors of other thread-local objects at the thread's exit.
thread_local constinit std::vector<ref<node>> *to_release = nullptr;

}  // namespace

void node_inputs::push(ref<node> n) {
  if (!many_ && count_ == few_.size()) {
    many_ = std::make_unique<ref<node>[]>(max_inputs);
    std::ranges::move(few_, many_.get());
  }
  (many_ ? many_.get() : few_.data())[count_++] = std::move(n);
}

void node_inputs::clear() noexcept {
  ref<node> *const all = many_ ? many_.get() : few_.data();
  for (; count_ > 0; --count_) all[count_ - 1] = nullptr;
}

node::node(kind what, dtype type, extents_list shape) : what(what), type(type), shape(std::move(shape)) {}

std::int64_t node::size() const noexcept {
  std::int64_t n = 1;
  for (const std::int64_t length : shape) n *= length;
  return n;
}

node::~node() {
  if (registered_in_) registered_in_->forget(*this);
  if (inputs.empty()) return;
  if (depth < 100) return;  // few enough for recursion
  std::vector<ref<node>> list;
  const bool outermost = !to_release;
  if (outermost) to_release = &list;
  for (const ref<node> &input : inputs) to_release->push_back(input);
  inputs.clear();
  if (!outermost) return;
  while (!list.empty()) {
    const ref<node> next = std::move(list.back());
    list.pop_back();
  }
  to_release = nullptr;
}

std::uint64_t node::new_walk() noexcept {
  static std::atomic<std::uint64_t> count{0};
  return count.fetch_add(1, std::memory_order_relaxed) + 1;
}

bool is_below(node &root, const node &wanted) {
  bool found = false;
  walk_graph(root, node::new_walk(), [&](node &n) {
    found |= &n == &wanted;
    return !found && !n.in_memory();
  });
  return found;
}

void *node::operator new(std::size_t bytes) { return allocate_object(bytes); }
void node::operator delete(void *p, std::size_t bytes) noexcept { free_object(p, bytes); }

ref<node> memory_node(dtype type, dpep::array::layout l, ref<storage> memory) {
  auto n = make_object<node>(node::kind::memory, type, l.shape);
  n->reads_exposed = memory->exposed.load(std::memory_order_relaxed);
  n->memory = std::move(memory);
  n->layout = std::move(l);
  return n;
}

ref<node> number_node(const scalar &value, dtype type) {
  auto n = make_object<node>(node::kind::number, type, extents_list());
  n->start = value;
  return n;
}

ref<node> iota_node(extents_list shape, int axis, const scalar &start, const scalar &step, dtype type) {
  auto n = make_object<node>(node::kind::iota, type, std::move(shape));
  n->axis = axis;
  n->start = start;
  n->step = step;
  n->space = n->size();
  return n;
}

ref<node> row_major_node(extents_list shape, std::uint64_t first) {
  const int axis = shape.size() == 1 ? 0 : -1;
  return iota_node(std::move(shape), axis, scalar::of(first), scalar::of(std::int64_t{1}), dtype::uint64);
}

namespace {

void add_input(node &n, ref<node> input) {
  n.space = std::max(n.space, input->space);
  n.depth = std::max(n.depth, input->depth + 1);
  n.weight = std::min<std::uint32_t>(n.weight + input->weight, 1u << 30);
  n.reads_exposed |= input->reads_exposed;
  n.inputs.push(std::move(input));
}

extents_list broadcast_shape(std::span<const ref<node>> inputs) {
  const extents_list *longest = &inputs[0]->shape;
  for (const ref<node> &input : inputs)
    if (input->shape.size() > longest->size()) longest = &input->shape;
  extents_list shape = *longest;
  for (const ref<node> &input : inputs) {
    const std::size_t missing = shape.size() - input->shape.size();
    for (std::size_t i = 0; i < input->shape.size(); ++i)
      if (shape[missing + i] == 1) shape[missing + i] = input->shape[i];
  }
  return shape;
}

}  // namespace

ref<node> roll_node(ref<node> source, std::vector<std::int64_t> shifts) {
  auto n = make_object<node>(node::kind::roll, source->type, source->shape);
  n->shifts = std::move(shifts);
  n->space = n->size();
  add_input(*n, std::move(source));
  return n;
}

ref<node> gather_node(ref<node> source, layout through, ref<node> offset) {
  auto n = make_object<node>(node::kind::gather, source->type, through.shape);
  n->space = n->size();
  n->depth = 1;
  n->weight = 3;
  n->reads_exposed = source->reads_exposed;
  ref<node> base = memory_node(source->type, std::move(through), source->memory);
  n->inputs.push(std::move(source));
  n->inputs.push(std::move(base));
  add_input(*n, std::move(offset));
  return n;
}

ref<node> element_node(opcode code, const signature &types, std::span<const ref<node>> inputs) {
  auto n = make_object<node>(node::kind::element, types.to, broadcast_shape(inputs));
  n->code = code;
  std::ranges::copy(types.from, n->from.begin());
  n->space = n->size();
  for (const ref<node> &input : inputs) add_input(*n, input);
  return n;
}

ref<node> user_node(const ref<const user_function> &f, std::span<const ref<node>> inputs) {
  auto n = make_object<node>(node::kind::element, f->to, broadcast_shape(inputs));
  n->code = user_code;
  n->function = f;
  std::ranges::copy(f->from, n->from.begin());
  n->space = n->size();
  for (const ref<node> &input : inputs) add_input(*n, input);
  return n;
}

ref<node> cast_node(ref<node> input, dtype type) {
  if (input->type == type) return input;
  const signature types{1, {input->type}, type};
  return element_node(opcode::cast, types, {&input, 1});
}

ref<node> reduce_node(reduction how, dtype type, ref<node> input, std::vector<int> axes, bool keep_dimensions) {
  if (reduces_in_result_type(how)) input = cast_node(std::move(input), type);
  const extents_list &from = input->shape;
  extents_list shape(keep_dimensions ? from.size() : from.size() - axes.size());
  for (std::size_t i = 0, to = 0, next = 0; i < from.size(); ++i) {
    const bool reduced = next < axes.size() && axes[next] == static_cast<int>(i);
    next += reduced;
    if (!reduced) {
      shape[to++] = from[i];
    } else if (keep_dimensions) {
      shape[to++] = 1;
    }
  }
  auto n = make_object<node>(node::kind::reduce, type, std::move(shape));
  n->how = how;
  n->axes = std::move(axes);
  n->keep_dimensions = keep_dimensions;
  n->from[0] = input->type;
  n->space = input->size();
  add_input(*n, std::move(input));
  return n;
}

ref<node> identity_node(ref<node> input) {
  std::vector<int> source;
  for (int i = 0; i < static_cast<int>(input->shape.size()); ++i) source.push_back(i);
  auto n = make_object<node>(node::kind::view, input->type, input->shape);
  n->source_axis = std::move(source);
  n->space = n->size();
  add_input(*n, std::move(input));
  return n;
}

ref<node> view_node(ref<node> input, extents_list shape, std::vector<int> source_axis) {
  if (input->what == node::kind::memory) {  // not in_memory(): another thread may be setting the memory of other nodes
    extents_list strides(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i)
      strides[i] = source_axis[i] < 0 ? 0 : input->layout.strides[static_cast<std::size_t>(source_axis[i])];
    return memory_node(input->type, layout(std::move(shape), std::move(strides), input->layout.offset), input->memory);
  }
  auto n = make_object<node>(node::kind::view, input->type, std::move(shape));
  n->source_axis = std::move(source_axis);
  add_input(*n, std::move(input));
  return n;
}

}  // namespace dpep::array
