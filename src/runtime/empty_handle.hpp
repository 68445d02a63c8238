// The error for empty handles.
#pragma once

namespace dpep::runtime {

/// Throws errc::invalid: `operation` was called with an empty handle of `type`.
[[noreturn]] void throw_empty(const char *type, const char *operation);

}  // namespace dpep::runtime
