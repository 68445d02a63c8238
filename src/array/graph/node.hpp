// Nodes of the graph of pending computations, which fusion turns into programs.
//
// Nodes are immutable, except that evaluation stores their values. Shapes broadcast by NumPy's rules. Arguments are
// checked by the callers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <dpep/array_operations.hpp>

#include "array/base/layout.hpp"
#include "array/operations/user_function.hpp"

namespace dpep::array {

class array_object;
class node;
class storage;
class evaluator;

/// The inputs of a node, at most max_inputs. Up to 3 are stored without an allocation: few functions have more.
class node_inputs {
public:
  void push(ref<node> n);
  void clear() noexcept;
  std::size_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  const ref<node> &operator[](std::size_t i) const noexcept { return begin()[i]; }
  const ref<node> *begin() const noexcept { return many_ ? many_.get() : few_.data(); }
  const ref<node> *end() const noexcept { return begin() + count_; }

private:
  std::array<ref<node>, 3> few_;
  std::unique_ptr<ref<node>[]> many_;
  std::uint8_t count_ = 0;
};

/// The inputs of a gather: the memory with all elements that it may read, a memory node with the layout of the result's
/// shape from which offsets count, and the offsets, which are int64 and broadcast.
inline constexpr std::size_t gather_source = 0, gather_base = 1, gather_offset = 2;

class node final : public object {
public:
  enum class kind : std::uint8_t {
    memory,   // reads storage through a layout
    number,   // a scalar of the node's type
    iota,     // start + step * index along `axis`, or the row-major index
    roll,     // elements of memory, input 0, moved along axes by `shifts`; those moved beyond the end continue in front
    gather,   // elements of memory, through the layout of `gather_base`, at the offsets `gather_offset`, in elements
    element,  // `code` of the inputs, which are cast to the types in `from`
    reduce,   // `how` of input 0 over its axes `axes`
    view,     // input 0 with axes permuted, inserted, dropped or broadcast, by `source_axis`
  };

  const kind what;
  const dtype type;
  const extents_list shape;

  // element, reduce
  opcode code{};  // user_code: `function`
  ref<const user_function> function;
  reduction how{};
  bool keep_dimensions = false;
  std::array<dtype, max_inputs> from{};
  node_inputs inputs;                // empty once the values are stored
  std::vector<int> axes;             // reduce: sorted
  std::vector<int> source_axis;      // view: for each axis, the input's axis, or -1 for a new or broadcast axis
  std::vector<std::int64_t> shifts;  // roll: for each axis, from 0 to its length - 1
  // number, iota
  scalar start, step;
  int axis = 0;  // iota: -1 for the row-major index
  // The memory of the values: of memory nodes, and of other nodes after evaluation has stored them.
  ref<storage> memory;
  dpep::array::layout layout;

  // For the decision to defer, and for the limits on pending work.
  std::int64_t space = 1;      // size of the largest iteration space of the nodes below
  std::uint32_t depth = 0;     // of the graph below
  std::uint32_t weight = 1;    // upper bound of the number of nodes below, with this one
  bool reads_exposed = false;  // reads memory that others may write to at any time

  // The array with this node's values, while they are pending; null if there is none.
  array_object *result_array = nullptr;
  bool is_result = false;   // there was such an array: a function has returned it
  bool is_product = false;  // of matrices, which the executor may multiply (pending_products.hpp)

  node(kind what, dtype type, extents_list shape);
  ~node() override;
  static void *operator new(std::size_t bytes);
  static void operator delete(void *, std::size_t bytes) noexcept;

  std::int64_t size() const noexcept;
  double bytes() const noexcept { return static_cast<double>(size()) * static_cast<double>(size_of(type)); }
  bool in_memory() const noexcept { return static_cast<bool>(memory); }

  /// Returns whether this is the walk's first visit of the node, and marks it. Requires the deferred queue's mutex.
  bool visit_once(std::uint64_t walk) noexcept { return std::exchange(mark_, walk) != walk; }
  static std::uint64_t new_walk() noexcept;

private:
  friend class deferred_queue;
  friend class fusion;
  evaluator *registered_in_ = nullptr;  // set below pending arrays; memory nodes then are in storage::readers
  bool computed_ = false;               // by a pass that did not store it
  std::uint64_t viewed_in_ = 0;         // the number of the program that views of its values are for; 0: none
  double recomputed_ = 0;               // nanoseconds that computing it again has cost, beyond loading it
  bool failed_ = false;                 // evaluation failed: repeated only when the values are read
  std::uint64_t mark_ = 0;              // the last walk that visited it
  std::int32_t visit_index_ = -1;       // in that fusion's visit order
};

/// Calls `take` with each node of the graph once. The inputs of a node are visited after it, if `take` returns true.
template <class F> void walk_graph(node &root, std::uint64_t walk, F take) {
  if (!root.visit_once(walk)) return;
  std::vector<node *> open{&root};
  while (!open.empty()) {
    node &n = *open.back();
    open.pop_back();
    if (!take(n)) continue;
    for (const ref<node> &input : n.inputs)
      if (input->visit_once(walk)) open.push_back(input.get());
  }
}

/// Whether the values of `root` are computed from those of `wanted`, which are not in memory.
bool is_below(node &root, const node &wanted);

ref<node> memory_node(dtype, layout, ref<storage>);
ref<node> number_node(const scalar &, dtype);
ref<node> iota_node(extents_list shape, int axis, const scalar &start, const scalar &step, dtype);
/// The row-major indices of the elements, uint64, from `first` on.
ref<node> row_major_node(extents_list shape, std::uint64_t first);
/// The elements of a memory node, moved along each axis by a shift from 0 to its length - 1.
ref<node> roll_node(ref<node> source, std::vector<std::int64_t> shifts);
/// The elements of the source's memory at `offset`, in elements, from those that the layout `through` has.
ref<node> gather_node(ref<node> source, layout through, ref<node> offset);
ref<node> element_node(opcode, const signature &, std::span<const ref<node>> inputs);
ref<node> user_node(const ref<const user_function> &, std::span<const ref<node>> inputs);
ref<node> cast_node(ref<node>, dtype);
/// `type` is the dtype of the accumulation and the result (int64 for argmax, argmin and count_nonzero, bool for any and
/// all). The input is cast to it if the reduction computes in the result's dtype. `how` must not be mean, variance or
/// deviation, which callers compose of other reductions.
/// Whether elements are cast to the result's type before they are reduced. Other reductions take inputs of any type.
constexpr bool reduces_in_result_type(reduction how) noexcept {
  switch (how) {
  case reduction::sum:
  case reduction::prod:
  case reduction::max:
  case reduction::min:
  case reduction::logsumexp:
  case reduction::hypot:
    return true;
  default:
    return false;
  }
}
ref<node> reduce_node(reduction how, dtype type, ref<node> input, std::vector<int> axes, bool keep_dimensions);
ref<node> view_node(ref<node>, extents_list shape, std::vector<int> source_axis);
/// Another node with the same values.
ref<node> identity_node(ref<node>);

}  // namespace dpep::array
