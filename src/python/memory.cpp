// dpctl.memory: MemoryUSMDevice, MemoryUSMShared, MemoryUSMHost and as_usm_memory.
#include "bindings.hpp"
#include "cuda_streams.hpp"
#include "enums.hpp"
#include "errors.hpp"
#include "host_bytes.hpp"
#include "usm_memory.hpp"

namespace dpep::python {

std::shared_ptr<void> owning(void *pointer, const context &home) {
  return {pointer, [home](void *p) noexcept {
            try {
              dpep::free(p, home);
            } catch (const exception &) {
              // someone else freed it, and destructors do not throw
            }
          }};
}

usm_memory allocate_memory(usm_kind kind, std::size_t bytes, std::size_t alignment, const queue &where) {
  usm_memory memory;
  memory.bytes = bytes;
  memory.kind = kind;
  memory.queue = where;
  {
    nb::gil_scoped_release unlocked;  // a full pool waits for pending work
    memory.pointer = allocate(kind, bytes, alignment, where.get_context(), where.get_device());
  }
  memory.owner = owning(memory.pointer, where.get_context());
  return memory;
}

nb::object to_python(usm_memory memory) {
  switch (memory.kind) {
  case usm_kind::device:
    return nb::cast(usm_device_memory{std::move(memory)});
  case usm_kind::shared:
    return nb::cast(usm_shared_memory{std::move(memory)});
  case usm_kind::host:
    return nb::cast(usm_host_memory{std::move(memory)});
  case usm_kind::unknown:
    break;
  }
  throw nb::value_error("the pointer is not USM memory of the context");
}

namespace {

usm_kind kind_from(std::string_view name) {
  for (usm_kind kind : {usm_kind::device, usm_kind::shared, usm_kind::host})
    if (name == name_of(kind)) return kind;
  throw value_error("USM type '" + std::string(name) + "' is not one of device, shared, host");
}

template <class T>
void construct(T *self, usm_kind kind, nb::handle other, Py_ssize_t alignment, nb::handle where, bool copy) {
  release_finished();
  if (alignment > 0 && (alignment & (alignment - 1)))
    throw value_error("alignment must be a power of two, got " + std::to_string(alignment));
  const auto align = static_cast<std::size_t>(alignment > 64 ? alignment : 64);
  if (!where.is_none() && !nb::isinstance<queue>(where))
    throw type_error("queue must be a dpctl.SyclQueue, got " + type_of(where));
  if (PyIndex_Check(other.ptr())) {
    const Py_ssize_t bytes = PyNumber_AsSsize_t(other.ptr(), PyExc_OverflowError);
    if (bytes == -1 && PyErr_Occurred()) throw nb::python_error();
    if (bytes <= 0) throw value_error("the number of bytes must be positive, got " + std::to_string(bytes));
    const queue q =
        !where.is_none() ? nb::cast<queue>(where) : creating(creation::device, [] { return cached_queue(device()); });
    new (self) T{allocate_memory(kind, static_cast<std::size_t>(bytes), align, q)};
    if (!where.is_none()) self->python_queue = nb::borrow(where);
    return;
  }
  usm_memory view;
  try {
    view = view_of(other);
  } catch (const nb::builtin_exception &e) {
    throw nb::value_error(e.what());  // a TypeError elsewhere, but this constructor's is a ValueError in dpctl
  }
  if (view.kind == kind) {
    new (self) T{std::move(view)};
  } else if (copy) {
    usm_memory fresh = allocate_memory(kind, view.bytes, align, where.is_none() ? view.queue : nb::cast<queue>(where));
    finish(fresh.queue, [&] { return fresh.queue.copy(fresh.pointer, view.pointer, view.bytes); });
    new (self) T{std::move(fresh)};
  } else {
    throw value_error(std::string("the memory is USM-") + name_of(view.kind) + ", not USM-" + name_of(kind) +
                      "; use copy=True to copy it");
  }
}

nb::object copy_to_host(const usm_memory &self, nb::handle destination) {
  nb::object into = destination.is_none()
                        ? nb::steal(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(self.bytes)))
                        : nb::borrow(destination);
  host_bytes bytes(into, true);
  if (bytes.size() < self.bytes)
    throw value_error("copy_to_host: the destination has " + std::to_string(bytes.size()) + " bytes, needs " +
                      std::to_string(self.bytes));
  finish(self.queue, [&] { return self.queue.copy(bytes.data(), self.pointer, self.bytes); });
  return into;
}

void copy_from_host(const usm_memory &self, nb::handle source) {
  host_bytes bytes(source, false);
  if (bytes.size() > self.bytes)
    throw value_error("copy_from_host: the source has " + std::to_string(bytes.size()) +
                      " bytes, the USM memory only " + std::to_string(self.bytes));
  finish(self.queue, [&] { return self.queue.copy(self.pointer, bytes.data(), bytes.size()); });
}

void copy_from_device(const usm_memory &self, nb::handle source) {
  const usm_memory from = view_of(source);
  if (from.bytes > self.bytes)
    throw value_error("copy_from_device: the source has " + std::to_string(from.bytes) +
                      " bytes, the destination only " + std::to_string(self.bytes));
  // a GPU's queue reaches the memory of CPUs, but not the other way round
  const queue &copying = self.queue.get_device().info().backend == backend_kind::native_cpu ? from.queue : self.queue;
  finish(copying, [&] { return copying.copy(self.pointer, from.pointer, from.bytes); });
}

void memset(const usm_memory &self, nb::handle value) {
  std::uint8_t byte;
  if (!PyIndex_Check(value.ptr())) throw type_error("memset: the value must be an int, got " + type_of(value));
  if (!nb::try_cast(value, byte))
    throw value_error("memset: the value must be from 0 to 255, got " + text_of(nb::repr(value)));
  finish(self.queue, [&] { return self.queue.fill(self.pointer, &byte, 1, self.bytes); });
}

nb::bytes tobytes(const usm_memory &self) {
  nb::bytes bytes = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(self.bytes)));
  if (!bytes.is_valid()) throw nb::python_error();
  finish(self.queue, [&] { return self.queue.copy(PyBytes_AS_STRING(bytes.ptr()), self.pointer, self.bytes); });
  return bytes;
}

