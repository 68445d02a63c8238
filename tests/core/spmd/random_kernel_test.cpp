// Random kernels: what the JIT makes of them against what lock-step gives.
#include "spmd/random_kernel.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <random>

#include "spmd/random_kernel/generator.hpp"
#include "spmd/random_kernel/interpreter.hpp"
#include "spmd/random_kernel/printer.hpp"
#include "spmd/run_kernel.hpp"

namespace dpep::test {

random_kernel::random_kernel(std::uint32_t seed) {
  random_program::generator make(seed);
  while (body_.size() < 3)
    for (statement &each : make.block(0, true, 0)) body_.push_back(std::move(each));
}
random_kernel::~random_kernel() = default;

std::string random_kernel::text() const { return random_program::printer().kernel(body_); }

void random_kernel::run(random_kernel_data &data, std::size_t groups, std::size_t group_size) const {
  for (std::size_t group = 0; group < groups; ++group)
    random_program::interpreter(data, static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(group_size))
        .run(body_);
}

namespace {

random_kernel_data data_for(std::uint32_t seed, std::size_t groups, std::size_t group_size) {
  std::mt19937 random(seed);
  random_kernel_data data;
  for (std::size_t group = 0; group < groups; ++group) {
    const std::uint32_t same = random();
    for (std::size_t i = 0; i < group_size; ++i) {
      data.in.push_back(random());
      data.same.push_back(same);
    }
  }
  for (int i = 0; i < 16; ++i) data.table.push_back(random());
  data.out.resize(data.in.size());
  return data;
}

TEST(RandomKernels, GiveWhatLockStepGives) {
  const char *wanted = std::getenv("DPEP_TEST_PROGRAMS");
  const char *first = std::getenv("DPEP_TEST_FIRST_SEED");
  const std::uint32_t programs = wanted ? std::strtoul(wanted, nullptr, 10) : 200;
  const std::uint32_t from = first ? std::strtoul(first, nullptr, 10) : 0;
  constexpr std::size_t groups = 3;
  unsigned with_barriers = 0;
  for (std::uint32_t seed = from; seed < from + programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const random_kernel program(seed);
    const auto [x, y] =
        std::array<std::pair<std::size_t, std::size_t>, 4>{{{5, 1}, {16, 1}, {2, 1}, {3, 4}}}[seed / 4 % 4];
    const std::size_t group_size = x * y;
    const geometry work = groups_of({groups * x, y, 1}, {x, y, 1}, y > 1 ? 2 : 1);
    random_kernel_data expected = data_for(seed, groups, group_size), got = expected;
    program.run(expected, groups, group_size);
    const formed_kernel kernel(program.text(), specialisation_of(work),
                               seed % 4 == 1 ? formed_kernel::optimisation::standard
                                             : formed_kernel::optimisation::none);
    with_barriers += kernel.report().uses_barriers;
    void *arguments[] = {got.in.data(), got.same.data(), got.table.data(), got.out.data()};
    kernel.run(work, arguments, group_size * sizeof(std::uint32_t));
    ASSERT_EQ(got.out, expected.out) << program.text();
  }
  EXPECT_GT(with_barriers, programs / 3);
}

}  // namespace
}  // namespace dpep::test
