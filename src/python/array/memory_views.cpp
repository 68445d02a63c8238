// Arrays as views of existing USM memory (usm_ndarray's constructor, the USM array interface), and arrays' memory
// objects (usm_data).
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "array_slots.hpp"
#include "numpy_types.hpp"

#include "../keep_alive.hpp"
#include "../usm_memory.hpp"

namespace dpep::python {
namespace {

/// The memory objects by address, size and queue, so that all views of an array return one object. Holds weak
/// references.
class memory_objects {
public:
  /// Never destroyed: arrays may be used until the process exits. Requires the GIL, as do its functions.
  static memory_objects &get() {
    static auto *const all = new memory_objects;
    return *all;
  }
  /// Null if there is none.
  nb::object find(const void *base, std::size_t bytes, const queue &q) const {
    const auto found = known_.find({base, bytes, q.get()});
    return found == known_.end() ? nb::object() : referent(found->second);
  }
  void add(const void *base, std::size_t bytes, const queue &q, nb::handle object) {
    nb::object reference = nb::steal(PyWeakref_NewRef(object.ptr(), nullptr));
    if (!reference.is_valid()) throw nb::python_error();
    if (known_.size() >= limit_) {
      std::erase_if(known_, [](const auto &entry) { return !referent(entry.second).is_valid(); });
      limit_ = std::max<std::size_t>(256, 2 * known_.size());
    }
    known_.insert_or_assign({base, bytes, q.get()}, std::move(reference));
  }

private:
  struct key {
    const void *base;
    std::size_t bytes;
    const void *queue;
    friend bool operator==(const key &, const key &) = default;
  };
  struct hash {
    std::size_t operator()(const key &k) const noexcept {
      const auto word = [](const void *p) { return reinterpret_cast<std::uintptr_t>(p); };
      return (word(k.base) >> 6) * 0x9e3779b97f4a7c15 ^ k.bytes ^ word(k.queue);
    }
  };
  static nb::object referent(const nb::object &reference) {
#if PY_VERSION_HEX >= 0x030d0000
    PyObject *object = nullptr;
    if (PyWeakref_GetRef(reference.ptr(), &object) < 0) throw nb::python_error();
    return nb::steal(object);
#else
    PyObject *const object = PyWeakref_GetObject(reference.ptr());
    return object == Py_None ? nb::object() : nb::borrow(object);
#endif
  }

  std::unordered_map<key, nb::object, hash> known_;
  std::size_t limit_ = 256;
};

/// The owner that keeps the memory of a view alive. Foreign objects are held through a memory object, which `usm_data`
/// then returns.
std::shared_ptr<void> owner_of(const usm_memory &memory) {
  release_finished();
  if (memory.owner || !memory.reference.is_valid()) return memory.owner;
  const nb::object object = to_python(memory);
  memory_objects::get().add(memory.pointer, memory.bytes, memory.queue, object);
  return hold(object);
}

ndarray view_of(const usm_memory &memory, std::int64_t offset, array::extents shape, array::extents strides, dtype type,
                bool writable) {
  return array::view_of_memory(memory.pointer, memory.bytes, offset, shape, strides, type, {memory.queue, memory.kind},
                               owner_of(memory), writable);
}

/// Strides of a contiguous array, in elements.
extents_argument contiguous_strides(array::extents shape, array::order order) {
  extents_argument strides;
  for (std::size_t i = 0; i < shape.size(); ++i) strides.push_back(1);
  std::int64_t step = 1;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::size_t i = order == array::order::column_major ? k : shape.size() - 1 - k;
    strides[i] = step;
    if (__builtin_mul_overflow(step, std::max<std::int64_t>(shape[i], 1), &step))
      throw value_error("usm_ndarray: shape " + text_of_shape(shape) + " has too many elements");
  }
  return strides;
}

ndarray new_strided(array::extents shape, array::extents strides, dtype type, usm_kind kind, std::size_t alignment,
                    const queue &where) {
  std::int64_t low = 0, high = 0;
  bool empty = false, overflow = false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    empty = empty || shape[i] == 0;
    std::int64_t reach;
    overflow = overflow || __builtin_mul_overflow(shape[i] - 1, strides[i], &reach) ||
               __builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high);
  }
  const auto bytes_each = static_cast<std::int64_t>(size_of(type));
  std::int64_t bytes = 0;
  if (!empty) {
    overflow = overflow || __builtin_sub_overflow(high, low, &bytes) || __builtin_add_overflow(bytes, 1, &bytes) ||
               __builtin_mul_overflow(bytes, bytes_each, &bytes);
    if (overflow) throw value_error("usm_ndarray: strides " + text_of_shape(strides) + " exceed the address space");
  }
  const usm_memory memory = allocate_memory(kind, static_cast<std::size_t>(bytes), alignment, where);
  return view_of(memory, empty ? 0 : -low, shape, strides, type, true);
}

