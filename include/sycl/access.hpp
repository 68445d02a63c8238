// Access modes and targets of accessors, and their deduction tags (SYCL 2020, section 4.7.6).
#pragma once

#include <sycl/memory_model.hpp>

namespace sycl {

namespace access {

enum class mode { read = 1024, write, read_write, discard_write, discard_read_write, atomic };

enum class target {
  device,
  host_task,
  constant_buffer,         // deprecated by SYCL 2020
  local,                   // deprecated by SYCL 2020
  host_buffer,             // deprecated by SYCL 2020
  image,                   // SYCL 1.2.1
  host_image,              // SYCL 1.2.1
  image_array,             // SYCL 1.2.1
  global_buffer = device,  // deprecated by SYCL 2020; last, since the next name's value would be that of host_task
};

enum class placeholder { false_t, true_t };  // deprecated by SYCL 2020

enum class fence_space : char { local_space, global_space, global_and_local };

}  // namespace access

using access_mode = access::mode;
using access::target;

template <access_mode> struct mode_tag_t {
  explicit mode_tag_t() = default;
};
template <access_mode, target> struct mode_target_tag_t {
  explicit mode_target_tag_t() = default;
};

inline constexpr mode_tag_t<access_mode::read> read_only{};
inline constexpr mode_tag_t<access_mode::write> write_only{};
inline constexpr mode_tag_t<access_mode::read_write> read_write{};
inline constexpr mode_target_tag_t<access_mode::read, target::constant_buffer> read_constant{};
inline constexpr mode_target_tag_t<access_mode::read, target::host_task> read_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::write, target::host_task> write_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::read_write, target::host_task> read_write_host_task{};

}  // namespace sycl
