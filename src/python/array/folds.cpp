// Accumulations, reductions of segments and updates by element functions, for the methods of dpnp's ufuncs.
#include <dpep/array_folds.hpp>
#include <dpep/array_opcodes.hpp>
#include <dpep/array_updates.hpp>

#include "functions.hpp"
#include "numpy_types.hpp"

namespace dpep::python {
namespace {

nb::object fold(nb::handle function, const char *method, nb::handle x, int axis, nb::handle starts) {
  std::optional<array::opcode> code = operation_of(function.ptr());
  if (code) code = code_in(package::dpnp, *code);
  const ndarray &a = array_argument(x, method, "array");
  if (!code || !array::can_fold(a.get_queue(), *code, a.type())) return nb::none();
  const ndarray *const from = optional_array(starts, method, "indices");
  return to_python(computing(a.size(),
                             [&] {
                               return from ? array::fold_segments(method, *code, a, *from, axis)
                                           : array::fold_along(method, *code, a, axis);
                             }),
                   package::dpnp);
}

/// The dtype in which a reduction by the function computes if it needs no check: the elements', or for sums and
/// products of integers the 64-bit one.
std::optional<dtype> reduced_type(array::opcode code, dtype type) noexcept {
  using array::opcode;
  if (code == opcode::maximum || code == opcode::minimum || code == opcode::fmax || code == opcode::fmin) return type;
  if (code != opcode::add && code != opcode::multiply) return {};
  const dtype_kind kind = kind_of(type);
  if (kind == dtype_kind::unsigned_integer) return dtype::uint64;
  return kind == dtype_kind::real || kind == dtype_kind::complex ? type : dtype::int64;
}

nb::object reduce_segments(nb::handle function, nb::handle x, nb::handle starts, nb::handle axis) {
  const std::optional<array::opcode> code = operation_of(function.ptr());
  if (!code || !is_array(x.ptr()) || !is_array(starts.ptr())) return nb::none();
  const ndarray &a = array_of(x.ptr()), &from = array_of(starts.ptr());
  const std::optional<dtype> type = reduced_type(*code, a.type());
  if (!type || a.dimensions() == 0 || !(from.get_queue() == a.get_queue()) ||
      !array::can_fold(a.get_queue(), *code, *type))
    return nb::none();
  const std::string name = std::string(array::info(*code).name) + ".reduceat";
  const int along = axis_from(axis, a.dimensions(), name.c_str());
  return to_python(computing(a.size(),
                             [&] {
                               const ndarray cast =
                                   array::astype(a, *type, array::casting::unsafe, array::order::keep, false);
                               return array::fold_segments(name.c_str(), *code, cast, from, along);
                             }),
                   package::dpnp);
}

bool update(nb::handle function, nb::handle x, nb::handle indices, nb::handle b) {
  const std::optional<array::opcode> given = operation_of(function.ptr());
  if (!given || !is_array(x.ptr())) return false;
  const array::opcode code = code_in(package::dpnp, *given);
  const ndarray &a = array_of(x.ptr());
  if (array::info(code).inputs != (b.is_none() ? 1 : 2) || !array::can_update(a.get_queue(), code)) return false;
  const std::string full = element_function_name(function.ptr()) + ".at";
  const char *const method = full.c_str() + std::string_view("dpnp.").size();
  nb::object converted;
  if (PyList_Check(b.ptr()) || PyTuple_Check(b.ptr()) || is_numpy_array(b.ptr())) {
    conversion to;
    to.queue = a.get_queue();
    converted = to_python(array_from(b, to), package::dpnp);
    b = converted;
  } else if (!b.is_none()) {
    check_number(method, b);
  }
  PyObject *const both[] = {x.ptr(), b.ptr()};
  const operands of({both, b.is_none() ? 1u : 2u}, code, method);
  refuse_bools(code, of.get(), method);
  const std::vector<array::index_part> parts = index_parts_of(a, indices.ptr(), package::dpnp);
  std::int64_t elements = a.size();
  for (const array::index_part &p : parts)
    if (const auto *list = std::get_if<ndarray>(&p)) elements = std::max(elements, list->size());
  with_errors_of(package::dpnp, code, of.get(), [&] {
    computing(elements,
              [&] { array::update_elements(method, code, a, parts, of.get().size() > 1 ? &of.get()[1] : nullptr); });
  });
  return true;
}

}  // namespace

void bind_dpnp_folds(nb::module_ &m) {
  m.def(
      "fold", fold, nb::arg("function"), nb::arg("method"), nb::arg("array"), nb::arg("axis"),
      nb::arg("indices").none(),
      nb::sig("def fold(function: object, method: str, array: ndarray, axis: int, indices: ndarray | None) -> ndarray "
              "| None"),
      "Return the accumulation of an array, or with indices its reduction by segments; None where that is composed.");
  m.def("reduce_segments", reduce_segments, nb::arg("function"), nb::arg("array"), nb::arg("indices"), nb::arg("axis"),
        nb::sig("def reduce_segments(function: object, array: object, indices: object, axis: int) -> ndarray | None"),
        "Return the reduction of an array by segments; None where it takes conversions or is composed.");
  m.def("update", update, nb::arg("function"), nb::arg("a"), nb::arg("indices"), nb::arg("b").none(),
        nb::sig("def update(function: object, a: object, indices: object, b: object) -> bool"),
        "Apply a function of dpnp to elements at indices, in place. Return False, having done nothing, where that is "
        "composed or refused.");
}

}  // namespace dpep::python
