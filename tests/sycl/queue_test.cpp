// Queues: kernels and copies by the queue's functions, and queries about queues.
#include <complex>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "shared_array.hpp"

namespace {

struct add_vectors {
  const int *a, *b;
  int *c;
  void operator()(sycl::item<1> i) const { c[i] = a[i] + b[i]; }
};

constexpr std::size_t count = 1000;

class queues : public testing::Test {
protected:
  sycl::queue q;
  shared_array<int> values{count, q};
  int *p = values.get();

  void expect_squares() const {
    for (std::size_t i = 0; i < count; i++) ASSERT_EQ(p[i], int(i * i)) << i;
  }
};

}  // namespace

TEST_F(queues, call_kernels_with_an_id) {
  q.parallel_for(sycl::range<1>(count), [p = p](sycl::id<1> i) { p[i] = int(i * i); }).wait();
  expect_squares();
}

TEST_F(queues, call_kernels_with_an_item) {
  q.parallel_for(sycl::range(count), [p = p](sycl::item<1> i) {
     p[i.get_id(0)] = int(i[0] * i.get_linear_id());
   }).wait();
  expect_squares();
}

TEST_F(queues, call_kernels_with_numbers) {
  q.parallel_for(count, [p = p](std::size_t i) { p[i] = int(i * i); }).wait();
  expect_squares();
  q.parallel_for(count, [p = p](int i) { p[i] -= i * i; }).wait();
  EXPECT_EQ(std::accumulate(p, p + count, 0), 0);
}

TEST_F(queues, call_generic_kernels) {
  q.parallel_for(count, [p = p](auto i) {
     static_assert(std::is_same_v<decltype(i), sycl::item<1>>);
     p[i] = int(i * i);
   }).wait();
  expect_squares();
}

TEST_F(queues, call_kernels_with_an_nd_item) {
  q.parallel_for(sycl::nd_range<1>(count, 10), [p = p](sycl::nd_item<1> i) {
     const std::size_t k = i.get_group(0) * 10 + i.get_local_id(0);
     p[i.get_global_id(0)] = int(k * k);
   }).wait();
  expect_squares();
}

TEST_F(queues, run_functors_as_kernels) {
  const shared_array<int> a(count, q), b(count, q);
  std::iota(a.get(), a.get() + count, 0);
  std::iota(b.get(), b.get() + count, 5);
  q.parallel_for(count, add_vectors{a.get(), b.get(), p}).wait();
  for (std::size_t i = 0; i < count; i++) ASSERT_EQ(p[i], int(2 * i + 5));
}

TEST_F(queues, run_named_kernels) {
  q.parallel_for<class squares>(count, [p = p](sycl::id<1> i) { p[i] = int(i * i); }).wait();
  expect_squares();
  q.single_task<class one_value>([p = p] { p[7] = -1; }).wait();
  EXPECT_EQ(p[7], -1);
}

TEST_F(queues, accept_braces_for_ranges) {
  q.parallel_for({40, 25}, [p = p](sycl::id<2> i) { p[i[0] * 25 + i[1]] = int(i[0] * 100 + i[1]); }).wait();
  EXPECT_EQ(p[0], 0);
  EXPECT_EQ(p[25], 100);
  EXPECT_EQ(p[999], 3924);
}

TEST_F(queues, launch_nothing_over_an_empty_range) {
  q.parallel_for(0, [p = p](sycl::id<1> i) { p[i] = 1; }).wait();
  EXPECT_EQ(std::accumulate(p, p + count, 0), 0);
}

TEST_F(queues, run_one_kernel_repeatedly) {
  for (int round = 0; round < 100; round++) q.parallel_for(count, [p = p](sycl::id<1> i) { p[i]++; }).wait();
  EXPECT_EQ(values.values(), std::vector<int>(count, 100));
}

TEST_F(queues, compute_with_complex_numbers) {
  const shared_array<std::complex<double>> z(count, q);
  q.parallel_for(count, [z = z.get()](sycl::id<1> i) {
     const std::complex<double> w(double(i), 1);
     z[i] = w * w + std::conj(w) / 2.0;
   }).wait();
  for (std::size_t i = 0; i < count; i++) {
    const std::complex<double> w(double(i), 1);
    const std::complex<double> expected = w * w + std::conj(w) / 2.0;
    ASSERT_DOUBLE_EQ(z[i].real(), expected.real());
    ASSERT_DOUBLE_EQ(z[i].imag(), expected.imag());
  }
}

TEST_F(queues, kernels_wait_for_the_events_given) {
  const sycl::event first = q.fill(p, 1, count);
  const sycl::event second = q.parallel_for(count, first, [p = p](sycl::id<1> i) { p[i] += 2; });
  const sycl::event third = q.parallel_for(count, std::vector{first, second}, [p = p](sycl::id<1> i) { p[i] *= 10; });
  const sycl::event fourth = q.single_task(third, [p = p] { p[0]++; });
  q.single_task({third, fourth}, [p = p] { p[0] *= 2; }).wait();
  EXPECT_EQ(p[0], 62);
  EXPECT_EQ(p[count - 1], 30);
}

