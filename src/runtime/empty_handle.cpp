// The error for empty handles.
#include "runtime/empty_handle.hpp"

#include <fmt/format.h>

#include <dpep/exception.hpp>

namespace dpep::runtime {

void throw_empty(const char *type, const char *operation) {
  throw exception(errc::invalid,
                  fmt::format("{}: the {} is empty (default-constructed or moved from)", operation, type));
}

}  // namespace dpep::runtime