/// The kind of the pointer as a context sees it.
usm_kind kind_in(const usm_memory &self, nb::handle where) {
  if (where.is_none()) return self.kind;
  if (!nb::isinstance<queue>(where) && !nb::isinstance<context>(where))
    throw type_error("get_usm_type: syclobj must be a SyclQueue or a SyclContext, got " + type_of(where));
  const auto home = find_allocation(self.pointer);
  return home && home->context == sycl_object_from(where).context ? home->kind : usm_kind::unknown;
}

/// dpctl's own numbers: neither ours nor those of sycl::usm::alloc, which begin with host.
int number_of(usm_kind kind) {
  switch (kind) {
  case usm_kind::device:
    return 1;
  case usm_kind::shared:
    return 2;
  case usm_kind::host:
    return 3;
  case usm_kind::unknown:
    break;
  }
  return 0;
}

nb::dict interface_of(const usm_memory &self) {
  nb::dict interface;
  interface["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(self.pointer), true);
  interface["shape"] = nb::make_tuple(self.bytes);
  interface["strides"] = nb::none();
  interface["typestr"] = "|u1";
  interface["version"] = 1;
  interface["syclobj"] = self.get_python_queue();
  return interface;
}

/// Memory that others use in CUDA's default stream: what they have put there is done before it is used again.
struct lent_memory {
  lent_memory(std::shared_ptr<void> owner, dpep::queue q) : owner(std::move(owner)), where(std::move(q)) {}
  lent_memory(const lent_memory &) = delete;
  ~lent_memory() {
    try {
      native::keep_in_stream(where.get_context(), where.get_device(), cuda_default_stream, std::move(owner));
    } catch (const exception &) {  // the device is lost, or the process ends
    }
  }

  std::shared_ptr<void> owner;
  const dpep::queue where;
};

/// The same for libraries that know CUDA, which tell by its absence that it is none of CUDA's memory.
nb::dict cuda_interface_of(usm_memory &self) {
  if (self.queue.get_device().info().backend != backend_kind::cuda)
    throw nb::attribute_error("the memory is none of CUDA's, so it has no __cuda_array_interface__");
  native::come_before(self.queue, cuda_default_stream);
  if (!self.lent && self.owner) {
    self.owner = std::make_shared<lent_memory>(std::move(self.owner), self.queue);
    self.lent = true;
  }
  nb::dict interface;
  interface["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(self.pointer), false);
  interface["shape"] = nb::make_tuple(self.bytes);
  interface["strides"] = nb::none();
  interface["typestr"] = "|u1";
  interface["version"] = 3;
  interface["stream"] = cuda_default_stream;
  return interface;
}

nb::object python_context(const usm_memory &self) { return self.get_python_queue().attr("sycl_context"); }

device device_of(const usm_memory &self) {
  return self.kind == usm_kind::host ? self.get_context().devices().at(0) : self.queue.get_device();
}

int get_buffer(PyObject *object, Py_buffer *view, int flags) {
  const auto &self = *nb::inst_ptr<usm_memory>(object);
  return PyBuffer_FillInfo(view, object, self.pointer, static_cast<Py_ssize_t>(self.bytes), 0, flags);
}

// `reference` may lead back to the memory object; the collector must see it.
int traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  if (!nb::inst_ready(object)) return 0;
  Py_VISIT(nb::inst_ptr<usm_memory>(object)->reference.ptr());
  Py_VISIT(nb::inst_ptr<usm_memory>(object)->python_queue.ptr());
  return 0;
}
int clear(PyObject *object) {
  nb::inst_ptr<usm_memory>(object)->reference.reset();
  nb::inst_ptr<usm_memory>(object)->python_queue.reset();
  return 0;
}

PyType_Slot private_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void *>(traverse)}, {Py_tp_clear, reinterpret_cast<void *>(clear)}, {0, nullptr}};
PyType_Slot host_visible_slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                                    {Py_tp_clear, reinterpret_cast<void *>(clear)},
                                    {Py_bf_getbuffer, reinterpret_cast<void *>(get_buffer)},
                                    {0, nullptr}};

