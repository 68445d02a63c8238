// dpctl.SyclQueue.
#include "attributes.hpp"
#include "bindings.hpp"
#include "capsule.hpp"
#include "enums.hpp"
#include "errors.hpp"
#include "host_bytes.hpp"
#include "html.hpp"
#include "usm_memory.hpp"

#include <mutex>
#include <unordered_map>

#include <dpep/idle.hpp>
#include <dpep/native.hpp>

namespace dpep::python {
namespace {

void add_property(queue_options &options, nb::handle property) {
  int number;
  if (nb::isinstance<nb::str>(property)) {
    const std::string name = text_of(property);
    if (name == "default") return;
    if (name == "in_order") return void(options.in_order = true);
    if (name == "enable_profiling") return void(options.profiling = true);
  } else if (PyLong_Check(property.ptr()) && nb::try_cast(property, number) && number >= 0 && number <= 3) {
    options.profiling |= (number & 1) != 0;  // DPCTL_ENABLE_PROFILING
    options.in_order |= (number & 2) != 0;   // DPCTL_IN_ORDER
    return;
  }
  throw value_error("SyclQueue: property " + text_of(nb::repr(property)) +
                    " is not one of 'default', 'in_order', 'enable_profiling'");
}

queue_options options_from(nb::handle property) {
  queue_options options;
  if (property.is_none()) return options;
  if (PyList_Check(property.ptr()) || PyTuple_Check(property.ptr()))
    for (nb::handle one : nb::borrow<nb::sequence>(property)) add_property(options, one);
  else
    add_property(options, property);
  return options;
}

void construct(queue *self, nb::args arguments, nb::handle property) {
  const queue_options options = options_from(property);
  const auto make = [&](auto &&...from) { creating(creation::queue, [&] { new (self) queue(from..., options); }); };
  if (arguments.size() == 0) return creating(creation::queue, [&] { new (self) queue(device(), options); });
  const nb::object first = arguments[0];
  if (arguments.size() == 1) {
    if (nb::isinstance<nb::str>(first))
      return creating(creation::queue, [&] { new (self) queue(device(text_of(first)), options); });
    if (nb::isinstance<device>(first)) return make(nb::cast<device &>(first));
    if (nb::isinstance<queue>(first)) return void(new (self) queue(nb::cast<queue &>(first)));
    if (const queue *inside = consume_capsule<queue>(first, queue_capsule, used_queue_capsule))
      return void(new (self) queue(*inside));
    if (nb::isinstance<context>(first))
      throw nb::type_error("SyclQueue: a SyclContext must be given together with a SyclDevice");
  } else if (arguments.size() == 2 && nb::isinstance<context>(first) && nb::isinstance<device>(arguments[1])) {
    return make(nb::cast<context &>(first), nb::cast<device &>(arguments[1]));
  }
  std::string got;
  for (nb::handle a : arguments) got += (got.empty() ? "" : ", ") + type_of(a);
  throw type_error("SyclQueue: expected (), (filter string), (SyclDevice), (SyclContext, SyclDevice) or (capsule named "
                   "'SyclQueueRef'), got (" +
                   got + ")");
}

/// Source or destination of a copy: USM memory, or a locked buffer of host memory.
class operand {
public:
  operand(nb::handle object, const char *name, bool written) {
    if (nb::isinstance<usm_memory>(object)) {
      const auto &memory = nb::cast<usm_memory &>(object);
      data_ = memory.pointer;
      size_ = memory.bytes;
      object_ = nb::borrow(object);
    } else if (PyObject_CheckBuffer(object.ptr())) {
      bytes_.emplace(object, written);
      data_ = bytes_->data();
      size_ = bytes_->size();
    } else {
      throw type_error(std::string("Parameter `") + name +
                       "` must be a dpctl.memory._Memory or have the buffer protocol, got " + type_of(object));
    }
  }

