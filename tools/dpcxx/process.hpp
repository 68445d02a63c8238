// Running compilers: child processes whose words are captured, and temporary files that never outlive us.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dpcxx {

using command = std::vector<std::string>;

inline void append(command &to, const command &more) { to.insert(to.end(), more.begin(), more.end()); }

/// How a child ended, and what it wrote to standard error.
struct outcome {
  int status = 0;  // as waitpid reports it
  std::string errors;
  bool succeeded() const noexcept { return status == 0; }
};

/// Runs the command and waits. Standard input is read from `input` when that is not empty.
/// `capture`: keep standard error instead of passing it on.
outcome run(const command &, bool capture, const std::filesystem::path &input = {});

/// Standard output of a command, empty when it fails.
std::string output_of(const command &);

/// Becomes the command; returns only by exiting with an error.
[[noreturn]] void replace_process(const command &);

/// Ends this process as a child with this status ended: with its exit code, or by its signal.
[[noreturn]] void end_as(int status);

/// A folder of our own that is removed at the end, also when a signal ends the process.
class temporary_folder {
public:
  temporary_folder();
  ~temporary_folder();
  temporary_folder(const temporary_folder &) = delete;
  temporary_folder &operator=(const temporary_folder &) = delete;
  const std::filesystem::path &path() const noexcept { return path_; }

private:
  std::filesystem::path path_;
};

}  // namespace dpcxx
