// Names of a program's objects, from the symbol tables of its files.
#pragma once

#include <string>

namespace dpep::backend {

/// The mangled name of the object that contains the address, from the symbol table of the executable or library that it
/// belongs to. Empty if there is none, as in files that were stripped.
std::string object_name_at(const void *address);

}  // namespace dpep::backend
