// What programs may know and say about deferred work: how much there is, when it is done, and that there be none.
#include "functions.hpp"

namespace dpep::python {

void bind_pending_work(nb::module_ &m) {
  m.def(
      "evaluate_pending", [](const queue &q) { without_gil([&] { array::evaluate_pending(q); }); }, "queue"_a,
      "Submit all array work that is pending on a queue; whatever needs its results does this by itself.");
  m.def(
      "last_event", [](const queue &q) { return without_gil([&] { return array::last_event(q); }); }, "queue"_a,
      "Return the event after which all array work that was asked for so far on a queue is complete.");
  m.def(
      "order_after", [](const queue &q, const event &e) { without_gil([&] { array::order_after(q, e); }); }, "queue"_a,
      "event"_a, "Make array work that is asked for later on a queue wait for an event.");
  m.def(
      "pending_work",
      [](const queue &q) {
        const array::pending_work work = array::pending(q);
        return nb::make_tuple(work.nodes, work.bytes);
      },
      "queue"_a, nb::sig("def pending_work(queue: dpctl.SyclQueue) -> tuple[int, int]"),
      "Return how many operations are pending on a queue, and the bytes that they hold.");
  m.def("set_eager", array::set_eager, "eager"_a,
        "Compute every operation at its call, for debugging. The environment variable DPEP_EAGER=1 starts so.");
  m.def("eager", array::eager, "Return whether every operation is computed at its call.");
}

}  // namespace dpep::python
