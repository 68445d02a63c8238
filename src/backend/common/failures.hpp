// Failures of kernels on GPUs: the records of abi.hpp, read by the host.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "backend/abi.hpp"

namespace dpep::backend {

/// The same message as on the CPU, for a launch with this number of dimensions.
std::string describe(const abi::failure_record &, std::size_t dimensions);
/// Takes the failure in the record, if there is one, and starts the next round.
std::optional<abi::failure_record> take_failure(abi::failure_record &) noexcept;

}  // namespace dpep::backend
