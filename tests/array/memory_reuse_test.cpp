// The memory of arrays that are gone: later work of their queue reuses it while earlier work still uses it.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include <dpep/array_opcodes.hpp>
#include <dpep/memory.hpp>

#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;

std::vector<double> repeated(double value, std::int64_t n) { return std::vector<double>(std::size_t(n), value); }

TEST(memory_reuse, later_work_needs_no_new_memory) {
  const context own{device()};
  const queue q{own, device()};
  constexpr std::int64_t n = 1 << 17;
  ndarray x = full(shape_t{n}, scalar::of(0.0), dtype::float64, {q});
  x.wait();
  const std::uint64_t before = statistics(own, usm_kind::device).in_use;
  const user_event gate;
  order_after(q, gate);
  for (int i = 0; i < 30; ++i) {
    x = apply(opcode::add, x, scalar::of(1.0));
    x.evaluate();
  }
  const memory_statistics now = statistics(own, usm_kind::device);
  EXPECT_LT(now.in_use + now.cached - before, 4 * n * sizeof(double));
  gate.complete();
  EXPECT_EQ(values_of<double>(x), repeated(30, n));
}

/// Arrays that are made while work that reads and writes memory of their size is in flight.
TEST(memory_reuse, work_in_flight_keeps_its_values) {
  // around the sizes up to which the calling thread writes new arrays
  for (const std::int64_t n : {100, 2048, 4096, 4097, 8192, 8193, 16384, 100000}) {
    const queue q{device()};
    const auto of = [&](double value) { return full(shape_t{n}, scalar::of(value), dtype::float64, {q}); };
    ndarray a = of(1), b = of(2);
    a.wait();
    b.wait();
    const user_event gate;
    order_after(q, gate);
    const ndarray sum = apply(opcode::add, a, b);
    ndarray product = apply(opcode::multiply, a, b);
    sum.evaluate();
    product.evaluate();
    a = {};
    b = {};
    product = {};  // its memory is still to be written
    std::vector<ndarray> filled, ranges, copies, empties;
    for (int i = 0; i < 4; ++i) {
      filled.push_back(of(7));
      filled.back().evaluate();
      ranges.push_back(arange(scalar::of(0.0), scalar::of(1.0), n, dtype::float64, {q}));
      ranges.back().evaluate();
      copies.push_back(copy(filled.back()));
      copies.back().evaluate();
      empties.push_back(empty(shape_t{n}, dtype::float64, {q}));
      assign(empties.back(), scalar::of(9.0));
    }
    std::thread opens([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      gate.complete();
    });
    const auto host = repeated(5, n);
    const std::int64_t stride = sizeof(double);
    const ndarray from =
        from_host({const_cast<double *>(host.data()), dtype::float64, {&n, 1}, {&stride, 1}}, dtype::float64, {q});
    opens.join();
    EXPECT_EQ(values_of<double>(sum), repeated(3, n)) << n;
    EXPECT_EQ(values_of<double>(from), host) << n;
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(values_of<double>(filled[i]), repeated(7, n)) << n;
      EXPECT_EQ(values_of<double>(ranges[i])[std::size_t(n - 1)], double(n - 1)) << n;
      EXPECT_EQ(values_of<double>(copies[i]), repeated(7, n)) << n;
      EXPECT_EQ(values_of<double>(empties[i]), repeated(9, n)) << n;
    }
  }
}

}  // namespace
}  // namespace dpep::array
