// A line of a program's source, for error messages.
#pragma once

#include <cstdint>
#include <source_location>

namespace dpep {

/// The source line of a call. C++ callers pass std::source_location; other languages pass the file and the line.
/// Default-constructed: unknown.
struct source_line {
  const char *file = nullptr;  // valid as long as the process
  std::uint32_t line = 0;

  constexpr source_line() noexcept = default;
  constexpr source_line(const char *file, std::uint32_t line) noexcept : file(file), line(line) {}
  constexpr source_line(const std::source_location &at) noexcept : source_line(at.file_name(), at.line()) {}
};

}  // namespace dpep
