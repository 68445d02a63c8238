// Resolves a path through symbolic links, and checks owner and mode of each folder and link.
//
// Code from the cache runs in the user's process. So the folder must belong to the user and be writable by no other
// user; no other user may be able to rename entries of a folder above it; and links must belong to the user or root.
#include "jit/compile/cache_trust.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dpep::jit {
namespace {

namespace fs = std::filesystem;

bool is_trusted_owner(const struct stat &s) noexcept { return s.st_uid == 0 || s.st_uid == ::geteuid(); }

/// Whether it belongs to root's group or to the user's own: many systems give each user a group with write access.
bool is_own_group(const struct stat &s) noexcept { return s.st_gid == 0 || s.st_gid == ::getegid(); }

std::string describe(const fs::path &path, const struct stat &s, const char *what) {
  return fmt::format("{} {} (mode {:04o}, owner {})", path.string(), what, s.st_mode & 07777, s.st_uid);
}

std::string fault_above(const fs::path &path, const struct stat &s) {
  if (!is_trusted_owner(s)) return describe(path, s, "belongs to another user");
  const bool others_write = (s.st_mode & S_IWOTH) || ((s.st_mode & S_IWGRP) && !is_own_group(s));
  // the sticky bit, of folders such as /tmp, protects entries from other users
  return others_write && !(s.st_mode & S_ISVTX) ? describe(path, s, "is writable by other users") : "";
}

std::string fault_of_folder(const fs::path &path, const struct stat &s) {
  if (s.st_uid != ::geteuid()) return describe(path, s, "belongs to another user");
  return s.st_mode & (S_IWGRP | S_IWOTH) ? describe(path, s, "is writable by other users") : "";
}

}  // namespace

std::string untrusted_reason(const std::string &folder) {
  std::error_code error;
  const fs::path whole = fs::absolute(folder, error);
  if (error) return "";
  std::deque<fs::path> rest(whole.begin(), whole.end());
  fs::path here;
  struct stat found;
  for (int links = 0; !rest.empty();) {
    const fs::path name = rest.front();
    rest.pop_front();
    if (name.empty() || name == ".") continue;
    if (name == "..") {  // `here` contains no links
      here = here.parent_path();
      continue;
    }
    const fs::path next = here / name;
    if (::lstat(next.c_str(), &found) != 0) return "";  // does not exist: will be created in a trusted folder
    if (S_ISLNK(found.st_mode)) {
      if (!is_trusted_owner(found)) return describe(next, found, "is a symbolic link that belongs to another user");
      const fs::path target = fs::read_symlink(next, error);
      if (error || ++links > 40) return "";  // opening the folder will fail, too
      if (target.is_absolute()) here = "/";
      rest.insert(rest.begin(), target.begin(), target.end());
      continue;
    }
    here = next;
    const bool last = std::ranges::all_of(rest, [](const fs::path &p) { return p.empty() || p == "."; });
    if (std::string fault = last ? fault_of_folder(here, found) : fault_above(here, found); !fault.empty())
      return fault;
  }
  return "";
}

}  // namespace dpep::jit
