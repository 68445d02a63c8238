// A temporary folder.
#include "clang/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace dpep::clang {

temporary_folder::temporary_folder(const std::string &name) {
  std::error_code ignored;
  std::filesystem::path base = std::filesystem::temp_directory_path(ignored);
  if (base.empty()) base = "/tmp";
  std::string made = (base / (name + "-XXXXXX")).string();
  if (!mkdtemp(made.data()))
    throw std::runtime_error("cannot make a temporary folder " + made +
                             " (set TMPDIR to another folder): " + std::strerror(errno));
  path_ = made;
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace dpep::clang
