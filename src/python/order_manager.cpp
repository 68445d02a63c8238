// The order manager of a queue, of which dpctl.utils.SequentialOrderManager keeps one for each thread.
#include <algorithm>

#include <dpep/array_functions.hpp>

#include "attributes.hpp"
#include "bindings.hpp"

namespace dpep::python {
namespace {

using objects = std::vector<nb::object>;  // SyclEvent objects

bool is_complete(nb::handle e) { return nb::cast<const event &>(e).status() == event_status::complete; }

nb::list list_of(const objects &events) {
  nb::list list;
  for (const nb::object &e : events) list.append(e);
  return list;
}

objects objects_from(nb::handle x) {
  objects events;
  const auto add = [&](nb::handle e) {
    if (!nb::isinstance<event>(e))
      throw type_error("add_event_pair: expected dpctl.SyclEvent objects, got " + type_of(e));
    events.push_back(nb::borrow(e));
  };
  if (PyList_Check(x.ptr()) || PyTuple_Check(x.ptr())) {
    for (nb::handle e : nb::borrow<nb::sequence>(x)) add(e);
  } else {
    add(x);
  }
  return events;
}

void replace_complete(objects &events, const objects &added) {
  std::erase_if(events, [](const nb::object &e) { return is_complete(e); });
  events.insert(events.end(), added.begin(), added.end());
}

/// The incomplete events of a queue.
class order_manager {
public:
  explicit order_manager(const queue &q) : queue_(q) {}

  void add_event_pair(nb::handle host_task, nb::handle computation) {
    const objects host_tasks = objects_from(host_task), submitted = objects_from(computation);
    replace_complete(host_tasks_, host_tasks);
    replace_complete(submitted_, submitted);
    for (const nb::object &e : submitted) {
      const event &last = nb::cast<const event &>(e);
      gil_release unlocked;
      array::order_after(queue_, last);
    }
  }

  nb::list host_task_events() const { return list_of(host_tasks_); }

  nb::list submitted_events() const {
    nb::list list = list_of(submitted_);
    if (const event last = last_array_event(); last.status() != event_status::complete) list.append(nb::cast(last));
    return list;
  }

  std::size_t num_host_task_events() const { return host_tasks_.size(); }
  std::size_t num_submitted_events() const { return submitted_.size(); }

  void wait() {
    objects all = std::exchange(submitted_, {});
    all.insert(all.end(), host_tasks_.begin(), host_tasks_.end());
    host_tasks_.clear();
    std::vector<event> events;
    for (const nb::object &e : all) events.push_back(nb::cast<const event &>(e));
    wait_and_throw(events);
  }

private:
  event last_array_event() const {
    if (array::pending(queue_).nodes == 0) return array::last_submitted(queue_);
    gil_release unlocked;
    return array::last_event(queue_);
  }

  queue queue_;
  objects host_tasks_, submitted_;
};

/// The order managers of all queues, in a contextvars.ContextVar: one for each queue in each thread or asyncio task.
class order_managers {
public:
  order_managers() : managers_(nb::steal(PyContextVar_New("order_managers", nullptr))) {
    if (!managers_) throw nb::python_error();
  }

  nb::object of(nb::handle q) const {
    if (!nb::isinstance<queue>(q))
      throw type_error("SequentialOrderManager: expected a dpctl.SyclQueue, got " + type_of(q));
    nb::dict managers = of_context();
    PyObject *const found = PyDict_GetItemWithError(managers.ptr(), q.ptr());
    if (found) return nb::borrow(found);
    if (PyErr_Occurred()) throw nb::python_error();
    const nb::object made = nb::cast(order_manager(nb::cast<const queue &>(q)));
    managers[q] = made;
    return made;
  }

  void clear() const {
    nb::dict managers = of_context();
    for (nb::handle manager : managers.values()) nb::cast<order_manager &>(manager).wait();
    managers.clear();
  }

  static PyObject *subscript(PyObject *self, PyObject *q) noexcept {
    return guarded([&] { return nb::inst_ptr<order_managers>(self)->of(q).release().ptr(); });
  }

private:
  /// The dict of the current context, by queue.
  nb::dict of_context() const {
    PyObject *found = nullptr;
    if (PyContextVar_Get(managers_.ptr(), nullptr, &found) != 0) throw nb::python_error();
    if (found) return nb::steal<nb::dict>(found);
    const nb::dict made;
    if (!nb::steal(PyContextVar_Set(managers_.ptr(), made.ptr()))) throw nb::python_error();
    return made;
  }

  nb::object managers_;
};

PyType_Slot subscript_slots[] = {{Py_mp_subscript, reinterpret_cast<void *>(order_managers::subscript)}, {0, nullptr}};

}  // namespace

void bind_order_manager(nb::module_ &m) {
  nb::class_<order_manager> type(m, "_OrderManager", "The incomplete events of a queue.");
  const nb::sig host_tasks("def host_task_events(self) -> list[SyclEvent]"),
      submitted("def submitted_events(self) -> list[SyclEvent]");
  attributes(type)
      .add("host_task_events", &order_manager::host_task_events, host_tasks,
           "Incomplete events of host tasks that keep arguments alive.")
      .add("submitted_events", &order_manager::submitted_events, submitted,
           "Events on which the next task must depend, including that of array operations.")
      .add("num_host_task_events", &order_manager::num_host_task_events, "Length of `host_task_events`.")
      .add("num_submitted_events", &order_manager::num_submitted_events,
           "Number of events that were added to `submitted_events`.");
  type.def(nb::init<const queue &>(), "queue"_a)
      .def("add_event_pair", &order_manager::add_event_pair, nb::arg("host_task_event").none(),
           nb::arg("comp_event").none(),
           nb::sig("def add_event_pair(self, host_task_event: SyclEvent | list[SyclEvent], comp_event: SyclEvent | "
                   "list[SyclEvent]) -> None"),
           "Add the events of host tasks that keep arguments alive, and of the computations that use them.")
      .def("wait", &order_manager::wait, "Wait until all events are complete, and remove them.")
      .def("__copy__", [](const order_manager &self) { return self; });
  nb::class_<order_managers>(m, "_OrderManagers", nb::type_slots(subscript_slots),
                             "`SequentialOrderManager[queue]` is the order manager of a queue, one for each thread or "
                             "asyncio task.")
      .def("clear", &order_managers::clear, "Wait for the events of all queues, and remove the order managers.");
  m.attr("SequentialOrderManager") = nb::cast(order_managers());
}

}  // namespace dpep::python
