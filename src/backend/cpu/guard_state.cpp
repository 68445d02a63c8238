// The state of threads that run kernels, and the description of faults.
#include "backend/cpu/guard_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dpep::backend::cpu {

namespace detail {
thread_local constinit guard_state guard [[gnu::tls_model("initial-exec")]];
}

std::string fault::describe() const {
  switch (what) {
  case kind::none:
    return "no fault";
  case kind::interrupted:
    return "interrupted";
  case kind::assertion: {
    const std::string message = text.empty() ? "an assertion failed" : text;
    if (!dimensions) return message;
    return fmt::format("{}, by work-item ({})", message, fmt::join(item.begin(), item.begin() + dimensions, ", "));
  }
  case kind::arithmetic:
    return integer ? "integer division by zero or overflow" : "a floating-point exception";
  case kind::illegal:
    return "an illegal instruction or a trap (code marked unreachable was reached)";
  case kind::stack:
    return "stack overflow: private arrays or recursion too large";
  case kind::memory:
    break;
  }
  if (!known_address) return "access to a non-canonical address, or a misaligned access to a vector";
  const char *verb = jump ? "jump to" : write ? "write to" : "read of";
  if (address < 4096) return fmt::format("{} address {:#x} (null pointer)", verb, address);
  return fmt::format("{} address {:#x}, which is not mapped, or does not allow this access", verb, address);
}

}  // namespace dpep::backend::cpu
