// What is mapped to reserved addresses.
#pragma once

#include <optional>

#include <dpep/memory.hpp>

namespace dpep::runtime {

/// The mapping that contains an address, as an allocation of device memory. Nothing if devices must not access it.
std::optional<allocation> find_mapping(const void *address) noexcept;

}  // namespace dpep::runtime
