// The input of clang for a source: the source itself, or a copy without SYCL's kernel attributes.
#pragma once

#include <filesystem>
#include <optional>

#include "compile.hpp"

namespace dpcxx {

/// A source on clang's command line: its name, and options that replace its content.
struct clang_input {
  command options, name;
};

/// The source, or a copy if it has attributes that clang does not support (attributes.hpp).
clang_input input_for(const session &s, const argument &source);

/// Whether such attributes remain, in headers other than dpep's or in macros. `rule`: the depfile of a pass over it.
/// `own`: a folder with files of dpcxx's own.
bool has_remaining_attributes(const session &s, const clang_input &input, const std::filesystem::path &rule,
                              const std::filesystem::path &own);

/// The preprocessed source with its attributes replaced by calls, and those of SYCL_EXTERNAL at the start of their
/// declarations. Nothing if there is nothing to change or the source cannot be preprocessed. `options`: those of the
/// pass that compiles it.
std::optional<clang_input> preprocessed_input(const session &s, const clang_input &input, const command &options);

}  // namespace dpcxx
