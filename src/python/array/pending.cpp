// Control of deferred array operations: their number, submission, completion events and order, and the eager mode.
#include "functions.hpp"

namespace dpep::python {

void bind_pending_work(nb::module_ &m) {
  m.def(
      "evaluate_pending", [](const queue &q) { without_gil([&] { array::evaluate_pending(q); }); }, "queue"_a,
      "Submit all pending array operations of a queue. Reading the results does this implicitly.");
  m.def(
      "last_event", [](const queue &q) { return without_gil([&] { return array::last_event(q); }); }, "queue"_a,
      "Return an event that is complete when all array operations called so far on a queue are complete.");
  m.def(
      "order_after", [](const queue &q, const event &e) { without_gil([&] { array::order_after(q, e); }); }, "queue"_a,
      "event"_a, "Make later array operations on a queue wait for an event.");
  m.def(
      "pending_work",
      [](const queue &q) {
        const array::pending_work work = array::pending(q);
        return nb::make_tuple(work.nodes, work.bytes);
      },
      "queue"_a, nb::sig("def pending_work(queue: dpctl.SyclQueue) -> tuple[int, int]"),
      "Return the number of pending operations of a queue, and the bytes of memory that they keep alive.");
  m.def("set_eager", array::set_eager, "eager"_a,
        "Set whether operations run at their calls, for debugging. The environment variable DPEP_EAGER=1 sets the "
        "initial value.");
  m.def("eager", array::eager, "Return whether operations run at their calls.");
}

}  // namespace dpep::python
