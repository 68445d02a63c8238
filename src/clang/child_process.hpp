// Child processes with redirected streams. Depends on the C++ standard library only, as dpcxx does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dpep::clang {

using command = std::vector<std::string>;

/// File descriptors that become the child's standard streams; -1 keeps the parent's.
struct streams {
  int input = -1, output = -1, errors = -1;
};

/// The words as the argument of exec. Valid as long as the words are.
std::vector<char *> c_strings(const command &words);

/// Starts the command, which is looked up on PATH. Throws std::runtime_error if it cannot be started.
pid_t start(const command &words, const streams &);

/// Waits for the child, and returns its waitpid status; -1 if the program ignores its children's ends.
int wait_for(pid_t child);

}  // namespace dpep::clang