TEST_F(queues, copy_and_fill) {
  std::vector<int> host(count), back(count);
  std::iota(host.begin(), host.end(), 3);
  int *device = sycl::malloc_device<int>(count, q);
  const sycl::event filled = q.fill(device, 7, count);
  const sycl::event copied = q.memcpy(device + 1, host.data(), 10 * sizeof(int), filled);
  q.copy(device, back.data(), count, copied).wait();
  EXPECT_EQ(back[0], 7);
  EXPECT_EQ(back[1], 3);
  EXPECT_EQ(back[10], 12);
  EXPECT_EQ(back[11], 7);
  q.memset(device, 0xff, count * sizeof(int)).wait();
  q.copy(device, p, count, std::vector<sycl::event>()).wait();
  EXPECT_EQ(values.values(), std::vector<int>(count, -1));
  sycl::free(device, q);
}

TEST_F(queues, fill_with_patterns_of_any_size) {
  struct triple {
    char c[3];
    bool operator==(const triple &) const = default;
  };
  const shared_array<triple> t(100, q);
  q.fill(t.get(), triple{{'a', 'b', 'c'}}, 100).wait();
  EXPECT_EQ(t.values(), std::vector(100, triple{{'a', 'b', 'c'}}));
}

TEST_F(queues, do_not_change_memory_by_hints) {
  const sycl::event squares = q.parallel_for(count, [p = p](sycl::id<1> i) { p[i] = int(i * i); });
  const sycl::event e = q.prefetch(p, count * sizeof(int), squares);
  q.mem_advise(p, count * sizeof(int), 0, e).wait();
  expect_squares();
}

TEST_F(queues, barriers_wait_for_everything_submitted) {
  q.parallel_for(count, [p = p](sycl::id<1> i) { p[i] = int(i * i); });
  q.ext_oneapi_submit_barrier().wait();
  expect_squares();
}

TEST_F(queues, in_order_keep_the_order) {
  sycl::queue ordered{sycl::property::queue::in_order()};
  for (int i = 1; i <= 50; i++) {
    ordered.fill(p, i, count);
    ordered.parallel_for(count, [p = p](sycl::id<1> k) { p[k] *= 2; });
  }
  ordered.wait();
  EXPECT_EQ(values.values(), std::vector<int>(count, 100));
}

TEST_F(queues, report_their_properties) {
  const sycl::device d;
  const sycl::context c(d);
  const sycl::queue made(c, d, {sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()});
  EXPECT_TRUE(made.is_in_order());
  EXPECT_TRUE(made.has_property<sycl::property::queue::enable_profiling>());
  EXPECT_FALSE(q.is_in_order());
  EXPECT_FALSE(q.has_property<sycl::property::queue::enable_profiling>());
  EXPECT_THROW(q.get_property<sycl::property::queue::in_order>(), sycl::exception);
  EXPECT_EQ(made.get_context(), c);
  EXPECT_EQ(made.get_device(), d);
  EXPECT_EQ(made.get_info<sycl::info::queue::context>(), c);
  EXPECT_EQ(made.get_info<sycl::info::queue::device>(), d);
  EXPECT_EQ(made.get_backend(), d.get_backend());
}

TEST_F(queues, have_all_constructors) {
  const sycl::device d;
  const sycl::context c(d);
  const sycl::async_handler ignore = [](sycl::exception_list) {};
  const sycl::property_list ordered{sycl::property::queue::in_order()};
  for (const sycl::queue &made :
       {sycl::queue(), sycl::queue(ordered), sycl::queue(ignore), sycl::queue(ignore, ordered), sycl::queue(d),
        sycl::queue(d, ordered), sycl::queue(d, ignore), sycl::queue(d, ignore, ordered),
        sycl::queue(sycl::default_selector_v), sycl::queue(sycl::cpu_selector_v, ordered),
        sycl::queue(sycl::cpu_selector_v, ignore), sycl::queue(sycl::cpu_selector(), ignore, ordered),
        sycl::queue(c, d), sycl::queue(c, d, ordered), sycl::queue(c, d, ignore), sycl::queue(c, d, ignore, ordered),
        sycl::queue(c, sycl::default_selector_v), sycl::queue(c, sycl::default_selector_v, ignore, ordered),
        sycl::queue([](const sycl::device &) { return 1; })}) {
    int *memory = sycl::malloc_shared<int>(1, made);
    sycl::queue(made).single_task([=] { *memory = 5; }).wait();
    EXPECT_EQ(*memory, 5);
    sycl::free(memory, made);
  }
}

TEST_F(queues, compare_equal_to_their_copies) {
  const sycl::queue same = q, other;
  EXPECT_EQ(same, q);
  EXPECT_NE(other, q);
  EXPECT_EQ(std::hash<sycl::queue>()(same), std::hash<sycl::queue>()(q));
}

TEST_F(queues, nd_ranges_must_divide) {
  const auto kernel = [p = p](sycl::nd_item<1> i) { p[i.get_global_id(0)] = 1; };
  const auto launch = [&] { q.parallel_for(sycl::nd_range<1>(10, 3), kernel).wait(); };
  EXPECT_EQ(test::error_of(launch).code, sycl::errc::nd_range);
}
