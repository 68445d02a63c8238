// Calls host code that may crash, such as a compiler on damaged input, and survives.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace dpep::backend {

/// Calls `body`. A memory fault, stack overflow or trap ends it and is returned as a description; destructors do not
/// run then, and the state that it worked on is undefined. Exceptions are rethrown to the caller.
std::optional<std::string> crash_of(const std::function<void()> &body);

}  // namespace dpep::backend
