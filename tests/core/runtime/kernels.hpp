// Kernels for the runtime's tests: C++ functions with the signature of compiled code, so that no JIT is needed.
#pragma once

#include <cstring>
#include <source_location>
#include <string>

#include <dpep/kernel.hpp>

#include "backend/backend.hpp"
#include "runtime/queue.hpp"

namespace dpep::testing {

// Sanitizers change timings and the handling of faults, so some tests are skipped.
#if defined(__has_feature) && __has_feature(address_sanitizer)
constexpr bool under_address_sanitizer = true, under_thread_sanitizer = false;
#elif defined(__has_feature) && __has_feature(thread_sanitizer)
constexpr bool under_address_sanitizer = false, under_thread_sanitizer = true;
#else
constexpr bool under_address_sanitizer = false, under_thread_sanitizer = false;
#endif
constexpr bool sanitized = under_address_sanitizer || under_thread_sanitizer;

inline ref<const backend::code> load(const device &where, backend::work_function entry, std::string name = "test",
                                     backend::code_needs needs = {}) {
  backend::code_object object;
  object.entry = reinterpret_cast<void *>(entry);
  object.name = std::move(name);
  return runtime::code_device_of(where).load(object, needs);
}

inline geometry flat(std::size_t items) { return {1, {items, 1, 1}, {0, 0, 0}, {0, 0, 0}}; }
inline geometry groups(std::size_t count, std::size_t size) {
  return {1, {count * size, 1, 1}, {size, 1, 1}, {0, 0, 0}};
}

inline dependencies after(const event &e) { return {&e, 1}; }

template <class Arguments>
event launch(const queue &q, const ref<const backend::code> &code, const geometry &work, const Arguments &arguments,
             dependencies wait_for = {}, std::size_t local_bytes = 0,
             source_line where = std::source_location::current()) {
  backend::launch_command command{code.get(), work, std::as_bytes(std::span(&arguments, 1)), local_bytes, where};
  return runtime::implementation_of(q).launch(command, wait_for);
}

/// A kernel that calls `Body(arguments, unit)` for each unit.
template <class Arguments, auto Body>
void each(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *, std::size_t) {
  for (std::size_t i = begin; i < end; ++i) Body(*static_cast<const Arguments *>(arguments), i);
}

}  // namespace dpep::testing
