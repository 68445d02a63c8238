// The C functions of a library of kernels, called by worker.py: they measure time and return errors as messages.
#include <cstdlib>
#include <exception>
#include <string>

#include <time.h>

#include "library.hpp"

#define BENCH_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

std::string message;

/// The wall-clock time in milliseconds, or the processor time if BENCH_PROCESSOR_TIME is set.
double now() {
  static const clockid_t clock = std::getenv("BENCH_PROCESSOR_TIME") ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  timespec time;
  clock_gettime(clock, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// The result of `f`, or `otherwise` if it throws, whose message is kept.
template <class R, class F> R guarded(R otherwise, F f) {
  try {
    return f();
  } catch (const std::exception &e) {
    message = e.what();
    return otherwise;
  }
}

}  // namespace

/// Starts the device and returns its name; null on error.
BENCH_EXPORT const char *bench_start(const char *folder) {
  return guarded<const char *>(nullptr, [&] { return bench::start_device(folder); });
}

/// Memory for a buffer; null on error.
BENCH_EXPORT void *bench_allocate(std::size_t bytes) {
  return guarded<void *>(nullptr, [&] { return bench::allocate_memory(bytes); });
}

/// Runs a kernel, waits for it and returns the milliseconds; a negative number on error.
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

/// The message of the last error.
BENCH_EXPORT const char *bench_error() { return message.c_str(); }