template <class T> void bind_kind(nb::module_ &m, const char *name, usm_kind kind, const char *summary) {
  const std::string doc =
      std::string(summary) +
      "\n\n"
      "Parameters\n----------\n"
      "other : int or object\n"
      "    The number of bytes to allocate, or an object whose memory to use: another memory object\n"
      "    or one with `__sycl_usm_array_interface__`, of this kind of memory.\n"
      "alignment : int, optional\n    In bytes, a power of two; at least 64 is kept to.\n"
      "queue : SyclQueue, optional\n    Whose device and context to allocate for. Default: a queue of the default "
      "device.\n"
      "copy : bool, optional\n    Whether to copy memory of another kind rather than to refuse it.\n\n"
      "Raises\n------\n"
      "USMAllocationError\n    A MemoryError, when memory runs out.\n"
      "ValueError\n    For a size that is not positive, or an object that is no such memory.\n\n"
      "Examples\n--------\n"
      ">>> from dpctl.memory import " +
      name +
      "\n"
      ">>> m = " +
      name +
      "(4)\n"
      ">>> m.copy_from_host(b'abcd')\n"
      ">>> m.tobytes()\n"
      "b'abcd'";
  nb::class_<T, usm_memory> type(m, name, nb::is_weak_referenceable(), doc.c_str(),
                                 nb::type_slots(kind == usm_kind::device ? private_slots : host_visible_slots));
  type.def(
      "__init__",
      [kind](T *self, nb::handle other, Py_ssize_t alignment, nb::handle where, bool copy) {
        construct(self, kind, other, alignment, where, copy);
      },
      nb::arg("other").none(), "alignment"_a = 0, "queue"_a = nb::none(), "copy"_a = false,
      nb::sig(
          "def __init__(self, other: object, alignment: int = 0, queue: SyclQueue | None = None, copy: bool = False) "
          "-> None"));
  refuse_bare_objects(type, name);
}

