// Import and export of arrays through DLPack, without a copy where both libraries can use the memory.
#include "dlpack.hpp"
#include "array_slots.hpp"
#include "numpy_types.hpp"

#include <algorithm>
#include <vector>

#include <dpep/array_order.hpp>

#include "../cuda_streams.hpp"
#include "../keep_alive.hpp"

namespace dpep::python {

dlpack::element_type element_type_of(dtype type) noexcept {
  const auto code = [&] {
    switch (kind_of(type)) {
    case dtype_kind::boolean:
      return dlpack::boolean;
    case dtype_kind::signed_integer:
      return dlpack::signed_integer;
    case dtype_kind::unsigned_integer:
      return dlpack::unsigned_integer;
    case dtype_kind::real:
      return dlpack::real;
    case dtype_kind::complex:
      break;
    }
    return dlpack::complex;
  }();
  return {code, static_cast<std::uint8_t>(8 * size_of(type)), 1};
}

bool is_host_accessible(const ndarray &a) {
  return a.memory_kind() != usm_kind::device || a.get_queue().get_device().info().type == device_type::cpu;
}

namespace {

/// A BufferError with a composed message, to be thrown.
nb::builtin_exception refused(const std::string &message) { return nb::buffer_error(message.c_str()); }

// --- types ---

dtype dtype_of(dlpack::element_type given) {
  for (int i = 0; i < dtype_count; ++i) {
    const auto ours = element_type_of(static_cast<dtype>(i));
    if (ours.code == given.code && ours.bits == given.bits && ours.lanes == given.lanes) return static_cast<dtype>(i);
  }
  throw refused("DLPack: arrays do not support elements of type code " + std::to_string(given.code) + " with " +
                std::to_string(given.bits) + " bits and " + std::to_string(given.lanes) + " lanes");
}

// --- export ---

/// The context of an exported tensor. Its consumer deletes it, on any thread.
struct exported {
  ndarray array;               // owner of the memory, or
  PyObject *object = nullptr;  // the NumPy array that owns it
  std::vector<std::int64_t> shape, strides;
  std::uintptr_t stream = 0;  // CUDA's default stream if the tensor was exported to it

