// The locations of clang 22 and of dpep's own files.
#include "clang.hpp"

#include "clang/find_clang.hpp"

namespace dpcxx {

namespace fs = std::filesystem;

const fs::path &prefix() {
  static const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  return folder;
}

const std::string &find_clang() {
  static const std::string clang = dpep::clang::find_clang("dpcxx");
  return clang;
}

}  // namespace dpcxx
