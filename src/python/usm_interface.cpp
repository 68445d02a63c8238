// Import of `__sycl_usm_array_interface__`: from a Python dictionary to a range of USM bytes.
//
// The protocol is described at https://intelpython.github.io/dpctl/latest/api_reference/dpctl/memory.html
#include "usm_memory.hpp"

#include <optional>

#include "bindings.hpp"
#include "capsule.hpp"

#include <dpep/exception.hpp>

namespace dpep::python {
namespace {

[[noreturn]] void malformed(const std::string &what) { throw value_error("__sycl_usm_array_interface__: " + what); }

nb::object entry(const nb::dict &interface, const char *key) {
  if (!interface.contains(key)) malformed(std::string("'") + key + "' is missing");
  return nb::object(interface[key]);
}

/// Size in bytes of an element of a type such as "|u1" or "<f8", or of one of NumPy's one-letter codes. Empty for
/// others.
std::optional<std::size_t> item_size(std::string_view type) {
  if (!type.empty() && std::string_view("<>|=").find(type[0]) != type.npos) type.remove_prefix(1);
  if (type.empty()) return {};
  if (type.size() == 1) {
    constexpr std::string_view letters = "?bBhHiIlLqQefdFD";
    constexpr std::size_t sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 2, 4, 8, 8, 16};
    const auto at = letters.find(type[0]);
    return at == letters.npos ? std::nullopt : std::optional(sizes[at]);
  }
  if (std::string_view("biufcV").find(type[0]) == std::string_view::npos) return {};
  std::size_t size = 0;
  for (char digit : type.substr(1)) {
    if (digit < '0' || digit > '9' || size > (std::size_t(1) << 40)) return {};
    size = size * 10 + static_cast<std::size_t>(digit - '0');
  }
  return size ? std::optional(size) : std::nullopt;
}

std::vector<std::int64_t> integers(nb::handle x, const char *key) {
  std::vector<std::int64_t> values;
  if (!PyTuple_Check(x.ptr()) && !PyList_Check(x.ptr()))
    malformed(std::string("'") + key + "' must be a tuple of integers");
  for (nb::handle item : nb::borrow<nb::sequence>(x)) {
    std::int64_t value;
    if (!nb::try_cast(item, value)) malformed(std::string("'") + key + "' must contain only integers");
    values.push_back(value);
  }
  return values;
}

/// Byte offsets, relative to element 0, of the first byte of the elements and of the byte after the last.
struct extent {
  std::int64_t begin = 0, end = 0;
};
extent extent_of(const std::vector<std::int64_t> &shape, nb::handle strides_entry, std::int64_t item) {
  for (std::int64_t n : shape)
    if (n < 0) malformed("'shape' has a negative length");
  std::vector<std::int64_t> strides;
  if (strides_entry.is_none()) {
    strides.assign(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
      if (__builtin_mul_overflow(strides[d], shape[d], &strides[d - 1])) malformed("'shape' is too large");
  } else {
    strides = integers(strides_entry, "strides");
    if (strides.size() != shape.size()) malformed("'strides' must be as long as 'shape'");
  }
  extent e{0, item};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0) return {};
    std::int64_t reach;
    if (__builtin_mul_overflow(shape[d] - 1, strides[d], &reach) || __builtin_mul_overflow(reach, item, &reach) ||
        __builtin_add_overflow(reach < 0 ? e.begin : e.end, reach, reach < 0 ? &e.begin : &e.end))
      malformed("'shape' and 'strides' exceed the address space");
  }
  return e;
}

}  // namespace

