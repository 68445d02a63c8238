// Generated kernels on the default device: the schedules for GPUs, mostly run on a CPU, give the values of a naive
// interpreter.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <dpep/memory.hpp>

#include "array/executor.hpp"
#include "array/gpu/prepared_kernels.hpp"
#include "array/gpu/single_operations.hpp"
#include "build_program.hpp"
#include "random_program.hpp"

namespace dpep::array {
namespace {

using namespace testing;

class everywhere {
public:
  everywhere() : before_(use_generated_kernels(true)) {}
  ~everywhere() { use_generated_kernels(before_); }

private:
  bool before_;
};

/// A program's buffers in memory that the device and the host can access.
class shared_buffers {
public:
  shared_buffers(const queue &q, const random_program &p) : queue_(q) {
    for (const auto &buffer : p.buffers) {
      memory_.push_back(
          allocate(usm_kind::shared, std::max<std::size_t>(buffer.size(), 1), 64, q.get_context(), q.get_device()));
      std::memcpy(memory_.back(), buffer.data(), buffer.size());
    }
  }
  ~shared_buffers() {
    for (void *m : memory_) free(m, queue_.get_context());
  }
  shared_buffers(const shared_buffers &) = delete;
  shared_buffers &operator=(const shared_buffers &) = delete;

  std::byte *operator[](std::size_t m) const { return static_cast<std::byte *>(memory_[m]); }

private:
  queue queue_;
  std::vector<void *> memory_;
};

template <class Buffers> program_arguments at(const random_program &p, const Buffers &address_of) {
  program_arguments arguments = p.arguments;
  for (std::size_t m = 0; m < p.buffers.size(); ++m)
    arguments.memory[m] = address_of(m) + (p.arguments.memory[m] - p.buffers[m].data());
  return arguments;
}

void run_program(const queue &q, const program &p, const program_arguments &a) { run(q, p, a, {}); }

/// Calls `run_it` with the queue, the program and its arguments.
template <class Run> void compare(const random_program &p, std::uint32_t seed, Run run_it) {
  static const queue q{device()};
  const shared_buffers got(q, p);
  run_it(q, p.code, at(p, [&](std::size_t m) { return got[m]; }));
  q.wait();
  q.throw_asynchronous();
  auto copies = p.buffers;
  for (std::size_t m = 0; m < copies.size(); ++m) std::memcpy(copies[m].data(), got[m], copies[m].size());
  expect_near(p, copies, expected_of(p), seed);
}

template <class Run> void compare_random_programs(Run run_it) {
  const everywhere generated;
  const char *const one = std::getenv("DPEP_TEST_SEED");
  const char *const many = std::getenv("DPEP_TEST_PROGRAMS");
  const std::uint32_t first = one ? std::uint32_t(std::atoi(one)) : 1;
  const std::uint32_t count = one ? 1 : many ? std::uint32_t(std::atoi(many)) : 25;
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    compare(program_maker(seed).make(), seed, run_it);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(generated_kernels, random_programs_give_the_interpreters_values) { compare_random_programs(run_program); }

TEST(generated_kernels, single_operations_give_the_same_values) {
  compare_random_programs([](const queue &q, const program &p, const program_arguments &a) {
    gpu::run_single_operations(q, p, a, false, {}, {});
  });
}

TEST(generated_kernels, values_that_a_reduction_and_later_operations_share_are_right) {
  const everywhere generated;
  for (std::uint32_t seed = 600'001; seed <= 600'015; ++seed) {
    compare(program_maker(seed, 100'000, program_maker::axes_of::one_short).make(), seed, run_program);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace dpep::array
