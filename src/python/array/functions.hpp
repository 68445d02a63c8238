// The functions of dpctl.tensor and dpnp by kinds: one bind_* each. They check nothing that the engine checks.
#pragma once

#include "arrays.hpp"

namespace dpep::python {

void bind_element_functions(nb::module_ &, package);
/// "dpnp.sqrt", "dpctl.tensor.sqrt": an element function's name; empty for everything else.
std::string element_function_name(PyObject *);
void bind_creation(nb::module_ &);
void bind_manipulation(nb::module_ &);
void bind_selection(nb::module_ &);
void bind_reductions(nb::module_ &);
void bind_types(nb::module_ &);
void bind_dpnp_array(nb::module_ &);       // what dpnp.ndarray has of its own
void bind_dpnp_reductions(nb::module_ &);  // and their methods
void bind_pending_work(nb::module_ &);     // for debugging and tests, on dpep._array itself

/// Parts of signatures that many functions share, for stubs and help().
#define DPEP_AXES "axis: int | tuple[int, ...] | None = None"
#define DPEP_PLACEMENT "device: object = None, usm_type: str = 'device', sycl_queue: dpctl.SyclQueue | None = None"
#define DPEP_PLACEMENT_LIKE                                                                                            \
  "device: object = None, usm_type: str | None = None, sycl_queue: dpctl.SyclQueue | None = None"

/// The GIL is let go of for arrays so large that other threads are worth it.
template <class F> auto computing(std::int64_t elements, F &&f) {
  constexpr std::int64_t large = 1 << 15;
  return elements < large ? f() : without_gil(f);
}

}  // namespace dpep::python
