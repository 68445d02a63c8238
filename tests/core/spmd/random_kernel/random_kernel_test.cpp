// Random kernels: compiled at every width, against an interpreter that runs work-item by work-item.
#include "spmd/random_kernel/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <thread>

#include "spmd/random_kernel/printer.hpp"

namespace dpep::test {
namespace {

using random_program::compilation;
using optimisation = formed_kernel::optimisation;

/// The instruction set levels that this processor supports.
class processors {
public:
  /// Scalar code, and each vector level of the processor; for some seeds, with an unusual number of lanes.
  std::vector<compilation> compilations(std::uint32_t seed) const {
    std::vector<compilation> all{
        {"scalar", {jit::x86_target(), 1}, seed % 8 == 0 ? optimisation::none : optimisation::standard}};
    const bool odd = seed % 4 == 1;
    std::uint32_t lanes = odd ? std::array{2u, 4u, 8u, 32u}[seed / 4 % 4] : 0;
    for (const auto &level : levels_) {
      all.push_back({std::string(level->cpu()) + (odd ? ", " + std::to_string(lanes) + " lanes" : ""),
                     {*level, lanes},
                     (seed + all.size()) % 3 == 0 ? optimisation::after : optimisation::standard});
      if (odd) lanes = lanes >= 32 ? 4 : 2 * lanes;
    }
    return all;
  }

private:
  const std::vector<std::unique_ptr<jit::target>> levels_ = x86_levels();
};

std::uint32_t number_in(const char *variable, std::uint32_t otherwise) {
  const char *const text = std::getenv(variable);
  return text ? static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

/// Processor time of this thread. Slow compilations are reported, since they hint at superlinear growth.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
constexpr double slow_seconds = 5;

/// Compiles and runs the programs from `first` on, with a thread for each processor.
class comparison {
public:
  comparison(std::uint32_t first, std::uint32_t programs) : next_(first), end_(first + programs) {}

  void run() {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
      threads.emplace_back([this] {
        for (std::uint32_t seed; (seed = next_++) < end_;) check(seed);
      });
  }
  std::vector<std::string> failures;
  std::atomic<unsigned> barriers{0}, compiled{0}, vectorised{0};

private:
  void check(std::uint32_t seed) {
    const random_program::program program = random_program::make_program(seed);
    const random_program::data before = random_program::make_data(program, seed);
    const random_program::data expected = random_program::interpreted(program, before);
    for (const compilation &each : processors_.compilations(seed)) {
      kernel_report report;
      const double started = processor_seconds();
      const auto found = random_program::difference(program, each, before, expected, &report);
      const double seconds = processor_seconds() - started;
      if (seconds > slow_seconds)
        std::fprintf(stderr, "seed %u, %s: %.1f s of processor time\n", seed, each.name.c_str(), seconds);
      if (found) report_failure(seed, each, program, *found);
      if (each.machine.width == 1) {
        barriers += report.uses_barriers;
      } else {
        ++compiled;
        vectorised += report.vector_width > 1;
      }
    }
  }

  void report_failure(std::uint32_t seed, const compilation &how, const random_program::program &program,
                      const std::string &found) {
    const auto fails = [&](const random_program::program &smaller) {
      const random_program::data before = random_program::make_data(smaller, seed);
      return random_program::difference(smaller, how, before, random_program::interpreted(smaller, before)).has_value();
    };
    const bool reduce = number_in("DPEP_TEST_REDUCE", 1);
    const random_program::program least = reduce ? random_program::reduced(program, fails) : program;
    std::string text = "seed " + std::to_string(seed) + ", " + how.name + ":\n" + found + "\nof\n";
    for (const auto &[what, sizes] : {std::pair{"groups", least.launch.groups}, std::pair{"local", least.launch.local},
                                      std::pair{"offset", least.launch.offset}})
      text +=
          "; " +
          (what + (" " + std::to_string(sizes[0])) + " " + std::to_string(sizes[1]) + " " + std::to_string(sizes[2])) +
          "\n";
    text += random_program::printer(least).kernel();
    const std::lock_guard lock(mutex_);
    std::fputs((text + "\n").c_str(), stderr);  // immediately, since a long run may be stopped
    failures.push_back(std::move(text));
  }

  const processors processors_;
  std::atomic<std::uint32_t> next_;
  const std::uint32_t end_;
  std::mutex mutex_;
};

TEST(random_kernels, match_the_interpreter_at_every_width) {
  const bool exhaustive = std::getenv("DPEP_TEST_EXHAUSTIVE");
  const std::uint32_t programs = number_in("DPEP_TEST_PROGRAMS", exhaustive ? 5000 : 200);
  comparison all(number_in("DPEP_TEST_FIRST_SEED", 0), programs);
  all.run();
  EXPECT_TRUE(all.failures.empty()) << all.failures.size() << " of " << programs << " programs, above";
  EXPECT_GT(all.barriers, programs / 3);
  EXPECT_GT(all.vectorised, all.compiled / 2);
}

}  // namespace
}  // namespace dpep::test
