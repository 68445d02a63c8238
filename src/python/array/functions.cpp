// The submodules of dpep._array: `tensor`, `linalg` and `fft` with dpctl.tensor's functions, `dpnp` with those of dpnp
// that differ, `special` with those of dpnp.scipy.special, `sparse` with those behind dpnp.scipy.sparse.
#include "functions.hpp"

namespace dpep::python {

nb::object result_class(std::string_view name) {
  struct result_fields {
    const char *name, *fields, *module;
    PyObject *made = nullptr;
  };
  static result_fields classes[] = {{"EigResult", "eigenvalues eigenvectors", "dpctl.tensor.linalg"},
                                    {"EighResult", "eigenvalues eigenvectors", "dpctl.tensor.linalg"},
                                    {"QRResult", "Q R", "dpctl.tensor.linalg"},
                                    {"SVDResult", "U S Vh", "dpctl.tensor.linalg"},
                                    {"SlogdetResult", "sign logabsdet", "dpctl.tensor.linalg"},
                                    {"TopKResult", "values indices", "dpctl.tensor"},
                                    {"UniqueAllResult", "values indices inverse_indices counts", "dpctl.tensor"},
                                    {"UniqueCountsResult", "values counts", "dpctl.tensor"},
                                    {"UniqueInverseResult", "values inverse_indices", "dpctl.tensor"}};
  for (result_fields &each : classes) {
    if (each.name != name) continue;
    if (!each.made) {
      const nb::object make = nb::module_::import_("collections").attr("namedtuple");
      nb::object made = make(each.name, each.fields, nb::arg("module") = each.module);
      if (!each.made) each.made = made.release().ptr();  // another thread may have made it meanwhile
    }
    return nb::borrow(each.made);
  }
  return {};
}

void bind_array_functions(nb::module_ &m) {
  nb::module_ tensor = m.def_submodule("tensor", "The functions of dpctl.tensor that are bound directly.");
  tensor.attr("__name__") = "dpctl.tensor";  // the public module, for help() and pickles
  bind_element_functions(tensor, package::dpctl);
  bind_creation(tensor);
  bind_manipulation(tensor);
  bind_selection(tensor);
  bind_mask_functions(tensor);
  bind_products(tensor);
  bind_reductions(tensor);
  bind_sorting(tensor);
  bind_sets(tensor);
  bind_types(tensor);
  nb::module_ linalg = m.def_submodule("linalg", "The functions of dpctl.tensor.linalg that are bound directly.");
  linalg.attr("__name__") = "dpctl.tensor.linalg";
  bind_linear_algebra(linalg);
  nb::module_ fft = m.def_submodule("fft", "The functions of dpctl.tensor.fft.");
  fft.attr("__name__") = "dpctl.tensor.fft";
  bind_fourier(fft);
  nb::module_ dpnp = m.def_submodule("dpnp", "The functions of dpnp that are bound directly.");
  dpnp.attr("__name__") = "dpnp";
  bind_element_functions(dpnp, package::dpnp);
  nb::module_ special = m.def_submodule("special", "The functions of dpnp.scipy.special that are bound directly.");
  special.attr("__name__") = "dpnp.scipy.special";
  bind_special_functions(special);
  nb::module_ sparse = m.def_submodule("sparse", "The engine's functions behind dpnp.scipy.sparse.");
  bind_sparse(sparse);
  bind_dpnp_array(dpnp);
  bind_dpnp_arguments(dpnp);
  bind_dpnp_selection(dpnp);
  bind_dpnp_sets(dpnp);
  bind_dpnp_histograms(dpnp);
  bind_dpnp_statistics(dpnp);
  bind_dpnp_signals(dpnp);
  bind_dpnp_filters(dpnp);
  bind_dpnp_folds(dpnp);
  bind_dpnp_reductions(dpnp);
  bind_multi_index(m);
  bind_random(m);
  bind_pending_work(m);
  bind_host_access(m);
  bind_placement(m);
}

}  // namespace dpep::python
