// Finds the clang 22 that compiles C++ and OpenCL C.
#include "clang/find_clang.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "clang/child_process.hpp"

namespace dpep::clang {
namespace {

namespace fs = std::filesystem;

// Exactly this version: libdpep's JIT cannot read bitcode of a newer LLVM than its own.
constexpr int required_version = 22;

bool is_program(const fs::path &file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

/// Whether the file is dpcxx under another name.
bool is_drop_in(const fs::path &file) {
  std::error_code ignored;
  return fs::canonical(file, ignored).parent_path().filename() == "drop-in";
}

/// The file that a shell would run for this name; empty if there is none.
fs::path look_up(const std::string &name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? fs::path(name) : fs::path();
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder.empty() ? "." : folder) / name;
    if (is_program(file) && !is_drop_in(file)) return file;
  }
  return {};
}

/// The standard output of a command; empty if it fails.
std::string output_of(const command &words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  std::string text;
  int status = -1;
  try {
    const pid_t child = start(words, {nothing, ends[1], nothing});
    close(std::exchange(ends[1], -1));
    char buffer[4096];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
    status = wait_for(child);
  } catch (const std::runtime_error &) {  // it cannot be started
  }
  for (const int descriptor : {ends[0], ends[1], nothing})
    if (descriptor >= 0) close(descriptor);
  return status == 0 ? text : std::string();
}

/// The version of a clang, such as "22.1.8"; empty if the program is not clang.
std::string version_of(const fs::path &clang) {
  const std::string text = output_of({clang.string(), "--version"});
  const std::string mark = "clang version ";
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return {};
  const std::size_t start = at + mark.size();
  return text.substr(start, text.find_first_not_of("0123456789.", start) - start);
}

}  // namespace

std::string find_clang(const std::string &user) {
  std::vector<std::string> tried;
  const auto fits = [&](const fs::path &file, const std::string &how) {
    const std::string version = version_of(file);
    if (std::atoi(version.c_str()) == required_version) return true;
    tried.push_back(how + ": " + file.string() + " is " + (version.empty() ? "not clang" : "clang " + version));
    return false;
  };

  if (const char *chosen = std::getenv("DPCXX_CLANG"); chosen && *chosen) {
    const fs::path file = look_up(chosen);
    if (file.empty())
      tried.push_back(std::string("DPCXX_CLANG=") + chosen + ": no such program");
    else if (fits(file, "DPCXX_CLANG"))
      return file.string();
  } else {
    const std::string name = "clang++-" + std::to_string(required_version);
    // The version of a program with this name is not checked: that would cost each compilation 15 ms.
    if (const fs::path file = look_up(name); !file.empty()) return file.string();
    const std::string standard = "/usr/lib/llvm-" + std::to_string(required_version) + "/bin/clang++";
    if (is_program(standard)) return standard;
    tried = {"DPCXX_CLANG: not set", name + " on PATH: not found", standard + ": not found"};
    if (const fs::path file = look_up("clang++"); file.empty())
      tried.push_back("clang++ on PATH: not found");
    else if (fits(file, "clang++ on PATH"))
      return file.string();
  }

  std::string message = "clang 22 was not found; " + user + " needs it to compile. Searched for:";
  for (const std::string &line : tried) message += "\n  " + line;
  message += "\nInstall it (Debian, Ubuntu: apt-get install clang-22, "
             "or a release of the LLVM project), or set DPCXX_CLANG to the path of a clang++ of version 22.";
  throw std::runtime_error(message);
}

}  // namespace dpep::clang
