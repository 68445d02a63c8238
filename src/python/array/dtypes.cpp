// NumPy's dtype objects, and conversion of Python objects and buffer formats to dtypes.
#include <bit>

#include "array_slots.hpp"
#include "numpy_types.hpp"

namespace dpep::python {
namespace {

// NumPy's objects, which are never destroyed. C's long and long long are the same dtype here, but two scalar types in
// NumPy.
struct {
  PyObject *module;
  PyObject *dtype_class;
  PyTypeObject *array_class;
  PyObject *dtypes[dtype_count];
  PyTypeObject *scalars[dtype_count];
  PyTypeObject *long_long, *unsigned_long_long;
} loaded;

constexpr std::string_view numpy_order = "?bBhHiIlLqQfdgFDG";  // by NumPy's type number
constexpr int half_number = 23;

/// The dtype of a numpy.dtype object, with long long as long. Empty for data types that arrays do not support.
std::optional<dtype> dtype_of_object(nb::handle object) {
  const nb::object order = object.attr("byteorder");
  const std::string byte_order = text_of(order);
  if (byte_order != "=" && byte_order != "|") return {};
  const std::string code = text_of(object.attr("char"));
  if (code == "q") return dtype::int64;
  if (code == "Q") return dtype::uint64;
  return code.size() == 1 ? dtype_from_code(code[0]) : std::nullopt;
}

}  // namespace

void load_numpy() {
  if (loaded.module) return;
  nb::object module = nb::module_::import_("numpy");
  loaded.dtype_class = nb::object(module.attr("dtype")).release().ptr();
  for (int i = 0; i < dtype_count; ++i) {
    nb::object type = nb::handle(loaded.dtype_class)(nb::str(name_of(static_cast<dtype>(i)).data()));
    loaded.scalars[i] = reinterpret_cast<PyTypeObject *>(nb::object(type.attr("type")).release().ptr());
    loaded.dtypes[i] = type.release().ptr();
  }
  loaded.array_class = reinterpret_cast<PyTypeObject *>(nb::object(module.attr("ndarray")).release().ptr());
  loaded.long_long = reinterpret_cast<PyTypeObject *>(nb::object(module.attr("longlong")).release().ptr());
  loaded.unsigned_long_long = reinterpret_cast<PyTypeObject *>(nb::object(module.attr("ulonglong")).release().ptr());
  loaded.module = module.release().ptr();
}

nb::handle numpy() { return loaded.module; }

bool is_numpy_array(PyObject *x) noexcept { return Py_TYPE(x) == loaded.array_class; }

PyObject *numpy_dtype(dtype type) noexcept { return loaded.dtypes[static_cast<int>(type)]; }

std::optional<dtype> type_of_numpy_scalar(PyObject *x) noexcept {
  const PyTypeObject *type = Py_TYPE(x);
  for (int i = dtype_count; i-- > 0;)  // the most frequent types, the floats, are near the end
    if (type == loaded.scalars[i]) return static_cast<dtype>(i);
  if (type == loaded.long_long) return dtype::int64;
  if (type == loaded.unsigned_long_long) return dtype::uint64;
  return {};
}

int number_of(dtype type) noexcept {
  if (type == dtype::float16) return half_number;
  return static_cast<int>(numpy_order.find(code_of(type)));
}

std::optional<dtype> dtype_from_number(int number) noexcept {
  if (number == half_number) return dtype::float16;
  if (number < 0 || number >= static_cast<int>(numpy_order.size())) return {};
  const char code = numpy_order[static_cast<std::size_t>(number)];
  return dtype_from_code(code == 'q' ? 'l' : code == 'Q' ? 'L' : code);
}

dtype dtype_from(nb::handle x) {
  for (int i = 0; i < dtype_count; ++i)
    if (x.ptr() == loaded.dtypes[i] || x.ptr() == reinterpret_cast<PyObject *>(loaded.scalars[i]))
      return static_cast<dtype>(i);
  if (x.is_none()) throw nb::type_error("expected a dtype, got None");
  const nb::object object = nb::handle(loaded.dtype_class)(x);
  if (const auto type = dtype_of_object(object)) return *type;
  throw type_error("dtype " + text_of(nb::repr(object)) +
                   " is not supported by arrays; supported are bool, integers of 8 to 64 bits, float16, float32, "
                   "float64, complex64 and complex128, in native byte order");
}

std::optional<dtype> dtype_from_format(const char *format, Py_ssize_t item_size) noexcept {
  using enum dtype;
  std::string_view text = format ? format : "B";
  const bool swapped = std::endian::native == std::endian::little ? text.starts_with('>') || text.starts_with('!')
                                                                  : text.starts_with('<');
  if (swapped && item_size > 1) return {};
  if (!text.empty() && std::string_view("@=<>!").find(text[0]) != text.npos) text.remove_prefix(1);
  const bool complex = text.size() == 2 && text[0] == 'Z';
  if (complex) text.remove_prefix(1);
  if (text.size() != 1) return {};
  // By kind and size: the size of "l" depends on the exporter.
  const auto by_size = [&](std::optional<dtype> one, std::optional<dtype> two, std::optional<dtype> four,
                           std::optional<dtype> eight) -> std::optional<dtype> {
    return item_size == 1 ? one : item_size == 2 ? two : item_size == 4 ? four : item_size == 8 ? eight : std::nullopt;
  };
  const char code = text[0];
  if (complex)
    return item_size == 8 ? std::optional(complex64) : item_size == 16 ? std::optional(complex128) : std::nullopt;
  if (code == '?') return item_size == 1 ? std::optional(boolean) : std::nullopt;
  if (std::string_view("bhilqn").find(code) != std::string_view::npos) return by_size(int8, int16, int32, int64);
  if (std::string_view("BHILQN").find(code) != std::string_view::npos) return by_size(uint8, uint16, uint32, uint64);
  if (std::string_view("efd").find(code) != std::string_view::npos) return by_size({}, float16, float32, float64);
  return {};
}

}  // namespace dpep::python
