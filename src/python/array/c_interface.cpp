// The C interface of arrays: the function table of dpctl_array_capi.h, and the same functions as capsules for Cython.
#include "array_slots.hpp"
#include "numpy_types.hpp"

#include <dpctl/dpctl_capi.h>

#include "../keep_alive.hpp"
#include "../usm_memory.hpp"

namespace dpep::python {
namespace {

const ndarray &in(PyUSMArrayObject *object) noexcept { return array_of(reinterpret_cast<PyObject *>(object)); }

char *get_data(PyUSMArrayObject *o) noexcept {
  return guarded([&] {
    const auto memory = exposed(in(o));
    return static_cast<char *>(memory.base) + memory.offset * static_cast<std::int64_t>(size_of(in(o).type()));
  });
}
int get_ndim(PyUSMArrayObject *o) noexcept { return in(o).dimensions(); }
Py_ssize_t *get_shape(PyUSMArrayObject *o) noexcept { return const_cast<std::int64_t *>(in(o).shape().data()); }
/// Null for row-major arrays.
Py_ssize_t *get_strides(PyUSMArrayObject *o) noexcept {
  return in(o).row_major() ? nullptr : const_cast<std::int64_t *>(in(o).strides().data());
}
int get_typenum(PyUSMArrayObject *o) noexcept { return number_of(in(o).type()); }
int get_element_size(PyUSMArrayObject *o) noexcept { return static_cast<int>(size_of(in(o).type())); }
int get_flags(PyUSMArrayObject *o) noexcept {
  const ndarray &a = in(o);
  return (a.row_major() ? 1 : 0) | (a.column_major() ? 2 : 0) | (a.writable() ? 4 : 0);
}
DPCTLSyclQueueRef get_queue_ref(PyUSMArrayObject *o) noexcept {
  return reinterpret_cast<DPCTLSyclQueueRef>(const_cast<queue *>(&in(o).get_queue()));
}
Py_ssize_t get_offset(PyUSMArrayObject *o) noexcept {
  return guarded([&] { return static_cast<Py_ssize_t>(exposed(in(o)).offset); });
}
PyObject *get_usm_data(PyUSMArrayObject *o) noexcept {
  return guarded([&] { return memory_of(in(o)).release().ptr(); });
}
void set_writable(PyUSMArrayObject *o, int flag) noexcept { in(o).set_writable(flag != 0); }

dtype type_from(int typenum) {
  if (const auto type = dtype_from_number(typenum)) return *type;
  throw value_error("UsmNDArray_Make: type number " + std::to_string(typenum) + " is not a data type of arrays");
}

PyObject *make(const usm_memory &memory, std::int64_t offset, array::extents shape, array::extents strides,
               dtype type) {
  std::shared_ptr<void> owner = memory.owner;
  if (!owner && memory.reference.is_valid()) owner = hold(memory.reference);
  return wrap(array::view_of_memory(memory.pointer, memory.bytes, offset, shape, strides, type,
                                    {memory.queue, memory.kind}, std::move(owner)),
              package::dpctl);
}

PyObject *make_from_memory(int nd, const Py_ssize_t *shape, int typenum, Py_MemoryObject *memory, Py_ssize_t offset,
                           char order) noexcept {
  return guarded([&] {
    const nb::handle object(reinterpret_cast<PyObject *>(memory));
    if (!nb::isinstance<usm_memory>(object))
      throw type_error("UsmNDArray_MakeSimpleFromMemory: expected a dpctl.memory object, got " + type_of(object));
    const array::extents extents(shape, static_cast<std::size_t>(nd));
    extents_argument strides;
    for (std::size_t i = 0; i < extents.size(); ++i) strides.push_back(1);
    if (order == 'F')
      for (std::size_t i = 1; i < extents.size(); ++i) strides[i] = strides[i - 1] * extents[i - 1];
    else
      for (std::size_t i = extents.size(); i-- > 1;) strides[i - 1] = strides[i] * extents[i];
    return make(nb::cast<usm_memory &>(object), offset, extents, strides, type_from(typenum));
  });
}

PyObject *make_from_pointer(int nd, const Py_ssize_t *shape, int typenum, const Py_ssize_t *strides,
                            DPCTLSyclUSMRef pointer, DPCTLSyclQueueRef where, Py_ssize_t offset,
                            PyObject *owner) noexcept {
  return guarded([&] {
    const dtype type = type_from(typenum);
    usm_memory memory;
    memory.queue = *reinterpret_cast<const queue *>(where);
    const auto home = find_allocation(pointer);
    if (!home || home->context != memory.get_context())
      throw nb::value_error("UsmNDArray_MakeFromPtr: the pointer is not USM memory of the queue's context");
    memory.pointer = pointer;
    memory.bytes = home->bytes - static_cast<std::size_t>(reinterpret_cast<std::byte *>(pointer) -
                                                          static_cast<std::byte *>(home->base));
    memory.kind = home->kind;
    if (owner && owner != Py_None)
      memory.reference = nb::borrow(owner);
    else
      memory.owner = owning(home->base, memory.get_context());
    const auto n = static_cast<std::size_t>(nd);
    return make(memory, offset, {shape, n}, strides ? array::extents(strides, n) : array::extents(), type);
  });
}

PyObject *make_simple_from_pointer(size_t elements, int typenum, DPCTLSyclUSMRef pointer, DPCTLSyclQueueRef where,
                                   PyObject *owner) noexcept {
  const auto length = static_cast<Py_ssize_t>(elements);
  return make_from_pointer(1, &length, typenum, nullptr, pointer, where, 0, owner);
}

// Constants that Cython modules read through pointers.
int flag_values[] = {USM_ARRAY_C_CONTIGUOUS, USM_ARRAY_F_CONTIGUOUS, USM_ARRAY_WRITABLE};
int type_numbers[] = {UAR_BOOL,   UAR_BYTE,   UAR_UBYTE,   UAR_SHORT,         UAR_USHORT,    UAR_INT,
                      UAR_UINT,   UAR_LONG,   UAR_ULONG,   UAR_LONGLONG,      UAR_ULONGLONG, UAR_FLOAT,
                      UAR_DOUBLE, UAR_CFLOAT, UAR_CDOUBLE, UAR_TYPE_SENTINEL, UAR_HALF};

dpctl_array_c_interface table{};

}  // namespace

void bind_array_c_interface(nb::module_ &m) {
  table = {
      .array_type = types().of[static_cast<int>(package::dpctl)],
      .get_data = get_data,
      .get_ndim = get_ndim,
      .get_shape = get_shape,
      .get_strides = get_strides,
      .get_typenum = get_typenum,
      .get_element_size = get_element_size,
      .get_flags = get_flags,
      .get_queue_ref = get_queue_ref,
      .get_offset = get_offset,
      .get_usm_data = get_usm_data,
      .set_writable = set_writable,
      .make_from_memory = make_from_memory,
      .make_simple_from_pointer = make_simple_from_pointer,
      .make_from_pointer = make_from_pointer,
  };
  m.attr("c_interface") = nb::capsule(&table, DPCTL_ARRAY_INTERFACE_NAME);
  // Cython requires a method table of a class with methods. Its contents are not used: dpctl's .pxd methods are inline.
  m.attr("usm_ndarray").attr("__pyx_vtable__") = nb::steal(PyCapsule_New(&table, nullptr, nullptr));

  nb::dict functions;
  const auto add = [&](const char *name, auto *function, const char *signature) {
    functions[name] = nb::capsule(reinterpret_cast<void *>(function), signature);
  };
  add("UsmNDArray_GetData", get_data, "char *(struct PyUSMArrayObject *)");
  add("UsmNDArray_GetNDim", get_ndim, "int (struct PyUSMArrayObject *)");
  add("UsmNDArray_GetShape", get_shape, "Py_ssize_t *(struct PyUSMArrayObject *)");
  add("UsmNDArray_GetStrides", get_strides, "Py_ssize_t *(struct PyUSMArrayObject *)");
  add("UsmNDArray_GetTypenum", get_typenum, "int (struct PyUSMArrayObject *)");
  add("UsmNDArray_GetElementSize", get_element_size, "int (struct PyUSMArrayObject *)");
  add("UsmNDArray_GetFlags", get_flags, "int (struct PyUSMArrayObject *)");
  add("UsmNDArray_GetQueueRef", get_queue_ref, "DPCTLSyclQueueRef (struct PyUSMArrayObject *)");
  add("UsmNDArray_GetOffset", get_offset, "Py_ssize_t (struct PyUSMArrayObject *)");
  add("UsmNDArray_GetUSMData", get_usm_data, "PyObject *(struct PyUSMArrayObject *)");
  add("UsmNDArray_SetWritableFlag", set_writable, "void (struct PyUSMArrayObject *, int)");
  add("UsmNDArray_MakeSimpleFromMemory", make_from_memory,
      "PyObject *(int, Py_ssize_t const *, int, struct Py_MemoryObject *, Py_ssize_t, char)");
  add("UsmNDArray_MakeSimpleFromPtr", make_simple_from_pointer,
      "PyObject *(size_t, int, DPCTLSyclUSMRef, DPCTLSyclQueueRef, PyObject *)");
  add("UsmNDArray_MakeFromPtr", make_from_pointer,
      "PyObject *(int, Py_ssize_t const *, int, Py_ssize_t const *, DPCTLSyclUSMRef, DPCTLSyclQueueRef, Py_ssize_t, "
      "PyObject *)");
  int *value = flag_values;
  for (const char *name : {"USM_ARRAY_C_CONTIGUOUS", "USM_ARRAY_F_CONTIGUOUS", "USM_ARRAY_WRITABLE"})
    functions[name] = nb::capsule(value++, "int");
  value = type_numbers;
  for (const char *name : {"UAR_BOOL", "UAR_BYTE", "UAR_UBYTE", "UAR_SHORT", "UAR_USHORT", "UAR_INT", "UAR_UINT",
                           "UAR_LONG", "UAR_ULONG", "UAR_LONGLONG", "UAR_ULONGLONG", "UAR_FLOAT", "UAR_DOUBLE",
                           "UAR_CFLOAT", "UAR_CDOUBLE", "UAR_TYPE_SENTINEL", "UAR_HALF"})
    functions[name] = nb::capsule(value++, "int");
  m.attr("__pyx_capi__") = functions;
}

}  // namespace dpep::python
