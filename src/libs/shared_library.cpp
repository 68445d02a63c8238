// Opens shared libraries, and finds those that Python packages contain.
#include "libs/shared_library.hpp"

#include <algorithm>
#include <system_error>

#include <dlfcn.h>
#include <link.h>

namespace dpep::libs {
namespace {

namespace fs = std::filesystem;

void add_existing(std::vector<fs::path> &folders, const fs::path &folder) {
  std::error_code failed;
  if (folder.empty() || !fs::is_directory(folder, failed)) return;
  if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
}

}  // namespace

shared_library::shared_library(const std::string &name) : handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_) return;
  const char *const text = dlerror();
  error_ = text ? text : "dlopen failed";
}

void *shared_library::find(const std::string &symbol) const noexcept {
  return handle_ ? dlsym(handle_, symbol.c_str()) : nullptr;
}

std::string shared_library::path_of(const void *function) {
  Dl_info info;
  return dladdr(function, &info) && info.dli_fname ? info.dli_fname : "";
}

std::vector<fs::path> loaded_libraries(std::string_view name_begin) {
  struct search {
    std::string_view begin;
    std::vector<fs::path> found;
  } state{name_begin, {}};
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *argument) {
        auto &s = *static_cast<search *>(argument);
        if (!info->dlpi_name || !*info->dlpi_name) return 0;
        fs::path file(info->dlpi_name);
        if (file.filename().string().starts_with(s.begin)) s.found.push_back(std::move(file));
        return 0;
      },
      &state);
  return state.found;
}

std::vector<fs::path> package_folders() {
  std::vector<fs::path> folders;
  const fs::path own = shared_library::path_of(reinterpret_cast<const void *>(&package_folders));
  add_existing(folders, own.parent_path().parent_path().parent_path());  // <packages>/dpep/lib/libdpep.so
  for (const fs::path &numpy : loaded_libraries("_multiarray_umath"))    // <packages>/numpy/_core/_multiarray_umath…
    add_existing(folders, numpy.parent_path().parent_path().parent_path());
  return folders;
}

std::vector<fs::path> files_in(const fs::path &folder, std::string_view name_begin) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (entry->path().filename().string().starts_with(name_begin)) found.push_back(entry->path());
  std::ranges::sort(found);
  return found;
}

}  // namespace dpep::libs
