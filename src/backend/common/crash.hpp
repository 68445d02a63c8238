// Calling host code that may crash, such as a compiler on damaged input, and going on.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace dpep::backend {

/// Calls `body`. Memory faults, stack overflows and traps in it end it, and are returned in words; destructors do not
/// run then, and what it was working on is in no known state. Its exceptions are the caller's.
std::optional<std::string> crash_of(const std::function<void()> &body);

}  // namespace dpep::backend
