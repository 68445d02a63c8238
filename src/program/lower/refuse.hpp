// The error of a program with something that dpep does not support.
#pragma once

#include <string>

#include <dpep/exception.hpp>

namespace dpep::program_lower {

[[noreturn]] inline void refuse(const std::string &reason) { throw exception(errc::build, reason); }

}  // namespace dpep::program_lower
