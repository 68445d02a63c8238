// The activities of the process that dpep.progress() shows: compilations and busy queues.
#include "bindings.hpp"

#include <dpep/progress.hpp>

namespace dpep::python {

void bind_progress(nb::module_ &m) {
  m.def(
      "activities",
      [] {
        std::vector<activity> all;
        {
          gil_release unlocked;
          all = activities();
        }
        nb::list found;
        for (const activity &a : all) {
          const bool compiles = a.type == activity::kind::compilation;
          const double seconds =
              compiles ? std::chrono::duration<double>(std::chrono::steady_clock::now() - a.since).count() : 0;
          found.append(nb::make_tuple(compiles ? "compilation" : "queue", a.id, a.name, a.stage, a.done, a.total,
                                      a.fraction, seconds));
        }
        return found;
      },
      nb::sig("def activities() -> list[tuple[str, int, str, str, int, int, float, float]]"),
      "Return the current compilations, and the queues of CPU devices that have work.\n\n"
      "Each item is a tuple: 'compilation' or 'queue'; a number that identifies it; the kernel's name; the "
      "compilation's\n"
      "stage; the numbers of complete and of all stages, or of submissions since the queue was created; the complete\n"
      "fraction of the queue's first incomplete submission; the seconds since the compilation started.");
}

}  // namespace dpep::python
