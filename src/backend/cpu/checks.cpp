// Messages of run-time checks, and the time limit of loops.
#include "backend/cpu/checks.hpp"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>

#include <string>

#include <fmt/format.h>

#include "backend/common/clock.hpp"
#include "backend/common/futex_waiters.hpp"
#include "backend/cpu/guard.hpp"

namespace dpep::backend::cpu {
namespace {

/// Ends the kernel with the message that `make_text` returns.
template <class F> [[noreturn]] void fail_with(F make_text) noexcept {
  detail::guard_state &state = detail::guard;
  std::string text;
  try {
    text = make_text();
  } catch (...) {  // no memory for the text: the kind is reported
  }
  if (!state.target) {
    std::fprintf(stderr, "%s\n", text.c_str());
    std::abort();
  }
  state.report->what = fault::kind::assertion;
  state.report->text = std::move(text);
  std::longjmp(*state.target, 1);
}

/// The loops of the work-item, or vector of work-items, that this thread runs.
struct loop_clock {
  std::uint64_t iterations = 0;        // of all loops
  std::uint64_t since = 0, until = 0;  // when the clock was first read, and the time limit; 0: not read yet
};
thread_local constinit loop_clock loops;

std::string ending(const char *place) {
  const std::string where = *place ? fmt::format(", at {}", place) : "; compile the kernel with -g to see where";
  return where + " (found by DPEP_CHECK)";
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
    return text + ending(place);
  });
}

void fail_check(const char *text, const char *place) noexcept {
  fail_with([&] { return text + ending(place); });
}

void begin_loops() noexcept { loops = {}; }

void check_loop(const char *place) noexcept {
  if (++loops.iterations % 128) return;  // reading the clock takes as long as many iterations
  const std::uint64_t time = now();
  const auto seconds = [] {
    const char *const text = std::getenv("DPEP_CHECK_SECONDS");
    return text ? std::strtod(text, nullptr) : 0;
  };
  if (!loops.since) {
    loops.since = time;
    const double most = seconds();
    loops.until = most > 0 && most < 1e9 ? time + static_cast<std::uint64_t>(most * 1e9) : never;
  } else if (time > loops.until) {
    fail_with([&] {
      return fmt::format("the loops of a work-item have run for more than {} seconds (DPEP_CHECK_SECONDS), {}",
                         seconds(),
                         *place ? fmt::format("currently the loop at {}", place)
                                : std::string("compile the kernel with -g to see where"));
    });
  }
}

}  // namespace dpep::backend::cpu
