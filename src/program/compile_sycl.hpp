// Runs dpcxx over the source of a SYCL program.
#pragma once

#include <string>
#include <vector>

#include <dpep/program.hpp>

namespace dpep::program_source {

/// Throws errc::build for options that change what is made, names of headers that are not below a folder, and NUL
/// characters.
void check(const sycl_source &);

/// Whether the meaning of the options depends on the current folder.
bool names_folders(const sycl_source &);

/// A file that the source includes, and a hash of its content.
struct included_file {
  std::string path, digest;
  bool is_unchanged() const;
};

struct sycl_result {
  std::vector<unsigned char> bitcode;  // with descriptions of the kernels
  std::vector<included_file> files;    // without those of the source itself, of dpep and of the system
};
/// Compiles the source. Throws errc::build with the compiler's messages, or with what is missing.
sycl_result compile(const sycl_source &);

}  // namespace dpep::program_source
