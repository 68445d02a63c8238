// crash_of, based on the fault guard of kernels: one set of signal handlers serves both.
#include "backend/common/crash.hpp"

#include <exception>

#include "backend/cpu/guard.hpp"

namespace dpep::backend {

std::optional<std::string> crash_of(const std::function<void()> &body) {
  cpu::install_fault_handlers();
  std::exception_ptr error;
  cpu::fault crash;
  const bool survived = cpu::guarded(crash, [&] {
    try {
      body();
    } catch (...) {  // an exception must not pass through the guard, which would stay armed
      error = std::current_exception();
    }
  });
  if (!survived) return crash.describe();
  if (error) std::rethrow_exception(error);
  return std::nullopt;
}

}  // namespace dpep::backend
