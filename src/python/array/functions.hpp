// The functions of dpctl.tensor and dpnp: a bind_* function for each group. They leave to the engine all
// checks that it can do.
#pragma once

#include "arrays.hpp"

namespace dpep::python {

void bind_element_functions(nb::module_ &, package);
/// dpnp's functions whose names begin with "scipy.special.".
void bind_special_functions(nb::module_ &);
/// The qualified name of an element function, such as "dpnp.sqrt"; empty for other objects.
std::string element_function_name(PyObject *);
/// The operation of an element function with one result; nothing for other objects.
std::optional<array::opcode> operation_of(PyObject *) noexcept;
/// TypeError for an argument of dpnp's functions that is not an array.
void check_array(const char *function, nb::handle x);
/// TypeError for an argument of dpnp's functions that is neither an array nor a number.
void check_number(const char *function, nb::handle x);
/// The memory order of a result. As in dpctl's element functions, an unknown order is not an error.
array::order lenient_order(nb::handle);
/// NotImplementedError for a keyword of NumPy's that only supports its default value.
void check_default(const char *function, const char *keyword, PyObject *given, PyObject *standard);
void bind_creation(nb::module_ &);
void bind_manipulation(nb::module_ &);
void bind_selection(nb::module_ &);
void bind_mask_functions(nb::module_ &);
void bind_products(nb::module_ &);
void bind_reductions(nb::module_ &);
void bind_sorting(nb::module_ &);
void bind_sets(nb::module_ &);
void bind_linear_algebra(nb::module_ &);  // in a module of its own
void bind_fourier(nb::module_ &);         // in a module of its own
void bind_sparse(nb::module_ &);          // in a module of its own
void bind_types(nb::module_ &);
void bind_dpnp_array(nb::module_ &);      // methods of dpnp.ndarray that usm_ndarray does not have
void bind_dpnp_arguments(nb::module_ &);  // checks of arguments for dpnp's functions in Python
void bind_dpnp_selection(nb::module_ &);
void bind_dpnp_sets(nb::module_ &);
void bind_dpnp_histograms(nb::module_ &);
void bind_dpnp_statistics(nb::module_ &);
void bind_dpnp_signals(nb::module_ &);
void bind_dpnp_filters(nb::module_ &);
void bind_dpnp_folds(nb::module_ &);
void bind_dpnp_reductions(nb::module_ &);  // functions of dpnp and methods of dpnp.ndarray
void bind_multi_index(nb::module_ &);      // for dpctl.tensor._copy_utils, in dpep._array itself
void bind_random(nb::module_ &);           // the generator behind dpnp.random, in dpep._array itself
void bind_pending_work(nb::module_ &);     // for debugging and tests, in dpep._array itself
void bind_host_access(nb::module_ &);      // for dpep.options, in dpep._array itself
void bind_placement(nb::module_ &);        // for functions written in Python, in dpep._array itself

/// Parts of signatures of many functions, for stubs and help().
#define DPEP_AXES "axis: int | tuple[int, ...] | None = None"
#define DPEP_PLACEMENT "device: object = None, usm_type: str = 'device', sycl_queue: dpctl.SyclQueue | None = None"
#define DPEP_PLACEMENT_LIKE                                                                                            \
  "device: object = None, usm_type: str | None = None, sycl_queue: dpctl.SyclQueue | None = None"

/// Values to store in an array, as an array on its queue: an array, a number, which gets its dtype, or an object that
/// asarray() accepts. TypeError for other objects.
ndarray values_for(const ndarray &to, nb::handle values, const char *function);
/// The namedtuple class of a function's results, such as "TopKResult", made when it is first used; null if there is no
/// such class.
nb::object result_class(std::string_view name);

/// Runs a function, without the GIL for arrays so large that other threads gain more than that costs.
template <class F> auto computing(std::int64_t elements, F &&f) {
  constexpr std::int64_t large = 1 << 15;
  return elements < large ? f() : without_gil(f);
}

}  // namespace dpep::python
