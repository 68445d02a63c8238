// Selection of elements: where, clip, take, take_along_axis.
#include <dpep/array_indexing.hpp>

#include <dpep/array_opcodes.hpp>

#include "functions.hpp"
#include "selection_docs.hpp"

namespace dpep::python {
namespace {

nb::object finish(array::opcode code, std::span<const array::operand> operands, std::int64_t elements, package whose,
                  nb::handle out, nb::handle order, const char *function) {
  const array::element_options options{
      .out = optional_array(out, function, "out"), .layout = order_in(whose, lenient_order(order)), .type = {}};
  ndarray result = computing(elements, [&] { return array::element(code, operands, options); });
  return options.out ? nb::borrow(out) : to_python(std::move(result), whose);
}

std::int64_t most_elements(std::span<const array::operand> operands) noexcept {
  std::int64_t most = 0;
  for (const array::operand &o : operands)
    if (o.array) most = std::max(most, o.array->size());
  return most;
}

nb::object where(nb::handle condition, nb::handle x1, nb::handle x2, nb::handle order, nb::handle out) {
  array_argument(condition, "where", "condition");
  PyObject *const given[] = {condition.ptr(), x1.ptr(), x2.ptr()};
  const operands all(given, array::opcode::where, "where");
  return finish(array::opcode::where, all.get(), most_elements(all.get()), all.whose(), out, order, "where");
}

/// As where, with the types that dpnp allows; the result is a dpnp.ndarray.
nb::object numpy_where(nb::handle condition, nb::handle x, nb::handle y, nb::handle order, nb::handle out) {
  check_array("where", condition);
  check_number("where", x);
  check_number("where", y);
  if (!out.is_none()) check_array("where", out);
  return as_package(where(condition, x, y, order, out), package::dpnp);
}

/// Whether a Python integer is beyond 64 bits, so that it limits no array of integers on that side.
bool is_beyond_64_bits(nb::handle limit, bool is_minimum) {
  if (!PyLong_Check(limit.ptr())) return false;
  int overflow;
  static_cast<void>(PyLong_AsLongLongAndOverflow(limit.ptr(), &overflow));
  if (overflow <= 0 || is_minimum) return overflow < 0 && is_minimum;
  if (PyLong_AsUnsignedLongLong(limit.ptr()) != ~0ull || !PyErr_Occurred()) return false;
  PyErr_Clear();
  return true;
}

nb::object clip(nb::handle x, nb::handle min, nb::handle max, nb::handle out, nb::handle order) {
  const ndarray &a = array_argument(x, "clip", "x");
  const dtype_kind kind = kind_of(a.type());
  const bool whole = kind == dtype_kind::signed_integer || kind == dtype_kind::unsigned_integer;
  const bool low = !min.is_none() && !(whole && is_beyond_64_bits(min, true));
  const bool high = !max.is_none() && !(whole && is_beyond_64_bits(max, false));
  // The given limits are converted together and then stored at positions 1 and 2.
  PyObject *given[3] = {x.ptr()};
  std::size_t count = 1;
  if (low) given[count++] = min.ptr();
  if (high) given[count++] = max.ptr();
  const operands all({given, count}, array::opcode::clip, "clip");
  array::operand placed[3] = {all.get()[0]};
  if (low) placed[1] = all.get()[1];
  if (high) placed[2] = all.get()[count - 1];
  return finish(array::opcode::clip, placed, most_elements(all.get()), all.whose(), out, order, "clip");
}

nb::object take(nb::handle x, nb::handle indices, nb::handle axis, nb::handle out, nb::handle mode) {
  const ndarray &a = array_argument(x, "take", "x");
  const array::index_mode how = index_mode_from(mode, "take");
  const ndarray &i = array_argument(indices, "take", "indices");
  const std::optional<int> along = optional_axis_from(axis, std::max(a.dimensions(), 1), "take");
  const ndarray *const to = optional_array(out, "take", "out");
  ndarray result = computing(std::max(a.size(), i.size()), [&] { return array::take(a, i, along, how); });
  if (!to) return to_python(std::move(result), package_of(x.ptr()));
  array::assign_out(*to, result, "take");
  return nb::borrow(out);
}

nb::object take_along_axis(nb::handle x, nb::handle indices, nb::handle axis, nb::handle mode) {
  const ndarray &a = array_argument(x, "take_along_axis", "x");
  const ndarray &i = array_argument(indices, "take_along_axis", "indices");
  const array::index_mode how = index_mode_from(mode, "take_along_axis");
  const int along = axis_from(axis, a.dimensions(), "take_along_axis");
  ndarray result = computing(std::max(a.size(), i.size()), [&] { return array::take_along_axis(a, i, along, how); });
  return to_python(std::move(result), package_of(x.ptr()));
}

}  // namespace

array::order lenient_order(nb::handle x) {
  const std::string text = nb::isinstance<nb::str>(x) ? text_of(x) : std::string();
  const bool known = text == "C" || text == "F" || text == "A";
  return known ? static_cast<array::order>(text[0]) : array::order::keep;
}

void bind_dpnp_selection(nb::module_ &m) {
  m.def("where", numpy_where, nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg().none(),
        nb::sig("def where(condition: object, x: object, y: object, order: str, out: object, /) -> ndarray"),
        "Return elements of `x` where a condition is true, and elements of `y` elsewhere.");
}

void bind_selection(nb::module_ &m) {
  const nb::none none;
  m.def("where", where, nb::arg(), nb::arg().none(), nb::arg().none(), nb::kw_only(), nb::arg("order") = "K",
        nb::arg("out") = none,
        nb::sig("def where(condition: usm_ndarray, x1: usm_ndarray | complex, x2: usm_ndarray | complex, /, *, "
                "order: str = 'K', out: usm_ndarray | None = None) -> usm_ndarray"),
        docs::where);
  m.def("clip", clip, nb::arg(), nb::arg("min") = none, nb::arg("max") = none, nb::arg("out") = none,
        nb::arg("order") = "K",
        nb::sig("def clip(x: usm_ndarray, /, min: usm_ndarray | complex | None = None, "
                "max: usm_ndarray | complex | None = None, out: usm_ndarray | None = None, order: str = 'K') "
                "-> usm_ndarray"),
        docs::clip);
  m.def("take", take, nb::arg(), nb::arg(), nb::kw_only(), nb::arg("axis") = none, nb::arg("out") = none,
        nb::arg("mode") = "wrap",
        nb::sig("def take(x: usm_ndarray, indices: usm_ndarray, /, *, axis: int | None = None, "
                "out: usm_ndarray | None = None, mode: str = 'wrap') -> usm_ndarray"),
        docs::take);
  m.def("take_along_axis", take_along_axis, nb::arg(), nb::arg(), nb::kw_only(), nb::arg("axis") = -1,
        nb::arg("mode") = "wrap",
        nb::sig("def take_along_axis(x: usm_ndarray, indices: usm_ndarray, /, *, axis: int = -1, "
                "mode: str = 'wrap') -> usm_ndarray"),
        docs::take_along_axis);
}

}  // namespace dpep::python
