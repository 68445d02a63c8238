// Selection of devices by filter strings and ONEAPI_DEVICE_SELECTOR, on plain data, so that tests can use any machine.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <dpep/device.hpp>

namespace dpep::runtime {

/// The properties of a root device that selection depends on. Lists of candidates are in the order of platforms.
struct candidate {
  backend_kind backend;
  device_type type;
};

/// A selected root device, or selected sub-devices of it.
struct choice {
  std::size_t device;                             // index of the candidate
  std::vector<std::optional<std::size_t>> parts;  // sub-device at each level; nothing: all of them
  friend bool operator==(const choice &, const choice &) = default;
};

/// ONEAPI_DEVICE_SELECTOR as DPC++ defines it:
///   selector := term {";" term}
///   term     := ["!"] backend ":" device {"," device}          "!" discards the devices, and overrides acceptance
///   backend  := "*" | "level_zero" | "opencl" | "cuda" | "hip" | "native_cpu"
///   device   := "*" | "cpu" | "gpu" | "fpga" | number | part
///   part     := (number | "*") "." (number | "*") ["." (number | "*")]   sub-devices, which become root devices
/// and, as an extension of DPC++, `backend ":" type ":" (number | part)`, as in filter strings. Numbers count the
/// devices of the backend (and type). Without an accepting term, all devices are accepted. Case-insensitive.
///
/// In accepting terms, "opencl" also matches the native CPU if there is no OpenCL CPU device: programs written for
/// DPC++ name their CPU "opencl:cpu".
///
/// Throws errc::invalid for a syntax error, with the expected syntax in the message.
std::vector<choice> select_by_environment(std::string_view selector, const std::vector<candidate> &);

/// Whether the selector selects such a device on any machine. If not, its driver need not be started.
bool can_select(std::string_view selector, const candidate &);

/// The indices of the devices that a filter string selects: filters separated by ",", each backend:type:number with any
/// of the three omitted. In the order of the filters, without repetition. "opencl" matches the native CPU as above.
/// Throws errc::runtime for a syntax error.
std::vector<std::size_t> select_by_filter(std::string_view filter, const std::vector<candidate> &);

}  // namespace dpep::runtime
