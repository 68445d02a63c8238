// What `python -m dpep doctor` asks the library: how each back end was looked for, and what came of it.
#include "bindings.hpp"

#include <dpep/kernel_cache.hpp>

namespace dpep::python {

void bind_doctor(nb::module_ &m) {
  m.def(
      "backend_reports",
      [] {
        nb::list reports;
        for (const backend_report &r : report_backends()) reports.append(nb::make_tuple(r.name, r.available, r.detail));
        return reports;
      },
      nb::sig("def backend_reports() -> list[tuple[str, bool, str]]"),
      "Return name, whether it is available, and details of each known back end.");
  m.def(
      "kernel_cache",
      [] {
        const kernel_cache_report report = report_kernel_cache();
        return nb::make_tuple(report.folder, report.untrusted_reason);
      },
      nb::sig("def kernel_cache() -> tuple[str, str]"),
      "Return the folder of compiled kernels (empty: none is wanted), and why it is not trusted (empty: it is).");
}

}  // namespace dpep::python
