#include "loop_sharing.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include <dpep/kernel_arguments.hpp>

#include "arguments.hpp"

namespace dpep::python {
namespace {

constexpr std::size_t unknown_iterations = 256;
constexpr std::int64_t most_single_iterations = 1 << 30;
/// The elements of a work-group's copies of all arrays. As in numba_dpex/core/dpjit/local_sums.py.
constexpr std::size_t most_summed_elements = 4096;

struct byte_range {
  const std::byte *first, *end;
  bool overlaps(const byte_range &o) const { return first < o.end && o.first < end; }
};

byte_range range_of(const ndarray &a) {
  const auto *const element = static_cast<const std::byte *>(array::first_element(a));
  if (a.size() == 0) return {element, element};
  const auto bytes = std::int64_t(size_of(a.type()));
  std::int64_t low = 0, high = 0;
  for (std::size_t d = 0; d < a.shape().size(); ++d) {
    const std::int64_t last = (a.shape()[d] - 1) * a.strides()[d];
    (last < 0 ? low : high) += last;
  }
  return {element + low * bytes, element + (high + 1) * bytes};
}

/// Whether all elements are at different addresses. May return false for unusual strides where they are.
bool has_distinct_elements(const ndarray &a) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // strides and lengths
  for (std::size_t d = 0; d < a.shape().size(); ++d)
    if (a.shape()[d] > 1) axes.emplace_back(std::abs(a.strides()[d]), a.shape()[d]);
  std::ranges::sort(axes);
  std::int64_t extent = 0;  // the distance of the last element of the axes before
  for (const auto &[stride, length] : axes) {
    if (stride <= extent) return false;
    extent += stride * (length - 1);
  }
  return true;
}

bool is_number(PyObject *x) { return !is_array(x) && (PyNumber_Check(x) || PyBool_Check(x)) && !PySequence_Check(x); }

}  // namespace

bool sharing_rules::allow(std::span<PyObject *const> all, const variables &named) const {
  for (PyObject *x : all)
    if (!is_array(x) && !is_number(x) && x != Py_Ellipsis) return false;  // it may refer to arrays
  for (const auto &[name, dimensions] : elements_) {
    PyObject *const x = named(name);
    if (!x) continue;
    if (dimensions == 0 ? is_array(x) : !is_array(x) || array_of(x).dimensions() != dimensions) return false;
  }
  for (const std::string &name : integers_) {
    PyObject *const x = named(name);
    if (!x || !is_array(x) || !pykernel::is_integer(array_of(x).type())) return false;
  }
  for (const std::string &name : summed_) {
    PyObject *const x = named(name);
    if (!x || !is_array(x) || !can_be_copied(array_of(x))) return false;
  }
  for (const std::string &name : stored_) {
    PyObject *const x = named(name);
    if (!x || !is_array(x) || !has_distinct_elements(array_of(x))) return false;
    const byte_range range = range_of(array_of(x));
    bool is_found = false;
    for (PyObject *other : all) {
      if (!is_array(other)) continue;
      if (other == x && !std::exchange(is_found, true)) continue;  // a second variable may refer to it
      if (range_of(array_of(other)).overlaps(range)) return false;
    }
  }
  return true;
}

bool sharing_rules::can_be_copied(const ndarray &a) const {
  const dtype t = a.type();
  // Local memory has atomic additions of 4 and 8 bytes.
  return a.size() > 0 && std::size_t(a.size()) <= most_summed_elements / summed_.size() &&
         (pykernel::is_integer(t) || pykernel::is_real(t)) && size_of(t) >= 4;
}

std::size_t sharing_rules::summed_elements(const variables &named) const {
  std::size_t all = 0;
  for (const std::string &name : summed_) all += std::size_t(array_of(named(name)).size());
  return all;
}

std::size_t sharing_rules::iterations(std::size_t rows, const variables &named) const {
  return longest(shared_, rows, named);
}

std::optional<std::int64_t> sharing_rules::length(const std::string &name, int axis, const variables &named) {
  PyObject *const x = named(name);
  if (!x) return std::nullopt;
  if (axis == value) {
    if (!PyLong_Check(x)) return std::nullopt;
    const std::int64_t number = PyLong_AsLongLong(x);
    if (number == -1 && PyErr_Occurred()) return PyErr_Clear(), std::nullopt;
    return number;
  }
  if (!is_array(x) || axis >= array_of(x).dimensions()) return std::nullopt;
  const ndarray &a = array_of(x);
  return axis < 0 ? a.size() : a.shape()[std::size_t(axis)];
}

std::size_t sharing_rules::longest(const extents &of, std::size_t rows, const variables &named) {
  if (of.empty()) return unknown_iterations;
  std::size_t most = 0;
  for (const auto &[name, axis] : of) {
    const std::optional<std::int64_t> found = length(name, axis, named);
    if (!found || (axis == value && *found <= 0)) return unknown_iterations;
    const auto all = std::size_t(*found);
    most = std::max(most, axis == size_of_row && rows > 1 ? (all + rows - 1) / rows : all);
  }
  return most;
}

std::optional<std::size_t> sharing_rules::single_iterations(const variables &named) const {
  std::int64_t most = 0;
  for (const auto &[name, axis, add, longer, apart] : single_) {
    const std::optional<std::int64_t> counted = length(name, axis, named);
    if (!counted || std::abs(*counted) > most_single_iterations) return std::nullopt;
    const std::int64_t count = *counted + add;
    most = std::max(most, count);
    for (const auto &[array, on, by] : longer) {
      const std::optional<std::int64_t> extent = length(array, on, named);
      if (!extent || *extent < count + by) return std::nullopt;
    }
    for (const auto &[array, on, distance] : apart) {
      const std::optional<std::int64_t> extent = length(array, on, named);
      if (!extent || *extent <= distance) return std::nullopt;
    }
  }
  return most > 0 ? std::optional(std::size_t(most)) : std::nullopt;
}

namespace {

std::atomic<bool> as_on_gpus = [] {
  const char *const text = std::getenv("DPEP_LOOPS");
  return text && std::string_view(text) == "gpu";
}();

}  // namespace

bool loops_as_on_gpus() noexcept { return as_on_gpus.load(std::memory_order_relaxed); }
bool set_loops_as_on_gpus(bool on) noexcept { return as_on_gpus.exchange(on); }

}  // namespace dpep::python
