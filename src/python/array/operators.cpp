// The operators of arrays, as type slots, which Python calls without a name lookup or an argument tuple.
#include "array_slots.hpp"

#include <algorithm>

#include <dpep/array_opcodes.hpp>
#include <dpep/dtype_kinds.hpp>

namespace dpep::python {
namespace {

using array::opcode;

bool has_product(PyObject *x) noexcept {
  const PyNumberMethods *const methods = Py_TYPE(x)->tp_as_number;
  return methods && methods->nb_multiply;
}

/// NotImplemented, so that Python tries the other operand's type. TypeError for the product with a sequence that has no
/// product of its own, since Python would repeat it; elements, as NumPy's scalars, do that.
PyObject *not_implemented(opcode code, PyObject *a, PyObject *b) {
  for (PyObject *x : {a, b})
    if (is_array(x) && is_element(x)) Py_RETURN_NOTIMPLEMENTED;
  for (PyObject *x : {a, b})
    if (code == opcode::multiply && !is_array(x) && PySequence_Check(x) && !has_product(x))
      throw type_error("multiply: expected an array or a number, got " + type_of(x));
  Py_RETURN_NOTIMPLEMENTED;
}

/// Whether the operation is `bools ** 2`, which NumPy computes as a square: int8, not int64 as of other powers.
bool is_square_of_bools(opcode code, std::span<const array::operand> operands) noexcept {
  if (code != opcode::pow) [[likely]]
    return false;
  const array::scalar *const exponent = operands[1].number;
  return operands[0].array && operands[0].array->type() == dtype::boolean && exponent &&
         exponent->what == array::scalar::kind::integer && exponent->integer == 2;
}

/// Options for a result in the order of the operands.
array::element_options kept(package whose) noexcept { return {.layout = kept_order(whose), .type = {}}; }

PyObject *binary(opcode code, PyObject *a, PyObject *b) noexcept {
  if (PyObject *const made = compute_values(code, a, b)) return made;
  return guarded([&] {
    PyObject *const given[] = {a, b};
    const operands o(given, code, array::info(code).name.data(), operands::unsupported::report);
    if (!o.convertible()) return not_implemented(code, a, b);
    if (o.whose() == package::dpnp) {
      refuse_bools(code, o.get(), array::info(code).name.data());
      refuse_negative_powers(code, o.get());
      if (is_square_of_bools(code, o.get()))
        return wrap(array::element(opcode::square, o.get().first(1), kept(package::dpnp)), package::dpnp);
    }
    const opcode computed = code_in(o.whose(), code);
    return with_errors_of(o.whose(), computed, o.get(),
                          [&] { return wrap(array::element(computed, o.get(), kept(o.whose())), o.whose()); });
  });
}

PyObject *unary(opcode code, PyObject *a) noexcept {
  if (PyObject *const made = compute_values(code, a, nullptr)) return made;
  return guarded([&] {
    const array::operand operand{.array = &array_of(a)};
    if (package_of(a) == package::dpnp) refuse_bools(code, {&operand, 1}, array::info(code).name.data());
    return with_errors_of(package_of(a), code, {&operand, 1}, [&] {
      return wrap(array::element(code, {&operand, 1}, kept(package_of(a))), package_of(a));
    });
  });
}

template <opcode code> PyObject *binary_slot(PyObject *a, PyObject *b) { return binary(code, a, b); }
/// A new element for one element, as of NumPy's scalars: `x[0] += 1.7` assigns to x what the sum is cast to.
template <opcode code> PyObject *in_place_slot(PyObject *a, PyObject *b) {
  if (is_element(a)) return binary(code, a, b);
  if (value_of(a))
    if (PyObject *const made = compute_values(code, a, b, a)) return made;
  return in_place(code, a, b);
}
template <opcode code> PyObject *unary_slot(PyObject *a) { return unary(code, a); }

PyObject *power(PyObject *a, PyObject *b, PyObject *modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return binary(opcode::pow, a, b);
}
PyObject *in_place_power(PyObject *a, PyObject *b, PyObject *modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return in_place_slot<opcode::pow>(a, b);
}

PyObject *divmod(PyObject *a, PyObject *b) noexcept {
  PyObject *quotient = binary(opcode::floor_divide, a, b);
  if (!quotient || quotient == Py_NotImplemented) return quotient;
  PyObject *remainder = binary(opcode::remainder, a, b);
  PyObject *both = remainder ? PyTuple_Pack(2, quotient, remainder) : nullptr;
  Py_DECREF(quotient);
  Py_XDECREF(remainder);
  return both;
}

/// Whether no element equals the object, as in NumPy: None, and beside arrays of dpnp text.
bool equals_nothing(PyObject *a, PyObject *b) noexcept {
  return b == Py_None || (package_of(a) == package::dpnp && (PyUnicode_Check(b) || PyBytes_Check(b)));
}

/// The comparison of each element with an object that none equals.
PyObject *compare_with_nothing(const ndarray &a, bool equal, package whose) {
  return wrap(array::full(a.shape(), array::scalar::of(!equal), dtype::boolean, {a.get_queue(), a.memory_kind()}),
              whose);
}

/// Whether a class in Python defines comparisons, such as a container of arrays.
bool compares_itself(PyObject *x) noexcept {
  const PyTypeObject *type = Py_TYPE(x);
  return PyType_HasFeature(Py_TYPE(x), Py_TPFLAGS_HEAPTYPE) && type->tp_richcompare != PyBaseObject_Type.tp_richcompare;
}

PyObject *compare(PyObject *a, PyObject *b, int how) {
  static constexpr opcode codes[] = {opcode::less,      opcode::less_equal, opcode::equal,
                                     opcode::not_equal, opcode::greater,    opcode::greater_equal};
  return guarded([&] {
    if ((how == Py_EQ || how == Py_NE) && !is_array(b) && equals_nothing(a, b)) [[unlikely]]
      return compare_with_nothing(array_of(a), how == Py_EQ, package_of(a));
    if (PyObject *const made = compute_values(codes[how], a, b)) return made;
    PyObject *const given[] = {a, b};
    const char *const name = array::info(codes[how]).name.data();
    // Other objects are refused here: for NotImplemented, Python would compare the objects' identities, or raise
    // TypeError where they have no order, as NumPy does.
    const bool raises = how != Py_EQ && how != Py_NE && package_of(a) == package::dpnp;
    const auto policy = compares_itself(b) || raises ? operands::unsupported::report : operands::unsupported::refuse;
    const operands o(given, codes[how], name, policy);
    if (!o.convertible()) return Py_NewRef(Py_NotImplemented);
    return with_errors_of(o.whose(), codes[how], o.get(),
                          [&] { return wrap(array::element(codes[how], o.get(), kept(o.whose())), o.whose()); });
  });
}

PyType_Slot slots[] = {
    {Py_nb_add, slot(binary_slot<opcode::add>)},
    {Py_nb_subtract, slot(binary_slot<opcode::subtract>)},
    {Py_nb_multiply, slot(binary_slot<opcode::multiply>)},
    {Py_nb_true_divide, slot(binary_slot<opcode::divide>)},
    {Py_nb_floor_divide, slot(binary_slot<opcode::floor_divide>)},
    {Py_nb_remainder, slot(binary_slot<opcode::remainder>)},
    {Py_nb_divmod, slot(divmod)},
    {Py_nb_power, slot(power)},
    {Py_nb_and, slot(binary_slot<opcode::bitwise_and>)},
    {Py_nb_or, slot(binary_slot<opcode::bitwise_or>)},
    {Py_nb_xor, slot(binary_slot<opcode::bitwise_xor>)},
    {Py_nb_lshift, slot(binary_slot<opcode::bitwise_left_shift>)},
    {Py_nb_rshift, slot(binary_slot<opcode::bitwise_right_shift>)},
    {Py_nb_matrix_multiply, slot(matrix_product)},
    {Py_nb_inplace_add, slot(in_place_slot<opcode::add>)},
    {Py_nb_inplace_subtract, slot(in_place_slot<opcode::subtract>)},
    {Py_nb_inplace_multiply, slot(in_place_slot<opcode::multiply>)},
    {Py_nb_inplace_true_divide, slot(in_place_slot<opcode::divide>)},
    {Py_nb_inplace_floor_divide, slot(in_place_slot<opcode::floor_divide>)},
    {Py_nb_inplace_remainder, slot(in_place_slot<opcode::remainder>)},
    {Py_nb_inplace_power, slot(in_place_power)},
    {Py_nb_inplace_and, slot(in_place_slot<opcode::bitwise_and>)},
    {Py_nb_inplace_or, slot(in_place_slot<opcode::bitwise_or>)},
    {Py_nb_inplace_xor, slot(in_place_slot<opcode::bitwise_xor>)},
    {Py_nb_inplace_lshift, slot(in_place_slot<opcode::bitwise_left_shift>)},
    {Py_nb_inplace_rshift, slot(in_place_slot<opcode::bitwise_right_shift>)},
    {Py_nb_inplace_matrix_multiply, slot(matrix_product_in_place)},
    {Py_nb_negative, slot(unary_slot<opcode::negative>)},
    {Py_nb_positive, slot(unary_slot<opcode::positive>)},
    {Py_nb_absolute, slot(unary_slot<opcode::abs>)},
    {Py_nb_invert, slot(unary_slot<opcode::bitwise_invert>)},
    {Py_tp_richcompare, slot(compare)},
};

}  // namespace

std::span<const PyType_Slot> operator_slots() noexcept { return slots; }

namespace {

/// `to op= operand` for operands of different dtypes, and for powers. As in NumPy, computes in the dtype that the
/// operands promote to and casts the result to the dtype of `to`, so that a wider operand loses no digits before the
/// operation. If that cast is not 'same_kind', computes in the dtype of `to`, or throws.
[[gnu::noinline]] void compute_in_place(opcode code, std::span<const array::operand> operands, const ndarray &to,
                                        package whose) {
  if (whose == package::dpnp) refuse_negative_powers(code, operands);
  code = code_in(whose, code);
  // In dpctl, uint64 and a signed integer may have no common dtype; then the operation is tried in the dtype of `to`.
  const dtype common = [&] {
    try {
      return array::resolve(code, operands, to.get_queue().get_device()).result;
    } catch (const array::error &) {
      return to.type();
    }
  }();
  if (common != to.type() && array::can_cast(common, to.type(), array::casting::same_kind)) {
    const ndarray result = array::element(code, operands);
    if (std::ranges::equal(result.shape(), to.shape())) return array::assign(to, result);
  }
  if (whose == package::dpnp && kind_of(common) == dtype_kind::real &&
      rank_of(kind_of(to.type())) < rank_of(dtype_kind::real))
    throw array::error(array::refusal::type, std::string(array::info(code).name) + ": the result of dtype " +
                                                 std::string(name_of(common)) + " cannot be cast to " +
                                                 std::string(name_of(to.type())) +
                                                 " within its kind (casting 'same_kind')");
  array::element(code, operands, {.out = &to, .type = to.type()});
}

}  // namespace

PyObject *in_place(opcode code, PyObject *self, PyObject *other) noexcept {
  return guarded([&] {
    PyObject *const given[] = {self, other};
    const operands o(given, code, array::info(code).name.data(), operands::unsupported::report);
    if (!o.convertible()) return not_implemented(code, self, other);
    const ndarray &to = array_of(self);
    try {
      const ndarray *by = o.get()[1].array;
      const bool plain = (!by || by->type() == to.type()) && code != opcode::pow;
      if (plain) [[likely]]
        array::element(code_in(package_of(self), code), o.get(), {.out = &to, .type = to.type()});
      else
        compute_in_place(code, o.get(), to, package_of(self));
    } catch (const array::error &e) {
      if (package_of(self) == package::dpnp) refuse_as_numpy(code_in(package::dpnp, code), o.get(), e);
      if (e.why() != array::refusal::type) throw;
      throw value_error(e.what());  // as in dpctl; other calls with a dtype raise TypeError
    }
    return Py_NewRef(self);
  });
}

}  // namespace dpep::python
