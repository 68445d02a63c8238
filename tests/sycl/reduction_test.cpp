// sycl::reduction in all its forms: range and nd_range, 1 to 3 dimensions, USM, spans and buffers, operations of all
// kinds.
#include <cassert>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "error_of.hpp"

namespace {

constexpr long value(std::size_t i) { return static_cast<long>(i * 7919 % 1009) - 300; }
long sum_of_values(std::size_t n) {
  long sum = 0;
  for (std::size_t i = 0; i < n; i++) sum += value(i);
  return sum;
}

class reductions : public testing::Test {
protected:
  sycl::queue q;
  template <class T> T *variable(T start) {
    T *const p = sycl::malloc_shared<T>(1, q);
    *p = start;
    allocated_.push_back(p);
    return p;
  }
  ~reductions() override {
    for (void *p : allocated_) sycl::free(p, q);
  }

private:
  std::vector<void *> allocated_;
};

const std::size_t sizes[] = {1, 2, 63, 64, 65, 1000, 4096, 100003};

TEST_F(reductions, over_a_range_of_any_size) {
  for (const std::size_t n : sizes) {
    long *const sum = variable(7L);
    q.parallel_for(sycl::range<1>(n), sycl::reduction(sum, sycl::plus<>()),
                   [](sycl::id<1> i, auto &s) { s += value(i); });
    q.wait_and_throw();
    EXPECT_EQ(*sum, 7 + sum_of_values(n)) << n;
  }
}

TEST_F(reductions, over_an_empty_range_leaves_the_variable_or_makes_it_the_identity) {
  int *const kept = variable(7), *const reset = variable(7);
  q.parallel_for(sycl::range<1>(0), sycl::reduction(kept, sycl::plus<>()), [](sycl::id<1>, auto &s) { s += 1; });
  q.parallel_for(sycl::range<1>(0),
                 sycl::reduction(reset, sycl::plus<>(), {sycl::property::reduction::initialize_to_identity()}),
                 [](sycl::id<1>, auto &s) { s += 1; });
  q.wait_and_throw();
  EXPECT_EQ(*kept, 7);
  EXPECT_EQ(*reset, 0);
}

TEST_F(reductions, over_two_and_three_dimensions_visits_each_index_once) {
  for (const sycl::range<2> r : {sycl::range<2>(1, 1), {3, 5}, {100, 7}, {7, 100}, {1, 5000}, {300, 301}}) {
    long *const sum = variable(0L);
    q.parallel_for(r, sycl::reduction(sum, sycl::plus<>()),
                   [](sycl::item<2> i, auto &s) { s += value(i[0] * i.get_range(1) + i[1]); });
    q.wait_and_throw();
    EXPECT_EQ(*sum, sum_of_values(r.size())) << r[0] << " x " << r[1];
  }
  for (const sycl::range<3> r : {sycl::range<3>(1, 1, 1), {3, 5, 7}, {50, 3, 11}, {4, 50, 60}}) {
    long *const sum = variable(0L);
    q.parallel_for(r, sycl::reduction(sum, sycl::plus<>()),
                   [r](sycl::id<3> i, auto &s) { s += value((i[0] * r[1] + i[1]) * r[2] + i[2]); });
    q.wait_and_throw();
    EXPECT_EQ(*sum, sum_of_values(r.size())) << r[0] << " x " << r[1] << " x " << r[2];
  }
}

TEST_F(reductions, over_an_nd_range) {
  for (const std::size_t size : {1, 7, 64, 256}) {
    for (const std::size_t groups : {1, 2, 33}) {
      long *const sum = variable(1L);
      q.parallel_for(sycl::nd_range<1>(groups * size, size), sycl::reduction(sum, sycl::plus<>()),
                     [](sycl::nd_item<1> item, auto &s) { s += value(item.get_global_id(0)); });
      q.wait_and_throw();
      EXPECT_EQ(*sum, 1 + sum_of_values(groups * size)) << groups << " groups of " << size;
    }
  }
  long *const sum = variable(0L);
  q.parallel_for(sycl::nd_range<3>({4, 6, 32}, {2, 3, 8}), sycl::reduction(sum, sycl::plus<>()),
                 [](sycl::nd_item<3> item, auto &s) { s += value(item.get_global_linear_id()); });
  q.wait_and_throw();
  EXPECT_EQ(*sum, sum_of_values(4 * 6 * 32));
}

TEST_F(reductions, in_an_nd_range_with_barriers_and_local_memory) {
  constexpr std::size_t groups = 5, size = 32;
  long *const sum = variable(0L);
  q.submit([&](sycl::handler &h) {
    const sycl::local_accessor<long, 1> local(size, h);
    h.parallel_for(sycl::nd_range<1>(groups * size, size), sycl::reduction(sum, sycl::plus<>()),
                   [=](sycl::nd_item<1> item, auto &s) {
                     const std::size_t me = item.get_local_id(0);
                     local[me] = value(item.get_global_id(0));
                     sycl::group_barrier(item.get_group());
                     s += local[size - 1 - me];
                   });
  });
  q.wait_and_throw();
  EXPECT_EQ(*sum, sum_of_values(groups * size));
}

TEST_F(reductions, several_in_one_kernel) {
  constexpr std::size_t n = 5000;
  int *const least = variable(std::numeric_limits<int>::max()), *const most = variable(0);
  unsigned *const bits = variable(0u);
  double *const sum = variable(0.0);
  q.parallel_for(sycl::range<1>(n), sycl::reduction(least, sycl::minimum<>()),
                 sycl::reduction(most, sycl::maximum<int>()), sycl::reduction(bits, sycl::bit_or<>()),
                 sycl::reduction(sum, sycl::plus<double>()), [](sycl::item<1> i, auto &a, auto &b, auto &c, auto &d) {
                   const int x = static_cast<int>(value(i));
                   a.combine(x);
                   b.combine(x);
                   c |= 1u << (i % 20);
                   d += x;
                 });
  q.wait_and_throw();
  int wanted_least = 10000, wanted_most = 0;
  for (std::size_t i = 0; i < n; i++) {
    wanted_least = std::min(wanted_least, static_cast<int>(value(i)));
    wanted_most = std::max(wanted_most, static_cast<int>(value(i)));
  }
  EXPECT_EQ(*least, wanted_least);
  EXPECT_EQ(*most, wanted_most);
  EXPECT_EQ(*bits, (1u << 20) - 1);
  EXPECT_EQ(*sum, sum_of_values(n));
}

TEST_F(reductions, by_a_function_with_an_identity_and_without) {
  constexpr std::size_t n = 3000;
  const auto product = [](unsigned a, unsigned b) { return a * b; };
  unsigned wanted = 3;
  for (std::size_t i = 0; i < n; i++) wanted *= static_cast<unsigned>(2 * i + 1);
  const auto kernel = [](sycl::id<1> i, auto &p) { p.combine(static_cast<unsigned>(2 * i[0] + 1)); };
  unsigned *const with = variable(3u), *const without = variable(3u), *const nothing = variable(3u),
                  *const in_groups = variable(3u);
  q.parallel_for(sycl::range<1>(n), sycl::reduction(with, 1u, product), kernel);
  q.parallel_for(sycl::range<1>(n), sycl::reduction(without, product), kernel);
  q.parallel_for(sycl::range<1>(n), sycl::reduction(nothing, product), [](sycl::id<1>, auto &) {});
  q.parallel_for(sycl::nd_range<1>(n, 30), sycl::reduction(in_groups, product),
                 [](sycl::nd_item<1> i, auto &p) { p.combine(static_cast<unsigned>(2 * i.get_global_id(0) + 1)); });
  q.wait_and_throw();
  EXPECT_EQ(*with, wanted);
  EXPECT_EQ(*without, wanted);
  EXPECT_EQ(*nothing, 3u);
  EXPECT_EQ(*in_groups, wanted);
}

TEST_F(reductions, work_items_may_combine_nothing) {
  int *const count = variable(0), *const most = variable(-5);
  q.parallel_for(sycl::range<1>(10000), sycl::reduction(count, sycl::plus<>()),
                 sycl::reduction(most, [](int a, int b) { return a > b ? a : b; }),
                 [](sycl::id<1> i, auto &c, auto &m) {
                   if (i % 1000 == 999) {
                     ++c;
                     m.combine(static_cast<int>(i));
                   }
                 });
  q.wait_and_throw();
  EXPECT_EQ(*count, 10);
  EXPECT_EQ(*most, 9999);
}

TEST_F(reductions, of_a_span_is_a_histogram) {
  constexpr std::size_t bins = 16, n = 20000;
  int *const histogram = sycl::malloc_shared<int>(2 * bins, q);
  for (std::size_t i = 0; i < 2 * bins; i++) histogram[i] = 1;
  q.parallel_for(sycl::range<1>(n), sycl::reduction(sycl::span<int, bins>(histogram, bins), sycl::plus<>()),
                 [](sycl::id<1> i, auto &h) { h[value(i) % bins] += 2; });
  q.parallel_for(sycl::nd_range<1>(6400, 64),
                 sycl::reduction(sycl::span<int, bins>(histogram + bins, bins), sycl::plus<>()),
                 [](sycl::nd_item<1> i, auto &h) { ++h[i.get_global_id(0) % bins]; });
  q.wait_and_throw();
  std::vector<int> wanted(bins, 1);
  for (std::size_t i = 0; i < n; i++) wanted[value(i) % bins] += 2;
  for (std::size_t b = 0; b < bins; b++) {
    EXPECT_EQ(histogram[b], wanted[b]) << b;
    EXPECT_EQ(histogram[bins + b], 1 + 400) << b;
  }
  sycl::free(histogram, q);
}

TEST_F(reductions, of_a_buffer) {
  std::vector<int> input(5000);
  for (std::size_t i = 0; i < input.size(); i++) input[i] = static_cast<int>(value(i));
  sycl::buffer<int> numbers(input);
  sycl::buffer<int> sum{sycl::range<1>(1)}, more{sycl::range<1>(1)};
  sycl::host_accessor{more}[0] = 100;
  q.submit([&](sycl::handler &h) {
    const sycl::accessor in(numbers, h, sycl::read_only);
    h.parallel_for(sycl::range<1>(input.size()),
                   sycl::reduction(sum, h, sycl::plus<>(), {sycl::property::reduction::initialize_to_identity()}),
                   sycl::reduction(more, h, 0, sycl::plus<>()), [=](sycl::id<1> i, auto &a, auto &b) {
                     a += in[i];
                     b += 1;
                   });
  });
  EXPECT_EQ(sycl::host_accessor{sum}[0], sum_of_values(input.size()));
  EXPECT_EQ(sycl::host_accessor{more}[0], 5100);
}

TEST_F(reductions, refuses_a_buffer_of_several_elements) {
  sycl::buffer<int> two{sycl::range<1>(2)};
  EXPECT_THROW(q.submit([&](sycl::handler &h) {
    h.parallel_for(sycl::range<1>(1), sycl::reduction(two, h, sycl::plus<>()), [](sycl::id<1>, auto &) {});
  }),
               sycl::exception);
}

TEST_F(reductions, of_complex_numbers_and_vecs) {
  using complex = std::complex<double>;
  complex *const sum = variable(complex(1, 1));
  sycl::float4 *const vector = variable(sycl::float4(0));
  q.parallel_for(sycl::range<1>(1000), sycl::reduction(sum, sycl::plus<>()), sycl::reduction(vector, sycl::plus<>()),
                 [](sycl::id<1> i, auto &s, auto &v) {
                   s += complex(static_cast<double>(i[0]), -1);
                   v += sycl::float4(1, 2, 3, static_cast<float>(i[0] % 2));
                 });
  q.wait_and_throw();
  EXPECT_EQ(*sum, complex(1 + 999 * 500, 1 - 1000));
  EXPECT_TRUE(sycl::all(*vector == sycl::float4(1000, 2000, 3000, 500)));
}

TEST_F(reductions, of_floats_is_close_and_the_same_on_every_run) {
  constexpr std::size_t n = 200000;
  std::vector<float> results;
  for (int run = 0; run < 5; run++) {
    float *const sum = variable(0.0f);
    q.parallel_for(sycl::range<1>(n), sycl::reduction(sum, sycl::plus<>()),
                   [](sycl::id<1> i, auto &s) { s += 1.0f / static_cast<float>(i[0] + 1); });
    q.wait_and_throw();
    results.push_back(*sum);
  }
  double wanted = 0;
  for (std::size_t i = 0; i < n; i++) wanted += 1.0 / static_cast<double>(i + 1);
  EXPECT_NEAR(results[0], wanted, 1e-5 * wanted);
  for (const float r : results) EXPECT_EQ(r, results[0]);
}

TEST_F(reductions, identity_is_known_to_the_kernel) {
  int *const least = variable(0);
  q.parallel_for(sycl::range<1>(1),
                 sycl::reduction(least, sycl::minimum<>(), {sycl::property::reduction::initialize_to_identity()}),
                 [](sycl::id<1>, auto &m) { m.combine(m.identity()); });
  q.wait_and_throw();
  EXPECT_EQ(*least, std::numeric_limits<int>::max());
}

TEST_F(reductions, waits_for_its_dependencies) {
  long *const x = variable(0L), *const sum = variable(0L);
  const sycl::event first = q.single_task([=] { *x = 5; });
  q.parallel_for(sycl::range<1>(1000), first, sycl::reduction(sum, sycl::plus<>()),
                 [=](sycl::id<1>, auto &s) { s += *x; });
  q.wait_and_throw();
  EXPECT_EQ(*sum, 5000);
}

TEST_F(reductions, failures_name_the_line_of_the_launch) {
  int *const one = variable(0), *const two = variable(0);
  const sycl::event none;
  const auto a = sycl::reduction(one, sycl::plus<>());
  const auto b = sycl::reduction(two, sycl::maximum<>());
  const auto fails = [=](auto, auto &sum, auto &...) { assert(sum.identity() == 1 && "never"); };
  const auto expect_line = [&](unsigned line) {
    const test::caught_error error = test::error_of([&] { q.wait_and_throw(); });
    const std::string place = "reduction_test.cpp:" + std::to_string(line) + ",";
    EXPECT_TRUE(error.mentions(place)) << error.message << "\nwanted " << place;
  };
  q.parallel_for(64, a, fails), expect_line(__LINE__);
  q.parallel_for({64}, a, b, fails), expect_line(__LINE__);
  q.parallel_for({8, 8}, a, b, fails), expect_line(__LINE__);
  q.parallel_for({4, 4, 4}, a, b, fails), expect_line(__LINE__);
  q.parallel_for(sycl::range(64), none, a, b, fails), expect_line(__LINE__);
  q.parallel_for(sycl::range(64), std::vector{none}, a, b, fails), expect_line(__LINE__);
  q.parallel_for(sycl::nd_range<1>(64, 8), a, b, fails), expect_line(__LINE__);
  const auto grouped = [&](sycl::handler &h) { h.parallel_for(sycl::nd_range<2>({8, 8}, {4, 4}), a, b, fails); };
  q.submit(grouped), expect_line(__LINE__ - 1);
}

TEST_F(reductions, of_more_work_groups_than_their_counter_counts_are_refused) {
  long *const sum = variable(0L);
  const test::caught_error error = test::error_of([&] {
    q.parallel_for(sycl::nd_range<1>(sycl::range<1>((std::size_t{1} << 32) + 1), sycl::range<1>(1)),
                   sycl::reduction(sum, sycl::plus<>()), [=](sycl::nd_item<1>, auto &s) { s += 1; });
  });
  EXPECT_EQ(error.code, sycl::errc::nd_range);
  EXPECT_TRUE(error.mentions("4294967297 work-groups")) << error.message;
}

// Known identities (SYCL 2020, table 147).
static_assert(sycl::known_identity_v<sycl::plus<>, float> == 0 &&
              sycl::known_identity_v<sycl::multiplies<int>, int> == 1);
static_assert(sycl::known_identity_v<sycl::bit_and<>, unsigned char> == 255);
static_assert(sycl::known_identity_v<sycl::minimum<>, double> == std::numeric_limits<double>::infinity());
static_assert(sycl::known_identity_v<sycl::maximum<>, unsigned> == 0);
static_assert(sycl::known_identity_v<sycl::logical_and<>, bool>);
static_assert(!sycl::has_known_identity_v<sycl::bit_and<>, float> &&
              sycl::has_known_identity_v<sycl::plus<>, sycl::half>);

}  // namespace
