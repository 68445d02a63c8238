// Views of pending values, computed from views of the inputs.
#include "array/graph/node_views.hpp"

#include <algorithm>
#include <functional>

#include "array/graph/storage.hpp"
#include "array/operations/costs.hpp"

namespace dpep::array {
namespace {

// The whole is often needed, too. Then the viewed elements are computed twice, which may cost about as much as storing
// and loading an element of 8 bytes. The graph must not grow much either: views of results of views multiply it. With
// 24 nodes, a step of Floyd and Warshall's algorithm on 100 x 100 float32 took 24 us, with 6 to 12 nodes 10 us.
constexpr double max_nanoseconds = 1.5;
constexpr std::size_t max_nodes = 8;

/// Makes views of the nodes of a graph. Equal views of a shared node are made once.
class view_builder {
public:
  ref<node> part(const ref<node> &n, std::span<const axis_part> parts) {
    bool whole = true;
    for (std::size_t i = 0; i < parts.size(); ++i) whole = whole && parts[i].is_whole(n->shape[i]);
    if (whole) return n;
    const std::vector<std::int64_t> key = key_of(parts);
    return memoised(*n, key, [&] { return make_part(*n, parts); });
  }

  ref<node> reshaped(const ref<node> &n, const extents_list &from, std::span<const std::int64_t> shape) {
    if (n->size() == 1 && n->what == node::kind::number) return n;
    return memoised(*n, {}, [&] { return make_reshaped(*n, from, shape); });
  }

  recomputed_view made(ref<node> view) const { return {std::move(view), operations_, loads_}; }

private:
  struct entry {
    const node *of;
    std::vector<std::int64_t> key;
    ref<node> view;
  };
  std::vector<entry> known_;
  double nanoseconds_ = 0;             // of an element of 8 bytes
  double operations_ = 0, loads_ = 0;  // of all elements

  static std::vector<std::int64_t> key_of(std::span<const axis_part> parts) {
    std::vector<std::int64_t> words;
    for (const axis_part &p : parts) words.insert(words.end(), {p.start, p.step, p.count});
    return words;
  }

  ref<node> memoised(const node &n, const std::vector<std::int64_t> &key, const std::function<ref<node>()> &make) {
    for (const entry &e : known_)
      if (e.of == &n && e.key == key) return e.view;
    if (known_.size() >= max_nodes) return nullptr;
    const bool operation = !n.in_memory() && n.what == node::kind::element;
    const double each = operation ? nanoseconds_of(n.code, n.function.get(), n.inputs[0]->type) : 0;
    nanoseconds_ += each * double(size_of(n.type)) / 8;
    if (nanoseconds_ > max_nanoseconds) return nullptr;
    ref<node> view = make();
    if (!view) return nullptr;
    operations_ += each * view->bytes() / 8;
    if (n.in_memory()) loads_ += view->bytes() * load_cost;
    known_.push_back({&n, key, view});
    return view;
  }

  template <class View> static ref<node> element_of_views(const node &n, View view) {
    std::array<ref<node>, max_inputs> inputs;
    for (std::size_t k = 0; k < n.inputs.size(); ++k)
      if (!(inputs[k] = view(n.inputs[k]))) return nullptr;
    const std::span<const ref<node>> all(inputs.data(), n.inputs.size());
    if (n.function) return user_node(n.function, all);
    return element_node(n.code, {std::uint8_t(all.size()), {n.from[0], n.from[1], n.from[2]}, n.type}, all);
  }

  ref<node> make_part(const node &n, std::span<const axis_part> parts) {
    if (n.in_memory()) {
      extents_list shape(parts.size()), strides(parts.size());
      std::int64_t offset = n.layout.offset;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        shape[i] = parts[i].count;
        strides[i] = n.layout.strides[i] * parts[i].step;
        offset += n.layout.strides[i] * parts[i].start;
      }
      return memory_node(n.type, layout(std::move(shape), std::move(strides), offset), n.memory);
    }
    switch (n.what) {
    case node::kind::number:
      return number_node(n.start, n.type);
    case node::kind::element:
      return element_of_views(n, [&](const ref<node> &input) {
        const std::size_t missing = parts.size() - input->shape.size();
        std::vector<axis_part> of_input;
        for (std::size_t i = 0; i < input->shape.size(); ++i)
          of_input.push_back(input->shape[i] == 1 && n.shape[missing + i] != 1 ? axis_part{0, 1, 1}
                                                                               : parts[missing + i]);
        return part(input, of_input);
      });
    case node::kind::view: {
      const ref<node> &input = n.inputs[0];
      std::vector<axis_part> of_input(input->shape.size(), axis_part{0, 1, 1});
      extents_list shape(parts.size());
      for (std::size_t i = 0; i < parts.size(); ++i) {
        shape[i] = parts[i].count;
        if (n.source_axis[i] >= 0) of_input[static_cast<std::size_t>(n.source_axis[i])] = parts[i];
      }
      const ref<node> view = part(input, of_input);
      return view ? view_node(view, std::move(shape), n.source_axis) : nullptr;
    }
    // A part of a ramp or of a reduction would be rounded differently than the whole.
    default:
      return nullptr;
    }
  }

  ref<node> make_reshaped(const node &n, const extents_list &from, std::span<const std::int64_t> shape) {
    if (n.in_memory()) {
      extents_list strides(from.size());
      const std::size_t missing = from.size() - n.shape.size();
      for (std::size_t i = 0; i < n.shape.size(); ++i)
        strides[missing + i] = n.shape[i] == from[missing + i] ? n.layout.strides[i] : 0;
      const auto reshaped = row_major_strides(from, strides, shape);
      if (!reshaped) return nullptr;
      return memory_node(n.type, layout(shape, std::span<const std::int64_t>(*reshaped), n.layout.offset), n.memory);
    }
    if (n.what != node::kind::element || !(n.shape == from)) return nullptr;
    return element_of_views(n, [&](const ref<node> &input) { return reshaped(input, from, shape); });
  }
};

}  // namespace

recomputed_view part_node(const ref<node> &n, std::span<const axis_part> parts) {
  view_builder builder;
  ref<node> view = builder.part(n, parts);
  return builder.made(std::move(view));
}

recomputed_view reshaped_node(const ref<node> &n, std::span<const std::int64_t> shape) {
  view_builder builder;
  ref<node> view = builder.reshaped(n, n->shape, shape);
  return builder.made(std::move(view));
}

}  // namespace dpep::array
