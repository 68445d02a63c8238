// Child processes with captured output, and the signals that end them.
#include "process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clang/child_process.hpp"

namespace dpcxx {
namespace {

volatile std::sig_atomic_t received_signal = 0;
volatile std::sig_atomic_t running_child = 0;

// Ends the child, whose end in turn ends the wait for it.
extern "C" void on_signal(int number) {
  received_signal = number;
  if (running_child > 0) kill(running_child, SIGTERM);
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

/// Runs the command with these streams, of which a pipe's end may be one; returns the output from the pipe.
outcome run_with(const command &words, const dpep::clang::streams &streams, pipe_pair *pipe) {
  const pid_t child = dpep::clang::start(words, streams);
  running_child = child;
  if (received_signal) kill(child, SIGTERM);  // received before running_child was set
  outcome result;
  if (pipe) {
    pipe->close_write();
    result.errors = read_all(pipe->read);
  }
  result.status = dpep::clang::wait_for(child);
  running_child = 0;
  return result;
}

/// A file that is open for the child.
class open_file {
public:
  open_file(const std::filesystem::path &path, int flags)
      : descriptor_(path.empty() ? -1 : open(path.c_str(), flags | O_CLOEXEC)) {
    if (!path.empty() && descriptor_ < 0) throw failure("cannot open " + path.string());
  }
  open_file(const open_file &) = delete;
  ~open_file() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

private:
  int descriptor_;
};

}  // namespace

outcome run(const command &words, bool capture, const std::filesystem::path &input) {
  const open_file source(input, O_RDONLY);
  if (!capture) return run_with(words, {.input = source.descriptor()}, nullptr);
  pipe_pair pipe;
  return run_with(words, {.input = source.descriptor(), .errors = pipe.write}, &pipe);
}

std::string output_of(const command &words) {
  pipe_pair pipe;
  const open_file nothing("/dev/null", O_RDWR);
  outcome result = run_with(words, {nothing.descriptor(), pipe.write, nothing.descriptor()}, &pipe);
  return result.succeeded() ? std::move(result.errors) : std::string();
}

void replace_process(const command &words) {
  execvp(words.front().c_str(), dpep::clang::c_strings(words).data());
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

void catch_signals() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);  // ignored signals stay ignored (nohup)
  }
}

}  // namespace dpcxx
