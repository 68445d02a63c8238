// Parsing of the command line: options of icpx -fsycl and clang++, classified by the compilation steps that need them.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "process.hpp"

namespace dpcxx {

/// The result of the last step.
enum class product { preprocessed, checked, assembly, object, linked };

enum class role {
  option,      // an option of every compilation step
  dependency,  // -M…: an option about depfiles
  link,        // -l, -L, -Wl,…: an option of the linker, whose position among the inputs matters
  source,      // a file to compile
  input        // an object file or library
};

/// One option with its value, or one input.
struct argument {
  dpcxx::role role;
  command words;           // for clang's command line
  std::string language{};  // of a source: the argument of the preceding -x; empty: by its name
};

struct command_line {
  std::vector<argument> arguments;  // in their order; Intel's options are translated or removed
  product makes = product::linked;
  std::string output;        // -o; empty if not given
  std::string standard;      // the last -std=
  bool device_only = false;  // -fsycl-device-only: the device pass's bitcode is the result
  bool program = false;      // -fdpep-program: device_only, with descriptions of the kernel functions
  bool sycl = true;          // false for -fno-sycl
  bool verbose = false;      // -v or -###: clang prints its commands
  bool dry_run = false;      // -###
  bool colors_chosen = false;
  bool version = false, help = false;

  bool has_sources() const;
  bool has_inputs() const;
  /// The words of the arguments with these roles, in order.
  command words_of(std::initializer_list<role>) const;
};

/// Throws std::runtime_error for options that are malformed or not supported.
command_line parse(const command &words);

/// Whether the source is C++, by its name and -x. Only C++ sources can have kernels.
bool is_cxx(const argument &source);

/// Whether -std=c++… applies: C++ sources, headers, modules and preprocessed sources.
bool is_cxx_family(const argument &source);

}  // namespace dpcxx
