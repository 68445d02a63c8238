// Arguments that are one of a few names.
#pragma once

#include <algorithm>
#include <string>

#include "functions.hpp"

namespace dpep::python {

/// The position of a str among names, as an enumeration; ValueError for other objects.
template <class T, std::size_t n>
T choice(nb::handle x, const char *const (&names)[n], const char *function, const char *argument) {
  const std::string given = nb::isinstance<nb::str>(x) ? text_of(x) : std::string();
  const auto *const found = std::ranges::find(names, given);
  if (found != std::end(names)) return static_cast<T>(found - names);
  std::string known;
  for (const char *name : names) known += (known.empty() ? "'" : ", '") + std::string(name) + "'";
  throw value_error(std::string(function) + ": " + argument + " must be one of " + known + ", got " +
                    text_of(nb::repr(x)));
}

}  // namespace dpep::python
