// A temporary folder. Depends on the C++ standard library only, as dpcxx does.
#pragma once

#include <filesystem>
#include <string>

namespace dpep::clang {

/// A folder that is removed at the end.
class temporary_folder {
public:
  /// `name`: the beginning of its name. Throws std::runtime_error if it cannot be made.
  explicit temporary_folder(const std::string &name);
  ~temporary_folder();
  temporary_folder(const temporary_folder &) = delete;
  temporary_folder &operator=(const temporary_folder &) = delete;
  const std::filesystem::path &path() const noexcept { return path_; }

private:
  std::filesystem::path path_;
};

}  // namespace dpep::clang
