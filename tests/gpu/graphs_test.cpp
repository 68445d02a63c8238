// Graphs on GPUs: one call of the driver for all commands, and what cannot be captured.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include <dpep/graph.hpp>

#include "backend/native.hpp"
#include "fake_gpu.hpp"
#include "runtime/device.hpp"

namespace dpep::test {
namespace {

constexpr char empty_ir[] = "define spir_kernel void @k(ptr %arguments) { ret void }";

struct graphs : fake_gpu {
  const kernel k = ir_kernel(empty_ir);
  graph g{q.get_context(), gpu};

  static std::uint64_t calls(const char *name) {
    return driver_function<std::uint64_t(const char *)>("fake_cuda_calls")(name);
  }
  event launch(const queue &where, dependencies after = {}) const { return dpep::launch(where, k, {}, {}, 0, after); }
};

}  // namespace

TEST_F(graphs, run_by_one_call_and_in_order) {
  constexpr std::size_t n = 100;
  int *const a = allocate<int>(usm_kind::device, n), *const b = allocate<int>(usm_kind::device, n);
  int *const c = allocate<int>(usm_kind::shared, n);
  const int seven = 7, eight = 8;
  g.begin_recording(q);
  const event filled = q.fill(a, &seven, sizeof seven, n);
  const event other = q.fill(b, &eight, sizeof eight, n);
  const event copied = q.copy(c, a, n / 2 * sizeof(int), {{filled}});
  const event second = q.copy(c + n / 2, b, n / 2 * sizeof(int), {{other}});
  const event both[] = {copied, second};
  const event last = launch(q, both);
  for (int i = 0; i < 10; ++i) q.copy(c, c + n - 1, sizeof(int), {{last}});
  g.end_recording();
  const executable_graph e = g.finalize();
  for (const queue &where : {q, in_order}) {
    std::fill_n(c, n, 0);
    e.run(where).wait();  // prepares the graph
    const std::uint64_t graphs_before = calls("cuGraphLaunch"), kernels_before = calls("cuLaunchKernelEx");
    const event first = e.run(where);
    e.run(where, {{first}}).wait();
    EXPECT_EQ(calls("cuGraphLaunch") - graphs_before, 2u);
    EXPECT_EQ(calls("cuLaunchKernelEx") - kernels_before, 0u);
    EXPECT_EQ(c[0], 8);
    EXPECT_EQ(c[1], 7);
    EXPECT_EQ(c[n - 1], 8);
  }
}

TEST_F(graphs, with_host_tasks_are_submitted_command_by_command) {
  int *const a = allocate<int>(usm_kind::shared, 1);
  *a = 0;
  g.begin_recording(in_order);
  launch(in_order);
  in_order.host_task([a] { ++*a; });
  launch(in_order);
  g.end_recording();
  const executable_graph e = g.finalize();
  const std::uint64_t before = calls("cuGraphLaunch");
  for (int i = 0; i < 3; ++i) e.run(in_order);
  in_order.wait();
  EXPECT_EQ(*a, 3);
  EXPECT_EQ(calls("cuGraphLaunch"), before);
}

TEST_F(graphs, keep_their_commands_until_a_run_is_complete) {
  int *const a = allocate<int>(usm_kind::shared, 100);
  struct pattern {
    int of[3];
  } const p{{1, 2, 3}};
  {
    graph local(q.get_context(), gpu);
    local.begin_recording(q);
    q.fill(a, &p, sizeof p, 33);
    local.end_recording();
    local.finalize().run(q);
  }
  q.wait();
  EXPECT_EQ(a[98], 3);
}

TEST_F(graphs, are_captured_while_another_thread_waits_for_the_device) {
  for (int i = 0; i < 50; ++i) launch(in_order);
  g.begin_recording(in_order);
  for (int i = 0; i < 50; ++i) launch(in_order);
  g.end_recording();
  const executable_graph e = g.finalize();
  auto &device = dynamic_cast<backend::native_device &>(runtime::backend_of(gpu));
  std::atomic<int> failures = 0;
  std::jthread waits([&](const std::stop_token &stop) {
    while (!stop.stop_requested()) try {
        device.synchronize();
      } catch (const exception &) {
        ++failures;
      }
  });
  for (int run = 0; run < 50; ++run) {
    const queue fresh(q.get_context(), gpu);  // which captures the graph
    e.run(fresh).wait();
  }
  waits.request_stop();
  waits.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(graphs, run_again_after_a_command_has_failed) {
  int *const a = allocate<int>(usm_kind::shared, 4), *const b = allocate<int>(usm_kind::device, 4);
  std::fill_n(a, 4, 0);
  std::atomic<bool> open = false;
  g.begin_recording(q);
  const event first = q.host_task([&, a] {
    while (!open) std::this_thread::yield();
    ++a[0];
  });
  q.copy(b, a + 2, sizeof(int));
  q.host_task([a] { a[1] = a[0]; }, {{first}});
  g.end_recording();
  const executable_graph e = g.finalize();
  driver_function<void(const char *, int)>("fake_cuda_fail_call")("cuMemcpyAsync", 1);
  std::jthread opens([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    open = true;
  });
  EXPECT_THROW(e.run(q), exception);
  e.run(q).wait();  // behind the host task of the run that failed
  EXPECT_EQ(a[0], 2);
  EXPECT_EQ(a[1], 2);
}

TEST_F(graphs, refuse_queues_of_other_devices) {
  const queue other(second);
  EXPECT_THROW(g.begin_recording(other), exception);
  g.begin_recording(q);
  launch(q);
  g.end_recording();
  EXPECT_THROW(g.finalize().run(other), exception);
}

}  // namespace dpep::test
