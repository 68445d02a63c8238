// Import and export of `__cuda_array_interface__`, without copies.
//
// https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html, version 3. The protocol names one stream in
// which the memory is ready. Exported arrays always name CUDA's default stream, which is made to wait for the queue,
// because libraries that ignore the entry use that stream. Memory of a destroyed array is reused only after the work
// that the default stream had at that time.
#include "array_slots.hpp"

#include <dpep/array_order.hpp>

#include "../cuda_streams.hpp"
#include "../keep_alive.hpp"

namespace dpep::python {
namespace {

[[noreturn]] void malformed(const std::string &what) { throw value_error("__cuda_array_interface__: " + what); }

}  // namespace

nb::dict cuda_interface_of(const ndarray &a) {
  if (a.get_queue().get_device().info().backend != backend_kind::cuda)
    throw nb::attribute_error("__cuda_array_interface__: the array is not on a CUDA device");
  const auto seen = array::expose_in_order(a, cuda_default_stream);
  native::order_before(a.get_queue(), cuda_default_stream);
  const auto size = static_cast<std::int64_t>(size_of(a.type()));
  nb::list shape, strides;
  for (const std::int64_t n : a.shape()) shape.append(n);
  for (const std::int64_t n : a.strides()) strides.append(n * size);
  const auto first = reinterpret_cast<std::uintptr_t>(seen.base) + static_cast<std::uintptr_t>(seen.offset * size);
  nb::dict interface;
  interface["data"] = nb::make_tuple(a.size() ? first : 0, !a.writable());
  interface["shape"] = nb::tuple(shape);
  interface["strides"] = a.row_major() ? nb::none() : nb::object(nb::tuple(strides));
  interface["typestr"] = nb::handle(numpy_dtype(a.type())).attr("str");
  interface["version"] = 3;
  interface["stream"] = cuda_default_stream;
  return interface;
}

ndarray array_on_cuda_interface(nb::handle object) {
  const nb::object interface = object.attr("__cuda_array_interface__");
  const auto get = [&](const char *key) -> nb::object { return interface.attr("get")(key); };
  std::uintptr_t address;
  const nb::object data = get("data");
  if (!PyTuple_Check(data.ptr()) || PyTuple_Size(data.ptr()) != 2 || !nb::try_cast(data[0], address))
    malformed("'data' must be a tuple of an address and a bool");
  if (!get("mask").is_none()) malformed("'mask' is not supported");
  const dtype type = dtype_from(get("typestr"));
  const auto size = static_cast<std::int64_t>(size_of(type));
  const extents_argument shape = shape_from(get("shape"), "__cuda_array_interface__");
  const array::extents lengths = shape;
  extents_argument strides;
  if (const nb::object given = get("strides"); !given.is_none()) {
    strides = integers_from(given, "__cuda_array_interface__", "strides");
    if (strides.size() != shape.size()) malformed("'strides' must be as long as 'shape'");
    for (std::size_t i = 0; i < strides.size(); ++i) {
      if (strides[i] % size) malformed("'strides' must be multiples of the element size");
      strides[i] /= size;
    }
  } else {
    for (std::size_t i = 0; i < shape.size(); ++i) strides.push_back(1);
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * lengths[i];
  }
  std::int64_t low = 0, high = 1;
  bool empty = false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    empty |= lengths[i] == 0;
    (strides[i] < 0 ? low : high) += (lengths[i] - 1) * strides[i];
  }
  if (empty) low = high = 0;
  auto *const first = reinterpret_cast<std::byte *>(address) + low * size;
  const auto known = native::attributes_of(first);
  if (!known && !empty) malformed("'data' is not memory of a device in this process");
  const queue &q = cached_queue(known ? known->memory_device : native::device_from_ordinal(backend_kind::cuda, 0));
  if (const nb::object stream = get("stream"); !stream.is_none())
    native::order_after(q, cuda_stream_from(stream, "__cuda_array_interface__"));
  const bool read_only = nb::cast<bool>(nb::bool_(data[1]));
  return array::view_of_memory(first, static_cast<std::size_t>((high - low) * size), -low, shape, strides, type,
                               {q, known ? known->kind : usm_kind::device}, hold(nb::borrow(object)), !read_only);
}

}  // namespace dpep::python
