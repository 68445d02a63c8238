// Conversion of arrays to Python numbers, truth values, strings and iterators.
#include "array_slots.hpp"

#include <cstring>

#include <dpep/array_opcodes.hpp>
#include <dpep/array_single_elements.hpp>

#include "../keep_alive.hpp"

namespace dpep::python {
namespace {

bool is_true(const array::scalar &x) noexcept { return x.integer != 0 || x.number != 0.0; }

/// The dtype; does not give memory to a value.
dtype type_of_array(PyObject *x) { return value_of(x) ? value_of(x)->type : array_of(x).type(); }

int truth(PyObject *self) noexcept {
  return guarded([&] {
    if (const element_value *v = value_of(self)) return int(is_true(array::number_in(v->bytes, v->type)));
    const ndarray &a = array_of(self);
    if (a.size() == 0) throw nb::value_error("The truth value of an empty array is ambiguous");
    if (a.size() > 1)
      throw nb::value_error(
          "The truth value of an array with more than one element is ambiguous; use any() or all() of its package");
    return static_cast<int>(is_true(element_of(a, "bool")));
  });
}

nb::object real_number_of(PyObject *self, const char *function) {
  if (kind_of(type_of_array(self)) == dtype_kind::complex && array_of(self).size() == 1)
    throw type_error(std::string(function) + ": expected a real number, got a complex one; take .real or .imag first");
  return number_of(self, function);
}

PyObject *to_int(PyObject *self) noexcept {
  return guarded([&] { return PyNumber_Long(real_number_of(self, "int").ptr()); });
}
PyObject *to_float(PyObject *self) noexcept {
  if (const element_value *v = value_of(self); v && v->type == dtype::float64) {
    double x;
    std::memcpy(&x, v->bytes, sizeof x);
    return PyFloat_FromDouble(x);
  }
  return guarded([&] { return PyNumber_Float(real_number_of(self, "float").ptr()); });
}
PyObject *to_index(PyObject *self) noexcept {
  return guarded([&] {
    const dtype_kind kind = kind_of(type_of_array(self));
    if (kind != dtype_kind::signed_integer && kind != dtype_kind::unsigned_integer) {
      constexpr const char *reason = "index: only integer arrays with one element can be converted to an index";
      if (package_of(self) == package::dpnp) throw nb::type_error(reason);
      throw nb::index_error(reason);
    }
    return number_of(self, "index").release().ptr();
  });
}

PyObject *text(PyObject *self, const char *function) noexcept {
  return guarded([&] {
    const char *module = package_of(self) == package::dpnp ? "dpnp" : "dpctl.tensor._print";
    return nb::object(nb::module_::import_(module).attr(function)(nb::handle(self))).release().ptr();
  });
}
PyObject *represent(PyObject *self) noexcept {
  return text(self, package_of(self) == package::dpnp ? "array_repr" : "usm_ndarray_repr");
}
PyObject *to_str(PyObject *self) noexcept {
  return text(self, package_of(self) == package::dpnp ? "array_str" : "usm_ndarray_str");
}

PyObject *iterate(PyObject *self) noexcept {
  if (array_of(self).dimensions() == 0) {
    PyErr_SetString(PyExc_TypeError, "iteration over a 0-d array");
    return nullptr;
  }
  if (package_of(self) == package::dpnp && array_of(self).dimensions() == 1) return element_iterator(self);
  return PySeqIter_New(self);
}

int contains(PyObject *self, PyObject *value) noexcept {
  return guarded([&] {
    PyObject *const given[] = {self, value};
    const operands o(given, array::opcode::equal, "in");
    const ndarray any = array::reduce(array::reduction::any, array::element(array::opcode::equal, o.get()));
    return static_cast<int>(element_of(any, "in").integer != 0);
  });
}

PyType_Slot slots[] = {
    {Py_nb_bool, slot(truth)},     {Py_nb_int, slot(to_int)},        {Py_nb_float, slot(to_float)},
    {Py_nb_index, slot(to_index)}, {Py_tp_repr, slot(represent)},    {Py_tp_str, slot(to_str)},
    {Py_tp_iter, slot(iterate)},   {Py_sq_contains, slot(contains)},
};

}  // namespace

std::span<const PyType_Slot> conversion_slots() noexcept { return slots; }

nb::object number_of(nb::handle self, const char *function) {
  if (const element_value *v = value_of(self.ptr())) {
    nb::object number = nb::steal(to_python(array::number_in(v->bytes, v->type)));
    if (!number.is_valid()) throw nb::python_error();
    return number;
  }
  const ndarray &a = array_of(self.ptr());
  if (a.size() != 1 && package_of(self.ptr()) == package::dpnp)
    throw type_error(std::string(function) +
                     ": only length-1 arrays can be converted to Python scalars, this one has " +
                     std::to_string(a.size()) + " elements");
  nb::object number = nb::steal(to_python(element_of(a, function)));
  if (!number.is_valid()) throw nb::python_error();
  return number;
}

nb::object to_complex(nb::handle self) {
  nb::object number = number_of(self, "complex");
  if (PyComplex_Check(number.ptr())) return number;
  const double real = PyFloat_AsDouble(number.ptr());
  if (real == -1 && PyErr_Occurred()) throw nb::python_error();
  return nb::steal(PyComplex_FromDoubles(real, 0));
}

void wait_for_queue_of(const ndarray &a) {
  release_finished();
  a.evaluate();
  const std::vector<event> commands = array::unfinished_commands(a.get_queue());
  if (commands.empty()) return;
  wait_interruptibly(event_list{commands});
  a.get_queue().throw_asynchronous();
}

ndarray::memory_view exposed(const ndarray &a) {
  a.evaluate();
  // Waits for array operations only, not for kernels that the program submitted to the queue itself.
  if (const event last = array::last_submitted(a.get_queue()); last.status() != event_status::complete)
    wait_interruptibly(last);
  return a.expose();
}

array::scalar element_of(const ndarray &a, const char *function) {
  if (a.size() != 1)
    throw value_error(std::string(function) +
                      ": only arrays with one element can be converted to Python numbers, this one has " +
                      std::to_string(a.size()) + " elements");
  wait_for_queue_of(a);
  return array::item(a);
}

}  // namespace dpep::python
