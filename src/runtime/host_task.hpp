// Detection of deadlocks: host tasks that wait for themselves.
#pragma once

#include <fmt/format.h>

#include <dpep/exception.hpp>

#include "backend/backend.hpp"

namespace dpep::runtime {

inline bool in_host_task() noexcept { return backend::current_host_task != nullptr; }

/// Throws errc::invalid if the calling thread runs a host task that `awaited`, a back end's event or queue, depends on:
/// waiting for it would be a deadlock.
template <class Awaited> void reject_self_wait(const Awaited &awaited, const char *operation) {
  if (in_host_task() && awaited.waits_for_caller()) [[unlikely]]
    throw exception(errc::invalid,
                    fmt::format("{}: deadlock: called in a host task that the awaited work depends on, so that the "
                                "task would wait for itself; wait for the events that the task needs, or make them "
                                "dependencies of the task",
                                operation));
}

}  // namespace dpep::runtime
