// What clang is given to read, where a source has attributes that it does not know.
#pragma once

#include <filesystem>
#include <optional>

#include "compile.hpp"

namespace dpcxx {

/// What clang reads for the source: its name, and options that put something else in its place.
struct reading {
  command options, name;
};

/// The source, or a copy where it has attributes that clang does not know.
reading source_to_read(const session &s, const argument &source);

/// Whether such attributes are left: in other people's headers, or in macros. `rule`: a depfile of a pass over it.
bool has_attributes_elsewhere(const session &s, const reading &read, const std::filesystem::path &rule);

/// The source with all that it includes and every macro in its place, and those attributes as calls. Nothing: there
/// are none in it, or it cannot be preprocessed. `options`: of the pass that will read it.
std::optional<reading> preprocessed(const session &s, const reading &read, const command &options);

}  // namespace dpcxx
