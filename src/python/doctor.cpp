// What `python -m dpep doctor` asks the library: how each back end was looked for, and what came of it.
#include "bindings.hpp"

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
}

}  // namespace dpep::python