  void *at_least(std::size_t count, const char *name) const {
    if (count > size_)
      throw value_error(std::string("`") + name + "` has " + std::to_string(size_) +
                        " bytes, fewer than the count of " + std::to_string(count));
    return data_;
  }
  std::shared_ptr<void> hold() && { return bytes_ ? std::move(*bytes_).hold() : python::hold(std::move(object_)); }

private:
  void *data_;
  std::size_t size_;
  nb::object object_;
  std::optional<host_bytes> bytes_;
};

std::size_t count_from(nb::handle count) {
  if (!PyIndex_Check(count.ptr())) throw type_error("count must be an int, got " + type_of(count));
  const Py_ssize_t value = PyNumber_AsSsize_t(count.ptr(), PyExc_OverflowError);
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  if (value < 0) {
    PyErr_SetString(PyExc_OverflowError, ("count must not be negative, got " + std::to_string(value)).c_str());
    throw nb::python_error();
  }
  return static_cast<std::size_t>(value);
}

void memcpy(const queue &self, nb::handle destination, nb::handle source, nb::handle count) {
  const operand to(destination, "dest", true), from(source, "src", false);
  const std::size_t bytes = count_from(count);
  finish(self, [&] { return self.copy(to.at_least(bytes, "dest"), from.at_least(bytes, "src"), bytes); });
}

event memcpy_async(const queue &self, nb::handle destination, nb::handle source, nb::handle count, nb::handle after) {
  operand to(destination, "dest", true), from(source, "src", false);
  const std::size_t bytes = count_from(count);
  const std::vector<event> dependencies = events_from(after, "dEvents");
  event done;
  {
    gil_release unlocked;  // a short copy runs in this thread
    done = self.copy(to.at_least(bytes, "dest"), from.at_least(bytes, "src"), bytes, dependencies);
  }
  done.keep_alive(std::move(to).hold());
  done.keep_alive(std::move(from).hold());
  release_finished();
  return done;
}

/// The memory and the number of bytes given to prefetch or mem_advise; a count of 0 means all bytes.
std::pair<const usm_memory &, std::size_t> range_of(nb::handle memory, nb::handle count, const char *operation) {
  if (!nb::isinstance<usm_memory>(memory))
    throw type_error(std::string(operation) + ": expected a dpctl.memory._Memory, got " + type_of(memory));
  const auto &m = nb::cast<const usm_memory &>(memory);
  const std::size_t bytes = count_from(count);
  if (bytes > m.bytes)
    throw value_error(std::string(operation) + ": the memory has " + std::to_string(m.bytes) +
                      " bytes, fewer than the count of " + std::to_string(bytes));
  return {m, bytes ? bytes : m.bytes};
}

void prefetch(const queue &self, nb::handle memory, nb::handle count) {
  const auto &[m, bytes] = range_of(memory, count, "prefetch");
  finish(self, [&] { return self.prefetch(m.pointer, bytes); });
}

void mem_advise(const queue &self, nb::handle memory, nb::handle count, int advice) {
  const auto &[m, bytes] = range_of(memory, count, "mem_advise");
  if (advice < 0 || advice > static_cast<int>(memory_advice::accessed_by))
    throw value_error(
        "mem_advise: advice must be 0 (reset), 1 (read mostly), 2 (preferred location) or 3 (accessed by), "
        "got " +
        std::to_string(advice));
  finish(self, [&] { return self.advise(m.pointer, bytes, static_cast<memory_advice>(advice)); });
}

event keep_args_alive(const queue &self, nb::object arguments, nb::handle after) {
  const std::vector<event> dependencies = events_from(after, "dEvents");
  event done;
  {
    gil_release unlocked;
    done = self.barrier(dependencies);
  }
  done.keep_alive(hold(std::move(arguments)));
  release_finished();
  return done;
}

nb::str represent(const queue &q) {
  std::string properties;
  if (q.options().in_order) properties += "'in_order'";
  if (q.options().profiling) properties += std::string(properties.empty() ? "" : ", ") + "'enable_profiling'";
  return format("<dpctl.SyclQueue at {:#x}{}>", reinterpret_cast<std::uintptr_t>(q.get()),
                properties.empty() ? "" : ", property=[" + properties + "]");
}

void wait(const queue &q) {
  if (is_idle(q))
    interrupts::wait_succeeded();
  else
    wait_interruptibly(q);
  release_finished();
}

void bind_commands(nb::class_<queue> &type) {
  attributes(type).method<wait>("wait", nb::sig("def wait(self) -> None"),
                                "Wait until all work submitted to the queue is complete.\n\n"
                                "Raises the first error of a task of the queue that was not raised yet.");
  type.def("memcpy", memcpy, nb::arg("dest").none(), nb::arg("src").none(), "count"_a,
           nb::sig("def memcpy(self, dest: object, src: object, count: int) -> None"),
           "Copy bytes between USM memory and host memory, in any direction. Waits for the copy.\n\n"
           "Parameters\n----------\n"
           "dest, src : dpctl.memory object, or object with the buffer protocol\n"
           "    Destination and source: contiguous, and `dest` writable.\n"
           "count : int\n    Number of bytes, from the beginning of both.\n\n"
           "Raises\n------\n"
           "TypeError\n    For other objects.\n"
           "ValueError\n    When one of them has fewer than `count` bytes.\n\n"
           "Examples\n--------\n"
           ">>> import dpctl, dpctl.memory\n"
           ">>> q = dpctl.SyclQueue()\n"
           ">>> m = dpctl.memory.MemoryUSMDevice(4, queue=q)\n"
           ">>> back = bytearray(4)\n"
           ">>> q.memcpy(m, b'data', 4)\n"
           ">>> q.memcpy(back, m, 4)\n"
           ">>> back\n"
           "bytearray(b'data')")
      .def("memcpy_async", memcpy_async, nb::arg("dest").none(), nb::arg("src").none(), "count"_a,
           nb::arg("dEvents").none() = nb::none(),
           nb::sig(
               "def memcpy_async(self, dest: object, src: object, count: int, dEvents: list[SyclEvent] | None = None) "
               "-> SyclEvent"),
           "Submit a copy as in `memcpy`, to run after the events of a list, and return its event.\n\n"
           "Both objects are kept alive, and their buffers locked, until the copy is complete.")
      .def("prefetch", prefetch, nb::arg("mem").none(), "count"_a = 0,
           nb::sig("def prefetch(self, mem: object, count: int = 0) -> None"),
           "Migrate USM-shared memory to the device: the first `count` bytes, or all for 0.")
      .def(
          "mem_advise", mem_advise, nb::arg("mem").none(), "count"_a, "advice"_a,
          nb::sig("def mem_advise(self, mem: object, count: int, advice: int) -> None"),
          "Advise how the first `count` bytes of USM-shared memory, or all for 0, will be used: 0 no advice, 1 mostly\n"
          "read, 2 preferably located on this device, 3 accessed by this device.")
      .def(
          "submit_barrier",
          [](const queue &q, nb::handle after) {
            const std::vector<event> dependencies = events_from(after, "submit_barrier: dependent_events");
            release_finished();
            gil_release unlocked;
            return q.barrier(dependencies);
          },
          nb::arg("dependent_events").none() = nb::none(),
          nb::sig("def submit_barrier(self, dependent_events: list[SyclEvent] | None = None) -> SyclEvent"),
          "Return an event that is complete when the events of a list are; without a list, when all work submitted\n"
          "to the queue so far is. Later tasks of the queue wait for it.")
      .def("_submit_keep_args_alive", keep_args_alive, "args"_a, "dEvents"_a,
           nb::sig("def _submit_keep_args_alive(self, args: object, dEvents: list[SyclEvent]) -> SyclEvent"),
           "Keep an object alive until the events are complete. Return the event of its release.");
}

/// The value of `__cuda_stream__`. AttributeError for other than CUDA queues: libraries test for the attribute.
nb::object cuda_stream(const queue &q) {
  if (q.get_device().info().backend != backend_kind::cuda)
    throw nb::attribute_error("__cuda_stream__: the queue's device is not a CUDA device");
  return nb::cpp_function([q] { return nb::make_tuple(0, native::stream_of(q)); });
}

nb::object python_device(const queue &q) { return python_object_of(q.get_device()); }

void bind_attributes(nb::class_<queue> &type) {
  constexpr auto device_of = [](const queue &q) -> const device & { return q.get_device(); };
  constexpr auto context_of = [](const queue &q) -> const context & { return q.get_context(); };
  attributes(type)
      .kept<python_context_of<queue>, context_of>("sycl_context", nb::sig("def sycl_context(self) -> SyclContext"),
                                                  "The queue's context.")
      .kept<python_device, device_of>("sycl_device", nb::sig("def sycl_device(self) -> SyclDevice"),
                                      "The queue's device.")
      .constant(
          "backend", device_of, [](const queue &q) { return to_python(q.get_device().info().backend); },
          "The back end, a `backend_type`.")
      .constant(
          "name", device_of, [](const queue &q) -> const std::string & { return q.get_device().info().name; },
          "Name of the queue's device.")
      .constant(
          "driver_version", device_of,
          [](const queue &q) -> const std::string & { return q.get_device().info().driver_version; },
          "Version of the driver of the queue's device.")
      .kept<[](const queue &q) { return q.options().in_order; }>(
          "is_in_order", nb::sig("def is_in_order(self) -> bool"),
          "Whether tasks run one after another, in the order of their submission.")
      .kept<[](const queue &q) { return q.options().profiling; }>("has_enable_profiling",
                                                                  nb::sig("def has_enable_profiling(self) -> bool"),
                                                                  "Whether events of the queue have execution times.")
      .add(
          "__cuda_stream__", cuda_stream, nb::sig("def __cuda_stream__(self) -> object"),
          "A function that returns (0, handle of a CUDA stream of the queue), for other libraries. Work in the stream\n"
          "runs after all work submitted so far. AttributeError unless the queue is on a CUDA device.")
      .method<python_context_of<queue>, context_of>(
          "get_sycl_context", nb::sig("def get_sycl_context(self) -> SyclContext"), "Return the queue's context.")
      .method<python_device, device_of>("get_sycl_device", nb::sig("def get_sycl_device(self) -> SyclDevice"),
                                        "Return the queue's device.");
  type.def(
          "print_device_info", [](nb::handle_t<queue> q) { q.attr("sycl_device").attr("print_device_info")(); },
          "Print name, driver version, vendor and filter string of the device.")
      .def(
          "_get_capsule", [](const queue &q) { return make_capsule(q, queue_capsule); },
          "Return a new capsule named 'SyclQueueRef' with this queue.")
      .def("__repr__", represent)
      .def("_repr_html_", [](const queue &q) { return html_of(q); });
}

}  // namespace

void finish(const queue &q, const event &done) {
  {
    gil_release unlocked;
    interrupts::finish_copy(done);
    q.throw_asynchronous();
  }
  release_finished();
}

const queue &cached_queue(const device &where) {
  // Never destroyed: memory objects refer to these queues until the process exits.
  static auto &all = *new std::unordered_map<device, queue>;
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  const auto found = all.find(where);
  return found != all.end() ? found->second : all.emplace(where, queue(where)).first->second;
}

void bind_queue(nb::module_ &m) {
  nb::class_<queue> type(
      m, "SyclQueue", nb::is_weak_referenceable(), nb::type_slots(identity_slots<queue>::all),
      "A queue, to which work for one device is submitted.\n\n"
      "Parameters\n----------\n"
      "*args\n"
      "    None: the default device. A filter selector string. A `SyclDevice`. A `SyclContext` and a\n"
      "    `SyclDevice` of it. A capsule named 'SyclQueueRef'.\n"
      "property : str, int, or list of them, optional\n"
      "    'in_order', 'enable_profiling', both in a list, or 'default' (neither).\n\n"
      "Raises\n------\n"
      "SyclQueueCreationError\n    When there is no such device, or it is not in the context.\n"
      "TypeError\n    For other arguments.\n"
      "ValueError\n    For an unknown property.\n\n"
      "Examples\n--------\n"
      ">>> import dpctl\n"
      ">>> q = dpctl.SyclQueue('cpu', property=['in_order', 'enable_profiling'])\n"
      ">>> q.is_in_order, q.has_enable_profiling\n"
      "(True, True)");
  type.def(
      "__init__", construct, "args"_a, "property"_a = nb::none(),
      nb::sig(
          "def __init__(self, *args: object, property: str | int | list[str | int] | tuple[str | int, ...] | None = "
          "None) -> None"));
  bind_attributes(type);
  bind_commands(type);
  bind_handle(type, "SyclQueue");
  m.def("_cached_queue", cached_queue, "device"_a, nb::rv_policy::copy, "Return the default queue of a device.");
}

}  // namespace dpep::python
