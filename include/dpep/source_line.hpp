// A line of a program's source, as messages name it.
#pragma once

#include <cstdint>
#include <source_location>

namespace dpep {

/// Where a program asked for something. Made from std::source_location in C++; other languages say file and line
/// themselves. Without a line, nobody knows where.
struct source_line {
  const char *file = nullptr;  // lives as long as the process
  std::uint32_t line = 0;

  constexpr source_line() noexcept = default;
  constexpr source_line(const char *file, std::uint32_t line) noexcept : file(file), line(line) {}
  constexpr source_line(const std::source_location &at) noexcept : source_line(at.file_name(), at.line()) {}
};

}  // namespace dpep
