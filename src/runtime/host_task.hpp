// What a host task must not do: wait for itself.
#pragma once

#include <fmt/format.h>

#include <dpep/exception.hpp>

#include "backend/backend.hpp"

namespace dpep::runtime {

inline bool in_host_task() noexcept { return backend::host_task_here != nullptr; }

/// Throws errc::invalid when `what`, a back end's event or queue, cannot be waited for here because it waits itself for
/// the host task that the calling thread runs.
template <class Waited> void refuse_waiting_for_itself(const Waited &what, const char *operation) {
  if (in_host_task() && what.waits_for_caller()) [[unlikely]]
    throw exception(errc::invalid,
                    fmt::format("{}: called in a host task that this waits for, so it would wait for itself for ever; "
                                "wait for the events that are meant, or make them dependencies of the host task",
                                operation));
}

}  // namespace dpep::runtime
