// dpnp's reductions and accumulations, as functions and as methods of dpnp.ndarray.
//
// They differ from dpctl.tensor's in their arguments, which are NumPy's, and in `out`, which may have another dtype
// than the result.
#include <algorithm>

#include "functions.hpp"
#include "numpy_types.hpp"

namespace dpep::python {
namespace {

struct numpy_arguments {
  nb::handle axis = nb::none(), type = nb::none(), out = nb::none(), keep_dimensions = Py_False, initial = nb::none(),
             where = Py_True;
};

bool truth(nb::handle x) {
  const int answer = PyObject_IsTrue(x.ptr());
  if (answer < 0) throw nb::python_error();
  return answer;
}

/// The array `where`, a bool, an array of bools, or bools on the host; nothing for True.
std::optional<ndarray> selection(const char *function, const ndarray &a, nb::handle where) {
  if (where.ptr() == Py_True) [[likely]]
    return {};
  if (PyList_Check(where.ptr()) || PyTuple_Check(where.ptr()) || is_numpy_array(where.ptr())) {
    conversion to;
    to.queue = a.get_queue();
    return array_from(where, to);
  }
  if (const auto found = number_from(where.ptr()); found && found->value.what == array::scalar::kind::boolean)
    return array::full({}, found->value, dtype::boolean, array::common_placement({&a, 1}, function));
  return array_argument(where, function, "where");
}

/// The number `initial`, which may be the element of a 0-d array; nothing for None.
std::optional<array::scalar> initial_value(const char *function, nb::handle initial) {
  if (initial.is_none()) [[likely]]
    return {};
  if (is_array(initial.ptr()) && array_of(initial.ptr()).dimensions() == 0) {
    const nb::object number = number_of(initial, function);
    return scalar_argument(number, function, "initial");
  }
  return scalar_argument(initial, function, "initial");
}

/// NumPy's ComplexWarning for an output array of real numbers of a function whose result is complex.
void warn_of_real_out(const char *function, const ndarray &a, std::optional<dtype> type, const ndarray *out) {
  if (out) warn_of_lost_imaginary_part(function, type.value_or(a.type()), out->type());
}

bool keeps_complex(array::reduction how) {
  using enum array::reduction;
  return how == sum || how == prod || how == mean || how == max || how == min;
}

/// Returns `out`, or for None the result as a new dpnp.ndarray.
nb::object returned(ndarray result, nb::handle out) {
  return out.is_none() ? to_python(std::move(result), package::dpnp) : as_package(out, package::dpnp);
}

/// The axes to reduce. As in NumPy, a number has the axes 0 and -1, too, except for means.
std::optional<std::vector<int>> axes_of(array::reduction how, const ndarray &a, nb::handle given,
                                        const char *function) {
  if (a.dimensions() > 0 || given.is_none() || how == array::reduction::mean)
    return axes_from(given, a.dimensions(), function);
  static_cast<void>(axes_from(given, 1, function));
  return {};
}

/// A reduction; with `for_nan`, of the elements with that number in place of NaN.
nb::object reduced(array::reduction how, const char *function, nb::handle x, const numpy_arguments &given,
                   std::optional<double> for_nan = {}) {
  nb::object made;  // of a number, as in NumPy: sum(3)
  if (!is_array(x.ptr()) && number_from(x.ptr())) x = made = to_python(array_from(x), package::dpnp);
  const ndarray &a = array_argument(x, function, "a");
  const std::optional<ndarray> where = selection(function, a, given.where);
  const array::numpy_reduce_options options{
      .axes = axes_of(how, a, given.axis, function),
      .type = optional_dtype(given.type),
      .keep_dimensions = truth(given.keep_dimensions),
      .for_nan = for_nan,
      .out = optional_array(given.out, function, "out"),
      .where = where ? &*where : nullptr,
      .initial = initial_value(function, given.initial),
  };
  if (options.type) warn_of_lost_imaginary_part(function, a.type(), *options.type);
  if (keeps_complex(how)) warn_of_real_out(function, a, options.type, options.out);
  return returned(computing(a.size(), [&] { return array::numpy_reduce(how, a, options, function); }), given.out);
}

/// Binds a function to the module and, with the array as `self`, to dpnp.ndarray.
template <class F, class... More>
void bind_function_and_method(nb::module_ &m, const char *name, F &&function, const char *sig, const char *doc,
                              const More &...more) {
  m.def(name, function, nb::arg("a"), more..., nb::sig(sig), doc);
  const nb::handle type(reinterpret_cast<PyObject *>(types().of[static_cast<int>(package::dpnp)]));
  nb::cpp_function_def(function, nb::scope(type), nb::name(name), nb::is_method(), more..., doc);
}

/// Binds sum and prod.
template <array::reduction how>
void bind_with_type(nb::module_ &m, const char *name, const char *sig, const char *doc) {
  bind_function_and_method(
      m, name,
      [name](nb::handle a, nb::handle axis, nb::handle type, nb::handle out, nb::handle keepdims, nb::handle initial,
             nb::handle where) { return reduced(how, name, a, {axis, type, out, keepdims, initial, where}); },
      sig, doc, nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(), nb::arg("out") = nb::none(),
      nb::arg("keepdims") = false, nb::arg("initial") = nb::none(), nb::arg("where") = true);
}

/// Binds nansum and nanprod.
template <array::reduction how>
void bind_without_nan(nb::module_ &m, const char *name, double neutral, const char *sig, const char *doc) {
  m.def(
      name,
      [name, neutral](nb::handle a, nb::handle axis, nb::handle type, nb::handle out, nb::handle keepdims,
                      nb::handle initial, nb::handle where) {
        return reduced(how, name, a, {axis, type, out, keepdims, initial, where}, neutral);
      },
      nb::arg("a"), nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(), nb::arg("out") = nb::none(),
      nb::arg("keepdims") = false, nb::arg("initial") = nb::none(), nb::arg("where") = true, nb::sig(sig), doc);
}

/// Binds max and min.
template <array::reduction how> void bind_extreme(nb::module_ &m, const char *name, const char *sig, const char *doc) {
  bind_function_and_method(
      m, name,
      [name](nb::handle a, nb::handle axis, nb::handle out, nb::handle keepdims, nb::handle initial, nb::handle where) {
        return reduced(how, name, a, {axis, nb::none(), out, keepdims, initial, where});
      },
      sig, doc, nb::arg("axis") = nb::none(), nb::arg("out") = nb::none(), nb::arg("keepdims") = false,
      nb::arg("initial") = nb::none(), nb::arg("where") = true);
}

/// Binds all and any.
template <array::reduction how> void bind_logical(nb::module_ &m, const char *name, const char *sig, const char *doc) {
  bind_function_and_method(
      m, name,
      [name](nb::handle a, nb::handle axis, nb::handle out, nb::handle keepdims, nb::handle where) {
        return reduced(how, name, a, {axis, nb::none(), out, keepdims, nb::none(), where});
      },
      sig, doc, nb::arg("axis") = nb::none(), nb::arg("out") = nb::none(), nb::arg("keepdims") = false, nb::kw_only(),
      nb::arg("where") = true);
}

/// Binds argmax and argmin, which reduce one axis or all.
template <array::reduction how> void bind_search(nb::module_ &m, const char *name, const char *sig, const char *doc) {
  bind_function_and_method(
      m, name,
      [name](nb::handle a, nb::handle axis, nb::handle out, nb::handle keepdims) {
        array_argument(a, name, "a");
        if (!axis.is_none() && !PyIndex_Check(axis.ptr()))
          throw type_error(std::string(name) + ": axis must be an int or None, got " + type_of(axis));
        return reduced(how, name, a, {axis, nb::none(), out, keepdims});
      },
      sig, doc, nb::arg("axis") = nb::none(), nb::arg("out") = nb::none(), nb::kw_only(), nb::arg("keepdims") = false);
}

/// An accumulation, without an axis over the elements in row-major order; with `for_nan`, of the elements with that
/// number in place of NaN.
nb::object accumulated(array::accumulation how, const char *function, nb::handle x, nb::handle axis, nb::handle type,
                       nb::handle out, std::optional<double> for_nan = {}) {
  const ndarray &a = array_argument(x, function, "a");
  array::numpy_accumulate_options options{
      .axis = {}, .type = optional_dtype(type), .for_nan = for_nan, .out = optional_array(out, function, "out")};
  if (!axis.is_none()) options.axis = axis_from(axis, std::max(a.dimensions(), 1), function);
  if (options.type) warn_of_lost_imaginary_part(function, a.type(), *options.type);
  warn_of_real_out(function, a, options.type, options.out);
  return returned(computing(a.size(), [&] { return array::numpy_accumulate(how, a, options, function); }), out);
}

/// Binds cumsum and cumprod.
template <array::accumulation how>
void bind_accumulation(nb::module_ &m, const char *name, const char *sig, const char *doc) {
  bind_function_and_method(
      m, name,
      [name](nb::handle a, nb::handle axis, nb::handle type, nb::handle out) {
        return accumulated(how, name, a, axis, type, out);
      },
      sig, doc, nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(), nb::arg("out") = nb::none());
}

/// Binds an accumulation for the methods of ufuncs; NumPy has no function for it.
template <array::accumulation how> void bind_ufunc_accumulation(nb::module_ &m, const char *name, const char *sig) {
  m.def(
      name,
      [name](nb::handle a, nb::handle axis, nb::handle type) {
        return accumulated(how, name, a, axis, type, nb::none());
      },
      nb::arg("a"), nb::arg("axis"), nb::arg("dtype"), nb::sig(sig));
}

/// Binds nancumsum and nancumprod.
template <array::accumulation how>
void bind_accumulation_without_nan(nb::module_ &m, const char *name, double neutral, const char *sig, const char *doc) {
  m.def(
      name,
      [name, neutral](nb::handle a, nb::handle axis, nb::handle type, nb::handle out) {
        return accumulated(how, name, a, axis, type, out, neutral);
      },
      nb::arg("a"), nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(), nb::arg("out") = nb::none(),
      nb::sig(sig), doc);
}

}  // namespace

// Signatures, for stubs and help().
#define DPEP_SIGNATURE(name, parameters) "def " name "(a: ndarray | usm_ndarray, " parameters ") -> ndarray"
#define DPEP_WHERE "bool | ndarray | usm_ndarray"
#define DPEP_OUT "out: ndarray | usm_ndarray | None = None"
#define DPEP_WITH_TYPE(name)                                                                                           \
  DPEP_SIGNATURE(name,                                                                                                 \
                 DPEP_AXES ", dtype: object = None, " DPEP_OUT                                                         \
                           ", keepdims: bool = False, initial: complex | None = None, where: " DPEP_WHERE " = True")
#define DPEP_EXTREME(name)                                                                                             \
  DPEP_SIGNATURE(name,                                                                                                 \
                 DPEP_AXES ", " DPEP_OUT                                                                               \
                           ", keepdims: bool = False, initial: complex | None = None, where: " DPEP_WHERE " = True")
#define DPEP_LOGICAL(name)                                                                                             \
  DPEP_SIGNATURE(name, DPEP_AXES ", " DPEP_OUT ", keepdims: bool = False, *, where: " DPEP_WHERE " = True")
#define DPEP_SEARCH(name) DPEP_SIGNATURE(name, "axis: int | None = None, " DPEP_OUT ", *, keepdims: bool = False")
#define DPEP_ACCUMULATION(name) DPEP_SIGNATURE(name, "axis: int | None = None, dtype: object = None, " DPEP_OUT)

#define DPEP_DOC(what, more, code, shown)                                                                              \
  what "\n\n"                                                                                                          \
       "Parameters\n----------\n"                                                                                      \
       "a : ndarray or usm_ndarray\n    The array.\n" more                                                             \
       "out : ndarray, optional\n    Output array of the result's shape. The result is cast to its dtype.\n\n"         \
       "Raises\n------\n"                                                                                              \
       "TypeError\n    When `a` is not an array.\n"                                                                    \
       "numpy.exceptions.AxisError\n    For an axis that the array does not have.\n"                                   \
       "ValueError\n    When `out` has another shape.\n\n"                                                             \
       "Examples\n--------\n"                                                                                          \
       ">>> import dpnp as np\n>>> " code "\n" shown
#define DPEP_AXES_DOC "axis : int or tuple of int, optional\n    The axes to reduce; all when None.\n"
#define DPEP_AXIS_DOC "axis : int, optional\n    The axis; the flattened array when None.\n"
#define DPEP_TYPE_DOC "dtype : dtype, optional\n    Data type of the result and of the computation.\n"
#define DPEP_KEEP_DOC "keepdims : bool, optional\n    Whether the result keeps the reduced axes, with length 1.\n"
#define DPEP_INITIAL_DOC "initial : number, optional\n    A number that is reduced with the elements.\n"
#define DPEP_WHERE_DOC                                                                                                 \
  "where : bool or ndarray of bool, optional\n    The elements to reduce, broadcast to the array's shape.\n"
#define DPEP_EXTREME_DOC DPEP_INITIAL_DOC "    Needed with `where`, and for axes without elements.\n" DPEP_WHERE_DOC

void bind_dpnp_reductions(nb::module_ &m) {
  using array::accumulation;
  using array::reduction;
  bind_with_type<reduction::sum>(m, "sum", DPEP_WITH_TYPE("sum"),
                                 DPEP_DOC("Return the sum of elements over axes.",
                                          DPEP_AXES_DOC DPEP_TYPE_DOC DPEP_KEEP_DOC DPEP_INITIAL_DOC DPEP_WHERE_DOC,
                                          "np.sum(np.array([[1, 2], [3, 4]]), axis=0)", "array([4, 6])"));
  bind_with_type<reduction::prod>(m, "prod", DPEP_WITH_TYPE("prod"),
                                  DPEP_DOC("Return the product of elements over axes.",
                                           DPEP_AXES_DOC DPEP_TYPE_DOC DPEP_KEEP_DOC DPEP_INITIAL_DOC DPEP_WHERE_DOC,
                                           "np.prod(np.array([[1, 2], [3, 4]]), axis=1)", "array([ 2, 12])"));
  bind_extreme<reduction::max>(m, "max", DPEP_EXTREME("max"),
                               DPEP_DOC("Return the largest element over axes, or NaN if any element is.",
                                        DPEP_AXES_DOC DPEP_KEEP_DOC DPEP_EXTREME_DOC,
                                        "np.max(np.array([[1, 5], [3, 4]]), axis=0)", "array([3, 5])"));
  bind_extreme<reduction::min>(m, "min", DPEP_EXTREME("min"),
                               DPEP_DOC("Return the smallest element over axes, or NaN if any element is.",
                                        DPEP_AXES_DOC DPEP_KEEP_DOC DPEP_EXTREME_DOC,
                                        "np.min(np.array([[1, 5], [3, 4]]), axis=0)", "array([1, 4])"));
  bind_logical<reduction::all>(m, "all", DPEP_LOGICAL("all"),
                               DPEP_DOC("Return whether all elements over axes are true.",
                                        DPEP_AXES_DOC DPEP_KEEP_DOC DPEP_WHERE_DOC,
                                        "np.all(np.array([[1, 0], [3, 4]]), axis=0)", "array([ True, False])"));
  bind_logical<reduction::any>(m, "any", DPEP_LOGICAL("any"),
                               DPEP_DOC("Return whether any element over axes is true.",
                                        DPEP_AXES_DOC DPEP_KEEP_DOC DPEP_WHERE_DOC,
                                        "np.any(np.array([[0, 0], [3, 0]]), axis=0)", "array([ True, False])"));
  bind_search<reduction::argmax>(m, "argmax", DPEP_SEARCH("argmax"),
                                 DPEP_DOC("Return the index of the first largest element, or of the first NaN.",
                                          DPEP_AXIS_DOC DPEP_KEEP_DOC, "np.argmax(np.array([1, 5, 5]))", "array(1)"));
  bind_search<reduction::argmin>(m, "argmin", DPEP_SEARCH("argmin"),
                                 DPEP_DOC("Return the index of the first smallest element, or of the first NaN.",
                                          DPEP_AXIS_DOC DPEP_KEEP_DOC, "np.argmin(np.array([4, 1, 1]))", "array(1)"));
  const auto mean = [](nb::handle a, nb::handle axis, nb::handle type, nb::handle out, nb::handle keepdims,
                       nb::handle where) {
    return reduced(reduction::mean, "mean", a, {axis, type, out, keepdims, nb::none(), where});
  };
  bind_function_and_method(
      m, "mean", mean,
      DPEP_SIGNATURE("mean", DPEP_AXES ", dtype: object = None, " DPEP_OUT
                                       ", keepdims: bool = False, *, where: " DPEP_WHERE " = True"),
      DPEP_DOC("Return the mean of elements over axes.", DPEP_AXES_DOC DPEP_TYPE_DOC DPEP_KEEP_DOC DPEP_WHERE_DOC,
               "np.mean(np.array([[1, 2], [3, 4]]), axis=0)", "array([2., 3.])"),
      nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(), nb::arg("out") = nb::none(),
      nb::arg("keepdims") = false, nb::kw_only(), nb::arg("where") = true);
  bind_accumulation<accumulation::sum>(m, "cumsum", DPEP_ACCUMULATION("cumsum"),
                                       DPEP_DOC("Return the cumulative sums of elements.", DPEP_AXIS_DOC DPEP_TYPE_DOC,
                                                "np.cumsum(np.array([1, 2, 3]))", "array([1, 3, 6])"));
  bind_accumulation<accumulation::prod>(m, "cumprod", DPEP_ACCUMULATION("cumprod"),
                                        DPEP_DOC("Return the cumulative products of elements.",
                                                 DPEP_AXIS_DOC DPEP_TYPE_DOC, "np.cumprod(np.array([1, 2, 3]))",
                                                 "array([1, 2, 6])"));
  bind_ufunc_accumulation<accumulation::max>(m, "cumulative_max",
                                             DPEP_SIGNATURE("cumulative_max", "axis: int, dtype: object"));
  bind_ufunc_accumulation<accumulation::min>(m, "cumulative_min",
                                             DPEP_SIGNATURE("cumulative_min", "axis: int, dtype: object"));
  bind_without_nan<reduction::sum>(m, "nansum", 0, DPEP_WITH_TYPE("nansum"),
                                   DPEP_DOC("Return the sum over axes of elements that are not NaN.",
                                            DPEP_AXES_DOC DPEP_TYPE_DOC DPEP_KEEP_DOC DPEP_INITIAL_DOC DPEP_WHERE_DOC,
                                            "np.nansum(np.array([1.0, np.nan, 2.0]))", "array(3.)"));
  bind_without_nan<reduction::prod>(m, "nanprod", 1, DPEP_WITH_TYPE("nanprod"),
                                    DPEP_DOC("Return the product over axes of elements that are not NaN.",
                                             DPEP_AXES_DOC DPEP_TYPE_DOC DPEP_KEEP_DOC DPEP_INITIAL_DOC DPEP_WHERE_DOC,
                                             "np.nanprod(np.array([3.0, np.nan, 2.0]))", "array(6.)"));
  bind_accumulation_without_nan<accumulation::sum>(
      m, "nancumsum", 0, DPEP_ACCUMULATION("nancumsum"),
      DPEP_DOC("Return the cumulative sums of elements, with 0 for NaN.", DPEP_AXIS_DOC DPEP_TYPE_DOC,
               "np.nancumsum(np.array([1.0, np.nan, 2.0]))", "array([1., 1., 3.])"));
  bind_accumulation_without_nan<accumulation::prod>(
      m, "nancumprod", 1, DPEP_ACCUMULATION("nancumprod"),
      DPEP_DOC("Return the cumulative products of elements, with 1 for NaN.", DPEP_AXIS_DOC DPEP_TYPE_DOC,
               "np.nancumprod(np.array([3.0, np.nan, 2.0]))", "array([3., 3., 6.])"));
}

}  // namespace dpep::python
