// Compilation of one source: a device pass, whose bitcode the host pass embeds into the object file.
#pragma once

#include <filesystem>
#include <string>

#include "arguments.hpp"
#include "process.hpp"

namespace dpcxx {

/// The context of one run of dpcxx.
struct session {
  const command_line &line;
  const std::string &clang;
  const std::filesystem::path &temporary;
  std::filesystem::path input{};  // a file with standard input, which is read more than once
};

/// Options of every step: dpep's include folder and the language standard.
command common_options(const session &, bool sycl, bool all_cxx);

/// Whether the source includes SYCL's headers, directly or indirectly.
bool uses_sycl(const session &, const argument &source);

/// Compiles one SYCL source into `object`; for -S, -fsyntax-only and -fsycl-device-only into their products.
/// Returns the status of the pass that failed, or 0.
int compile_sycl(const session &, const argument &source, const std::filesystem::path &object);

/// Compiles a source without SYCL, as clang does.
int compile_plain(const session &, const argument &source, const std::filesystem::path &object);

/// The argument of -x for the source; empty if its name is enough. Unlike clang++, which compiles .c files as C++,
/// dpcxx compiles them as C, so that it can compile all sources of a project.
std::string language_of(const argument &source);

/// The words for the source on clang's command line: its name, after -x if needed. The -x also applies to later inputs.
command input_words(const argument &source);

}  // namespace dpcxx
