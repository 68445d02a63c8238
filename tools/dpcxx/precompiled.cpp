// Precompiled headers: <sycl/sycl.hpp> as each pass compiles it, kept in the cache folder.
#include "precompiled.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clang.hpp"
#include "clang/child_process.hpp"

namespace dpcxx {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_headers = 12;  // two for each set of options, 20 to 30 MB each

bool starts_with_any(std::initializer_list<std::string_view> list, std::string_view word) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view start) { return word.starts_with(start); });
}

// -- Whether a source starts with SYCL's header

bool is_standard_header(std::string_view name) {
  if (name.find('.') == std::string_view::npos && name.find('/') == std::string_view::npos) return true;
  constexpr std::array<std::string_view, 17> of_c{
      "assert.h", "complex.h", "ctype.h",  "errno.h", "float.h",  "inttypes.h", "limits.h", "locale.h", "math.h",
      "signal.h", "stddef.h",  "stdint.h", "stdio.h", "stdlib.h", "string.h",   "time.h",   "wchar.h"};
  return std::find(of_c.begin(), of_c.end(), name) != of_c.end();
}

bool is_sycl_header(std::string_view name) {
  return name == "sycl/sycl.hpp" || name == "CL/sycl.hpp" || name == "oneapi/mkl.hpp" || name == "oneapi/math.hpp";
}

/// Whether SYCL's header is included before anything that might change its meaning: behind comments and headers of the
/// standard library only.
bool starts_with_sycl(const fs::path &source) {
  std::ifstream file(source);
  bool in_comment = false;
  for (std::string line; std::getline(file, line);) {
    std::string_view rest = line;
    const auto skip_space = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r"), rest.size())); };
    for (skip_space(); in_comment || rest.starts_with("/*"); skip_space()) {
      const std::size_t end = rest.find("*/", in_comment ? 0 : 2);
      in_comment = end == std::string_view::npos;
      if (in_comment) break;
      rest.remove_prefix(end + 2);
    }
    if (in_comment || rest.empty() || rest.starts_with("//")) continue;
    if (!rest.starts_with("#")) return false;
    rest.remove_prefix(1);
    skip_space();
    if (rest.starts_with("pragma once")) continue;
    if (!rest.starts_with("include")) return false;
    rest.remove_prefix(7);
    skip_space();
    if (rest.empty() || (rest[0] != '<' && rest[0] != '"')) return false;
    const std::size_t end = rest.find(rest[0] == '<' ? '>' : '"', 1);
    if (end == std::string_view::npos) return false;
    const std::string_view name = rest.substr(1, end - 1);
    if (is_sycl_header(name)) return true;
    if (rest[0] != '<' || !is_standard_header(name)) return false;
  }
  return false;
}

// -- Options

/// Whether the option adds files before the source, or output that a precompiled header would change.
bool forbids_headers(std::string_view word) {
  return starts_with_any({"-include", "-imacros", "-save-temps", "--save-temps", "-fmodule", "-ivfsoverlay", "-H"},
                         word);
}

/// Whether an option cannot change the meaning of SYCL's header, so that headers are shared by commands with different
/// ones: warnings, folders, and macros with ordinary names.
bool is_irrelevant(const command &words, std::size_t i) {
  const std::string &word = words[i];
  if (word.starts_with("-W") && !word.starts_with("-Wp,")) return true;
  if (starts_with_any({"-I", "-iquote", "-idirafter", "-fdiagnostics-", "-fcolor-", "-fmessage-length", "-ferror-limit",
                       "-ffile-prefix-map", "-fmacro-prefix-map", "-fdebug-prefix-map", "-ftime-trace", "-pipe", "-v",
                       "-g"},
                      word))
    return true;
  if (!word.starts_with("-D") && !word.starts_with("-U")) return false;
  const std::string_view name = word.size() > 2 ? std::string_view(word).substr(2) : std::string_view(words[i + 1]);
  return !starts_with_any({"_", "NDEBUG", "SYCL", "DPEP", "CL_"}, name);
}

