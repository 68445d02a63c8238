// Whether kernels are compiled with checks.
#include "jit/checks.hpp"

#include <cstdlib>

namespace dpep::jit {

bool checks_wanted() noexcept {
  const char *const value = std::getenv("DPEP_CHECK");
  return value && *value && *value != '0';
}

}  // namespace dpep::jit
