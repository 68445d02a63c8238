// Reports for `python -m dpep doctor`: the search for each back end and its result, and the kernel cache.
#include "bindings.hpp"

#include <dpep/kernel_cache.hpp>
#include <dpep/libraries.hpp>

namespace dpep::python {

namespace {

nb::list list_of(const std::vector<backend_report> &all) {
  nb::list reports;
  for (const backend_report &r : all) reports.append(nb::make_tuple(r.name, r.available, r.detail));
  return reports;
}

}  // namespace

void bind_doctor(nb::module_ &m) {
  m.def(
      "backend_reports", [] { return list_of(report_backends()); },
      nb::sig("def backend_reports() -> list[tuple[str, bool, str]]"),
      "Return, for each known back end, its name, whether it is available, and details.");
  m.def(
      "library_reports", [] { return list_of(report_libraries()); },
      nb::sig("def library_reports() -> list[tuple[str, bool, str]]"),
      "Return the same for the libraries of mathematics that devices of this machine can use.");
  m.def(
      "kernel_cache",
      [] {
        const kernel_cache_report report = report_kernel_cache();
        return nb::make_tuple(report.folder, report.untrusted_reason);
      },
      nb::sig("def kernel_cache() -> tuple[str, str]"),
      "Return the folder of the kernel cache (empty when disabled), and the reason why it is refused (empty when it "
      "is\n"
      "used).");
}

}  // namespace dpep::python