bool has_value(std::string_view word) {
  for (std::string_view each : {"-I", "-D", "-U", "-iquote", "-idirafter"})
    if (word == each) return true;
  return false;
}

command relevant(const command &words) {
  command result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool pair = has_value(words[i]) && i + 1 < words.size();
    if (!is_irrelevant(words, i)) {
      result.push_back(words[i]);
      if (pair) result.push_back(words[i + 1]);
    }
    if (pair) ++i;
  }
  return result;
}

/// Whether another sycl.hpp comes before dpep's.
bool has_other_sycl(const command &words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::string_view option : {"-I", "-isystem", "-iquote"}) {
      if (!words[i].starts_with(option)) continue;
      const bool separate = words[i] == option;
      const std::string folder = separate && i + 1 < words.size() ? words[i + 1] : words[i].substr(option.size());
      std::error_code ignored;
      if (fs::exists(fs::path(folder) / "sycl" / "sycl.hpp", ignored) &&
          !fs::equivalent(folder, prefix() / "include", ignored))
        return true;
    }
  return false;
}

// -- The folder and the names of the headers

/// The folder, which only this user can write to; empty if there is none. As libdpep's cache of kernels: $DPEP_CACHE,
/// or dpep in the user's cache folder.
fs::path cache_folder() {
  const auto variable = [](const char *name) {
    const char *const value = std::getenv(name);
    return std::string(value ? value : "");
  };
  const std::string chosen = variable("DPEP_CACHE"), home = variable("HOME"), cache = variable("XDG_CACHE_HOME");
  fs::path base = chosen;
  if (chosen == "off" || chosen == "0") return {};
  if (chosen.empty() && cache.starts_with("/")) base = fs::path(cache) / "dpep";
  if (base.empty() && !home.empty()) base = fs::path(home) / ".cache/dpep";
  if (base.empty()) return {};
  const fs::path folder = base / "headers";
  std::error_code error;
  fs::create_directories(base.parent_path(), error);
  for (const fs::path &each : {base, folder}) {
    ::mkdir(each.c_str(), 0700);
    struct stat state{};
    if (::stat(each.c_str(), &state) != 0 || !S_ISDIR(state.st_mode) || state.st_uid != ::geteuid() ||
        (state.st_mode & (S_IWGRP | S_IWOTH)))
      return {};
  }
  return folder;
}

class fingerprint {
public:
  void add(std::string_view text) {
    for (const unsigned char c : text) add_byte(c);
    add_byte(0);
  }
  void add(const struct stat &s) {
    for (const std::uint64_t number :
         {static_cast<std::uint64_t>(s.st_mtim.tv_sec), static_cast<std::uint64_t>(s.st_mtim.tv_nsec),
          static_cast<std::uint64_t>(s.st_size)})
      for (int shift = 0; shift < 64; shift += 8) add_byte(static_cast<unsigned char>(number >> shift));
  }
  std::string text() const {
    std::string result;
    for (const std::uint64_t h : hashes_)
      for (int shift = 60; shift >= 0; shift -= 4) result += "0123456789abcdef"[h >> shift & 15];
    return result;
  }

private:
  void add_byte(unsigned char c) {  // FNV-1a, with two starts
    for (std::uint64_t &h : hashes_) h = (h ^ c) * 0x100000001b3;
  }
  std::array<std::uint64_t, 2> hashes_{0xcbf29ce484222325, 0x9ae16a3b2f90404f};
};

/// Adds the times and sizes of all headers below the folder.
void add_headers(fingerprint &key, const fs::path &folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    files.push_back(it->path());
  std::sort(files.begin(), files.end());
  for (const fs::path &file : files) {
    struct stat state{};
    if (::stat(file.c_str(), &state) != 0 || S_ISDIR(state.st_mode)) continue;
    key.add(file.string());
    key.add(state);
  }
}

