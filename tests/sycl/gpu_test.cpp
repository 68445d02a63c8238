// Behaviour that only a GPU shows: faults that destroy its context, work across devices, its limits.
#include <array>
#include <cassert>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "error_of.hpp"

namespace {

std::optional<sycl::device> first_of(sycl::info::device_type type) {
  const auto found = sycl::device::get_devices(type);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

class gpus : public ::testing::Test {
protected:
  void SetUp() override {
    if (!first_of(sycl::info::device_type::gpu))
      GTEST_SKIP() << "there is no GPU, or ONEAPI_DEVICE_SELECTOR excludes it";
  }
  static sycl::queue gpu(const sycl::property_list &properties = {}) {
    return sycl::queue(*first_of(sycl::info::device_type::gpu), properties);
  }
  static sycl::queue cpu() { return sycl::queue(*first_of(sycl::info::device_type::cpu)); }
};

/// Runs in a child process; its exit status is the number of the first check that fails.
void after_a_fault(sycl::queue q, sycl::queue other, int kind) {
  int *const memory = sycl::malloc_device<int>(4, q);
  const test::caught_error fault = test::error_of([&] {
    q.single_task([=] {
      if (kind == 0)
        *reinterpret_cast<int *>(8) = 1;  // no memory is there
      else
        *reinterpret_cast<int *>(reinterpret_cast<char *>(memory) + 1) = 1;  // misaligned
    });
    q.wait_and_throw();
  });
  if (!fault.mentions("gpu_test.cpp") || !fault.mentions(kind == 0 ? "illegal memory access" : "misaligned"))
    std::exit((std::fprintf(stderr, "%s\n", fault.message.c_str()), 1));
  const test::caught_error later = test::error_of([&] { q.single_task([=] { *memory = 1; }).wait(); });
  if (!later.mentions("lost") || !later.mentions("gpu_test.cpp"))
    std::exit((std::fprintf(stderr, "%s\n", later.message.c_str()), 2));
  int *const shared = sycl::malloc_shared<int>(1, other);
  other.single_task([=] { *shared = 42; }).wait();
  std::exit(*shared == 42 ? 0 : 3);
}

TEST_F(gpus, fault_is_an_error_that_names_the_kernel_and_the_cpu_continues) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // the child starts anew, since a driver does not survive fork()
  for (const int kind : {0, 1}) EXPECT_EXIT(after_a_fault(gpu(), cpu(), kind), ::testing::ExitedWithCode(0), "");
}

TEST_F(gpus, a_failed_assertion_leaves_the_device_usable) {
  sycl::queue q = gpu();
  int *const x = sycl::malloc_shared<int>(1, q);
  for (int round = 0; round < 2; ++round) {
    *x = 0;
    const test::caught_error failure = test::error_of([&] {
      q.parallel_for(1000, [=](sycl::id<1> i) { assert(i[0] != 700); });
      q.wait_and_throw();
    });
    EXPECT_TRUE(failure.mentions("700")) << failure.message;
    EXPECT_TRUE(failure.mentions("gpu_test.cpp")) << failure.message;
    q.single_task([=] { *x = 7; }).wait_and_throw();
    EXPECT_EQ(*x, 7);
  }
  sycl::free(x, q);
}

TEST_F(gpus, work_of_devices_and_the_host_waits_for_each_other) {
  sycl::queue g = gpu(), c = cpu();
  long *const x = sycl::malloc_host<long>(1, g);  // accessible to both devices and the host
  *x = 0;
  sycl::event last;
  long expected = 0;
  for (int round = 0; round < 100; ++round) {
    last = g.submit([&](sycl::handler &h) {
      h.depends_on(last);
      h.single_task([=] { *x = *x * 3 + 1; });
    });
    last = c.submit([&](sycl::handler &h) {
      h.depends_on(last);
      h.single_task([=] { *x += 5; });
    });
    last = g.submit([&](sycl::handler &h) {
      h.depends_on(last);
      h.host_task([=] { *x %= 1000003; });
    });
    expected = (expected * 3 + 1 + 5) % 1000003;
  }
  last.wait();
  EXPECT_EQ(*x, expected);
  sycl::free(x, g);
}

TEST_F(gpus, a_queue_in_order_keeps_the_order_around_host_tasks) {
  sycl::queue q = gpu({sycl::property::queue::in_order()});
  long *const x = sycl::malloc_host<long>(1, q);
  *x = 0;
  long expected = 0;
  for (int round = 0; round < 50; ++round) {
    q.single_task([=] { *x = *x * 3 + 1; });
    q.submit([&](sycl::handler &h) { h.host_task([=] { *x = *x % 1000003 + 2; }); });
    q.single_task([=] { *x = *x * 2; });
    expected = ((expected * 3 + 1) % 1000003 + 2) * 2;
  }
  q.wait();
  EXPECT_EQ(*x, expected);
  sycl::free(x, q);
}

TEST_F(gpus, a_barrier_waits_for_all_streams_of_a_queue_out_of_order) {
  sycl::queue q = gpu();
  constexpr int n = 32;
  int *const x = sycl::malloc_device<int>(n, q), *const sum = sycl::malloc_shared<int>(1, q);
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < n; ++i) q.single_task([=] { x[i] = i + round; });
    q.ext_oneapi_submit_barrier();
    q.single_task([=] {
      int total = 0;
      for (int i = 0; i < n; ++i) total += x[i];
      *sum = total;
    });
    q.wait();
    EXPECT_EQ(*sum, n * (n - 1) / 2 + n * round);
  }
  sycl::free(x, q);
  sycl::free(sum, q);
}

