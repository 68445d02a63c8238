// The option `host_access`, and conversions to NumPy arrays that NumPy starts by itself (__array__).
#include <atomic>
#include <cstdlib>
#include <string_view>

#include <nanobind/ndarray.h>

#include "array_slots.hpp"
#include "dlpack.hpp"
#include "functions.hpp"
#include "numpy_types.hpp"

namespace dpep::python {
namespace {

std::atomic<bool> implicit_access{[] {
  const char *const given = std::getenv("DPEP_HOST_ACCESS");
  return given && std::string_view(given) == "implicit";
}()};

/// A NumPy array of the same memory, which keeps the array alive, once all submitted work is complete.
nb::object numpy_view(nb::handle array, const ndarray &a) {
  wait_for_queue_of(a);
  const auto memory = exposed(a);
  const std::vector<std::size_t> shape(a.shape().begin(), a.shape().end());
  const dlpack::element_type type = element_type_of(a.type());
  const std::int64_t offset = a.size() ? memory.offset : 0;
  std::byte *const first =
      static_cast<std::byte *>(memory.base) + offset * static_cast<std::int64_t>(size_of(a.type()));
  const auto made = [&]<class... Flags>(Flags...) -> nb::object {
    return nb::ndarray<nb::numpy, Flags...>(first, shape.size(), shape.data(), array, a.strides().data(),
                                            nb::dlpack::dtype{type.code, static_cast<std::uint8_t>(type.bits), 1})
        .cast();
  };
  return a.writable() ? made() : made(nb::ro());
}

/// A copy of the element of a 0-d array, as `float(x)`: NumPy's scalar types, numpy.float32(x), convert by __array__.
nb::object numpy_element(const ndarray &a, nb::handle dtype, nb::handle copy) {
  if (copy.ptr() == Py_False)
    throw value_error("__array__: the conversion of a 0-d array needs a copy, which copy=False forbids");
  const nb::object made = to_numpy(a);
  return dtype.is_none() ? made : made.attr("astype")(dtype, "copy"_a = false);
}

nb::object to_numpy_array(nb::handle self, nb::handle dtype, nb::handle copy) {
  const ndarray &a = array_argument(self, "__array__", "self");
  if (a.dimensions() == 0 && !(implicit_access.load(std::memory_order_relaxed) && is_host_accessible(a)))
    return numpy_element(a, dtype, copy);
  if (!implicit_access.load(std::memory_order_relaxed))
    throw type_error(
        "__array__: implicit conversion to a NumPy array is not supported, because it copies from the device; use "
        "asnumpy(), or dpep.options(host_access='implicit') on devices whose memory the host reads");
  if (!is_host_accessible(a))
    throw type_error("__array__: the host cannot read memory of kind '" + std::string(name_of(a.memory_kind())) +
                     "' of " + a.get_queue().get_device().info().name + "; use asnumpy()");
  const nb::object view = numpy_view(self, a);
  if (dtype.is_none()) return copy.ptr() == Py_True ? view.attr("copy")() : view;
  if (copy.ptr() == Py_False && dtype_from(dtype) != a.type())
    throw value_error("__array__: the conversion to another dtype needs a copy, which copy=False forbids");
  return view.attr("astype")(dtype, "copy"_a = copy.ptr() == Py_True);
}

}  // namespace

void bind_numpy_conversion(PyTypeObject *type) {
  nb::cpp_function_def(
      to_numpy_array, nb::scope(nb::handle(reinterpret_cast<PyObject *>(type))), nb::name("__array__"), nb::is_method(),
      nb::arg("dtype").none() = nb::none(), nb::arg("copy").none() = nb::none(),
      nb::sig("def __array__(self, dtype: object = None, copy: bool | None = None) -> object"),
      "Return a NumPy array: of a 0-d array a copy, so that numpy.float32(x) converts the element. Of other arrays, "
      "with "
      "`dpep.options(host_access='implicit')`, a view of the same memory, if dtype and copy allow it.\n\n"
      "Raises\n------\n"
      "TypeError\n    For an array with axes by default, and for memory that the host cannot read: use `asnumpy`.\n"
      "ValueError\n    When `copy` is False and a copy is needed.");
}

void bind_host_access(nb::module_ &m) {
  m.def(
      "set_implicit_host_access", [](bool yes) { return implicit_access.exchange(yes); }, nb::arg(),
      nb::sig("def set_implicit_host_access(yes: bool, /) -> bool"),
      "Set whether NumPy may convert arrays by itself. Returns the former setting.");
}

}  // namespace dpep::python
