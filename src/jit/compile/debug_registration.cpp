// Implements gdb's JIT interface and writes perf's map file.
#include "jit/compile/debug_registration.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <unistd.h>

#include <dpep/export.hpp>

// gdb's "JIT Compilation Interface": debuggers search every library for these two symbols.
extern "C" {
struct jit_code_entry {
  jit_code_entry *next, *previous;
  const char *symfile;
  std::uint64_t symfile_bytes;
};
struct jit_descriptor {
  std::uint32_t version, action;
  jit_code_entry *relevant, *first;
};
DPEP_API extern jit_descriptor __jit_debug_descriptor;
DPEP_API void __jit_debug_register_code();
jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
// Debuggers stop here. The address is an operand so that the code is unique: the linker merges equal functions.
[[gnu::noinline]] void __jit_debug_register_code() { asm volatile("" ::"r"(&__jit_debug_descriptor) : "memory"); }
}

namespace dpep::jit {
namespace {

enum : std::uint32_t { action_register = 1, action_unregister = 2 };
std::mutex debugger_mutex;

bool is_set(const char *variable) noexcept {
  const char *value = std::getenv(variable);
  return value && *value && *value != '0';
}

}  // namespace

bool debugging_enabled() noexcept {
  static const bool enabled = is_set("DPEP_GDB");
  return enabled;
}

void *register_with_debuggers(std::span<const std::byte> object) {
  const std::lock_guard lock(debugger_mutex);
  auto &list = __jit_debug_descriptor;
  auto *entry = new jit_code_entry{list.first, nullptr, reinterpret_cast<const char *>(object.data()), object.size()};
  if (list.first) list.first->previous = entry;
  list.first = list.relevant = entry;
  list.action = action_register;
  __jit_debug_register_code();
  return entry;
}

void unregister_from_debuggers(void *registered) noexcept {
  const std::lock_guard lock(debugger_mutex);
  auto &list = __jit_debug_descriptor;
  auto *entry = static_cast<jit_code_entry *>(registered);
  (entry->previous ? entry->previous->next : list.first) = entry->next;
  if (entry->next) entry->next->previous = entry->previous;
  list.relevant = entry;
  list.action = action_unregister;
  __jit_debug_register_code();
  delete entry;
}

bool profiling_enabled() noexcept {
  static const bool enabled = is_set("DPEP_PERF");
  return enabled;
}

void add_to_perf_map(const std::string &name, const void *start, std::size_t bytes) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static std::FILE *const map = std::fopen(("/tmp/perf-" + std::to_string(::getpid()) + ".map").c_str(), "ae");
  if (!map) return;
  std::fprintf(map, "%zx %zx dpep:%s\n", reinterpret_cast<std::size_t>(start), bytes, name.c_str());
  std::fflush(map);
}

}  // namespace dpep::jit