void bind_pools(nb::module_ &m) {
  m.def(
      "memory_statistics",
      [](const context &where, const std::string &usm_type) {
        const memory_statistics now = statistics(where, kind_from(usm_type));
        nb::dict result;
        result["in_use"] = now.in_use;
        result["peak"] = now.peak;
        result["cached"] = now.cached;
        result["allocations"] = now.allocations;
        result["limit"] = now.limit;
        return result;
      },
      nb::arg("context"), nb::arg("usm_type") = "device",
      nb::sig("def memory_statistics(context: SyclContext, usm_type: str = 'device') -> dict[str, int]"),
      "Return what a context's pool of one kind of memory holds.\n\n"
      "Parameters\n----------\ncontext : dpctl.SyclContext\nusm_type : {'device', 'shared', 'host'}\n\n"
      "Returns\n-------\ndict\n"
      "    in_use, peak: bytes that the program holds, and the most that it held; cached: bytes kept for reuse;\n"
      "    allocations: how many there are; limit: bytes that in_use and cached may not pass together, 0 for none.");
  m.def(
      "set_memory_limit",
      [](const context &where, std::uint64_t limit, const std::string &usm_type) {
        set_limit(where, kind_from(usm_type), limit);
      },
      nb::arg("context"), nb::arg("limit"), nb::arg("usm_type") = "device",
      nb::sig("def set_memory_limit(context: SyclContext, limit: int, usm_type: str = 'device') -> None"),
      "Limit the bytes that a context's pool of one kind of memory takes; 0 for no limit. What would pass it is "
      "refused\n"
      "with dpctl.memory.USMAllocationError.");
  m.def(
      "trim_memory", [](const context &where) { return trim(where); }, nb::arg("context"),
      nb::call_guard<nb::gil_scoped_release>(), nb::sig("def trim_memory(context: SyclContext) -> int"),
      "Give memory that a context's pools keep for reuse back to the system; returns how many bytes. Waits for the "
      "work\n"
      "of queues that keep memory for their own.");
}

}  // namespace

