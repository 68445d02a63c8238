// dpctl's enumerations: backend_type, device_type, event_status_type, global_mem_cache_type.
#include "enums.hpp"

#include <string>

#include "bindings.hpp"

namespace dpep::python {
namespace {

template <class E> struct named {
  E value;
  const char *name;
};

constexpr named<py_backend> backends[] = {
    {py_backend::all, "all"},
    {py_backend::cuda, "cuda"},
    {py_backend::hip, "hip"},
    {py_backend::level_zero, "level_zero"},
    {py_backend::native_cpu, "native_cpu"},
    {py_backend::opencl, "opencl"},
    {py_backend::unknown, "unknown"},
};
constexpr named<py_device_type> device_types[] = {
    {py_device_type::all, "all"},
    {py_device_type::accelerator, "accelerator"},
    {py_device_type::automatic, "automatic"},
    {py_device_type::cpu, "cpu"},
    {py_device_type::custom, "custom"},
    {py_device_type::gpu, "gpu"},
    {py_device_type::unknown, "unknown"},
};
constexpr named<py_event_status> event_states[] = {
    {py_event_status::unknown_status, "unknown_status"},
    {py_event_status::submitted, "submitted"},
    {py_event_status::running, "running"},
    {py_event_status::complete, "complete"},
};
constexpr named<py_cache_type> cache_types[] = {
    {py_cache_type::indeterminate, "indeterminate"},
    {py_cache_type::none, "none"},
    {py_cache_type::read_only, "read_only"},
    {py_cache_type::read_write, "read_write"},
};

template <class E, std::size_t N>
void bind(nb::module_ &m, const char *type_name, const named<E> (&all)[N], const char *doc) {
  nb::enum_<E> type(m, type_name, doc);
  for (const auto &[value, name] : all) type.value(name, value);
}

template <class E, std::size_t N> E from(nb::handle x, const char *type_name, const named<E> (&all)[N]) {
  if (nb::isinstance<E>(x)) return nb::cast<E>(x);  // integers are not accepted
  std::string wanted;
  for (const auto &[value, name] : all) {
    if (nb::isinstance<nb::str>(x) && text_of(x) == name) return value;
    wanted += wanted.empty() ? name : std::string(", ") + name;
  }
  if (nb::isinstance<nb::str>(x))
    throw value_error(std::string(type_name) + ": '" + text_of(x) + "' is not one of " + wanted);
  throw type_error(std::string(type_name) + ": expected a dpctl." + type_name + " or a str, got " + type_of(x));
}

}  // namespace

py_backend to_python(backend_kind kind) noexcept {
  switch (kind) {
  case backend_kind::native_cpu:
    return py_backend::native_cpu;
  case backend_kind::cuda:
    return py_backend::cuda;
  case backend_kind::opencl:
    return py_backend::opencl;
  case backend_kind::level_zero:
    return py_backend::level_zero;
  case backend_kind::hip:
    return py_backend::hip;
  }
  return py_backend::unknown;
}

py_device_type to_python(device_type type) noexcept {
  switch (type) {
  case device_type::cpu:
    return py_device_type::cpu;
  case device_type::gpu:
    return py_device_type::gpu;
  case device_type::accelerator:
    return py_device_type::accelerator;
  case device_type::custom:
    return py_device_type::custom;
  }
  return py_device_type::unknown;
}

py_event_status to_python(event_status status) noexcept {
  switch (status) {
  case event_status::submitted:
    return py_event_status::submitted;
  case event_status::running:
    return py_event_status::running;
  case event_status::complete:
    return py_event_status::complete;
  }
  return py_event_status::unknown_status;
}

py_backend backend_from(nb::handle x) { return from(x, "backend_type", backends); }
py_device_type device_type_from(nb::handle x) { return from(x, "device_type", device_types); }

bool matches(py_backend wanted, backend_kind kind) noexcept {
  return wanted == py_backend::all || wanted == to_python(kind);
}

bool matches(py_device_type wanted, device_type type) noexcept {
  return wanted == py_device_type::all || wanted == to_python(type);
}

void bind_enums(nb::module_ &m) {
  bind(m, "backend_type", backends, "The back end of a device. `all` selects any of them.");
  bind(m, "device_type", device_types, "The type of a device. `all` selects any of them.");
  bind(m, "event_status_type", event_states, "The status of an event's task.");
  bind(m, "global_mem_cache_type", cache_types, "The type of a device's cache of global memory.");
}

}  // namespace dpep::python
