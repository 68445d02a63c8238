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
        nb::dict result;
        result["operations"] = work.nodes;
        result["held"] = work.bytes;
        result["limit"] = work.limit;
        return result;
      },
      "queue"_a, nb::sig("def pending_work(queue: dpctl.SyclQueue) -> dict[str, int]"),
      "Return statistics of a queue's array operations that are not computed yet.\n\n"
      "Parameters\n----------\nqueue : dpctl.SyclQueue\n    The queue.\n\n"
      "Returns\n-------\ndict\n"
      "    'operations': their number; 'held': bytes of memory that they keep alive, because they read it; 'limit': "
      "the\n"
      "    limit of 'held'.\n\n"
      "Examples\n--------\n"
      ">>> import dpep, dpctl.tensor as dpt\n"
      ">>> x = dpt.ones(100_000)\n"
      ">>> y = x + 1\n"
      ">>> dpep.pending_work(x.sycl_queue)['operations'] > 0\n"
      "True");
  m.def("set_pending_limit", &array::set_pending_limit, "queue"_a, "limit"_a,
        nb::sig("def set_pending_limit(queue: dpctl.SyclQueue, limit: int) -> None"),
        "Limit the bytes of memory that a queue's pending array operations keep alive. Beyond it they are computed.\n\n"
        "Parameters\n----------\nqueue : dpctl.SyclQueue\n    The queue.\n"
        "limit : int\n"
        "    The limit in bytes; 0 for the default, a quarter of the device's memory. The default has an effect only\n"
        "    while half of that memory is in use.");
  m.def("set_eager", array::set_eager, "eager"_a,
        "Set whether operations run at their calls, for debugging. The environment variable DPEP_EAGER=1 sets the "
        "initial value.");
  m.def("eager", array::eager, "Return whether operations run at their calls.");
}

}  // namespace dpep::python
