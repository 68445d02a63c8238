// dpctl.tensor.Flags: the memory layout of an array and its `writable` flag, which can be set.
#include <dpep/array_views.hpp>

#include "array_slots.hpp"

namespace dpep::python {
namespace {

struct array_flags {
  ndarray array;

  bool c() const noexcept { return array.row_major(); }
  bool f() const noexcept { return array.column_major(); }
  bool w() const noexcept { return array.writable(); }
  bool owns() const { return !array::base_of_view(array); }
  int bits() const noexcept { return (c() ? 1 : 0) | (f() ? 2 : 0) | (w() ? 4 : 0); }  // dpctl's numbers
};

void set_writable(array_flags &flags, nb::handle value) {
  if (!PyBool_Check(value.ptr())) throw type_error("flags.writable must be a bool, got " + type_of(value));
  flags.array.set_writable(value.ptr() == Py_True);
}

bool get_item(const array_flags &flags, const std::string &name) {
  if (name == "C_CONTIGUOUS" || name == "C") return flags.c();
  if (name == "F_CONTIGUOUS" || name == "F") return flags.f();
  if (name == "WRITABLE" || name == "WRITEABLE" || name == "W") return flags.w();
  if (name == "OWNDATA" || name == "O") return flags.owns();
  if (name == "FC") return flags.f() && flags.c();
  if (name == "FNC") return flags.f() && !flags.c();
  if (name == "FORC" || name == "CONTIGUOUS") return flags.f() || flags.c();
  throw nb::key_error(
      ("flags: '" + name +
       "' is not a flag; the flags are C_CONTIGUOUS (C), F_CONTIGUOUS (F), WRITABLE (W), OWNDATA (O), FC, "
       "FNC, FORC and CONTIGUOUS")
          .c_str());
}

void set_item(array_flags &flags, const std::string &name, nb::handle value) {
  if (name != "WRITABLE" && name != "WRITEABLE" && name != "W")
    throw value_error("flags: only 'WRITABLE' ('W') can be set, not '" + name + "'");
  set_writable(flags, value);
}

nb::str represent(const array_flags &flags) {
  return format("  C_CONTIGUOUS : {}\n  F_CONTIGUOUS : {}\n  WRITABLE : {}", flags.c(), flags.f(), flags.w());
}

}  // namespace

nb::object flags_of(const ndarray &a) { return nb::cast(array_flags{a}); }

void bind_flags(nb::module_ &m) {
  nb::class_<array_flags>(m, "Flags",
                          "Memory layout of an array, and whether it is writable.\n\n"
                          ">>> import dpctl.tensor as dpt\n"
                          ">>> x = dpt.zeros((2, 3))\n"
                          ">>> x.flags.c_contiguous, x.flags['F']\n"
                          "(True, False)\n"
                          ">>> x.flags.writable = False")
      .def_prop_ro("flags", &array_flags::bits, "The sum of 1 if C-contiguous, 2 if F-contiguous, 4 if writable.")
      .def_prop_ro("c_contiguous", &array_flags::c, "Whether the elements are row-major and contiguous.")
      .def_prop_ro("f_contiguous", &array_flags::f, "Whether the elements are column-major and contiguous.")
      .def_prop_rw("writable", &array_flags::w, set_writable, "Whether elements can be assigned. Can be set.")
      .def_prop_rw("writeable", &array_flags::w, set_writable, "NumPy's name of `writable`.")
      .def_prop_ro("owndata", &array_flags::owns, "Whether the array is no view of another one.")
      .def_prop_ro(
          "fc", [](const array_flags &x) { return x.f() && x.c(); }, "Whether C-contiguous and F-contiguous.")
      .def_prop_ro(
          "forc", [](const array_flags &x) { return x.f() || x.c(); }, "Whether C-contiguous or F-contiguous.")
      .def_prop_ro(
          "fnc", [](const array_flags &x) { return x.f() && !x.c(); }, "Whether F-contiguous and not C-contiguous.")
      .def_prop_ro(
          "contiguous", [](const array_flags &x) { return x.f() || x.c(); }, "The same as `forc`.")
      .def("__getitem__", get_item, "name"_a)
      .def("__setitem__", set_item, "name"_a, "value"_a)
      .def(
          "__eq__",
          [](const array_flags &x, nb::handle other) {
            if (nb::isinstance<array_flags>(other)) return x.bits() == nb::cast<array_flags &>(other).bits();
            int bits;
            return PyLong_Check(other.ptr()) && nb::try_cast(other, bits) && bits == x.bits();
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", represent);
}

}  // namespace dpep::python