struct allocation_options {
  queue where;
  std::size_t alignment = 64;
};
allocation_options options_from(nb::handle keywords) {
  allocation_options options;
  if (!PyDict_Check(keywords.ptr()))
    throw type_error("usm_ndarray: buffer_ctor_kwargs must be a dict, got " + type_of(keywords));
  for (const auto &[key, value] : nb::borrow<nb::dict>(keywords)) {
    const std::string name = text_of(nb::str(key));
    if (name == "queue") {
      if (!value.is_none()) options.where = queue_from(nb::none(), value);
    } else if (name == "alignment") {
      options.alignment = alignment_from(nb::cast<std::int64_t>(value));
    } else if (name != "copy") {
      throw type_error("usm_ndarray: buffer_ctor_kwargs supports 'queue' and 'alignment', got '" + name + "'");
    }
  }
  if (!options.where) options.where = default_queue();
  return options;
}

ndarray construct(nb::handle shape_given, nb::handle dtype_given, nb::handle strides_given, nb::handle buffer,
                  nb::handle offset_given, nb::handle order_given, nb::handle keywords) {
  const extents_argument shape = shape_from(shape_given, "usm_ndarray");
  const array::order order = contiguous_order_from(order_given, "usm_ndarray");
  std::optional<extents_argument> strides;
  if (!strides_given.is_none()) {
    try {
      strides = integers_from(strides_given, "usm_ndarray", "strides");
    } catch (const nb::builtin_exception &e) {
      throw nb::value_error(e.what());  // as in dpctl
    }
    if (strides->size() != shape.size())
      throw value_error("usm_ndarray: shape and strides must have the same length, got " +
                        std::to_string(shape.size()) + " and " + std::to_string(strides->size()));
  }

  if (PyUnicode_Check(buffer.ptr()) || PyBytes_Check(buffer.ptr())) {
    const nb::object name = PyBytes_Check(buffer.ptr()) ? nb::object(buffer.attr("decode")()) : nb::borrow(buffer);
    const usm_kind kind = usm_kind_from(name);
    const auto [where, alignment] = options_from(keywords);
    const dtype type = dtype_given.is_none() ? array::default_real(where.get_device()) : dtype_from(dtype_given);
    array::check_supported(type, where.get_device(), "usm_ndarray");
    if (strides || alignment > 64)
      return new_strided(shape, strides ? *strides : contiguous_strides(shape, order), type, kind, alignment, where);
    return array::empty(shape, type, {where, kind}, order);
  }

  usm_memory memory;
  bool writable = true;
  if (is_array(buffer.ptr())) {
    const ndarray &other = array_of(buffer.ptr());
    const auto seen = exposed(other);
    memory.pointer = seen.base, memory.bytes = seen.bytes, memory.owner = seen.owner;
    memory.kind = other.memory_kind(), memory.queue = other.get_queue();
    writable = other.writable();
  } else {
    try {
      memory = python::view_of(buffer);
    } catch (const nb::builtin_exception &e) {
      throw value_error(std::string("usm_ndarray: buffer: ") + e.what());
    }
  }
  const dtype type = dtype_given.is_none() ? array::default_real(memory.queue.get_device()) : dtype_from(dtype_given);
  std::int64_t offset = 0;
  if (!nb::try_cast(offset_given, offset))
    throw type_error("usm_ndarray: offset must be an int, got " + type_of(offset_given));
  return view_of(memory, offset, shape, strides ? *strides : contiguous_strides(shape, order), type, writable);
}

}  // namespace

