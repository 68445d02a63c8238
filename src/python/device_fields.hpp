// The properties of dpctl.SyclDevice that are fields of device_info.
#pragma once

#include "bindings.hpp"

namespace dpep::python {

void bind_device_fields(nb::class_<device> &);

}  // namespace dpep::python
