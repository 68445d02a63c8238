// Programs on the machine: the same values as a naive interpreter's, and the same on any number of threads.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "array/blocks.hpp"
#include "array/machine.hpp"
#include "random_program.hpp"

namespace dpep::array {
namespace {

using namespace testing;

queue &cpu() {
  static queue q{device("cpu")};
  return q;
}

/// `single`: float32 is somewhere in the program, so its rounding may be in wider results.
bool near(const number &a, const number &b, dtype t, double scale, bool single) {
  if (is_integer(t)) return a.i == b.i;
  if (std::isnan(a.c.real()) || std::isnan(b.c.real())) return std::isnan(a.c.real()) == std::isnan(b.c.real());
  if (a.c == b.c) return true;
  const double unit = single ? 1.2e-7 : 2.3e-16;
  return std::abs(a.c - b.c) <= unit * 2000 * (scale + std::abs(b.c));
}

/// Runs the program on copies of its buffers; returns them.
std::vector<std::vector<std::byte>> results_of(const random_program &p, const queue &q) {
  auto buffers = p.buffers;
  program_arguments arguments = p.arguments;
  for (std::size_t m = 0; m < buffers.size(); ++m)
    arguments.memory[m] = buffers[m].data() + (p.arguments.memory[m] - p.buffers[m].data());
  run(q, p.code, arguments, {});
  q.wait();
  return buffers;
}

std::vector<std::vector<std::byte>> expected_of(const random_program &p) {
  auto buffers = p.buffers;
  program_arguments arguments = p.arguments;
  for (std::size_t m = 0; m < buffers.size(); ++m)
    arguments.memory[m] = buffers[m].data() + (p.arguments.memory[m] - p.buffers[m].data());
  interpreter(p.code, arguments).run();
  return buffers;
}

void compare(const random_program &p, std::uint32_t seed) {
  const auto got = results_of(p, cpu()), wanted = expected_of(p);
  bool single = false;
  for (const instruction &i : p.code.code) single = single || i.type == dtype::float32;
  for (const std::size_t m : p.stored) {
    const dtype t = p.code.memory[m].type;
    const std::size_t bytes = size_of(t);
    double scale = 0;
    for (std::size_t at = 0; at + bytes <= wanted[m].size(); at += bytes) {
      const double size = std::abs(read(wanted[m].data() + at, t).c);
      if (std::isfinite(size)) scale = std::max(scale, size);
    }
    for (std::size_t at = 0; at + bytes <= wanted[m].size(); at += bytes) {
      const number a = read(got[m].data() + at, t), b = read(wanted[m].data() + at, t);
      ASSERT_TRUE(near(a, b, t, scale, single)) << "seed " << seed << ", operand " << m << ", byte " << at << ": "
                                                << a.i << " " << a.c << ", wanted " << b.i << " " << b.c << "\n"
                                                << p.code.describe();
    }
  }
}

TEST(Machine, RandomProgramsGiveTheInterpretersValues) {
  const char *const one = std::getenv("DPEP_TEST_SEED");
  const char *const many = std::getenv("DPEP_TEST_PROGRAMS");
  const std::uint32_t first = one ? std::uint32_t(std::atoi(one)) : 1;
  const std::uint32_t count = one ? 1 : many ? std::uint32_t(std::atoi(many)) : 400;
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    const random_program p = program_maker(seed).make();
    ASSERT_NO_THROW(p.code.verify()) << seed;
    compare(p, seed);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace dpep::array
