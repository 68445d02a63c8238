// Searches in sorted arrays: argument checks, and contiguous operands for the executor's search.
#include <algorithm>
#include <bit>

#include <dpep/array_indexing.hpp>
#include <dpep/array_opcodes.hpp>
#include <dpep/array_sets.hpp>

#include "array/api/selection.hpp"
#include "array/base/errors.hpp"
#include "array/blocks/blocks.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

constexpr const char *name = "searchsorted";

/// The elements in the order of the sorter.
ndarray sorted_by(const ndarray &x, const ndarray &sorter) {
  check_same_queue(sorter.get_queue(), x.get_queue(), name);
  const dtype_kind kind = kind_of(sorter.type());
  if (kind != dtype_kind::signed_integer && kind != dtype_kind::unsigned_integer)
    refuse(refusal::value, "{}: sorter must have an integer data type, got {}", name, name_of(sorter.type()));
  if (!std::ranges::equal(sorter.shape(), x.shape()))
    refuse(refusal::value, "{}: sorter must have the shape of x1, {}, got {}", name, text_of(x.shape()),
           text_of(sorter.shape()));
  return take_elements(x, {&sorter, 1}, 0, index_mode::wrap);
}

/// The needles in the dtype, in memory without gaps.
ndarray contiguous(const ndarray &needles, dtype type) {
  const ndarray cast = astype(needles, type, casting::unsafe, order::keep, false);
  return cast.row_major() || cast.column_major() ? cast : copy(cast, order::row_major);
}

/// Searches few needles with the calling thread. Returns false if that is not possible now.
bool search_few(const queue &q, const search_arguments &s) {
  constexpr std::int64_t most_steps = 4096;
  const std::int64_t steps = std::bit_width(std::uint64_t(s.length));
  if (s.count > most_steps / (steps + 1) || !is_host_accessible(q) || !idle(q)) return false;
  blocks::find_search(s.type)(std::size_t(s.count), s.needles, {s.sorted, s.length, s.stride}, s.right, s.positions);
  return true;
}

[[noreturn]] void refuse_edges() {
  refuse(refusal::value, "digitize: bins must be monotonically increasing or decreasing");
}

/// Comparisons of edges with each other.
class compared_edges {
public:
  explicit compared_edges(const ndarray &edges) : edges_(edges), in_host_memory_(can_compare_now(edges)) {}

  /// Whether a comparison of `count` edges from `first` on with those from `second` on is true.
  bool any(opcode comparison, std::int64_t first, std::int64_t second, std::int64_t count) const {
    if (in_host_memory_) return any_now(comparison, first, second, static_cast<std::size_t>(count));
    const ndarray a = from(first, count), b = from(second, count);
    const operand both[] = {{.array = &a}, {.array = &b}};
    return item(reduce(reduction::any, element(comparison, both))).integer != 0;
  }

private:
  static constexpr std::int64_t most_ = 512;
  const ndarray &edges_;
  const bool in_host_memory_;

  static bool can_compare_now(const ndarray &edges) {
    const auto &a = implementation_of(edges, "digitize");
    return a.layout.size <= most_ && !a.pending() && a.layout.row_major && executor_of(a.queue).runs_inline() &&
           idle(a.queue);
  }
  bool any_now(opcode comparison, std::int64_t first, std::int64_t second, std::size_t count) const {
    auto &a = implementation_of(edges_, "digitize");
    const auto item = static_cast<std::int64_t>(size_of(a.type));
    const void *const inputs[] = {a.first() + first * item, a.first() + second * item};
    bool results[most_];
    blocks::find(comparison, {2, {a.type, a.type}, dtype::boolean})(count, inputs, results);
    return std::find(results, results + count, true) != results + count;
  }
  ndarray from(std::int64_t start, std::int64_t count) const {
    const index which{index::kind::slice, start, count, 1};
    return view(edges_, {&which, 1});
  }
};

/// Whether edges increase; otherwise they decrease. NaN is neither less nor greater; equal edges increase, and those
/// that differ by NaN only decrease, as in NumPy.
bool increases(const ndarray &edges) {
  const std::int64_t last = edges.size() - 1;
  if (last < 1) return true;
  const compared_edges compared(edges);
  if (compared.any(opcode::greater, 0, 1, last)) {
    if (compared.any(opcode::less, 0, 1, last)) refuse_edges();
    return false;
  }
  if (compared.any(opcode::less, 0, last, 1)) return true;
  if (!compared.any(opcode::less, 0, 1, last)) return !compared.any(opcode::not_equal, 0, 1, last);
  if (compared.any(opcode::not_equal, 0, 0, 1)) refuse_edges();  // a NaN, then edges that increase
  return true;
}

}  // namespace

ndarray searchsorted(const ndarray &x, const ndarray &wanted, side where, const ndarray *sorter) {
  check_same_queue(wanted.get_queue(), x.get_queue(), name);
  if (x.dimensions() != 1) refuse(refusal::value, "{}: x1 must have one axis, got shape {}", name, text_of(x.shape()));
  const queue &q = x.get_queue();
  const dtype type = supported(promote(x.type(), wanted.type()), q.get_device());
  const ndarray in_order = sorter ? sorted_by(x, *sorter) : x;
  const bool is_one_element = in_order.size() > 0 && in_order.strides()[0] == 0;  // which broadcast_to repeats
  const ndarray sorted = astype(in_order, type, casting::unsafe, order::keep, is_one_element);
  const ndarray needles = contiguous(wanted, type);
  const ndarray both[] = {x, wanted};
  const order layout_order = needles.row_major() ? order::row_major : order::column_major;
  const ndarray positions =
      make_empty(q, dtype::int64, layout::contiguous(needles.shape(), layout_order), common_kind(both));
  if (positions.size() == 0) return positions;
  array_object &from = implementation_of(sorted, name), &of = implementation_of(needles, name);
  search_arguments s;
  s.type = type;
  s.right = where == side::right;
  s.sorted = from.first();
  s.length = from.layout.size;
  s.stride = from.layout.strides[0];
  s.needles = of.first();
  s.count = of.layout.size;
  s.positions = reinterpret_cast<std::int64_t *>(implementation_of(positions, name).first());
  if (!search_few(q, s))
    submit(q, {sorted, needles, positions},
           [&](const ordered_dependencies &after) { return executor_of(q).search(q, s, after); });
  return positions;
}

ndarray digitize(const ndarray &x, const ndarray &edges, bool right) {
  if (kind_of(x.type()) == dtype_kind::complex)
    refuse(refusal::type, "digitize: x must be real, got {}", name_of(x.type()));
  if (edges.dimensions() != 1)
    refuse(refusal::value, "digitize: bins must have one axis, got shape {}", text_of(edges.shape()));
  const side where = right ? side::left : side::right;
  if (increases(edges)) return searchsorted(edges, x, where);
  const ndarray behind = searchsorted(flip(edges), x, where);
  const scalar all = scalar::of(edges.size());
  const operand difference[] = {{.number = &all}, {.array = &behind}};
  return element(opcode::subtract, difference);
}

}  // namespace dpep::array
