// dpep::device_variable.
#include <dpep/device_variable.hpp>

#include "backend/common/device_variables.hpp"
#include "runtime/device.hpp"

namespace dpep {

device_variable::device_variable(std::uint64_t key, const void *initial, std::size_t bytes, std::size_t alignment)
    : initial_(initial) {
  backend::add_device_variable(key, initial, bytes, alignment);
}

device_variable::~device_variable() { backend::remove_device_variable(initial_); }

void *device_variable::storage(const device &d) const {
  return *backend::device_variable_cell(runtime::code_device_of(d), initial_, "copy");
}

}  // namespace dpep