  ~exported() {
    if (array && stream) {
      try {  // work of the consumer in the stream may not be complete
        native::order_after(array.get_queue(), stream);
      } catch (const exception &) {  // the device is lost, or the process ends
      }
    }
    if (!object) return;
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(object);
    PyGILState_Release(state);
  }
};

template <class M> void destroy(M *managed) {
  delete static_cast<exported *>(managed->context);
  delete managed;
}

template <class M> void destroy_unused(PyObject *capsule) {
  const char *name = PyCapsule_GetName(capsule);
  if (!name || std::string_view(name).starts_with("used_")) return;  // the consumer deletes it
  auto *managed = static_cast<M *>(PyCapsule_GetPointer(capsule, name));
  if (managed->deleter) managed->deleter(managed);
}

template <class M>
nb::object capsule_of(std::unique_ptr<exported> content, dlpack::tensor tensor, const char *name, std::uint64_t flags) {
  auto managed = std::make_unique<M>();
  tensor.shape = content->shape.data(), tensor.strides = content->strides.data();
  tensor.dimensions = static_cast<std::int32_t>(content->shape.size());
  managed->tensor = tensor;
  managed->deleter = destroy<M>;
  if constexpr (std::is_same_v<M, dlpack::managed_versioned>) {
    managed->major = dlpack::major_version, managed->minor = dlpack::minor_version;
    managed->flags = flags;
  }
  PyObject *capsule = PyCapsule_New(managed.get(), name, destroy_unused<M>);
  if (!capsule) throw nb::python_error();
  managed->context = content.release();
  managed.release();  // NOLINT: owned by the capsule
  return nb::steal(capsule);
}

nb::object capsule_of(std::unique_ptr<exported> content, const dlpack::tensor &tensor, bool versioned,
                      std::uint64_t flags) {
  if (versioned)
    return capsule_of<dlpack::managed_versioned>(std::move(content), tensor, dlpack::versioned_name, flags);
  if (flags & dlpack::read_only)
    throw refused("__dlpack__: a read-only array can only be exported with max_version (1, 0) or newer");
  return capsule_of<dlpack::managed>(std::move(content), tensor, dlpack::capsule_name, flags);
}

int id_of(const device &d) {
  device root = d;
  while (const auto parent = root.parent()) root = *parent;
  return nb::cast<int>(nb::cast(root).attr("get_device_id")());
}

bool is_cuda(dlpack::device d) {
  return d.type == dlpack::cuda || d.type == dlpack::cuda_host || d.type == dlpack::cuda_managed;
}

nb::object export_array(const ndarray &a, dlpack::device where, bool versioned, bool copied,
                        std::uintptr_t stream = 0) {
  if (where.type == dlpack::cpu) wait_for_queue_of(a);  // a consumer on the host has no stream that could wait
  auto content = std::make_unique<exported>();
  content->array = a;
  if (is_cuda(where) && stream == cuda_default_stream) content->stream = stream;
  content->shape.assign(a.shape().begin(), a.shape().end());
  content->strides.assign(a.strides().begin(), a.strides().end());
  // on CUDA devices the consumer's stream waits instead
  const auto memory = where.type == dlpack::cuda ? array::expose_in_order(a) : exposed(a);
  // Views without elements may begin outside of their allocation, which the importer could not find then.
  const std::int64_t offset = a.size() ? memory.offset : 0;
  if (is_cuda(where) && stream) native::order_before(a.get_queue(), stream);
  const dlpack::tensor tensor{static_cast<std::byte *>(memory.base) +
                                  offset * static_cast<std::int64_t>(size_of(a.type())),
                              where,
                              0,
                              element_type_of(a.type()),
                              nullptr,
                              nullptr,
                              0};
  return capsule_of(std::move(content), tensor, versioned,
                    (a.writable() ? 0 : dlpack::read_only) | (copied ? dlpack::copied : 0));
}

nb::object export_host(nb::handle numpy_array, bool read_only) {
  const host_array host(numpy_array, false);
  const auto view = host.view();
  auto content = std::make_unique<exported>();
  content->object = Py_NewRef(numpy_array.ptr());
  content->shape.assign(view.shape.begin(), view.shape.end());
  for (const std::int64_t bytes : view.strides) {
    const auto size = static_cast<std::int64_t>(size_of(view.type));
    if (bytes % size) throw refused("DLPack: strides must be multiples of the element size");
    content->strides.push_back(bytes / size);
  }
  const dlpack::tensor tensor{view.data, {dlpack::cpu, 0}, 0, element_type_of(view.type), nullptr, nullptr, 0};
  return capsule_of(std::move(content), tensor, true, read_only ? dlpack::read_only : 0);
}

/// The DLPack device of an array. CUDA memory is exported as such, because other libraries know no other device type
/// for it; shared memory as device memory, because the driver migrates it.
dlpack::device own_device(const ndarray &a) {
  const device &where = a.get_queue().get_device();
  if (where.info().backend != backend_kind::cuda) return {dlpack::one_api, id_of(where)};
  return {a.memory_kind() == usm_kind::host ? dlpack::cuda_host : dlpack::cuda, native::ordinal_of(where)};
}

/// The DLPack device in a tuple of two ints; the first may be the name of a DLDeviceType.
dlpack::device device_from(nb::handle x) {
  const auto malformed = [&] {
    return type_error("__dlpack__: dl_device must be a tuple of a device type and an id, got " + text_of(nb::repr(x)));
  };
  if (!PyTuple_Check(x.ptr()) || PyTuple_GET_SIZE(x.ptr()) != 2) throw malformed();
  const nb::object types = nb::module_::import_("dpctl.tensor._dlpack").attr("DLDeviceType");
  nb::object type = x[0];
  const bool named = PyUnicode_Check(type.ptr());
  if (named) type = nb::getattr(types, type, nb::none());
  int number = 0, id = 0;
  if (!type.is_none() &&
      (!PyIndex_Check(type.ptr()) || !nb::try_cast(nb::int_(type), number) || !nb::try_cast(x[1], id)))
    throw malformed();
  const nb::object known = types.attr("_value2member_map_");
  if (type.is_none() || !nb::cast<bool>(known.attr("__contains__")(number)))
    throw refused("__dlpack__: dl_device " + text_of(nb::repr(x)) + " does not have a device type of DLPack");
  return {number, id};
}

/// Whether an array on a CUDA device is on the requested device, given as a CUDA or as a oneAPI device.
bool is_on_device(const ndarray &a, dlpack::device wanted) {
  const device &where = a.get_queue().get_device();
  if (wanted.type == dlpack::one_api) return wanted.id == id_of(where);
  if (wanted.id != native::ordinal_of(where)) return false;
  if (wanted.type == dlpack::cuda) return true;
  return wanted.type == (a.memory_kind() == usm_kind::shared ? dlpack::cuda_managed
                         : a.memory_kind() == usm_kind::host ? dlpack::cuda_host
                                                             : dlpack::cuda);
}

/// Whether an argument of __dlpack__ was passed: the default values are Ellipsis.
bool is_given(nb::handle x) noexcept { return x.ptr() != Py_Ellipsis; }

nb::object to_dlpack(nb::handle self, nb::handle stream, nb::handle max_version, nb::handle dl_device,
                     nb::handle copy) {
  const ndarray &a = array_argument(self, "__dlpack__", "self");
  // numpy.from_dlpack(x) without a device passes all arguments but the stream, and supports only host memory. Libraries
  // that support streams also support other devices.
  const bool for_numpy = !is_given(stream) && is_given(max_version) && is_given(copy) && dl_device.is_none();
  const nb::handle none = Py_None;
  for (nb::handle *x : {&stream, &max_version, &dl_device, &copy})
    if (!is_given(*x)) *x = none;
  const std::optional<dlpack::device> wanted = !dl_device.is_none() ? std::optional(device_from(dl_device))
                                               : for_numpy && is_host_accessible(a)
                                                   ? std::optional(dlpack::device{dlpack::cpu, 0})
                                                   : std::nullopt;
  const dlpack::device own = own_device(a);
  const std::uintptr_t handle = is_cuda(own) ? cuda_stream_from(stream, "__dlpack__") : 0;
  if (!is_cuda(own) && !stream.is_none() && !nb::isinstance<queue>(stream))
    throw type_error("__dlpack__: stream must be a SyclQueue or None, got " + type_of(stream));
  if (max_version.is_none()) return export_array(a, own, false, false, handle);
  if (!PyTuple_Check(max_version.ptr()) || PyTuple_GET_SIZE(max_version.ptr()) != 2)
    throw type_error("`__dlpack__` expects `max_version` to be a 2-tuple of integers `(major, minor)`, instead got " +
                     text_of(nb::repr(max_version)));
  // Before version 1.0 there were no dl_device and copy.
  if (nb::cast<int>(max_version[0]) < 1) return export_array(a, own, false, false, handle);

  const bool always = copy.ptr() == Py_True, never = copy.ptr() == Py_False;
  const dlpack::device where = wanted.value_or(own);
  const bool on_device = is_cuda(own) ? is_on_device(a, where) : where.type == own.type && where.id == own.id;
  if (on_device) {
    if (!always) return export_array(a, where, true, false, handle);
    const ndarray copied = array::copy(a);
    copied.set_writable(a.writable());
    return export_array(copied, where, true, true, handle);
  }
  if (where.type == dlpack::cpu) {
    if (is_host_accessible(a) && !always) return export_array(a, where, true, false);
    if (never) throw refused("__dlpack__: export to the host needs a copy of this array, which copy=False forbids");
    const ndarray copied = array::to_placement(a, {a.get_queue(), usm_kind::host}, true);
    copied.set_writable(a.writable());
    return export_array(copied, where, true, true);
  }
  if (where.type == dlpack::one_api || where.type == dlpack::cuda) {
    if (never) throw refused("__dlpack__: export to another device needs a copy, which copy=False forbids");
    const device target = [&] {
      try {
        return where.type == dlpack::cuda ? native::device_from_ordinal(backend_kind::cuda, where.id)
                                          : device(std::to_string(where.id));
      } catch (const exception &e) {  // the array API standard requires BufferError for unavailable devices
        throw refused(std::string("__dlpack__: ") + e.what());
      }
    }();
    return export_array(array::to_placement(a, {cached_queue(target), a.memory_kind()}, true), where, true, true,
                        where.type == dlpack::cuda ? cuda_stream_from(stream, "__dlpack__") : 0);
  }
  throw refused("__dlpack__: export to DLPack device (" + std::to_string(where.type) + ", " + std::to_string(where.id) +
                ") is not supported");
}

// --- import ---

template <class M> void destroy_imported(PyObject *capsule) {
  auto *managed = static_cast<M *>(PyCapsule_GetPointer(capsule, nullptr));
  if (managed->deleter) managed->deleter(managed);
}

/// The range of memory between the first and the last element of a tensor.
struct extent {
  std::byte *begin;
  std::size_t bytes;
  std::int64_t offset;  // of the first element
};
extent extent_of(const dlpack::tensor &t, array::extents strides, std::size_t item) {
  auto *first = static_cast<std::byte *>(t.data) + t.byte_offset;
  std::int64_t low = 0, high = 1;
  for (std::int32_t i = 0; i < t.dimensions; ++i) {
    if (t.shape[i] == 0) return {first, 0, 0};
    const std::int64_t reach = (t.shape[i] - 1) * strides[static_cast<std::size_t>(i)];
    (reach < 0 ? low : high) += reach;
  }
  const auto size = static_cast<std::int64_t>(item);
  return {first + low * size, static_cast<std::size_t>((high - low) * size), -low};
}

/// Refuses malformed shapes of imported tensors, before anything is computed from them.
void check_shape(const dlpack::tensor &t) {
  if (t.dimensions < 0 || t.dimensions > max_dimensions)
    throw refused("DLPack: the tensor has " + std::to_string(t.dimensions) + " dimensions; arrays have at most " +
                  std::to_string(max_dimensions));
  if (t.dimensions > 0 && !t.shape) throw refused("DLPack: the tensor has dimensions, but no shape");
  for (std::int32_t i = 0; i < t.dimensions; ++i)
    if (t.shape[i] < 0) throw refused("DLPack: the tensor has a negative length, " + std::to_string(t.shape[i]));
}

/// Refuses tensors whose strides, in elements, reach beyond the address space.
void check_reach(const dlpack::tensor &t, array::extents strides, std::size_t item) {
  const array::extents shape(t.shape, strides.size());
  if (std::ranges::find(shape, 0) != shape.end()) return;
  if (!t.data) throw refused("DLPack: the tensor has elements, but no data");
  constexpr auto limit = static_cast<__int128>(PTRDIFF_MAX);
  __int128 low = 0, high = 1, size = 1;
  bool fits = true;
  for (std::size_t i = 0; fits && i < shape.size(); ++i) {
    const __int128 reach = static_cast<__int128>(shape[i] - 1) * strides[i];
    (reach < 0 ? low : high) += reach;
    size *= shape[i];
    fits = high - low <= limit && size <= limit;
  }
  const auto bytes = static_cast<__int128>(item);
  const auto first = static_cast<__int128>(reinterpret_cast<std::uintptr_t>(t.data)) + t.byte_offset;
  if (!fits || size * bytes > limit || (high - low) * bytes > limit || first + low * bytes <= 0 ||
      first + high * bytes > static_cast<__int128>(UINTPTR_MAX))
    throw refused("DLPack: shape, strides and byte offset of the tensor reach beyond the address space");
}

/// Whether an allocation contains the whole range.
bool contains(const allocation &home, const extent &reach) {
  const auto *base = static_cast<const std::byte *>(home.base);
  return reach.begin >= base && reach.begin + reach.bytes <= base + home.bytes;
}
void check_inside(const allocation &home, const extent &reach) {
  if (reach.bytes && !contains(home, reach))
    throw refused("DLPack: shape and strides of the tensor reach outside the allocation of " +
                  std::to_string(home.bytes) + " bytes");
}

/// The queue of an imported array: the device's default queue if the memory is of that queue's context.
queue queue_for(const allocation &home, const device &otherwise) {
  const device &where = home.device ? home.device : otherwise;
  if (home.context == cached_queue(where).get_context()) return cached_queue(where);
  const nb::object manager = nb::module_::import_("dpctl._sycl_queue_manager");
  return nb::cast<queue>(
      manager.attr("get_device_cached_queue")(nb::make_tuple(nb::cast(home.context), nb::cast(where))));
}

/// Imports CUDA memory, allocated by dpep or another library. The array's queue waits for the exporter's stream.
nb::object import_cuda(const dlpack::tensor &t, dtype type, array::extents strides, bool writable,
                       const nb::object &owner, std::uintptr_t stream) {
  const extent reach = extent_of(t, strides, size_of(type));
  const auto home = find_allocation(reach.begin);
  const auto known = home ? std::optional<native::pointer_attributes>() : native::attributes_of(reach.begin);
  const device where = [&] {
    try {
      return native::device_from_ordinal(backend_kind::cuda, t.device.id);
    } catch (const exception &e) {
      throw refused(std::string("DLPack: ") + e.what());
    }
  }();
  if (!home && !known && reach.bytes)
    throw refused("DLPack: the tensor's device is a CUDA device, but its data is not CUDA memory");
  if (home) check_inside(*home, reach);
  const usm_kind kind = home ? home->kind : known ? known->kind : usm_kind::device;
  const queue q = home ? queue_for(*home, where) : cached_queue(where);
  if (stream) native::order_after(q, stream);
  return to_python(array::view_of_memory(reach.begin, reach.bytes, reach.offset,
                                         {t.shape, static_cast<std::size_t>(t.dimensions)}, strides, type, {q, kind},
                                         hold(owner), writable),
                   package::dpctl);
}

/// A stride in elements. CuPy computes negative strides by an unsigned division; their product with the element size is
/// still right.
std::int64_t stride_of(const dlpack::tensor &t, std::size_t axis, std::size_t item) {
  const auto bytes = static_cast<std::int64_t>(static_cast<std::uint64_t>(t.strides[axis]) * item);
  return bytes / static_cast<std::int64_t>(item);
}

nb::object import_tensor(const dlpack::tensor &t, bool writable, const nb::object &owner, std::uintptr_t stream) {
  const dtype type = dtype_of(t.type);
  check_shape(t);
  const array::extents shape(t.shape, static_cast<std::size_t>(t.dimensions));
  extents_argument strides;
  for (std::size_t i = 0; i < shape.size(); ++i) strides.push_back(t.strides ? stride_of(t, i, size_of(type)) : 1);
  if (!t.strides)
    for (std::size_t i = shape.size(); i-- > 1;)
      if (__builtin_mul_overflow(strides[i], shape[i], &strides[i - 1]))
        throw refused("DLPack: the tensor's shape is too large");
  check_reach(t, strides, size_of(type));

  if (t.device.type == dlpack::cpu) {
    const auto size = static_cast<std::int64_t>(size_of(type));
    nb::list lengths, steps;
    for (std::size_t i = 0; i < shape.size(); ++i) lengths.append(shape[i]), steps.append(strides[i] * size);
    nb::dict interface;
    interface["data"] = nb::make_tuple(
        reinterpret_cast<std::uintptr_t>(t.data) + static_cast<std::uintptr_t>(t.byte_offset), !writable);
    interface["shape"] = nb::tuple(lengths);
    interface["strides"] = nb::tuple(steps);
    interface["typestr"] = nb::handle(numpy_dtype(type)).attr("str");
    interface["version"] = 3;
    // The NumPy array keeps this object, and thereby the owner, alive.
    const nb::object description = nb::module_::import_("types").attr("SimpleNamespace")("owner"_a = owner);
    nb::setattr(description, "__array_interface__", interface);
    return numpy().attr("asarray")(description);
  }
  if (is_cuda(t.device)) return import_cuda(t, type, strides, writable, owner, stream);
  if (t.device.type != dlpack::one_api)
    throw refused("DLPack: a tensor on a device of type " + std::to_string(t.device.type) +
                  " cannot be imported; supported types are oneAPI (14), CUDA (2, 3, 13) and the host (1)");
  const extent reach = extent_of(t, strides, size_of(type));
  const auto home = find_allocation(reach.begin);
  if (!home) throw refused("DLPack: the tensor's data is not USM memory of this process");
  check_inside(*home, reach);
  const device exporter(std::to_string(t.device.id));
  return to_python(array::view_of_memory(reach.begin, reach.bytes, reach.offset, shape, strides, type,
                                         {queue_for(*home, exporter), home->kind}, hold(owner), writable),
                   package::dpctl);
}

nb::object from_dlpack_capsule(nb::handle given, nb::handle stream_given) {
  PyObject *capsule = given.ptr();
  const std::uintptr_t stream = cuda_stream_from(stream_given, "from_dlpack");
  if (!PyCapsule_CheckExact(capsule)) throw type_error("DLPack: expected a capsule, got " + type_of(given));
  if (PyCapsule_IsValid(capsule, dlpack::used_name) || PyCapsule_IsValid(capsule, dlpack::used_versioned_name))
    throw nb::value_error("A DLPack tensor object can not be consumed multiple times");
  const auto take = [&]<class M>(M *managed, const char *used) {
    const nb::object owner = nb::steal(PyCapsule_New(managed, nullptr, nullptr));
    if (!owner.is_valid() || PyCapsule_SetName(capsule, used)) throw nb::python_error();
    PyCapsule_SetDestructor(owner.ptr(), destroy_imported<M>);
    return owner;
  };
  if (PyCapsule_IsValid(capsule, dlpack::versioned_name)) {
    auto *managed = static_cast<dlpack::managed_versioned *>(PyCapsule_GetPointer(capsule, dlpack::versioned_name));
    if (managed->major > dlpack::major_version)
      throw refused("DLPack: the tensor has version " + std::to_string(managed->major) + "; versions up to " +
                    std::to_string(dlpack::major_version) + " are supported");
    const nb::object owner = take(managed, dlpack::used_versioned_name);
    return import_tensor(managed->tensor, !(managed->flags & dlpack::read_only), owner, stream);
  }
  if (PyCapsule_IsValid(capsule, dlpack::capsule_name)) {
    auto *managed = static_cast<dlpack::managed *>(PyCapsule_GetPointer(capsule, dlpack::capsule_name));
    const nb::object owner = take(managed, dlpack::used_name);
    return import_tensor(managed->tensor, true, owner, stream);
  }
  throw nb::value_error("DLPack: expected a capsule named 'dltensor' or 'dltensor_versioned'");
}

}  // namespace

void bind_dlpack(nb::module_ &m, PyTypeObject *type) {
  const nb::handle scope(reinterpret_cast<PyObject *>(type));
  nb::cpp_function_def(
      to_dlpack, nb::scope(scope), nb::name("__dlpack__"), nb::is_method(), nb::kw_only(),
      "stream"_a.none() = nb::ellipsis(), "max_version"_a.none() = nb::ellipsis(),
      "dl_device"_a.none() = nb::ellipsis(), "copy"_a.none() = nb::ellipsis(),
      nb::sig(
          "def __dlpack__(self, /, *, stream: object = None, max_version: tuple[int, int] | None = None, dl_device: "
          "tuple[object, int] | None = None, copy: bool | None = None) -> object"),
      "Return a DLPack capsule, through which other libraries use the array's memory. Waits for the elements.\n\n"
      "Parameters\n----------\n"
      "stream : SyclQueue or int, optional\n"
      "    The queue that will use the memory. On CUDA devices also a CUDA stream: its handle, 1 for the default "
      "stream\n"
      "    (like None), 2 for the per-thread default stream, -1 for no synchronisation.\n"
      "max_version : tuple of int, optional\n    The newest DLPack version, (major, minor), that the consumer "
      "supports.\n"
      "dl_device : tuple, optional\n"
      "    The device of the exported memory, (DLDeviceType, id). With None, and all other arguments but `stream` "
      "given,\n"
      "    as numpy.from_dlpack does, host-accessible memory is exported as host memory.\n"
      "copy : bool, optional\n    True: always copy. False: never copy. None: copy when needed.\n\n"
      "Raises\n------\n"
      "BufferError\n"
      "    When a copy is needed and forbidden, or `dl_device` is not available or has no device type of DLPack.\n"
      "TypeError\n    For a `stream`, `max_version` or `dl_device` of another type.");
  nb::cpp_function_def(
      [](nb::handle self) {
        const dlpack::device d = own_device(array_argument(self, "__dlpack_device__", "self"));
        const nb::object types = nb::module_::import_("dpctl.tensor._dlpack").attr("DLDeviceType");
        return nb::make_tuple(types(d.type), d.id);
      },
      nb::scope(scope), nb::name("__dlpack_device__"), nb::is_method(),
      nb::sig("def __dlpack_device__(self, /) -> tuple[int, int]"), "Return the DLPack device of the memory.");
  m.def("from_dlpack_capsule", from_dlpack_capsule, nb::arg("capsule").none(), "stream"_a = nb::none(),
        nb::sig("def from_dlpack_capsule(capsule: object, stream: int | None = None) -> object"),
        "Return an array that uses the memory of a DLPack capsule; a NumPy array for host memory.\n\n"
        "`stream` is the CUDA stream that was passed to the exporter; None is the default stream.");
  m.def(
      "_cuda_stream", [](const queue &q) { return native::stream_of(q); }, "queue"_a,
      "Return the handle of a CUDA stream of the queue. Work in the stream runs after all work submitted so far.");
  m.def(
      "to_dlpack_capsule", [](nb::handle x) { return to_dlpack(x, nb::none(), nb::none(), nb::none(), nb::none()); },
      "array"_a, "Return a DLPack capsule without a version, as before DLPack 1.0.");
  m.def("numpy_to_dlpack_versioned_capsule", export_host, "array"_a, "read_only"_a,
        "Return a versioned DLPack capsule of a NumPy array.");
  m.attr("dlpack_version") = nb::make_tuple(dlpack::major_version, dlpack::minor_version);
}

}  // namespace dpep::python
