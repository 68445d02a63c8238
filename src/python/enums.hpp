// dpctl's enumerations, and their mapping from those of the runtime.
#pragma once

#include <nanobind/nanobind.h>

#include <dpep/device.hpp>
#include <dpep/event.hpp>

namespace dpep::python {

enum class py_backend { all, cuda, hip, level_zero, native_cpu, opencl, unknown };
enum class py_device_type { all, accelerator, automatic, cpu, custom, gpu, unknown };
enum class py_event_status { unknown_status, submitted, running, complete };
enum class py_cache_type { indeterminate, none, read_only, read_write };

py_backend to_python(backend_kind) noexcept;
py_device_type to_python(device_type) noexcept;
py_event_status to_python(event_status) noexcept;

/// From an enumerator or its name. TypeError for other types, ValueError for unknown names.
py_backend backend_from(nanobind::handle);
py_device_type device_type_from(nanobind::handle);

bool matches(py_backend wanted, backend_kind) noexcept;
bool matches(py_device_type wanted, device_type) noexcept;

}  // namespace dpep::python
