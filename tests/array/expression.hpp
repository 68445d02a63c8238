// Array expressions for tests: operators on arrays, and the values as a vector.
#pragma once

#include <complex>
#include <initializer_list>
#include <numeric>
#include <vector>

#include <dpep/array_functions.hpp>

#include "array/graph/deferred_queue.hpp"

namespace dpep::array::tests {

inline const queue &test_queue() {
  static const queue q{device{}, {.in_order = true}};
  return q;
}

inline ndarray apply(opcode code, const ndarray &a) {
  const operand one[] = {{&a, nullptr}};
  return element(code, one);
}
inline ndarray apply(opcode code, const ndarray &a, const ndarray &b) {
  const operand both[] = {{&a, nullptr}, {&b, nullptr}};
  return element(code, both);
}
inline ndarray apply(opcode code, const ndarray &a, double b) {
  const scalar number = scalar::of(b);
  const operand both[] = {{&a, nullptr}, {nullptr, &number}};
  return element(code, both);
}
inline void apply_in_place(opcode code, const ndarray &a, const ndarray &b) {
  const operand both[] = {{&a, nullptr}, {&b, nullptr}};
  element_options options;
  options.out = &a;
  element(code, both, options);
}
inline ndarray reduced(reduction how, const ndarray &a, std::vector<int> axes, bool keep = false) {
  reduce_options options;
  options.axes = std::move(axes);
  options.keep_dimensions = keep;
  return reduce(how, a, options);
}
inline ndarray transposed(const ndarray &a) {
  std::vector<int> axes(static_cast<std::size_t>(a.dimensions()));
  std::iota(axes.rbegin(), axes.rend(), 0);
  return permute(a, axes);
}
inline ndarray with_axis(const ndarray &a, int axis) { return expand_dims(a, {&axis, 1}); }
inline ndarray rows(const ndarray &a, std::int64_t from, std::int64_t count, std::int64_t step = 1) {
  const index part{index::kind::slice, from, count, step};
  return view(a, {&part, 1});
}

inline extents_list row_strides_in_bytes(extents shape, std::size_t element) {
  extents_list strides = layout::contiguous(shape).strides;
  for (auto &s : strides) s *= static_cast<std::int64_t>(element);
  return strides;
}

inline ndarray array_of(std::vector<double> values, std::vector<std::int64_t> shape, const queue &q = test_queue()) {
  const extents_list strides = row_strides_in_bytes(shape, sizeof(double));
  return from_host({values.data(), dtype::float64, shape, strides}, dtype::float64, {q, usm_kind::device});
}
/// Reproducible numbers in [0, 1).
inline std::vector<double> numbers(std::size_t count, unsigned seed = 1) {
  std::vector<double> values(count);
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (double &v : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    v = static_cast<double>(state >> 11) * 0x1p-53;
  }
  return values;
}
inline std::vector<double> values_of(const ndarray &a) {
  std::vector<double> values(static_cast<std::size_t>(a.size()));
  const extents_list strides = row_strides_in_bytes(a.shape(), sizeof(double));
  copy_to_host(a, {values.data(), dtype::float64, a.shape(), strides});
  return values;
}

/// Programs submitted and values of nodes stored since it was made.
class counting {
public:
  explicit counting(const queue &q = test_queue()) : stream_(deferred_queue::of(q)), before_(stream_.counted()) {}
  std::uint64_t programs() { return stream_.counted().programs - before_.programs; }
  std::uint64_t stored() { return stream_.counted().stored - before_.stored; }

private:
  deferred_queue &stream_;
  const deferred_queue::submission_counts before_;
};

}  // namespace dpep::array::tests