sycl_object sycl_object_from(nb::handle x) {
  if (nb::isinstance<queue>(x)) return {nb::cast<queue>(x), nb::cast<queue &>(x).get_context()};
  if (nb::isinstance<context>(x)) return {{}, nb::cast<context>(x)};
  if (nb::isinstance<device>(x)) return {{}, context::default_for(nb::cast<device &>(x))};
  if (const queue *q = consume_capsule<queue>(x, queue_capsule, used_queue_capsule)) return {*q, q->get_context()};
  if (const context *c = consume_capsule<context>(x, context_capsule, used_context_capsule)) return {{}, *c};
  try {
    if (nb::isinstance<nb::str>(x)) return {{}, context::default_for(device(text_of(x)))};
  } catch (const exception &e) {
    throw nb::value_error(e.what());
  }
  if (nb::hasattr(x, "_get_capsule")) {
    const nb::object capsule = x.attr("_get_capsule")();
    if (PyCapsule_CheckExact(capsule.ptr())) return sycl_object_from(capsule);
  }
  throw type_error("expected a SyclQueue, a SyclContext, a SyclDevice, a filter string, a capsule or an object with "
                   "_get_capsule(), got " +
                   type_of(x));
}

usm_memory view_of(nb::handle object) {
  if (nb::isinstance<usm_memory>(object)) return nb::cast<usm_memory &>(object);
  if (!nb::hasattr(object, "__sycl_usm_array_interface__"))
    throw type_error("expected USM memory or an object with __sycl_usm_array_interface__, got " + type_of(object));
  const nb::object attribute = object.attr("__sycl_usm_array_interface__");
  if (!nb::isinstance<nb::dict>(attribute)) malformed("must be a dict");
  const auto interface = nb::borrow<nb::dict>(attribute);

  std::int64_t version;
  if (!nb::try_cast(entry(interface, "version"), version) || version != 1) malformed("'version' must be 1");
  const nb::object data = entry(interface, "data");
  std::uintptr_t address;
  if (!PyTuple_Check(data.ptr()) || PyTuple_Size(data.ptr()) != 2 || !nb::try_cast(data[0], address))
    malformed("'data' must be a tuple of an address and a bool");
  const nb::object type = entry(interface, "typestr");
  const auto item = nb::isinstance<nb::str>(type) ? item_size(text_of(type)) : std::nullopt;
  if (!item) malformed("'typestr' must be a numeric type, got " + text_of(nb::repr(type)));
  const nb::object strides = interface.contains("strides") ? nb::object(interface["strides"]) : nb::none();
  std::int64_t offset = 0;
  if (interface.contains("offset") && !interface["offset"].is_none() && !nb::try_cast(interface["offset"], offset))
    malformed("'offset' must be an integer");

  const auto size = static_cast<std::int64_t>(*item);
  const extent reach = extent_of(integers(entry(interface, "shape"), "shape"), strides, size);
  std::int64_t first;
  if (__builtin_mul_overflow(offset, size, &first) || __builtin_add_overflow(first, reach.begin, &first))
    malformed("'offset' exceeds the address space");

  usm_memory view;
  view.bytes = static_cast<std::size_t>(reach.end - reach.begin);
  view.pointer = reinterpret_cast<void *>(address + static_cast<std::uintptr_t>(first));
  view.reference = nb::borrow(object);

  const sycl_object where = [&] {
    try {
      return sycl_object_from(entry(interface, "syclobj"));
    } catch (const nb::builtin_exception &e) {
      malformed(std::string("'syclobj': ") + e.what());
    }
  }();
  const auto home = find_allocation(reinterpret_cast<const void *>(address));
  if (!home || home->context != where.context) malformed("'data' is not USM memory of the context of 'syclobj'");
  const auto *base = static_cast<const std::byte *>(home->base);
  const auto *start = static_cast<const std::byte *>(view.pointer);
  if (start < base || start + view.bytes > base + home->bytes)
    malformed("'shape', 'strides' and 'offset' reach outside the allocation of " + std::to_string(home->bytes) +
              " bytes");
  view.kind = home->kind;
  view.queue =
      where.queue ? where.queue : queue(where.context, home->device ? home->device : where.context.devices().at(0));
  return view;
}

}  // namespace dpep::python
