// A compiled program as bytes, for the disk cache.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "program/compile_sycl.hpp"
#include "program/lower/lower.hpp"

namespace dpep::program_contents {

struct contents {
  program_lower::lowered_program program;
  std::vector<program_source::included_file> files = {};  // which the program depends on
};

std::vector<std::byte> to_bytes(const contents &);
/// Nothing if the bytes are not a program's.
std::optional<contents> from_bytes(std::span<const std::byte>);

}  // namespace dpep::program_contents