TEST_F(gpus, profiling_gives_times_of_the_hosts_clock) {
  sycl::queue q = gpu({sycl::property::queue::enable_profiling()});
  using clock = std::chrono::steady_clock;
  const auto now = [] {
    return static_cast<std::uint64_t>(clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
  };
  char *const x = sycl::malloc_device<char>(1 << 28, q);
  q.memset(x, 1, 1 << 28).wait();
  const std::uint64_t before = now();
  const sycl::event e = q.memset(x, 2, 1 << 28);
  const_cast<sycl::event &>(e).wait();
  const std::uint64_t after = now();
  const auto start = e.get_profiling_info<sycl::info::event_profiling::command_start>();
  const auto end = e.get_profiling_info<sycl::info::event_profiling::command_end>();
  EXPECT_LT(start, end);
  constexpr std::uint64_t slack = 2'000'000;  // a round trip synchronises the clocks
  EXPECT_GT(start + slack, before);
  EXPECT_LT(end, after + slack);
  EXPECT_GT(end - start, 20'000u) << "256 MiB faster than the bandwidth of any memory";
  sycl::free(x, q);
}

TEST_F(gpus, limits_are_errors) {
  sycl::queue q = gpu();
  const test::caught_error groups = test::error_of(
      [&] { q.parallel_for(sycl::nd_range<2>({70000, 70000}, {1, 1}), [](sycl::nd_item<2>) {}).wait(); });
  EXPECT_TRUE(groups.mentions("4900000000 work-groups")) << groups.message;
  const test::caught_error size =
      test::error_of([&] { q.parallel_for(sycl::nd_range<1>(4096, 2048), [](sycl::nd_item<1>) {}).wait(); });
  EXPECT_TRUE(size.mentions("2048")) << size.message;
  EXPECT_EQ(sycl::malloc_device<char>(std::size_t{1} << 45, q), nullptr);
}

// Planted errors that only a tool detects: tests/gpu/sanitize.py runs them to check that the tool works.
TEST_F(gpus, DISABLED_planted_write_beyond_the_end) {
  sycl::queue q = gpu();
  constexpr std::size_t n = std::size_t{1} << 21;
  char *const x = sycl::malloc_device<char>(n, q);
  q.single_task([=] { x[n + 1000] = 1; }).wait();
  sycl::free(x, q);
}
TEST_F(gpus, DISABLED_planted_race) {
  sycl::queue q = gpu();
  int *const x = sycl::malloc_device<int>(256, q);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> seen(256, h);
     h.parallel_for(sycl::nd_range<1>(256, 256), [=](sycl::nd_item<1> item) {
       const std::size_t i = item.get_local_id(0);
       seen[i] = static_cast<int>(i);
       sycl::group_barrier(item.get_group());
       seen[i] += seen[255 - i];  // another warp writes it too
       sycl::group_barrier(item.get_group());
       x[i] = seen[i];
     });
   }).wait();
  sycl::free(x, q);
}
TEST_F(gpus, DISABLED_planted_read_of_uninitialised_memory) {
  sycl::queue q = gpu();
  constexpr std::size_t n = std::size_t{1} << 22;
  int *const x = sycl::malloc_device<int>(n, q), *const y = sycl::malloc_device<int>(n, q);
  q.parallel_for(256, [=](sycl::id<1> i) { y[i] = x[i]; }).wait();
  sycl::free(x, q);
  sycl::free(y, q);
}
TEST_F(gpus, DISABLED_planted_barriers_of_half_a_warp) {
  sycl::queue q = gpu();
  int *const x = sycl::malloc_device<int>(64, q);
  q.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) {
     const std::size_t i = item.get_local_id(0);
     if (i % 32 < 16) {
       sycl::group_barrier(item.get_group());
       x[i] = 1;
     } else {
       x[i] = 2;
       sycl::group_barrier(item.get_group());
     }
   }).wait();
  sycl::free(x, q);
}

TEST_F(gpus, ranges_of_any_shape_visit_each_work_item_once) {
  sycl::queue q = gpu();
  for (const auto [x, y, z] :
       {std::array<std::size_t, 3>{1, 1, 1}, {3, 5, 7}, {100000, 1, 3}, {1, 100000, 1}, {31, 33, 65}}) {
    const std::size_t n = x * y * z;
    int *const seen = sycl::malloc_device<int>(n, q);
    q.memset(seen, 0, n * sizeof(int)).wait();
    q.parallel_for(sycl::range<3>(x, y, z), [=](sycl::id<3> i) { seen[(i[0] * y + i[1]) * z + i[2]]++; }).wait();
    std::vector<int> host(n);
    q.copy(seen, host.data(), n).wait();
    EXPECT_EQ(host, std::vector<int>(n, 1));
    sycl::free(seen, q);
  }
}

}  // namespace
