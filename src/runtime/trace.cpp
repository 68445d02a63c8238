// Writes the trace file event by event, so that it is usable after a crash.
#include "runtime/trace.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "backend/common/clock.hpp"

namespace dpep::runtime::trace {
namespace {

using backend::now;

std::string escape(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  }
  return out;
}

class output {
public:
  static output *get() {
    static output *const instance = open();  // never destroyed: tasks may finish during exit
    return instance;
  }
  void write(const std::string &line) noexcept {
    std::lock_guard lock(mutex_);
    std::fputs(first_ ? "[\n" : ",\n", file_);
    std::fputs(line.c_str(), file_);
    first_ = false;
  }

private:
  explicit output(std::FILE *file) : file_(file) {}
  static output *open() {
    const char *path = std::getenv("DPEP_TRACE");
    if (!path || !*path) return nullptr;
    std::FILE *file = std::fopen(path, "w");
    if (!file) {
      std::fprintf(stderr, "dpep: DPEP_TRACE='%s' cannot be opened for writing (%s); no trace is written\n", path,
                   std::strerror(errno));
      return nullptr;
    }
    std::setvbuf(file, nullptr, _IOLBF, 1 << 16);
    std::atexit([] {
      // The trace format allows the closing bracket to be missing, but strict JSON parsers need it.
      std::lock_guard lock(get()->mutex_);
      std::fputs(get()->first_ ? "[\n]\n" : "\n]\n", get()->file_);
      std::fflush(get()->file_);
      get()->file_ = std::fopen("/dev/null", "w");
    });
    return new output(file);
  }

  std::mutex mutex_;
  std::FILE *file_;
  bool first_ = true;
};

/// The first row that new_row returns. Smaller numbers are threads' rows.
constexpr std::uint32_t first_row = 1'000'000;

std::uint32_t thread_row() noexcept {
  static constinit std::atomic<std::uint32_t> threads{0};
  static thread_local const std::uint32_t row = ++threads;
  return row;
}

}  // namespace

bool enabled() noexcept { return output::get() != nullptr; }

std::uint32_t new_row(std::string_view title) {
  static constinit std::atomic<std::uint32_t> rows{first_row};
  const std::uint32_t row = rows.fetch_add(1);
  if (output *out = output::get()) {
    out->write(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{} {}"}}}})", getpid(),
                           row, escape(title), row - first_row));
  }
  return row;
}

void record(std::string_view name, std::string_view category, std::uint64_t start, std::uint64_t end,
            std::uint32_t row) noexcept {
  output *out = output::get();
  if (!out) return;
  try {
    out->write(fmt::format(R"({{"ph":"X","name":"{}","cat":"{}","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f}}})",
                           escape(name), escape(category), getpid(), row ? row : thread_row(),
                           static_cast<double>(start) / 1e3, static_cast<double>(end - start) / 1e3));
  } catch (...) {  // tracing must not make a program fail
  }
}

scope::scope(std::string_view name, std::string_view category) {
  if (!enabled()) return;
  name_ = name;
  category_ = category;
  start_ = now();
}

scope::~scope() {
  if (start_) record(name_, category_, start_, now());
}

}  // namespace dpep::runtime::trace
