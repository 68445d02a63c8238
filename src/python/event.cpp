// dpctl.SyclEvent.
#include "attributes.hpp"
#include "bindings.hpp"
#include "capsule.hpp"
#include "enums.hpp"
#include "keep_alive.hpp"

namespace dpep::python {
namespace {

void construct(event *self, nb::handle from) {
  if (from.is_none())
    new (self) event();
  else if (nb::isinstance<event>(from))
    new (self) event(nb::cast<event &>(from));
  else if (const event *inside = consume_capsule<event>(from, event_capsule, used_event_capsule))
    new (self) event(*inside);
  else
    throw type_error("SyclEvent: expected nothing, a SyclEvent or a capsule named 'SyclEventRef', got " +
                     type_of(from));
}

void wait_for(nb::handle events) {
  std::vector<event> all;
  if (nb::isinstance<event>(events))
    all.push_back(nb::cast<event>(events));
  else
    all = events_from(events, "wait_for: events");
  wait_and_throw(all);
}

template <std::uint64_t event_times::*Time> std::uint64_t time(const event &e) {
  gil_release unlocked;
  e.wait();  // as in SYCL, the query blocks until the time is known
  return e.times().*Time;
}

}  // namespace

void wait_and_throw(std::span<const event> events) {
  wait_interruptibly(event_list{events});
  release_finished();
  for (const event &e : events) e.wait_and_throw();
}

std::vector<event> events_from(nb::handle x, const char *argument) {
  std::vector<event> events;
  if (x.is_none()) return events;
  if (!PyList_Check(x.ptr()) && !PyTuple_Check(x.ptr()))
    throw type_error(std::string(argument) + " must be a list or tuple of dpctl.SyclEvent, got " + type_of(x));
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(x.ptr()); ++i) {
    const nb::handle item = PySequence_Fast_GET_ITEM(x.ptr(), i);
    if (!nb::isinstance<event>(item))
      throw type_error(std::string(argument) + " must contain only dpctl.SyclEvent objects, got " + type_of(item));
    events.push_back(nb::cast<event>(item));
  }
  return events;
}

void bind_event(nb::module_ &m) {
  nb::class_<event> type(m, "SyclEvent", nb::is_weak_referenceable(), nb::type_slots(identity_slots<event>::all),
                         "The status and the execution times of a submitted task.\n\n"
                         "Parameters\n----------\n"
                         "arg : SyclEvent or capsule, optional\n"
                         "    Another event, or a capsule named 'SyclEventRef'. Default: a complete event.\n\n"
                         "Raises\n------\nTypeError\n    For other objects.\n\n"
                         "Examples\n--------\n"
                         ">>> import dpctl\n"
                         ">>> q = dpctl.SyclQueue(property='enable_profiling')\n"
                         ">>> e = q.submit_barrier()\n"
                         ">>> e.wait()\n"
                         ">>> e.execution_status\n"
                         "event_status_type.complete\n"
                         ">>> e.profiling_info_submit <= e.profiling_info_start <= e.profiling_info_end\n"
                         "True");
  attributes(type)
      .add(
          "execution_status", [](const event &e) { return to_python(e.status()); },
          "Status of the task, an `event_status_type`.")
      .add(
          "backend", [](const event &e) { return to_python(e.backend()); }, "The back end, a `backend_type`.")
      .add("profiling_info_submit", time<&event_times::submit>,
           "Time of the task's submission in nanoseconds. Waits for the task.\n\n"
           "Raises ValueError unless the queue was created with 'enable_profiling'.")
      .add("profiling_info_start", time<&event_times::start>,
           "Time of the task's start in nanoseconds. Waits for the task.\n\n"
           "Raises ValueError unless the queue was created with 'enable_profiling'.")
      .add("profiling_info_end", time<&event_times::end>,
           "Time of the task's end in nanoseconds. Waits for the task.\n\n"
           "Raises ValueError unless the queue was created with 'enable_profiling'.");
  type.def("__init__", construct, "arg"_a = nb::none(), nb::sig("def __init__(self, arg: object = None) -> None"))
      .def(
          "wait",
          [](const event &e) {
            wait_interruptibly(e);
            release_finished();
            e.wait_and_throw();
          },
          "Wait until the task is complete. Raises errors of its queue that were not raised yet.")
      .def_static("wait_for", wait_for, nb::arg("event").none(),
                  nb::sig("def wait_for(event: SyclEvent | list[SyclEvent] | tuple[SyclEvent, ...]) -> None"),
                  "Wait until an event, or all events of a list, are complete. Raises the same errors as `wait`.")
      .def("get_wait_list", &event::wait_list,
           "Return the events on which this one depends and which are not complete.")
      .def(
          "_get_capsule", [](const event &e) { return make_capsule(e, event_capsule); },
          "Return a new capsule named 'SyclEventRef' with this event.")
      .def("__repr__", [](const event &e) {
        return format("<dpctl.SyclEvent [{}] at {:#x}>", nb::cast(to_python(e.status())).attr("name"),
                      reinterpret_cast<std::uintptr_t>(e.get()));
      });
  bind_handle(type, "SyclEvent");
  const nb::object made = nb::cast(event());
  if (constructed<event>(made.ptr()) != nb::inst_ptr<event>(made))
    throw std::logic_error("dpep was built with a version of nanobind whose instances it does not know");
}

}  // namespace dpep::python