void bind_memory(nb::module_ &m) {
  nb::class_<usm_memory> type(m, "_Memory", nb::is_weak_referenceable(), nb::type_slots(private_slots),
                              "What the three kinds of USM memory have in common.");
  type.def_ro("nbytes", &usm_memory::bytes, "Size in bytes.")
      .def_ro("size", &usm_memory::bytes, "Size in bytes.")
      .def("__len__", [](const usm_memory &self) { return self.bytes; })
      .def_prop_ro(
          "_pointer", [](const usm_memory &self) { return reinterpret_cast<std::uintptr_t>(self.pointer); },
          "Address of the first byte.")
      .def_prop_ro("sycl_queue", &usm_memory::get_python_queue, nb::sig("def sycl_queue(self) -> SyclQueue"),
                   "The queue that the memory was allocated with, and that copies of it use.")
      .def_prop_ro("_queue", &usm_memory::get_python_queue, nb::sig("def _queue(self) -> SyclQueue"))
      .def_prop_ro("sycl_context", python_context, nb::sig("def sycl_context(self) -> SyclContext"),
                   "The context that the memory belongs to.")
      .def_prop_ro("_context", python_context, nb::sig("def _context(self) -> SyclContext"))
      .def_prop_ro("sycl_device", device_of, "The device that the memory belongs to.")
      .def_prop_ro(
          "reference_obj",
          [](const usm_memory &self) { return self.reference.is_valid() ? self.reference : nb::none(); },
          nb::sig("def reference_obj(self) -> object"),
          "The foreign object that owns the memory; None when this object, or another memory object, does.")
      .def_prop_ro("__sycl_usm_array_interface__", interface_of,
                   nb::sig("def __sycl_usm_array_interface__(self) -> dict[str, object]"),
                   "The dictionary by which other packages use the memory without a copy.")
      .def_prop_ro("__cuda_array_interface__", cuda_interface_of,
                   nb::sig("def __cuda_array_interface__(self) -> dict[str, object]"),
                   "On CUDA's devices, the dictionary by which other libraries use the memory without a copy, after\n"
                   "what its queue was given to do so far. AttributeError elsewhere.")
      .def("copy_to_host", copy_to_host, "obj"_a = nb::none(),
           nb::sig("def copy_to_host(self, obj: object = None) -> object"),
           "Copy the bytes to host memory, and wait for it.\n\n"
           "Parameters\n----------\n"
           "obj : writable object with the buffer protocol, optional\n"
           "    Where to copy to: contiguous, and as large as the memory at least. Default: a new bytearray.\n\n"
           "Returns\n-------\nobject\n    `obj`, or the new bytearray.\n\n"
           "Raises\n------\nValueError\n    When `obj` is too small.\n\n"
           "Examples\n--------\n"
           ">>> from dpctl.memory import MemoryUSMDevice\n"
           ">>> m = MemoryUSMDevice(3)\n"
           ">>> m.memset(7)\n"
           ">>> m.copy_to_host()\n"
           "bytearray(b'\\x07\\x07\\x07')")
      .def("copy_from_host", copy_from_host, nb::arg("obj").none(),
           nb::sig("def copy_from_host(self, obj: object) -> None"),
           "Copy the bytes of an object with the buffer protocol into the start of the memory, and wait for it.\n\n"
           "Raises ValueError when the object is larger than the memory.")
      .def("copy_from_device", copy_from_device, nb::arg("sycl_usm_ary").none(),
           nb::sig("def copy_from_device(self, sycl_usm_ary: object) -> None"),
           "Copy other USM memory, or that of an object with `__sycl_usm_array_interface__`, into the start of this,\n"
           "and wait for it.\n\n"
           "Raises TypeError for other objects, and ValueError when the source is larger than the memory.")
      .def("memset", memset, "val"_a = 0, nb::sig("def memset(self, val: int = 0) -> None"),
           "Set every byte to a value from 0 to 255, and wait for it.")
      .def("tobytes", tobytes, "Return a copy of the memory as a bytes object.")
      .def("__bytes__", tobytes)
      .def(
          "get_usm_type", [](const usm_memory &self, nb::handle where) { return name_of(kind_in(self, where)); },
          "syclobj"_a = nb::none(),
          nb::sig("def get_usm_type(self, syclobj: SyclQueue | SyclContext | None = None) -> str"),
          "Return 'device', 'shared' or 'host'; 'unknown' to another context than the memory's.")
      .def(
          "get_usm_type_enum", [](const usm_memory &self, nb::handle where) { return number_of(kind_in(self, where)); },
          "syclobj"_a = nb::none(),
          nb::sig("def get_usm_type_enum(self, syclobj: SyclQueue | SyclContext | None = None) -> int"),
          "Return what `get_usm_type` does as a number: unknown 0, device 1, shared 2, host 3.")
      .def("__sizeof__", [](const usm_memory &self) { return sizeof(usm_memory) + self.bytes; })
      .def(
          "__reduce__",
          [](const usm_memory &self) {
            return nb::make_tuple(nb::module_::import_("dpctl.memory").attr("_to_memory"),
                                  nb::make_tuple(tobytes(self), name_of(self.kind)));
          },
          nb::sig("def __reduce__(self) -> tuple[object, tuple[bytes, str]]"))
      .def("__repr__", [](const usm_memory &self) {
        return format("<SYCL(TM) USM-{} allocation of {} bytes at {:#x}>", name_of(self.kind), self.bytes,
                      reinterpret_cast<std::uintptr_t>(self.pointer));
      });
  bind_kind<usm_device_memory>(m, "MemoryUSMDevice", usm_kind::device,
                               "USM memory of a device, which only kernels read and write.");
  bind_kind<usm_shared_memory>(m, "MemoryUSMShared", usm_kind::shared,
                               "USM memory that host and device share; the host sees it by the buffer protocol.");
  bind_kind<usm_host_memory>(m, "MemoryUSMHost", usm_kind::host,
                             "USM memory of the host that kernels can use; the host sees it by the buffer protocol.");
  m.def(
      "as_usm_memory",
      [](nb::handle object) {
        try {
          return to_python(view_of(object));
        } catch (const nb::builtin_exception &e) {
          throw nb::value_error(e.what());
        }
      },
      nb::arg("obj").none(),
      nb::sig("def as_usm_memory(obj: object) -> MemoryUSMDevice | MemoryUSMShared | MemoryUSMHost"),
      "Return a memory object of the fitting kind on the memory of `obj`, without a copy.\n\n"
      "Parameters\n----------\nobj : object\n    One with `__sycl_usm_array_interface__`.\n\n"
      "Raises\n------\nValueError\n    When it has none, or a wrong one.");
  m.def(
      "_to_memory",
      [](nb::bytes content, const std::string &kind) {
        usm_memory memory =
            allocate_memory(kind_from(kind), std::max<std::size_t>(content.size(), 1), 64, cached_queue(device()));
        memory.bytes = content.size();
        finish(memory.queue, [&] { return memory.queue.copy(memory.pointer, content.c_str(), content.size()); });
        return to_python(std::move(memory));
      },
      "Return new memory of a kind with this content; what unpickling calls.");
  bind_pools(m);
}

}  // namespace dpep::python
