// Child processes with captured output, and a temporary folder that is removed when the process ends.
#include "process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace dpcxx {
namespace {

volatile std::sig_atomic_t received_signal = 0;
volatile std::sig_atomic_t running_child = 0;

// Ends the child, whose end in turn ends the wait for it: temporary files are removed in the ordinary way.
extern "C" void on_signal(int number) {
  received_signal = number;
  if (running_child > 0) kill(running_child, SIGTERM);
}

void catch_signals() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);  // ignored signals stay ignored (nohup)
  }
}

std::vector<char *> c_strings(const command &words) {
  std::vector<char *> result;
  for (const std::string &word : words) result.push_back(const_cast<char *>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

std::runtime_error failure(const std::string &what) { return std::runtime_error(what + ": " + std::strerror(errno)); }

struct pipe_pair {
  int read = -1, write = -1;
  pipe_pair() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw failure("cannot make a pipe");
    read = ends[0], write = ends[1];
  }
  pipe_pair(const pipe_pair &) = delete;
  ~pipe_pair() {
    close(read);
    close_write();
  }
  void close_write() {
    if (write >= 0) close(write);
    write = -1;
  }
};

std::string read_all(int descriptor) {
  std::string text;
  char buffer[1 << 14];
  for (;;) {
    const ssize_t n = ::read(descriptor, buffer, sizeof buffer);
    if (n > 0)
      text.append(buffer, static_cast<std::size_t>(n));
    else if (n == 0 || errno != EINTR)
      return text;
  }
}

/// Runs the command with its file descriptor `captured` connected to the pipe; returns the output from the pipe.
outcome spawn(const command &words, const pipe_pair *pipe, int captured, bool silent,
              const std::filesystem::path &input) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (pipe) posix_spawn_file_actions_adddup2(&actions, pipe->write, captured);
  if (silent) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (!input.empty()) posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);

  pid_t child = 0;
  const int error = posix_spawnp(&child, words.front().c_str(), &actions, nullptr, c_strings(words).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) throw std::runtime_error("cannot start " + words.front() + ": " + std::strerror(error));
  running_child = child;
  if (received_signal) kill(child, SIGTERM);  // received before running_child was set

  outcome result;
  if (pipe) {
    const_cast<pipe_pair *>(pipe)->close_write();
    result.errors = read_all(pipe->read);
  }
  while (waitpid(child, &result.status, 0) < 0 && errno == EINTR) {}
  running_child = 0;
  return result;
}

}  // namespace

outcome run(const command &words, bool capture, const std::filesystem::path &input) {
  if (!capture) return spawn(words, nullptr, 0, false, input);
  const pipe_pair pipe;
  return spawn(words, &pipe, STDERR_FILENO, false, input);
}

std::string output_of(const command &words) {
  const pipe_pair pipe;
  outcome result = spawn(words, &pipe, STDOUT_FILENO, true, "/dev/null");
  return result.succeeded() ? std::move(result.errors) : std::string();
}

void replace_process(const command &words) {
  execvp(words.front().c_str(), c_strings(words).data());
  throw failure("cannot start " + words.front());
}

void exit_with(int status) {
  int number = received_signal;
  if (!number && WIFSIGNALED(status)) number = WTERMSIG(status);
  if (number) {
    std::cout.flush();
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
  std::exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

temporary_folder::temporary_folder() {
  std::error_code ignored;
  std::filesystem::path base = std::filesystem::temp_directory_path(ignored);
  if (base.empty()) base = "/tmp";
  std::string name = (base / "dpcxx-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw failure("cannot make a temporary folder " + name + " (set TMPDIR to another folder)");
  path_ = name;
  catch_signals();
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace dpcxx
