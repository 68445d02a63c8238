// Type promotion: result_type, can_cast, and the default data types of a device.
#include "functions.hpp"

namespace dpep::python {
namespace {

constexpr char result_type_doc[] = R"(Return the dtype of an expression of the arguments.

Parameters
----------
*arrays_and_dtypes : usm_ndarray, dtype or number
    The operands. A Python number adopts the other operands' dtype, unless it is of a higher kind (such as a float
    with integers).

Returns
-------
dtype
    The dtype that the operands promote to.

Raises
------
ValueError
    When there is no argument.
TypeError
    When an argument is not an array, a dtype or a number.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.result_type(dpt.float32, dpt.int64)
dtype('float64')
>>> dpt.result_type(dpt.ones(3, dtype="f4"), 2.5)
dtype('float32')
)";

constexpr char can_cast_doc[] = R"(Return whether values of one dtype can be cast to another.

Parameters
----------
from_ : dtype or usm_ndarray
    The dtype to cast from, or an array of it.
to : dtype
    The dtype to cast to.
casting : str, optional
    The casting rule: 'no', 'equiv', 'safe', 'same_kind' or 'unsafe', as in NumPy.

Raises
------
TypeError
    When `to` is an array, or an argument is not a dtype.
ValueError
    For an unknown casting rule.

Examples
--------
>>> import dpctl.tensor as dpt
>>> dpt.can_cast(dpt.int32, dpt.float64), dpt.can_cast(dpt.float64, dpt.int32)
(True, False)
)";

nb::object result_type(const nb::args &arguments) {
  std::vector<dtype> types;
  std::vector<array::scalar> numbers;
  const device *where = nullptr;
  for (nb::handle x : arguments) {
    if (is_array(x.ptr())) {
      const ndarray &a = array_of(x.ptr());
      if (!where) where = &a.get_queue().get_device();
      types.push_back(a.type());
    } else if (const auto number = number_from(x.ptr()); number && !number->type) {
      numbers.push_back(number->value);
    } else {
      types.push_back(number ? *number->type : dtype_from(x));
    }
  }
  if (!where) where = &default_queue().get_device();
  return nb::borrow(numpy_dtype(array::result_type(types, numbers, *where)));
}

bool can_cast(nb::handle from, nb::handle to, nb::handle casting) {
  if (is_array(to.ptr())) throw type_error("can_cast: to must be a dtype, got " + type_of(to));
  const dtype source = is_array(from.ptr()) ? array_of(from.ptr()).type() : dtype_from(from);
  return array::can_cast(source, dtype_from(to), casting_from(casting));
}

/// The device given by a SyclDevice or a SyclQueue.
device device_of(nb::handle x) {
  if (nb::isinstance<queue>(x)) return nb::cast<const queue &>(x).get_device();
  if (nb::isinstance<device>(x)) return nb::cast<const device &>(x);
  throw type_error("expected a SyclDevice or a SyclQueue, got " + type_of(x));
}

nb::str code(dtype type) {
  const char text[] = {code_of(type), 0};
  return nb::str(text);
}

}  // namespace

void bind_types(nb::module_ &m) {
  m.def("result_type", result_type, nb::sig("def result_type(*arrays_and_dtypes: object) -> numpy.dtype"),
        result_type_doc);
  m.def("can_cast", can_cast, nb::arg(), nb::arg(), nb::kw_only(), nb::arg("casting") = "safe",
        nb::sig("def can_cast(from_: object, to: object, /, *, casting: str = 'safe') -> bool"), can_cast_doc);

  // Functions that extensions of dpctl import from dpctl.tensor._tensor_impl.
  m.def(
      "default_device_fp_type", [](nb::handle x) { return code(array::default_real(device_of(x))); }, nb::arg(),
      nb::sig("def default_device_fp_type(device: dpctl.SyclDevice | dpctl.SyclQueue, /) -> str"),
      "Return the code of a device's default floating-point type.");
  m.def(
      "default_device_complex_type", [](nb::handle x) { return code(array::default_complex(device_of(x))); }, nb::arg(),
      nb::sig("def default_device_complex_type(device: dpctl.SyclDevice | dpctl.SyclQueue, /) -> str"),
      "Return the code of a device's default complex type.");
  const auto fixed = [&m](const char *name, dtype type, const char *sig, const char *doc) {
    m.def(
        name,
        [type](nb::handle x) {
          device_of(x);
          return code(type);
        },
        nb::arg(), nb::sig(sig), doc);
  };
#define DPEP_FIXED(name, type, doc)                                                                                    \
  fixed(name, type, "def " name "(device: dpctl.SyclDevice | dpctl.SyclQueue, /) -> str", doc)
  DPEP_FIXED("default_device_int_type", dtype::int64, "Return the code of a device's default signed integer type.");
  DPEP_FIXED("default_device_uint_type", dtype::uint64, "Return the code of a device's default unsigned integer type.");
  DPEP_FIXED("default_device_index_type", dtype::int64, "Return the code of a device's default index type.");
  DPEP_FIXED("default_device_bool_type", dtype::boolean, "Return the code of a device's boolean type.");
}

}  // namespace dpep::python
