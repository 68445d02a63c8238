// Tests concurrent compilation on many threads.
#include <atomic>
#include <barrier>
#include <thread>

#include "jit/kernels.hpp"
#include "jit/launch/compiler.hpp"
#include "jit/launch/shared_work.hpp"

namespace dpep {
namespace {

using namespace test;

constexpr int threads = 8;

class compiling_at_once : public ::testing::Test {
protected:
  environment no_cache{"DPEP_CACHE", "off"};
  queue q = cpu_queue();

  // Runs the body on all threads, which start at the same time.
  template <class F> void on_all_threads(F body) {
    std::barrier start(threads);
    std::vector<std::jthread> pool;
    for (int t = 0; t < threads; ++t)
      pool.emplace_back([&, t] {
        start.arrive_and_wait();
        body(t);
      });
  }
  void expect_doubled(const kernel &k) {
    std::vector<float> a(100, 1);
    const queue own = cpu_queue();
    launch(own, k, flat(100), packed(scale_arguments{a.data(), 2}));
    own.wait();
    EXPECT_EQ(a, std::vector<float>(100, 2));
  }
};

TEST_F(compiling_at_once, threads_that_need_one_kernel_share_its_compilation) {
  const kernel k = ir_kernel(scale_ir(100));
  const std::uint64_t before = jit::counts().compiled;
  on_all_threads([&](int) { expect_doubled(k); });
  EXPECT_EQ(jit::counts().compiled - before, 1U);
}

TEST_F(compiling_at_once, kernels_with_the_same_code_share_it) {
  const std::uint64_t before = jit::counts().compiled;
  on_all_threads([&](int) { expect_doubled(ir_kernel(scale_ir(101))); });
  // A thread that starts after the others have finished compiles again, as there is no cache.
  EXPECT_LT(jit::counts().compiled - before, threads);
}

TEST_F(compiling_at_once, different_kernels_are_all_compiled) {
  const std::uint64_t before = jit::counts().compiled;
  on_all_threads([&](int t) {
    for (int i = 0; i < 4; ++i) expect_doubled(ir_kernel(scale_ir(1000 + t * 10 + i)));
  });
  EXPECT_EQ(jit::counts().compiled - before, threads * 4U);
}

TEST_F(compiling_at_once, different_shapes_of_one_kernel_are_all_compiled) {
  const kernel k = ir_kernel(scale_ir(102));
  on_all_threads([&](int t) {
    std::vector<float> a(64, 1);
    for (const std::size_t local : {1, 2, 4, 8, 16, 32}) {
      const queue own = cpu_queue();
      launch(own, k, grouped(64, local), packed(scale_arguments{a.data(), 2})).wait();
    }
    EXPECT_EQ(a, std::vector<float>(64, 64)) << "thread " << t;
  });
}

TEST_F(compiling_at_once, all_waiting_threads_get_the_error) {
  const kernel k = ir_kernel("define spir_kernel void @k(ptr %x) { ret int }");
  std::atomic<int> failures{0};
  on_all_threads([&](int) {
    try {
      k.prepare(q.get_device(), flat(1));
    } catch (const exception &e) {
      failures += e.code() == errc::build;
    }
  });
  EXPECT_EQ(failures, threads);
}

TEST(shared_work, a_request_within_the_computation_of_the_same_key_computes_it_again) {
  jit::shared_work<int, int> work;
  const auto none = [] { return std::optional<int>(); };
  const int result = work.share(1, none, [&] { return 10 + work.share(1, none, [] { return 3; }); });
  EXPECT_EQ(result, 13);
}

}  // namespace
}  // namespace dpep
