// Shared libraries that are opened at run time, and the folders that they are searched in.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dpep::libs {

/// An open library. It stays loaded until the process ends: its threads may run until then.
class shared_library {
public:
  shared_library() = default;
  /// Opens a file, or a name that the dynamic linker searches for. Empty, with the reason in error(), if that fails.
  explicit shared_library(const std::string &name);
  explicit operator bool() const noexcept { return handle_ != nullptr; }
  const std::string &error() const noexcept { return error_; }
  /// The file that the function is in.
  static std::string path_of(const void *function);

  /// Null if the library has no such symbol.
  void *find(const std::string &symbol) const noexcept;
  /// Sets a function pointer. Returns whether the library has the symbol.
  template <class Function> bool resolve(Function *&to, const std::string &symbol) const noexcept {
    to = reinterpret_cast<Function *>(find(symbol));
    return to != nullptr;
  }

private:
  void *handle_ = nullptr;
  std::string error_;
};

/// The files of libraries that are loaded in this process whose names begin so.
std::vector<std::filesystem::path> loaded_libraries(std::string_view name_begin);
/// Folders in which Python packages are installed: the one that contains libdpep.so, and the one that contains a
/// loaded NumPy.
std::vector<std::filesystem::path> package_folders();
/// Files in the folder whose names begin so, in the order of their names. Empty if there is no such folder.
std::vector<std::filesystem::path> files_in(const std::filesystem::path &folder, std::string_view name_begin);

}  // namespace dpep::libs
