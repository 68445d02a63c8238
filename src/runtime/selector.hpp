// Which devices a filter string, or ONEAPI_DEVICE_SELECTOR, means: on plain data, so that any machine can be imagined.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <dpep/device.hpp>

namespace dpep::runtime {

/// A root device, as far as selection is concerned. In the order of platforms.
struct candidate {
  backend_kind backend;
  device_type type;
};

/// One choice: a root device, or a part of it, or a part of a part. A missing number means all of them.
struct choice {
  std::size_t device;
  std::vector<std::optional<std::size_t>> parts;
  friend bool operator==(const choice &, const choice &) = default;
};

/// ONEAPI_DEVICE_SELECTOR as DPC++ defines it:
///   selector := term {";" term}
///   term     := ["!"] backend ":" device {"," device}          "!" discards, what it discards stays out
///   backend  := "*" | "level_zero" | "opencl" | "cuda" | "hip" | "native_cpu"
///   device   := "*" | "cpu" | "gpu" | "fpga" | number | part
///   part     := (number | "*") "." (number | "*") ["." (number | "*")]   sub-devices, then stand for root devices
/// and, beyond DPC++, `backend ":" type ":" (number | part)`, as in filter strings. Numbers count the backend's (and
/// type's) devices. Without a term that accepts, everything is accepted. Letters' case does not matter.
///
/// The native CPU also answers to "opencl" in accepting terms while no OpenCL CPU device is there: programs
/// written for DPC++ call their CPU "opencl:cpu".
///
/// Throws errc::invalid for what does not parse, saying what may stand there.
std::vector<choice> select_by_environment(std::string_view selector, const std::vector<candidate> &);

/// Whether that selector could choose such a device on some machine: where not, its driver need not even be started.
bool may_choose(std::string_view selector, const candidate &);

/// A filter string: filters separated by ",", each backend:type:number with any of the three left out. In the order
/// of the filters, without repetition. Throws errc::runtime for what does not parse. Answers to "opencl" as above.
std::vector<std::size_t> select_by_filter(std::string_view filter, const std::vector<candidate> &);

}  // namespace dpep::runtime
