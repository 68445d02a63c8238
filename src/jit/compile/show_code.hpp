// Lets debuggers and profilers see code that came out of the JIT, when the environment asks for it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace dpep::jit {

/// DPEP_GDB=1: compile with line tables and register code with gdb's and lldb's JIT interface.
bool debuggers_watch() noexcept;
/// `object`: ELF with section addresses filled in, which must stay until hidden. Returns what to hide it by.
void *show_to_debuggers(std::span<const std::byte> object);
void hide_from_debuggers(void *entry) noexcept;

/// DPEP_PERF=1: write /tmp/perf-<pid>.map, where `perf report` looks for names.
bool profilers_watch() noexcept;
void show_to_profilers(const std::string &name, const void *start, std::size_t bytes);

}  // namespace dpep::jit
