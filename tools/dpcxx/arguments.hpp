// The command line: what people pass to icpx -fsycl or clang++, sorted into what each step of a compilation needs.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "process.hpp"

namespace dpcxx {

/// What the last step makes.
enum class product { preprocessed, checked, assembly, object, linked };

enum class role {
  option,      // for every step that compiles
  dependency,  // -M…: what goes into depfiles
  link,        // -l, -L, -Wl,…: only for the linker, in its place among the inputs
  source,      // compiled
  input        // an object or library
};

/// One option with its value, or one input.
struct argument {
  dpcxx::role role;
  command words;           // as clang gets them
  std::string language{};  // of a source: what -x said before it, empty: by its name
};

struct command_line {
  std::vector<argument> arguments;  // in the order in which they came; Intel's options are translated or gone
  product makes = product::linked;
  std::string output;        // -o, empty when not given
  std::string standard;      // the last -std=, as given
  bool device_only = false;  // -fsycl-device-only: the device pass's bitcode is what is wanted
  bool sycl = true;          // -fno-sycl turns it off
  bool verbose = false;      // -v or -###: clang shows its commands
  bool dry = false;          // -###
  bool colors_chosen = false;
  bool version = false, help = false;

  bool has_sources() const;
  bool has_inputs() const;
  command words_of(std::initializer_list<role>) const;  // without output and sources, in order
};

/// Throws an error for what cannot be understood or done.
command_line parse(const command &words);

/// Whether the source is C++ as far as its name and -x tell: the only language that kernels are written in.
bool is_cxx(const argument &source);

/// The same, and headers, modules and preprocessed sources: what -std=c++… can be said of.
bool is_cxx_family(const argument &source);

}  // namespace dpcxx
