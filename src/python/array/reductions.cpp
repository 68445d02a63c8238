// Reductions over axes and accumulations along an axis: sum, max, mean, cumulative_sum, …
#include "functions.hpp"
#include "reduction_docs.hpp"

namespace dpep::python {
namespace {

/// Arguments of reductions. The default values reduce all axes.
struct reduction_arguments {
  nb::handle axis = nb::none(), type = nb::none(), keep_dimensions = Py_False, out = nb::none();
  double correction = 0;
};

/// Python's truth value of an object.
bool truth(nb::handle x) {
  const int answer = PyObject_IsTrue(x.ptr());
  if (answer < 0) throw nb::python_error();
  return answer;
}

nb::object reduced(array::reduction how, const char *function, nb::handle x, const reduction_arguments &given) {
  const ndarray &a = array_argument(x, function, "x");
  const array::reduce_options options{
      .axes = axes_from(given.axis, a.dimensions(), function),
      .type = optional_dtype(given.type),
      .keep_dimensions = truth(given.keep_dimensions),
      .correction = given.correction,
      .out = optional_array(given.out, function, "out"),
  };
  if (options.type) warn_of_lost_imaginary_part(function, a.type(), *options.type);
  ndarray result = computing(a.size(), [&] { return array::reduce(how, a, options); });
  return options.out ? nb::borrow(given.out) : to_python(std::move(result), package_of(x.ptr()));
}

/// Binds sum and other reductions with the same arguments.
template <array::reduction how>
void bind_with_type(nb::module_ &m, const char *name, const char *sig, const char *doc) {
  m.def(
      name,
      [name](nb::handle x, nb::handle axis, nb::handle type, nb::handle keepdims, nb::handle out) {
        return reduced(how, name, x, {.axis = axis, .type = type, .keep_dimensions = keepdims, .out = out});
      },
      nb::arg(), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(),
      nb::arg("keepdims") = false, nb::arg("out") = nb::none(), nb::sig(sig), doc);
}

/// Binds max and other reductions with the same arguments.
template <array::reduction how> void bind_with_out(nb::module_ &m, const char *name, const char *sig, const char *doc) {
  m.def(
      name,
      [name](nb::handle x, nb::handle axis, nb::handle keepdims, nb::handle out) {
        return reduced(how, name, x, {.axis = axis, .keep_dimensions = keepdims, .out = out});
      },
      nb::arg(), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false, nb::arg("out") = nb::none(),
      nb::sig(sig), doc);
}

/// Binds argmax and argmin, which reduce one axis or all.
template <array::reduction how> void bind_search(nb::module_ &m, const char *name, const char *sig, const char *doc) {
  m.def(
      name,
      [name](nb::handle x, nb::handle axis, nb::handle keepdims, nb::handle out) {
        array_argument(x, name, "x");
        if (!axis.is_none() && !PyIndex_Check(axis.ptr()))
          throw type_error(std::string(name) + ": axis must be an int or None, got " + type_of(axis));
        return reduced(how, name, x, {.axis = axis, .keep_dimensions = keepdims, .out = out});
      },
      nb::arg(), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false, nb::arg("out") = nb::none(),
      nb::sig(sig), doc);
}

/// Binds all and any.
template <array::reduction how> void bind_logical(nb::module_ &m, const char *name, const char *sig, const char *doc) {
  m.def(
      name,
      [name](nb::handle x, nb::handle axis, nb::handle keepdims) {
        return reduced(how, name, x, {.axis = axis, .keep_dimensions = keepdims});
      },
      nb::arg(), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false, nb::sig(sig), doc);
}

/// Binds var and std.
template <array::reduction how> void bind_spread(nb::module_ &m, const char *name, const char *sig, const char *doc) {
  m.def(
      name,
      [name](nb::handle x, nb::handle axis, nb::handle correction, nb::handle keepdims) {
        const ndarray &a = array_argument(x, name, "x");
        if (!PyFloat_Check(correction.ptr()) && !PyLong_Check(correction.ptr()))
          throw type_error(std::string(name) + ": correction must be an int or a float, got " + type_of(correction));
        if (kind_of(a.type()) == dtype_kind::complex)
          throw value_error(std::string(name) + ": not defined for complex numbers, got dtype " +
                            std::string(dpep::name_of(a.type())));
        const double degrees = PyFloat_AsDouble(correction.ptr());
        if (degrees == -1 && PyErr_Occurred()) throw nb::python_error();
        return reduced(how, name, x, {.axis = axis, .keep_dimensions = keepdims, .correction = degrees});
      },
      nb::arg("x"), nb::arg("axis") = nb::none(), nb::arg("correction") = 0.0, nb::arg("keepdims") = false,
      nb::sig(sig), doc);
}

nb::object mean(nb::handle x, nb::handle axis, nb::handle keepdims) {
  return reduced(array::reduction::mean, "mean", x, {.axis = axis, .keep_dimensions = keepdims});
}

template <array::accumulation how>
void bind_accumulation(nb::module_ &m, const char *name, const char *sig, const char *doc) {
  m.def(
      name,
      [name](nb::handle x, nb::handle axis, nb::handle type, nb::handle include_initial, nb::handle out) {
        const ndarray &a = array_argument(x, name, "x");
        if (axis.is_none() && a.dimensions() > 1)
          throw value_error(std::string(name) + ": axis cannot be None for an array of " +
                            std::to_string(a.dimensions()) + " dimensions");
        const array::accumulate_options options{
            .axis = axis.is_none() ? 0 : axis_from(axis, std::max(a.dimensions(), 1), name),
            .type = optional_dtype(type),
            .include_initial = truth(include_initial),
            .out = optional_array(out, name, "out"),
        };
        if (options.type) warn_of_lost_imaginary_part(name, a.type(), *options.type);
        ndarray result = computing(a.size(), [&] { return array::accumulate(how, a, options); });
        return options.out ? nb::borrow(out) : to_python(std::move(result), package_of(x.ptr()));
      },
      nb::arg(), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(),
      nb::arg("include_initial") = false, nb::arg("out") = nb::none(), nb::sig(sig), doc);
}

}  // namespace

#define DPEP_OUT "out: usm_ndarray | None = None"
#define DPEP_WITH_TYPE(name)                                                                                           \
  "def " name "(x: usm_ndarray, /, *, " DPEP_AXES ", dtype: object = None, keepdims: bool = False, " DPEP_OUT          \
  ") -> usm_ndarray"
#define DPEP_WITH_OUT(name)                                                                                            \
  "def " name "(x: usm_ndarray, /, *, " DPEP_AXES ", keepdims: bool = False, " DPEP_OUT ") -> usm_ndarray"
#define DPEP_SEARCH(name)                                                                                              \
  "def " name "(x: usm_ndarray, /, *, axis: int | None = None, keepdims: bool = False, " DPEP_OUT ") -> usm_ndarray"
#define DPEP_LOGICAL(name) "def " name "(x: usm_ndarray, /, *, " DPEP_AXES ", keepdims: bool = False) -> usm_ndarray"
#define DPEP_SPREAD(name)                                                                                              \
  "def " name "(x: usm_ndarray, " DPEP_AXES ", correction: float = 0.0, keepdims: bool = False) -> usm_ndarray"
#define DPEP_ACCUMULATION(name)                                                                                        \
  "def " name                                                                                                          \
  "(x: usm_ndarray, /, *, axis: int | None = None, dtype: object = None, include_initial: bool = False, " DPEP_OUT     \
  ") -> usm_ndarray"

void bind_reductions(nb::module_ &m) {
  using array::accumulation;
  using array::reduction;
  bind_with_type<reduction::sum>(m, "sum", DPEP_WITH_TYPE("sum"), docs::sum);
  bind_with_type<reduction::prod>(m, "prod", DPEP_WITH_TYPE("prod"), docs::prod);
  bind_with_type<reduction::logsumexp>(m, "logsumexp", DPEP_WITH_TYPE("logsumexp"), docs::logsumexp);
  bind_with_type<reduction::hypot>(m, "reduce_hypot", DPEP_WITH_TYPE("reduce_hypot"), docs::reduce_hypot);
  bind_with_out<reduction::max>(m, "max", DPEP_WITH_OUT("max"), docs::max);
  bind_with_out<reduction::min>(m, "min", DPEP_WITH_OUT("min"), docs::min);
  bind_with_out<reduction::count_nonzero>(m, "count_nonzero", DPEP_WITH_OUT("count_nonzero"), docs::count_nonzero);
  bind_search<reduction::argmax>(m, "argmax", DPEP_SEARCH("argmax"), docs::argmax);
  bind_search<reduction::argmin>(m, "argmin", DPEP_SEARCH("argmin"), docs::argmin);
  bind_logical<reduction::all>(m, "all", DPEP_LOGICAL("all"), docs::all);
  bind_logical<reduction::any>(m, "any", DPEP_LOGICAL("any"), docs::any);
  m.def("mean", mean, nb::arg("x"), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false,
        nb::sig("def mean(x: usm_ndarray, " DPEP_AXES ", keepdims: bool = False) -> usm_ndarray"), docs::mean);
  bind_spread<reduction::variance>(m, "var", DPEP_SPREAD("var"), docs::var);
  bind_spread<reduction::deviation>(m, "std", DPEP_SPREAD("std"), docs::std);
  bind_accumulation<accumulation::sum>(m, "cumulative_sum", DPEP_ACCUMULATION("cumulative_sum"), docs::cumulative_sum);
  bind_accumulation<accumulation::prod>(m, "cumulative_prod", DPEP_ACCUMULATION("cumulative_prod"),
                                        docs::cumulative_prod);
  bind_accumulation<accumulation::logsumexp>(m, "cumulative_logsumexp", DPEP_ACCUMULATION("cumulative_logsumexp"),
                                             docs::cumulative_logsumexp);
}

}  // namespace dpep::python
