// Finds NVIDIA's libraries: in a folder that the user names, in the system, and in packages from PyPI.
#include "libs/cuda_library.hpp"

#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include <dpep/exception.hpp>

namespace dpep::libs {
namespace {

namespace fs = std::filesystem;

/// The folders of DPEP_CUDA_LIBRARIES, which are separated by colons.
std::vector<fs::path> chosen_folders() {
  const char *const text = std::getenv("DPEP_CUDA_LIBRARIES");
  std::string_view left = text ? text : "";
  std::vector<fs::path> folders;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(':'), left.size());
    if (end > 0) folders.emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return folders;
}

/// Folders of packages and of the toolkit that may contain the library.
std::vector<fs::path> usual_folders(const cuda_library_name &name, int cuda) {
  std::vector<fs::path> folders;
  for (const fs::path &packages : package_folders()) {
    const fs::path nvidia = packages / "nvidia";
    folders.push_back(nvidia / fmt::format("cu{}", cuda) / "lib");
    folders.push_back(nvidia / name.folder / "lib");
    folders.push_back(packages.parent_path().parent_path());  // conda: <environment>/lib
  }
  for (const fs::path &toolkit : {fs::path("/usr/local/cuda"), fs::path(fmt::format("/usr/local/cuda-{}", cuda))})
    for (const char *const lib : {"lib64", "lib"}) folders.push_back(toolkit / lib);
  for (const fs::path &toolkit : files_in("/usr/local", fmt::format("cuda-{}.", cuda)))
    for (const char *const lib : {"lib64", "lib"}) folders.push_back(toolkit / lib);
  return folders;
}

shared_library open_in(const std::vector<fs::path> &folders, const std::string &file, std::string &refused) {
  for (const fs::path &folder : folders) {
    std::error_code failed;
    if (!fs::exists(folder / file, failed)) continue;
    shared_library found((folder / file).string());
    if (found) return found;
    refused += "; " + found.error();
  }
  return {};
}

}  // namespace

shared_library open_cuda_library(const cuda_library_name &name, int cuda_version, std::string &why) {
  const std::vector<fs::path> chosen = chosen_folders();
  std::string searched, refused;
  int newest = 0;
  for (const auto &[cuda, version] : name.versions) {
    if (cuda_version && cuda > cuda_version) continue;
    newest = std::max(newest, cuda);
    const std::string file = fmt::format("{}.{}", name.stem, version);
    searched += (searched.empty() ? "" : " and ") + file;
    if (!chosen.empty()) {
      if (shared_library found = open_in(chosen, file, refused)) return found;
      continue;
    }
    if (shared_library found{file}) return found;
    if (shared_library found = open_in(usual_folders(name, cuda), file, refused)) return found;
  }
  if (searched.empty()) {
    why = fmt::format("the NVIDIA driver supports CUDA {} only, and {} is used from CUDA {} on; update the driver",
                      cuda_version, name.title, name.versions.back().cuda);
    return {};
  }
  why = fmt::format("{} {} not found{}{}; install {} with 'pip install {}{}', or set DPEP_CUDA_LIBRARIES to its folder",
                    searched, searched.find(" and ") == std::string::npos ? "was" : "were",
                    chosen.empty() ? "" : " in the folders of DPEP_CUDA_LIBRARIES", refused, name.title, name.package,
                    newest >= 13 ? "" : "-cu12");
  return {};
}

int cuda_version_of(const device_info &device) {
  constexpr std::string_view begin = "CUDA ";  // "CUDA 13.0"
  const std::string_view text = device.driver_version;
  int version = 0;
  if (device.backend == backend_kind::cuda && text.starts_with(begin))
    std::from_chars(text.data() + begin.size(), text.data() + text.size(), version);
  return version;
}

void *handle_pool::take(std::uintptr_t context) {
  const std::lock_guard lock(mutex_);
  std::vector<void *> &unused = unused_[context];
  if (unused.empty()) return nullptr;
  void *const handle = unused.back();
  unused.pop_back();
  return handle;
}

void handle_pool::give_back(std::uintptr_t context, void *handle) {
  const std::lock_guard lock(mutex_);
  unused_[context].push_back(handle);
}

void check(status code, const char *library, const char *function) {
  if (code) throw exception(errc::runtime, fmt::format("{} failed in {}: status {}", library, function, code));
}

}  // namespace dpep::libs
