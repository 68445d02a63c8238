// The Python class dpep._kernel.Loop.
#include "loop.hpp"
#include "loop_results.hpp"

namespace dpep::python {
namespace {

/// `array[key]`; an element is a NumPy scalar instead of an array without axes.
nb::object element(nb::handle x, nb::handle key) {
  nb::object found = nb::steal(PyObject_GetItem(x.ptr(), key.ptr()));
  if (!found.is_valid()) throw nb::python_error();
  if (is_array(found.ptr()) && is_array(x.ptr()) && array_of(found.ptr()).dimensions() == 0)
    return number_in(array_of(found.ptr()));
  return found;
}

PyObject *run(PyObject *self, PyObject *const *arguments, Py_ssize_t count) noexcept {
  return guarded(
      [&] { return nb::inst_ptr<compiled_loop>(self)->call({arguments, std::size_t(count)}).release().ptr(); });
}

PyObject *run_in_order(PyObject *self, PyObject *const *arguments, Py_ssize_t count) noexcept {
  return guarded(
      [&] { return nb::inst_ptr<compiled_loop>(self)->call({arguments, std::size_t(count)}, true).release().ptr(); });
}

PyType_Slot collector_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void *>(+[](PyObject *self, visitproc visit, void *arg) -> int {
       Py_VISIT(Py_TYPE(self));
       return nb::inst_ready(self) ? nb::inst_ptr<compiled_loop>(self)->traverse(visit, arg) : 0;
     })},
    {Py_tp_clear, reinterpret_cast<void *>(+[](PyObject *self) -> int {
       if (nb::inst_ready(self)) nb::inst_ptr<compiled_loop>(self)->clear();
       return 0;
     })},
    {0, nullptr}};

PyMethodDef run_method{"run", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(run)), METH_FASTCALL, nullptr};

PyMethodDef run_in_order_method{"run_in_order", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(run_in_order)),
                                METH_FASTCALL, nullptr};

}  // namespace

void bind_compiled_loops(nb::module_ &m) {
  nb::class_<compiled_loop>(m, "Loop", nb::type_slots(collector_slots),
                            "A loop of a dpjit function, compiled for the types of its variables.")
      .def(nb::init<nb::object, nb::object, int, bool, nb::list, std::vector<std::string>, nb::dict>(), "function"_a,
           "trees"_a, "dimensions"_a, "has_parallel"_a, "reductions"_a, "outputs"_a, "options"_a)
      .def_prop_ro(
          "run", [](nb::handle self) { return nb::steal(PyCFunction_New(&run_method, self.ptr())); },
          nb::sig("def run(self) -> collections.abc.Callable[..., tuple | None]"),
          "A function of the bounds of parallel loops and the inputs, which runs the loop.")
      .def_prop_ro(
          "run_in_order", [](nb::handle self) { return nb::steal(PyCFunction_New(&run_in_order_method, self.ptr())); },
          nb::sig("def run_in_order(self) -> collections.abc.Callable[..., tuple | None]"),
          "The same function for a loop that is never executed as a parallel one.")
      .def_prop_ro("is_parallel", &compiled_loop::is_parallel)
      .def("finished", &compiled_loop::finished)
      .def_prop_ro("refusal", &compiled_loop::refusal)
      .def_prop_ro("refused_for_arrays", &compiled_loop::refused_for_arrays)
      .def("inspect_code",
           [](const compiled_loop &self) {
             nb::list texts;
             for (const auto *f : self.forms())
               for (const auto &s : f->all)
                 if (s->ir) texts.append(pykernel::text_of(*s->ir, true));
             return texts;
           })
      .def("inspect_asm",
           [](const compiled_loop &self) {
             nb::list texts;
             for (const auto *f : self.forms())
               for (const auto &s : f->all)
                 if (s->ir)
                   texts.append(
                       pykernel::assembly_text(s->compiled, self.dimensions_of(f->how), self.is_grouped(f->how)));
             return texts;
           })
      .def(
          "inspect_types",
          [](const compiled_loop &self) {
            nb::list all;
            for (const auto *f : self.forms())
              for (const auto &s : f->all)
                if (s->ir) all.append(self.variables_of(*f, *s));
            return all;
          },
          nb::sig("def inspect_types(self) -> list[list[tuple[str, str]]]"),
          "The names and types of the parameters, for all types that the loop was compiled for.")
      .def_prop_ro("line", &compiled_loop::line)
      .def("inspect_ir", [](const compiled_loop &self) {
        nb::list texts;
        for (const auto *f : self.forms())
          for (const auto &s : f->all)
            if (s->ir) texts.append(pykernel::llvm_ir_text(*s->ir));
        return texts;
      });
  m.def("element", &element, "array"_a, "key"_a);
  m.def("set_loops_as_on_gpus", &set_loops_as_on_gpus, "on"_a,
        "Select whether CPUs execute loops in the forms that GPUs get, for tests. Returns the former value.");
  m.def("as_result", &as_result, "value"_a, "The value with Python's numbers in place of NumPy's, also in tuples.");
}

}  // namespace dpep::python
