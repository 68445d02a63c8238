// A compiled program as bytes, for the disk cache.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "program/lower/lower.hpp"

namespace dpep::program_contents {

std::vector<std::byte> to_bytes(const program_lower::lowered_program &);
/// Nothing if the bytes are not a program's.
std::optional<program_lower::lowered_program> from_bytes(std::span<const std::byte>);

}  // namespace dpep::program_contents
