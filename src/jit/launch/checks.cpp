// Reads the environment variables that enable run-time checks in kernels.
#include "jit/launch/checks.hpp"

#include <cstdlib>
#include <cstring>

namespace dpep::jit {

bool checks_enabled() noexcept {
  const char *const value = std::getenv("DPEP_CHECK");
  return value && *value && *value != '0' && std::strcmp(value, "memory") != 0;
}

bool loop_checks_enabled() noexcept {
  const char *const value = std::getenv("DPEP_CHECK_SECONDS");
  return value && std::strtod(value, nullptr) > 0;
}

}  // namespace dpep::jit
