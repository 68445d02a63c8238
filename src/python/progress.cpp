// What dpep.progress() shows: a look at what the process is busy with.
#include "bindings.hpp"

#include <dpep/progress.hpp>

namespace dpep::python {

void bind_progress(nb::module_ &m) {
  m.def(
      "activities",
      [] {
        std::vector<activity> all;
        {
          nb::gil_scoped_release unlocked;
          all = activities();
        }
        nb::list found;
        for (const activity &a : all) {
          const bool compiles = a.type == activity::kind::compilation;
          const double seconds =
              compiles ? std::chrono::duration<double>(std::chrono::steady_clock::now() - a.since).count() : 0;
          found.append(nb::make_tuple(compiles ? "compilation" : "queue", a.id, a.name, a.stage, a.done, a.total, a.fraction,
                                      seconds));
        }
        return found;
      },
      nb::sig("def activities() -> list[tuple[str, int, str, str, int, int, float, float]]"),
      "Return what the process is busy with: compilations, and queues of CPU devices that have work.\n\n"
      "Each is 'compilation' or 'queue', a number that stays, the kernel's name, the compilation's stage, how much is\n"
      "done and of how much (stages; submissions since the queue was made), the part of the queue's first unfinished\n"
      "submission that is done, and the seconds since the compilation began.");
}

}  // namespace dpep::python
