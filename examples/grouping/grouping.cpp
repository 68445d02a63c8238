// The Python module `grouping`: sums of values by key, and sorted copies by any of several orders, on arrays of
// dpctl.tensor, by oneDPL's algorithms.
#include <cmath>
#include <stdexcept>
#include <string>

#include <dpctl4pybind11.hpp>
#include <oneapi/dpl/algorithm>
#include <oneapi/dpl/execution>
#include <oneapi/dpl/numeric>
#include <pybind11/pybind11.h>

namespace py = pybind11;
namespace dpl = oneapi::dpl;
using namespace pybind11::literals;
using dpctl::tensor::usm_ndarray;

namespace {

/// The elements of a C-contiguous vector of the type.
template <class T> T *elements(const usm_ndarray &a, int typenum, const char *wanted) {
  if (a.get_ndim() != 1 || !a.is_c_contiguous() || a.get_typenum() != typenum)
    throw py::type_error(std::string("grouping: expected a C-contiguous vector of ") + wanted);
  return a.get_data<T>();
}

/// A new vector on the array's queue.
usm_ndarray new_vector(const usm_ndarray &like, py::ssize_t length, const char *dtype) {
  return usm_ndarray(py::module_::import("dpctl.tensor")
                         .attr("empty")(length, "dtype"_a = dtype, "sycl_queue"_a = py::cast(like.get_queue())));
}

/// The different keys in order, the sum of each one's values, and their number.
py::tuple sums_by_key(const usm_ndarray &keys, const usm_ndarray &values) {
  const auto *const k = elements<std::int64_t>(keys, UAR_LONG, "int64");
  const auto *const v = elements<double>(values, UAR_DOUBLE, "float64");
  const py::ssize_t n = keys.get_size();
  if (values.get_size() != n || !dpctl::utils::queues_are_compatible(keys.get_queue(), {values.get_queue()}))
    throw std::invalid_argument("grouping: keys and values must have one length and be on one queue");
  const usm_ndarray sorted_keys = new_vector(keys, n, "i8"), sorted_values = new_vector(keys, n, "f8");
  const usm_ndarray groups = new_vector(keys, n, "i8"), sums = new_vector(keys, n, "f8");
  auto *const sk = sorted_keys.get_data<std::int64_t>(), *const g = groups.get_data<std::int64_t>();
  auto *const sv = sorted_values.get_data<double>(), *const s = sums.get_data<double>();
  const auto policy = dpl::execution::make_device_policy(keys.get_queue());
  const py::ssize_t count = [&] {
    const py::gil_scoped_release unlocked;
    dpl::copy(policy, k, k + n, sk);
    dpl::copy(policy, v, v + n, sv);
    dpl::sort_by_key(policy, sk, sk + n, sv);
    return dpl::reduce_by_segment(policy, sk, sk + n, sv, g, s).first - g;
  }();
  const py::slice first(0, count, 1);
  return py::make_tuple(groups[first], sums[first]);
}

/// A copy of the values in order of their distance from a centre: an order that no sort of numbers has.
usm_ndarray sorted_by_distance(const usm_ndarray &values, double centre) {
  const auto *const from = elements<double>(values, UAR_DOUBLE, "float64");
  const py::ssize_t n = values.get_size();
  const usm_ndarray result = new_vector(values, n, "f8");
  double *const to = result.get_data<double>();
  const auto policy = dpl::execution::make_device_policy(values.get_queue());
  const py::gil_scoped_release unlocked;
  dpl::copy(policy, from, from + n, to);
  dpl::stable_sort(policy, to, to + n,
                   [=](double a, double b) { return sycl::fabs(a - centre) < sycl::fabs(b - centre); });
  return result;
}

}  // namespace

PYBIND11_MODULE(grouping, m) {
  m.def("sums_by_key", sums_by_key, "keys"_a, "values"_a,
        "Return the different keys in order, and the sum of the values of each.");
  m.def("sorted_by_distance", sorted_by_distance, "values"_a, "centre"_a,
        "Return the values in order of their distance from the centre.");
}