/// Removes the headers that were not used for longest.
void limit_number(const fs::path &folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> headers;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".pch") headers.emplace_back(entry.last_write_time(error), entry.path());
  std::sort(headers.begin(), headers.end());
  for (std::size_t i = 0; i + max_headers < headers.size(); ++i) {
    fs::remove(headers[i].second, error);
    fs::remove(fs::path(headers[i].second).replace_extension("d"), error);
  }
}

/// A header to be made: the command that writes it under a temporary name, and its final name.
struct making {
  fs::path target, written;
  command words;
  pid_t child = -1;
};

making plan(const session &s, const fs::path &target, const command &options) {
  making m{target, target.string() + "." + std::to_string(::getpid()), {s.clang, "-Qunused-arguments", "-w"}};
  append(m.words, options);
  append(m.words, {"-fpch-instantiate-templates", "-x", "c++-header", (prefix() / "include/sycl/sycl.hpp").string(),
                   "-MD", "-MT", "x", "-MF", m.written.string() + ".d", "-o", m.written.string()});
  return m;
}

/// Makes the headers side by side; returns whether all were made.
bool make(std::vector<making> headers) {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (making &m : headers) m.child = dpep::clang::start(m.words, {nothing, nothing, nothing});
  bool all = true;
  std::error_code error;
  for (const making &m : headers) {
    const bool made = dpep::clang::wait_for(m.child) == 0;
    if (made) {
      fs::rename(m.written.string() + ".d", fs::path(m.target).replace_extension("d"), error);
      fs::rename(m.written, m.target, error);
    } else {
      fs::remove(m.written.string() + ".d", error);
      fs::remove(m.written, error);
    }
    all &= made && !error;
  }
  ::close(nothing);
  return all;
}

}  // namespace

command use_device_header(const precompiled_headers &h) { return {"-include-pch", h.device.string()}; }
command use_host_header(const precompiled_headers &h) {
  return {"-include-pch", h.host.string(), "-DDPEP_DEVICE_IMAGE_FOLLOWS"};
}

std::optional<precompiled_headers> precompiled_for(const session &s, const argument &source, const command &device,
                                                   const command &host) {
  const fs::path include = prefix() / "include";
  if (s.line.dry_run || source.words[0] == "-" || !fs::exists(include / "sycl/detail/device_image_bytes.hpp"))
    return std::nullopt;
  if (std::any_of(host.begin(), host.end(), forbids_headers) || has_other_sycl(host) ||
      !starts_with_sycl(source.words[0]))
    return std::nullopt;
  const fs::path folder = cache_folder();
  if (folder.empty()) return std::nullopt;

  command of_device = relevant(device), of_host = relevant(host);
  for (command *const each : {&of_device, &of_host}) append(*each, common_options(s, true, true));
  of_host.push_back("-DDPEP_DEVICE_IMAGE_FOLLOWS");
  fingerprint common;
  struct stat state{};
  if (::stat(s.clang.c_str(), &state) != 0) return std::nullopt;
  common.add(s.clang);
  common.add(state);
  add_headers(common, include / "sycl");
  add_headers(common, include / "dpep");
  const auto name_of = [&](const command &options) {
    fingerprint key = common;
    for (const std::string &word : options) key.add(word);
    return folder / (key.text() + ".pch");
  };
  precompiled_headers result{name_of(of_device), name_of(of_host)};

  std::vector<making> missing;
  for (const auto &[target, options] : {std::pair(&result.device, &of_device), std::pair(&result.host, &of_host)}) {
    if (::utimensat(AT_FDCWD, target->c_str(), nullptr, 0) != 0) missing.push_back(plan(s, *target, *options));
  }
  if (missing.empty()) return result;
  const bool made = make(std::move(missing));
  limit_number(folder);
  return made ? std::optional(result) : std::nullopt;
}

bool is_header_error(const std::string &errors) {
  for (std::string_view part : {"precompiled", "PCH", "AST file", "modified since"})
    if (errors.find(part) != std::string::npos) return true;
  return false;
}

void discard(const precompiled_headers &h) noexcept {
  std::error_code ignored;
  fs::remove(h.device, ignored);
  fs::remove(h.host, ignored);
}

}  // namespace dpcxx
