// Registers code that the JIT compiled with debuggers and profilers, if environment variables enable it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace dpep::jit {

/// Whether DPEP_GDB is set and not 0: kernels are compiled with line tables and registered with gdb and lldb.
bool debugging_enabled() noexcept;
/// Registers an ELF object whose section headers contain the load addresses. The object must stay valid until it is
/// unregistered. Returns a handle for unregister_from_debuggers.
void *register_with_debuggers(std::span<const std::byte> object);
void unregister_from_debuggers(void *entry) noexcept;

/// Whether DPEP_PERF is set and not 0: /tmp/perf-<pid>.map, from which `perf report` reads symbols, lists kernels.
bool profiling_enabled() noexcept;
void add_to_perf_map(const std::string &name, const void *start, std::size_t bytes);

}  // namespace dpep::jit
