// Compiling one source: a pass for the device, whose bitcode goes into the object that the pass for the host makes.
#pragma once

#include <filesystem>
#include <string>

#include "arguments.hpp"
#include "process.hpp"

namespace dpcxx {

/// What all steps of one run of dpcxx share.
struct session {
  const command_line &line;
  const std::string &clang;
  const std::filesystem::path &temporary;
  std::filesystem::path input{};  // standard input, kept because it is read more than once
};

/// Options that every step gets: dpep's headers, the language standard.
command common_options(const session &, bool sycl, bool all_cxx);

/// Whether the source includes SYCL's headers, directly or through others.
bool uses_sycl(const session &, const argument &source);

/// Compiles one SYCL source into `object` (or what -S, -fsyntax-only and -fsycl-device-only ask for).
/// Returns the status of the pass that failed, or 0.
int compile_sycl(const session &, const argument &source, const std::filesystem::path &object);

/// Compiles any other source, as clang does.
int compile_plain(const session &, const argument &source, const std::filesystem::path &object);

/// What -x must say of the source; empty: its name says it. Unlike clang++, which calls them C++, .c files are C, so
/// that dpcxx is a compiler for all of a project.
std::string language_of(const argument &source);

/// The words that give clang this source: its name, after -x when it needs one. That holds for what follows, too.
command naming(const argument &source);

}  // namespace dpcxx
