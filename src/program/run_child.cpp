// Runs a compiler as a child process, through files in memory.
#include "program/run_child.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dpep/exception.hpp>
#include <fmt/format.h>

#include "clang/find_clang.hpp"

namespace dpep::program_source {

memory_file::memory_file() : descriptor_(memfd_create("dpep program", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw exception(errc::runtime, fmt::format("memfd_create: {}", std::strerror(errno)));
}

memory_file::~memory_file() { close(descriptor_); }

void memory_file::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor_, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw exception(errc::runtime, fmt::format("writing a file in memory: {}", std::strerror(errno)));
    text.remove_prefix(std::size_t(n));
  }
}

void memory_file::rewind() const { lseek(descriptor_, 0, SEEK_SET); }

std::string memory_file::read() const {
  std::string text;
  rewind();
  std::array<char, 1 << 14> buffer;
  for (;;) {
    const ssize_t n = ::read(descriptor_, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer.data(), std::size_t(n));
  }
}

child_result run_child(const clang::command &words, const memory_file &input, std::size_t largest) {
  memory_file output, messages;
  input.rewind();
  int status = 0;
  try {
    const pid_t child = clang::start(words, {input.descriptor(), output.descriptor(), messages.descriptor()});
    const rlimit limit{largest, largest};
    if (largest) prlimit(child, RLIMIT_AS, &limit, nullptr);
    status = clang::wait_for(child);
  } catch (const std::runtime_error &e) {
    throw exception(errc::build, e.what());
  }
  std::string result = output.read(), text = messages.read();
  const bool failed = status == -1 ? result.empty() : status != 0;
  if (!failed) return {std::move(result), std::move(text)};
  if (text.empty()) text = fmt::format("{} ended with the status {}", words.front(), status);
  return {std::nullopt, std::move(text)};
}

std::string find_clang(const char *function) {
  try {
    return clang::find_clang(function);
  } catch (const std::runtime_error &e) {
    throw exception(errc::build, e.what());
  }
}

}  // namespace dpep::program_source
