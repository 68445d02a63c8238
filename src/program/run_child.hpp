// Runs a compiler as a child process, through files in memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "clang/child_process.hpp"

namespace dpep::program_source {

/// A file in memory: a child's standard stream that needs no thread to read or write it meanwhile.
class memory_file {
public:
  memory_file();
  memory_file(const memory_file &) = delete;
  memory_file &operator=(const memory_file &) = delete;
  ~memory_file();
  int descriptor() const noexcept { return descriptor_; }
  void write(std::string_view text);
  void rewind() const;
  std::string read() const;

private:
  int descriptor_;
};

/// What a child wrote to its output, and to its messages; no output if it failed.
struct child_result {
  std::optional<std::string> output;
  std::string messages;
};

/// Runs the command with `input` as its standard input. `largest` limits its address space in bytes; 0 for no limit.
/// Throws errc::build if it cannot be started.
child_result run_child(const clang::command &words, const memory_file &input, std::size_t largest = 0);

/// The clang++ of version 22. Throws errc::build if there is none. `function`: who needs it, for the message.
std::string find_clang(const char *function);

}  // namespace dpep::program_source
