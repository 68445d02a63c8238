// What threads do that Python ends.
#include "gil.hpp"

#include <cstdlib>
#include <exception>

namespace dpep::python {
namespace {

std::terminate_handler other_handler = nullptr;

bool is_finalizing() noexcept {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

[[noreturn]] void terminate() noexcept {
  const bool is_main_thread = gettid() == getpid();
  if (!is_main_thread && is_finalizing()) wait_for_exit();
  if (other_handler) other_handler();
  std::abort();
}

}  // namespace

void wait_in_ended_threads() noexcept { other_handler = std::set_terminate(terminate); }

}  // namespace dpep::python
