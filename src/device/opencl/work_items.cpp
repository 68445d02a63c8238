// Work-item functions: ids and sizes of work-items, work-groups and sub-groups.
#include "device/opencl/types.hpp"

#include <dpep/device_builtins.hpp>

namespace {

/// The value of dimension `d`. The calls have constant arguments, which the JIT requires; other dimensions are
/// `beyond`.
#define DPEP_OF_DIMENSION(BUILTIN, BEYOND)                                                                             \
  d == 0 ? BUILTIN(0) : d == 1 ? BUILTIN(1) : d == 2 ? BUILTIN(2) : std::size_t(BEYOND)

}  // namespace

DPEP_OPENCL std::size_t get_global_id(uint d) { return DPEP_OF_DIMENSION(__dpep_global_id, 0); }
DPEP_OPENCL std::size_t get_global_size(uint d) { return DPEP_OF_DIMENSION(__dpep_global_size, 1); }
DPEP_OPENCL std::size_t get_global_offset(uint d) { return DPEP_OF_DIMENSION(__dpep_global_offset, 0); }
DPEP_OPENCL std::size_t get_local_id(uint d) { return DPEP_OF_DIMENSION(__dpep_local_id, 0); }
DPEP_OPENCL std::size_t get_local_size(uint d) { return DPEP_OF_DIMENSION(__dpep_local_size, 1); }
DPEP_OPENCL std::size_t get_enqueued_local_size(uint d) { return DPEP_OF_DIMENSION(__dpep_local_size, 1); }
DPEP_OPENCL std::size_t get_group_id(uint d) { return DPEP_OF_DIMENSION(__dpep_group_id, 0); }
DPEP_OPENCL std::size_t get_num_groups(uint d) { return DPEP_OF_DIMENSION(__dpep_group_count, 1); }

DPEP_OPENCL std::size_t get_global_linear_id() {
  const auto id = [](uint d) { return get_global_id(d) - get_global_offset(d); };
  return (id(2) * get_global_size(1) + id(1)) * get_global_size(0) + id(0);
}
DPEP_OPENCL std::size_t get_local_linear_id() {
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

DPEP_OPENCL uint get_sub_group_id() { return __dpep_sub_group_id(); }
DPEP_OPENCL uint get_num_sub_groups() { return __dpep_sub_group_count(); }
DPEP_OPENCL uint get_enqueued_num_sub_groups() { return __dpep_sub_group_count(); }
DPEP_OPENCL uint get_sub_group_local_id() { return __dpep_sub_group_local_id(); }
DPEP_OPENCL uint get_sub_group_size() { return __dpep_sub_group_size(); }
DPEP_OPENCL uint get_max_sub_group_size() { return __dpep_sub_group_max_size(); }
