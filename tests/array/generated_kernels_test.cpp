// Generated kernels, on the default device: the schedules that GPUs get, mostly run on a CPU, give the values of a
// naive interpreter.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <dpep/memory.hpp>

#include "array/gpu/prepare.hpp"
#include "array/gpu/run.hpp"
#include "build_program.hpp"
#include "random_program.hpp"

namespace dpep::array {
namespace {

using namespace testing;

class everywhere {
public:
  everywhere() : before_(gpu::generate_everywhere(true)) {}
  ~everywhere() { gpu::generate_everywhere(before_); }

private:
  bool before_;
};

/// A program's buffers in memory that the device and the host reach.
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

void compare(const random_program &p, std::uint32_t seed) {
  static const queue q{device()};
  const shared_buffers got(q, p);
  auto wanted = p.buffers;
  run(q, p.code, at(p, [&](std::size_t m) { return got[m]; }), {});
  q.wait();
  q.throw_asynchronous();
  interpreter(p.code, at(p, [&](std::size_t m) { return wanted[m].data(); })).run();
  bool single = false;
  for (const instruction &i : p.code.code) single = single || i.type == dtype::float32;
  for (const std::size_t m : p.stored) {
    const dtype t = p.code.memory[m].type;
    const std::size_t bytes = size_of(t);
    double scale = 0;
    for (std::size_t k = 0; k + bytes <= wanted[m].size(); k += bytes) {
      const double size = std::abs(read(wanted[m].data() + k, t).c);
      if (std::isfinite(size)) scale = std::max(scale, size);
    }
    for (std::size_t k = 0; k + bytes <= wanted[m].size(); k += bytes) {
      const number a = read(got[m] + k, t), b = read(wanted[m].data() + k, t);
      ASSERT_TRUE(near(a, b, t, scale, single)) << "seed " << seed << ", operand " << m << ", byte " << k << ": " << a.i
                                                << " " << a.c << ", wanted " << b.i << " " << b.c << "\n"
                                                << p.code.describe();
    }
  }
}

TEST(GeneratedKernels, RandomProgramsGiveTheInterpretersValues) {
  const everywhere generated;
  const char *const one = std::getenv("DPEP_TEST_SEED");
  const char *const many = std::getenv("DPEP_TEST_PROGRAMS");
  const std::uint32_t first = one ? std::uint32_t(std::atoi(one)) : 1;
  const std::uint32_t count = one ? 1 : many ? std::uint32_t(std::atoi(many)) : 25;
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    compare(program_maker(seed).make(), seed);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace dpep::array
