// Generated kernels, run on the CPU: the schedules that GPUs get give the values of a naive interpreter.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

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

queue &cpu() {
  static queue q{device("cpu")};
  return q;
}

program_arguments at(const random_program &p, std::vector<std::vector<std::byte>> &buffers) {
  program_arguments arguments = p.arguments;
  for (std::size_t m = 0; m < buffers.size(); ++m)
    arguments.memory[m] = buffers[m].data() + (p.arguments.memory[m] - p.buffers[m].data());
  return arguments;
}

void compare(const random_program &p, std::uint32_t seed) {
  auto got = p.buffers, wanted = p.buffers;
  run(cpu(), p.code, at(p, got), {});
  cpu().wait();
  interpreter(p.code, at(p, wanted)).run();
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
      const number a = read(got[m].data() + k, t), b = read(wanted[m].data() + k, t);
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
