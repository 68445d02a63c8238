// All targets of the JIT, by the code format that a device wants.
#include "jit/targets/target.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "jit/targets/x86.hpp"

namespace dpep::jit {

const target &target_for(const backend::device &device) {
  if (device.code_format() == "x86-64") return x86_target();
  throw exception(errc::kernel_not_supported,
                  fmt::format("compiling for the device '{}': it takes '{}' code, and this dpep makes 'x86-64' only",
                              device.info().name, device.code_format()));
}

bool is_device_builtin(std::string_view name) noexcept {
  static constexpr std::string_view names[] = {
      "__dpep_global_id",           "__dpep_global_size",
      "__dpep_global_offset",       "__dpep_local_id",
      "__dpep_local_size",          "__dpep_group_id",
      "__dpep_group_count",         "__dpep_sub_group_id",
      "__dpep_sub_group_count",     "__dpep_sub_group_local_id",
      "__dpep_sub_group_size",      "__dpep_sub_group_max_size",
      "__dpep_group_barrier",       "__dpep_sub_group_barrier",
      "__dpep_sub_group_shuffle32", "__dpep_sub_group_shuffle64",
      "__dpep_local_memory",        "__dpep_static_local_memory",
      "__dpep_group_scratch",
  };
  return std::ranges::find(names, name) != std::end(names);
}

}  // namespace dpep::jit
