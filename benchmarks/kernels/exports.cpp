// The C functions of a library of kernels, which worker.py calls: a clock, and errors as words.
#include <cstdlib>
#include <exception>
#include <string>

#include <time.h>

#include "library.hpp"

#define BENCH_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

std::string message;

/// Milliseconds by the clock on the wall, or of processor time where BENCH_PROCESSOR_TIME is set.
double now() {
  static const clockid_t clock = std::getenv("BENCH_PROCESSOR_TIME") ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  timespec time;
  clock_gettime(clock, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// What `f` returns, or `otherwise` when it throws.
template <class R, class F> R guarded(R otherwise, F f) {
  try {
    return f();
  } catch (const std::exception &e) {
    message = e.what();
    return otherwise;
  }
}

}  // namespace

/// Starts the device; words that say which, or null.
BENCH_EXPORT const char *bench_start(const char *folder) {
  return guarded<const char *>(nullptr, [&] { return bench::start_device(folder); });
}

/// Memory for a buffer, or null.
BENCH_EXPORT void *bench_allocate(std::size_t bytes) {
  return guarded<void *>(nullptr, [&] { return bench::allocate_memory(bytes); });
}

/// Runs a kernel and waits for it: the milliseconds, or a negative number.
BENCH_EXPORT double bench_run(const char *kernel, void *const *buffers, int buffer_count, const std::int64_t *sizes,
                              int size_count, const std::int64_t *global, const std::int64_t *local) {
  return guarded(-1.0, [&] {
    const bench::arguments arguments{buffers,    buffer_count,           sizes,
                                     size_count, {global[0], global[1]}, {local[0], local[1]}};
    const std::function<void()> run = bench::prepare(kernel, arguments);
    const double start = now();
    run();
    const double end = now();
    bench::make_visible(arguments);
    return end - start;
  });
}

/// What went wrong last.
BENCH_EXPORT const char *bench_error() { return message.c_str(); }
