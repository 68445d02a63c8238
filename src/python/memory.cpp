// dpctl.memory: MemoryUSMDevice, MemoryUSMShared, MemoryUSMHost and as_usm_memory.
#include <dpep/idle.hpp>

#include "attributes.hpp"
#include "bindings.hpp"
#include "cuda_streams.hpp"
#include "enums.hpp"
#include "errors.hpp"
#include "host_bytes.hpp"
#include "usm_memory.hpp"

namespace dpep::python {

namespace {

class usm_allocation {
public:
  usm_allocation(void *pointer, const context &home) noexcept : pointer_(pointer), home_(home) {}
  usm_allocation(const usm_allocation &) = delete;
  ~usm_allocation() {
    try {
      dpep::free(pointer_, home_);
    } catch (const exception &) {
      // the program has freed it already; destructors do not throw
    }
  }

private:
  void *pointer_;
  context home_;
};

}  // namespace

std::shared_ptr<void> owning(void *pointer, const context &home) {
  return {std::make_shared<usm_allocation>(pointer, home), pointer};
}

usm_memory allocate_memory(usm_kind kind, std::size_t bytes, std::size_t alignment, const queue &where) {
  usm_memory memory;
  memory.bytes = bytes;
  memory.kind = kind;
  memory.queue = where;
  if (alignment <= 64) memory.pointer = allocate_from_cache(kind, bytes, where.get_context(), where.get_device());
  if (!memory.pointer) {
    gil_release unlocked;  // the allocation waits for pending work when the pool is full
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

usm_kind usm_kind_from(std::string_view name) {
  for (usm_kind kind : {usm_kind::device, usm_kind::shared, usm_kind::host})
    if (name == name_of(kind)) return kind;
  throw value_error("usm_type '" + std::string(name) + "' is not one of device, shared, host");
}

std::size_t alignment_from(std::int64_t alignment) {
  if (alignment > 0 && (alignment & (alignment - 1)))
    throw value_error("alignment must be a power of two, got " + std::to_string(alignment));
  return static_cast<std::size_t>(std::max<std::int64_t>(alignment, 64));
}

namespace {

template <class T>
void construct(T *self, usm_kind kind, nb::handle other, Py_ssize_t alignment, nb::handle where, bool copy) {
  release_finished();
  const std::size_t align = alignment_from(alignment);
  if (!where.is_none() && !nb::isinstance<queue>(where))
    throw type_error("queue must be a dpctl.SyclQueue, got " + type_of(where));
  // Arrays have __index__, too.
  const bool is_size = PyLong_CheckExact(other.ptr()) ||
                       (PyIndex_Check(other.ptr()) && !nb::hasattr(other, "__sycl_usm_array_interface__"));
  if (is_size) {
    const Py_ssize_t bytes = PyNumber_AsSsize_t(other.ptr(), PyExc_OverflowError);
    if (bytes == -1 && PyErr_Occurred()) throw nb::python_error();
    if (bytes <= 0) throw value_error("the number of bytes must be positive, got " + std::to_string(bytes));
    const queue &q = !where.is_none()
                         ? nb::cast<queue &>(where)
                         : creating(creation::device, []() -> const queue & { return cached_queue(device()); });
    new (self) T{allocate_memory(kind, static_cast<std::size_t>(bytes), align, q)};
    if (!where.is_none()) self->python_queue = nb::borrow(where);
    return;
  }
  usm_memory view;
  try {
    view = view_of(other);
  } catch (const nb::builtin_exception &e) {
    throw nb::value_error(e.what());  // dpctl's constructor raises ValueError instead of TypeError
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

/// The call of a memory type, `MemoryUSMDevice(80, queue=q)`. nanobind's takes as long as the allocation, so this one
/// handles an int and a queue by itself, and leaves other arguments to nanobind.
template <class T, usm_kind kind> struct memory_call {
  static inline vectorcallfunc construct_object;  // nanobind's call of the type

  static PyObject *call(PyObject *type, PyObject *const *arguments, std::size_t count, PyObject *keywords) noexcept {
    static PyObject *const queue_keyword = PyUnicode_InternFromString("queue");
    const bool one_keyword = keywords && PyTuple_GET_SIZE(keywords) == 1;
    if (PyVectorcall_NARGS(count) == 1 && PyLong_CheckExact(arguments[0]) &&
        (!keywords || (one_keyword && PyTuple_GET_ITEM(keywords, 0) == queue_keyword)))
      return guarded([&] {
        nb::object made = nb::inst_alloc(type);
        construct(nb::inst_ptr<T>(made), kind, arguments[0], 0, one_keyword ? arguments[1] : Py_None, false);
        nb::inst_mark_ready(made);
        return made.release().ptr();
      });
    return construct_object(type, arguments, count, keywords);
  }

  /// Not for derived Python classes, which CPython calls in another way.
  static void install(PyTypeObject *type) { construct_object = std::exchange(type->tp_vectorcall, call); }
};

nb::object copy_to_host(const usm_memory &self, nb::handle destination) {
  nb::object into = destination.is_none()
                        ? nb::steal(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(self.bytes)))
                        : nb::borrow(destination);
  host_bytes bytes(into, true);
  if (bytes.size() < self.bytes)
    throw value_error("copy_to_host: the destination has " + std::to_string(bytes.size()) + " bytes and needs " +
                      std::to_string(self.bytes));
  finish(self.queue, [&] { return self.queue.copy(bytes.data(), self.pointer, self.bytes); });
  return into;
}

void copy_from_host(const usm_memory &self, nb::handle source) {
  host_bytes bytes(source, false);
  if (bytes.size() > self.bytes)
    throw value_error("copy_from_host: the source has " + std::to_string(bytes.size()) +
                      " bytes, but the USM memory only " + std::to_string(self.bytes));
  finish(self.queue, [&] { return self.queue.copy(self.pointer, bytes.data(), bytes.size()); });
}

void copy_from_device(const usm_memory &self, nb::handle source) {
  const usm_memory from = view_of(source);
  if (from.bytes > self.bytes)
    throw value_error("copy_from_device: the source has " + std::to_string(from.bytes) +
                      " bytes, but the destination only " + std::to_string(self.bytes));
  // a GPU's queue can copy memory of CPU devices, but a CPU's queue cannot copy GPU memory
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

/// The kind of memory of the pointer in a context; unknown if it belongs to another context.
usm_kind kind_in(const usm_memory &self, nb::handle where) {
  if (where.is_none()) return self.kind;
  if (!nb::isinstance<queue>(where) && !nb::isinstance<context>(where))
    throw type_error("get_usm_type: syclobj must be a SyclQueue or a SyclContext, got " + type_of(where));
  const auto home = find_allocation(self.pointer);
  return home && home->context == sycl_object_from(where).context ? home->kind : usm_kind::unknown;
}

/// dpctl's number of a kind, which is neither the value of usm_kind nor that of sycl::usm::alloc.
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

/// Owner of memory that other libraries use in CUDA's default stream. Its destruction frees the memory after the work
/// that the stream has at that time.
struct cuda_exported_memory {
  cuda_exported_memory(std::shared_ptr<void> owner, dpep::queue q) : owner(std::move(owner)), where(std::move(q)) {}
  cuda_exported_memory(const cuda_exported_memory &) = delete;
  ~cuda_exported_memory() {
    try {
      native::keep_alive_in_stream(where.get_context(), where.get_device(), cuda_default_stream, std::move(owner));
    } catch (const exception &) {  // the device is lost, or the process is exiting
    }
  }

  std::shared_ptr<void> owner;
  const dpep::queue where;
};

/// The value of `__cuda_array_interface__`. AttributeError for other than CUDA memory: libraries test for the
/// attribute.
nb::dict cuda_interface_of(usm_memory &self) {
  if (self.queue.get_device().info().backend != backend_kind::cuda)
    throw nb::attribute_error("__cuda_array_interface__: the memory is not on a CUDA device");
  native::order_before(self.queue, cuda_default_stream);
  if (!self.exported_to_cuda && self.owner) {
    self.owner = std::make_shared<cuda_exported_memory>(std::move(self.owner), self.queue);
    self.exported_to_cuda = true;
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

nb::object python_context(const usm_memory &self) {
  if (nb::object known = python_object_of_default(self.get_context())) return known;
  const nb::object q = self.get_python_queue();  // keeps the context, which is a part of it
  return python_context_of(*nb::inst_ptr<queue>(q));
}

const device &device_of(const usm_memory &self) {
  return self.kind == usm_kind::host ? self.get_context().devices().front() : self.queue.get_device();
}

nb::object python_device(const usm_memory &self) { return python_object_of(device_of(self)); }

int get_buffer(PyObject *object, Py_buffer *view, int flags) {
  const auto &self = *nb::inst_ptr<usm_memory>(object);
  return PyBuffer_FillInfo(view, object, self.pointer, static_cast<Py_ssize_t>(self.bytes), 0, flags);
}

// `reference` may be part of a reference cycle with the memory object.
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

template <class T, usm_kind kind> void bind_kind(nb::module_ &m, const char *name, const char *summary) {
  const std::string doc =
      std::string(summary) +
      "\n\n"
      "Parameters\n----------\n"
      "other : int or object\n"
      "    The number of bytes to allocate, or an object whose memory to use: another memory object of\n"
      "    the same kind, or an object with `__sycl_usm_array_interface__`.\n"
      "alignment : int, optional\n    Alignment of new memory in bytes, a power of two; at least 64.\n"
      "queue : SyclQueue, optional\n"
      "    The queue for whose device and context memory is allocated. Default: the default device's queue.\n"
      "copy : bool, optional\n    Whether to copy memory of another kind. Default: raise ValueError for it.\n\n"
      "Raises\n------\n"
      "USMAllocationError\n    A MemoryError, when memory runs out.\n"
      "ValueError\n    For a size that is not positive, or an object without USM memory of this kind.\n"
      "TypeError\n    When `queue` is not a SyclQueue.\n\n"
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
      [](T *self, nb::handle other, Py_ssize_t alignment, nb::handle where, bool copy) {
        construct(self, kind, other, alignment, where, copy);
      },
      nb::arg("other").none(), "alignment"_a = 0, "queue"_a = nb::none(), "copy"_a = false,
      nb::sig(
          "def __init__(self, other: object, alignment: int = 0, queue: SyclQueue | None = None, copy: bool = False) "
          "-> None"));
  refuse_bare_objects(type, name);
  memory_call<T, kind>::install(reinterpret_cast<PyTypeObject *>(type.ptr()));
}

void bind_pools(nb::module_ &m) {
  m.def(
      "memory_statistics",
      [](const context &where, const std::string &usm_type) {
        const memory_statistics now = statistics(where, usm_kind_from(usm_type));
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
      "Return statistics of a context's memory pool.\n\n"
      "Parameters\n----------\ncontext : dpctl.SyclContext\n    The context.\n"
      "usm_type : {'device', 'shared', 'host'}\n    The kind of memory.\n\n"
      "Returns\n-------\ndict\n"
      "    'in_use': bytes allocated by the program; 'peak': the greatest value of 'in_use' so far; 'cached': free "
      "bytes\n"
      "    kept for reuse; 'allocations': number of allocations in use; 'limit': limit in bytes for 'in_use' plus\n"
      "    'cached', 0 for none.");
  m.def(
      "set_memory_limit",
      [](const context &where, std::uint64_t limit, const std::string &usm_type) {
        set_limit(where, usm_kind_from(usm_type), limit);
      },
      nb::arg("context"), nb::arg("limit"), nb::arg("usm_type") = "device",
      nb::sig("def set_memory_limit(context: SyclContext, limit: int, usm_type: str = 'device') -> None"),
      "Limit the size of a context's memory pool in bytes; 0 for no limit.\n\n"
      "Allocations beyond the limit raise dpctl.memory.USMAllocationError.");
  m.def(
      "trim_memory", [](const context &where) { return trim(where); }, nb::arg("context"),
      nb::call_guard<gil_release>(), nb::sig("def trim_memory(context: SyclContext) -> int"),
      "Free the memory that a context's pools keep for reuse, and return the number of bytes.\n\n"
      "Waits for the work of queues that have pools of their own.");
}

}  // namespace

void bind_memory(nb::module_ &m) {
  nb::class_<usm_memory> type(m, "_Memory", nb::is_weak_referenceable(), nb::type_slots(private_slots),
                              "Base class of the three types of USM memory.");
  const auto bytes = [](const usm_memory &self) { return self.bytes; };
  const auto python_queue = [](const usm_memory &self) { return self.get_python_queue(); };
  const auto context_of = [](const usm_memory &self) -> const context & { return self.get_context(); };
  attributes(type)
      .add("nbytes", bytes, "Size in bytes.")
      .add("size", bytes, "Size in bytes.")
      .add(
          "_pointer", [](const usm_memory &self) { return reinterpret_cast<std::uintptr_t>(self.pointer); },
          "Address of the first byte.")
      .add("sycl_queue", python_queue, nb::sig("def sycl_queue(self) -> SyclQueue"),
           "The queue with which the memory was allocated. Copies run on it.")
      .add("_queue", python_queue, nb::sig("def _queue(self) -> SyclQueue"), "The same as `sycl_queue`.")
      .constant("sycl_context", context_of, python_context, nb::sig("def sycl_context(self) -> SyclContext"),
                "The context that the memory belongs to.")
      .constant("_context", context_of, python_context, nb::sig("def _context(self) -> SyclContext"),
                "The same as `sycl_context`.")
      .constant("sycl_device", device_of, python_device, nb::sig("def sycl_device(self) -> SyclDevice"),
                "The device that the memory belongs to.")
      .add(
          "reference_obj",
          [](const usm_memory &self) { return self.reference.is_valid() ? self.reference : nb::none(); },
          nb::sig("def reference_obj(self) -> object"),
          "The foreign object that owns the memory; None if a memory object owns it.")
      .add("__sycl_usm_array_interface__", interface_of,
           nb::sig("def __sycl_usm_array_interface__(self) -> dict[str, object]"),
           "A dictionary through which other packages use the memory without a copy.")
      .add("__cuda_array_interface__", cuda_interface_of,
           nb::sig("def __cuda_array_interface__(self) -> dict[str, object]"),
           "A dictionary through which CUDA libraries use the memory without a copy, ordered after all work\n"
           "submitted to its queue so far. AttributeError unless the memory is on a CUDA device.");
  type.def("__len__", bytes)
      .def("copy_to_host", copy_to_host, "obj"_a = nb::none(),
           nb::sig("def copy_to_host(self, obj: object = None) -> object"),
           "Copy the bytes to host memory. Waits for the copy.\n\n"
           "Parameters\n----------\n"
           "obj : writable object with the buffer protocol, optional\n"
           "    The destination: contiguous and at least as large as the memory. Default: a new bytearray.\n\n"
           "Returns\n-------\nobject\n    `obj`, or the new bytearray.\n\n"
           "Raises\n------\nValueError\n    When `obj` is too small.\n\n"
           "Examples\n--------\n"
           ">>> from dpctl.memory import MemoryUSMDevice\n"
           ">>> m = MemoryUSMDevice(3)\n"
           ">>> m.memset(7)\n"
           ">>> m.copy_to_host()\n"
           "bytearray(b'\\x07\\x07\\x07')")
      .def(
          "copy_from_host", copy_from_host, nb::arg("obj").none(),
          nb::sig("def copy_from_host(self, obj: object) -> None"),
          "Copy the bytes of an object with the buffer protocol to the beginning of the memory. Waits for the copy.\n\n"
          "Raises\n------\nValueError\n    When the object is larger than the memory.")
      .def("copy_from_device", copy_from_device, nb::arg("sycl_usm_ary").none(),
           nb::sig("def copy_from_device(self, sycl_usm_ary: object) -> None"),
           "Copy the bytes of a memory object, or of an object with `__sycl_usm_array_interface__`, to the beginning "
           "of\n"
           "the memory. Waits for the copy.\n\n"
           "Raises\n------\nTypeError\n    For other objects.\n"
           "ValueError\n    When the source is larger than the memory.")
      .def("memset", memset, "val"_a = 0, nb::sig("def memset(self, val: int = 0) -> None"),
           "Set every byte to a value from 0 to 255. Waits until it is done.")
      .def("tobytes", tobytes, "Return a copy of the bytes as a bytes object.")
      .def("__bytes__", tobytes)
      .def(
          "get_usm_type", [](const usm_memory &self, nb::handle where) { return name_of(kind_in(self, where)); },
          "syclobj"_a = nb::none(),
          nb::sig("def get_usm_type(self, syclobj: SyclQueue | SyclContext | None = None) -> str"),
          "Return 'device', 'shared' or 'host'; 'unknown' if `syclobj` is of another context than the memory.")
      .def(
          "get_usm_type_enum", [](const usm_memory &self, nb::handle where) { return number_of(kind_in(self, where)); },
          "syclobj"_a = nb::none(),
          nb::sig("def get_usm_type_enum(self, syclobj: SyclQueue | SyclContext | None = None) -> int"),
          "Return the result of `get_usm_type` as a number: unknown 0, device 1, shared 2, host 3.")
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
  bind_kind<usm_device_memory, usm_kind::device>(m, "MemoryUSMDevice",
                                                 "USM memory of a device, accessible to kernels and copies only.");
  bind_kind<usm_shared_memory, usm_kind::shared>(m, "MemoryUSMShared",
                                                 "USM memory shared by host and device, with the buffer protocol.");
  bind_kind<usm_host_memory, usm_kind::host>(
      m, "MemoryUSMHost", "USM memory of the host, accessible to kernels, with the buffer protocol.");
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
      "Return a memory object that uses the memory of another object, without a copy.\n\n"
      "Parameters\n----------\nobj : object\n    An object with `__sycl_usm_array_interface__`.\n\n"
      "Returns\n-------\nMemoryUSMDevice, MemoryUSMShared or MemoryUSMHost\n    By the kind of memory.\n\n"
      "Raises\n------\nValueError\n    When the object has no such interface, or a malformed one.");
  m.def(
      "_to_memory",
      [](nb::bytes content, const std::string &kind) {
        usm_memory memory =
            allocate_memory(usm_kind_from(kind), std::max<std::size_t>(content.size(), 1), 64, cached_queue(device()));
        memory.bytes = content.size();
        finish(memory.queue, [&] { return memory.queue.copy(memory.pointer, content.c_str(), content.size()); });
        return to_python(std::move(memory));
      },
      "Return new memory of a kind with the given bytes. Used by pickle.");
  bind_pools(m);
}

}  // namespace dpep::python
