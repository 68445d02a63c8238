// Child processes with captured output, and the signals that end them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dpcxx {

using command = std::vector<std::string>;

inline void append(command &to, const command &more) { to.insert(to.end(), more.begin(), more.end()); }

/// The exit status of a child process and its output on standard error.
struct outcome {
  int status = 0;  // of waitpid
  std::string errors;
  bool succeeded() const noexcept { return status == 0; }
};

/// Runs the command and waits for it. Standard input is read from `input` unless that is empty.
/// `capture`: captures standard error instead of passing it on.
outcome run(const command &, bool capture, const std::filesystem::path &input = {});

/// The standard output of a command; empty if it fails.
std::string output_of(const command &);

/// Replaces this process by the command (exec). Throws std::runtime_error if it cannot be started.
[[noreturn]] void replace_process(const command &);

/// Ends this process as the child with this waitpid status ended: with its exit code, or by its signal.
[[noreturn]] void exit_with(int status);

/// From now on, SIGINT, SIGTERM and SIGHUP end the running child instead of this process, so that temporary files are
/// removed in the ordinary way.
void catch_signals();

}  // namespace dpcxx
