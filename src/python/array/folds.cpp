// Accumulations and reductions of segments by element functions, for the methods of dpnp's ufuncs.
#include <dpep/array_folds.hpp>

#include "functions.hpp"

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

}  // namespace

void bind_dpnp_folds(nb::module_ &m) {
  m.def(
      "fold", fold, nb::arg("function"), nb::arg("method"), nb::arg("array"), nb::arg("axis"),
      nb::arg("indices").none(),
      nb::sig("def fold(function: object, method: str, array: ndarray, axis: int, indices: ndarray | None) -> ndarray "
              "| None"),
      "Return the accumulation of an array, or with indices its reduction by segments; None where that is composed.");
}

}  // namespace dpep::python
