// Several threads that compute on one queue do not see each other's work half done.
#include <gtest/gtest.h>

#include <thread>

#include <dpep/array_opcodes.hpp>

#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;

/// The work of one thread, on small and large arrays, with operations of every kind. Returns the number of wrong
/// values.
std::size_t work(int seed) {
  std::size_t wrong = 0;
  const auto expect = [&](bool right) { wrong += !right; };
  for (int round = 0; round < 20; ++round)
    for (const std::int64_t n : {10, 3000, 70000}) {
      const double first = seed * 100 + round;
      const ndarray x = arange(scalar::of(first), scalar::of(1.0), n, dtype::float64, here());
      const ndarray twice = apply(opcode::add, x, x);
      const ndarray running = accumulate(accumulation::sum, twice, {});
      const ndarray differences =
          apply(opcode::subtract, view(running, std::array{index{index::kind::slice, 1, n - 1}}),
                view(running, std::array{index{index::kind::slice, 0, n - 1}}));
      const ndarray total = reduce(reduction::sum, differences);
      assign(x, scalar::of(-1.0));  // operations that read the old values must run first
      const auto got = values_of<double>(differences);
      for (std::size_t i = 0; i < got.size(); i += 7) expect(got[i] == 2 * (first + double(i) + 1));
      const double count = double(n - 1);
      expect(item(total).number.real() == 2 * (count * first + count * (count + 1) / 2));
      expect(values_of<double>(x)[std::size_t(n - 1)] == -1.0);
      const ndarray parts[] = {x, differences};
      expect(values_of<double>(concat(parts, 0, dtype::float64))[std::size_t(n)] == got[0]);
    }
  return wrong;
}

TEST(threads, share_a_queue) {
  std::vector<std::size_t> wrong(4, 1);
  {
    std::vector<std::jthread> all;
    for (int t = 0; t < 4; ++t) all.emplace_back([&wrong, t] { wrong[std::size_t(t)] = work(t); });
  }
  EXPECT_EQ(wrong, std::vector<std::size_t>(4, 0));
}

TEST(threads, read_one_array_together) {
  const ndarray x = counting<double>({50000});
  const ndarray pending = apply(opcode::multiply, x, scalar::of(2.0));  // computed by the first thread that reads it
  std::vector<double> sums(4);
  {
    std::vector<std::jthread> all;
    for (std::size_t t = 0; t < 4; ++t)
      all.emplace_back([&, t] { sums[t] = item(reduce(reduction::sum, pending)).number.real(); });
  }
  EXPECT_EQ(sums, std::vector<double>(4, 49999.0 * 50000));
}

}  // namespace
}  // namespace dpep::array
