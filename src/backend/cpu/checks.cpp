// The words of what checked kernels find, and the clock of their loops.
#include "backend/cpu/checks.hpp"

#include <chrono>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "backend/cpu/guard.hpp"

namespace dpep::backend::cpu {
namespace {

/// Ends the kernel with words of our own, made by `words`.
template <class F> [[noreturn]] void fail_with(F words) noexcept {
  detail::guard_state &state = detail::guard;
  std::string text;
  try {
    text = words();
  } catch (...) {  // no memory for the words: the kind must do
  }
  if (!state.target) {
    std::fprintf(stderr, "%s\n", text.c_str());
    std::abort();
  }
  state.report->what = fault::kind::assertion;
  state.report->text = std::move(text);
  std::longjmp(*state.target, 1);
}

/// Of the work-item that this thread runs, or the vector of them.
struct loop_clock {
  std::uint64_t rounds = 0;           // of all its loops
  std::int64_t since = 0, until = 0;  // when they were first seen, and when they are too long; 0: not seen yet
};
thread_local constinit loop_clock loops;

std::int64_t now() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

void fail_bounds(const char *what, std::int64_t offset, std::uint64_t bytes, std::uint64_t size, std::uint32_t writes,
                 const char *place) noexcept {
  fail_with([&] {
    std::string text = fmt::format("{} of {} bytes at byte {} of {}, which has {}", writes ? "write" : "read", bytes,
                                   offset, what, size);
    const auto element = static_cast<std::int64_t>(bytes);
    if (bytes && offset % element == 0 && size % bytes == 0)
      text += fmt::format(" (element {} of {})", offset / element, size / bytes);
    text += *place ? fmt::format(", at {}", place) : "; compiled with -g, the kernel would say where";
    return text + " (found by DPEP_CHECK)";
  });
}

void begin_loops() noexcept { loops = {}; }

void check_loop(const char *place) noexcept {
  if (++loops.rounds % 128) return;  // looking at the clock takes as long as many rounds
  const std::int64_t time = now();
  const auto seconds = [] {
    const char *const text = std::getenv("DPEP_CHECK_SECONDS");
    return text ? std::strtod(text, nullptr) : 0;
  };
  if (!loops.since) {
    loops.since = time;
    const double most = seconds();
    loops.until = most > 0 && most < 1e9 ? time + static_cast<std::int64_t>(most * 1e9)
                                         : std::numeric_limits<std::int64_t>::max();
  } else if (time > loops.until) {
    fail_with([&] {
      return fmt::format("the loops of a work-item have run for more than {} seconds (DPEP_CHECK_SECONDS), {}",
                         seconds(),
                         *place ? fmt::format("now that at {}", place)
                                : std::string("and compiled with -g, the kernel would say where"));
    });
  }
}

}  // namespace dpep::backend::cpu
