// Child processes with redirected streams.
#include "clang/child_process.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace dpep::clang {

std::vector<char *> c_strings(const command &words) {
  std::vector<char *> result;
  for (const std::string &word : words) result.push_back(const_cast<char *>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

pid_t start(const command &words, const streams &given) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const auto redirect = [&](int from, int to) {
    if (from >= 0) posix_spawn_file_actions_adddup2(&actions, from, to);
  };
  redirect(given.input, STDIN_FILENO);
  redirect(given.output, STDOUT_FILENO);
  redirect(given.errors, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words.front().c_str(), &actions, nullptr, c_strings(words).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) throw std::runtime_error("cannot start " + words.front() + ": " + std::strerror(error));
  return child;
}

int wait_for(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

}  // namespace dpep::clang