PyObject *construct_array(PyTypeObject *type, PyObject *arguments, PyObject *keywords) noexcept {
  static const char *names[] = {
      "shape", "dtype", "strides", "buffer", "offset", "order", "buffer_ctor_kwargs", "array_namespace", nullptr};
  return guarded([&]() -> PyObject * {
    const nb::str device("device"), row_major("C");
    const nb::dict no_keywords;
    const nb::int_ zero(0);
    PyObject *shape, *dtype = Py_None, *strides = Py_None, *buffer = device.ptr(), *offset = zero.ptr(),
                     *order = row_major.ptr(), *more = no_keywords.ptr(), *array_namespace = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OOOOOOO:usm_ndarray", const_cast<char **>(names), &shape,
                                     &dtype, &strides, &buffer, &offset, &order, &more, &array_namespace))
      return nullptr;
    PyObject *self = wrap_as(type, construct(shape, dtype, strides, buffer, offset, order, more));
    if (self && array_namespace != Py_None)
      reinterpret_cast<python_array *>(self)->array_namespace = Py_NewRef(array_namespace);
    return self;
  });
}

nb::object memory_of(const ndarray &a) {
  const auto seen = exposed(a);
  if (nb::object known = memory_objects::get().find(seen.base, seen.bytes, a.get_queue())) return known;
  usm_memory memory;
  memory.pointer = seen.base, memory.bytes = seen.bytes, memory.owner = seen.owner;
  memory.kind = a.memory_kind(), memory.queue = a.get_queue();
  nb::object object = to_python(std::move(memory));
  memory_objects::get().add(seen.base, seen.bytes, a.get_queue(), object);
  return object;
}

nb::dict interface_of(const ndarray &a) {
  const auto seen = exposed(a);
  nb::list shape, strides;
  for (std::int64_t n : a.shape()) shape.append(n);
  for (std::int64_t n : a.strides()) strides.append(n);
  nb::dict interface;
  interface["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(seen.base), !a.writable());
  interface["shape"] = nb::tuple(shape);
  interface["strides"] = a.row_major() ? nb::none() : nb::object(nb::tuple(strides));
  interface["offset"] = seen.offset;
  interface["typestr"] = nb::handle(numpy_dtype(a.type())).attr("str");
  interface["version"] = 1;
  interface["syclobj"] = nb::cast(a.get_queue(), nb::rv_policy::copy);
  return interface;
}

ndarray array_on_interface(nb::handle object) {
  const nb::object interface = object.attr("__sycl_usm_array_interface__");
  usm_memory memory = python::view_of(object);  // checks the interface; begins at the first byte of the elements
  const auto get = [&](const char *key) -> nb::object { return interface.attr("get")(key); };
  const extents_argument shape = shape_from(get("shape"), "__sycl_usm_array_interface__");
  const dtype type = dtype_from(get("typestr"));
  extents_argument strides = contiguous_strides(shape, array::order::row_major);
  if (const nb::object given = get("strides"); !given.is_none())
    strides = integers_from(given, "__sycl_usm_array_interface__", "strides");
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (strides[i] < 0) offset -= (array::extents(shape)[i] - 1) * strides[i];
  if (memory.bytes == 0) offset = 0;
  const nb::object data = get("data");
  const bool read_only = PyTuple_Check(data.ptr()) && nb::len(data) > 1 && nb::cast<bool>(nb::bool_(data[1]));
  return view_of(memory, offset, shape, strides, type, !read_only);
}

}  // namespace dpep::python
