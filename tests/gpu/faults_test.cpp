// Kernels that fault make their device unusable: the errors that each queue reports.
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "fake_gpu.hpp"
#include "runtime/queue.hpp"

namespace dpep::test {
namespace {

/// A kernel of this name, written in LLVM IR.
kernel kernel_named(const std::string &name, bool faults) {
  return ir_kernel("declare void @llvm.debugtrap() define spir_kernel void @" + name + "(ptr %arguments) {" +
                       (faults ? "call void @llvm.debugtrap()" : "") + " ret void }",
                   name);
}

void hold_faults(bool hold) { driver_function<void(bool)>("fake_cuda_hold_faults")(hold); }

TEST_F(fake_gpu, a_fault_makes_only_its_device_unusable) {
  const device gone = next_unused_device();
  const queue lost(gone), cpu{device("cpu")};
  auto *const x = allocate<int>(usm_kind::device, 1, lost);
  const kernel k = kernel_named("k", true);
  const std::string fault = error_message([&] {
    launch(lost, k, flat(1), {}, 0, {}, {"program.py", 7});
    lost.wait();
  });
  EXPECT_TRUE(contains(fault, "kernel 'k', launched at program.py:7,")) << fault;
  EXPECT_TRUE(contains(fault, "unspecified launch failure")) << fault;
  const std::string later = error_message([&] { lost.fill(x, &fault[0], 1, 4).wait(); });
  EXPECT_TRUE(contains(later, "lost to this process")) << later;
  EXPECT_TRUE(contains(error_message([&] { (void)native::stream_of(lost); }), "lost"));
  for (const std::size_t size : {16, 100 << 20}) {
    const std::string none = error_message([&] { allocate<char>(usm_kind::device, size, lost); });
    EXPECT_TRUE(size == 16 || contains(none, "lost to this process")) << none;
  }
  const int one = 1;
  auto *const y = allocate<int>(usm_kind::shared, 1);
  int z = 0;
  q.fill(y, &one, sizeof one, 1).wait();
  cpu.fill(&z, &one, sizeof one, 1).wait();
  EXPECT_EQ(*y + z, 2);
}

TEST_F(fake_gpu, faults_name_kernels_that_were_not_complete) {
  const device gone = next_unused_device();
  const queue lost(gone, {.in_order = true}), innocent(gone, {.in_order = true});
  auto *const x = allocate<int>(usm_kind::device, 1, innocent);
  const int one = 1;
  const kernel good = kernel_named("good", false), bad = kernel_named("bad", true), fine = kernel_named("fine", false);
  launch(innocent, fine, flat(1), {}).wait();
  hold_faults(true);
  const event before = launch(lost, good, flat(1), {});
  launch(lost, bad, flat(1), {});
  before.wait();  // does not prove later kernels complete
  const event pending = innocent.fill(x, &one, sizeof one, 1);
  pending.wait();
  hold_faults(false);
  const std::string later = error_message([&] {
    for (int i = 0; i < 2000; ++i) {
      innocent.fill(x, &one, sizeof one, 1);  // may be the first to find the fault
      innocent.wait();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const std::string fault = error_message([&] { lost.wait(); });
  for (const std::string &message : {later, fault}) {
    EXPECT_TRUE(contains(message, "kernel 'bad'") && contains(message, "unspecified launch failure")) << message;
    EXPECT_FALSE(contains(message, "'good'") || contains(message, "'fine'")) << message;
  }
}

TEST_F(fake_gpu, faults_do_not_name_the_kernel_whose_launch_reports_them) {
  const device gone = next_unused_device();
  const queue lost(gone, {.in_order = true});
  const auto at = reinterpret_cast<address>(allocate<int>(usm_kind::device, 1, lost));
  const kernel next = kernel_named("next", false);
  next.prepare(gone, flat(1));
  launch(lost, kernel_named("bad", true), flat(1), {});
  foreign_driver().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gone)));
  while (foreign_driver().fill8(at, 0, 1, backend::cuda::default_stream) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const std::string later = error_message([&] { launch(lost, next, flat(1), {}); });
  for (const std::string &message : {later, error_message([&] { lost.wait(); })}) {
    EXPECT_TRUE(contains(message, "kernel 'bad'") && contains(message, "unspecified launch failure")) << message;
    EXPECT_FALSE(contains(message, "'next'")) << message;
  }
}

TEST_F(fake_gpu, every_sticky_error_makes_the_device_lost) {
  for (const int code : {226, 709}) {
    const device gone = next_unused_device();
    const queue lost(gone);
    driver_function<void(int)>("fake_cuda_fault_with")(code);
    error_message([&] {
      launch(lost, kernel_named("k", true), flat(1), {});
      lost.wait();
    });
    const std::string later = error_message([&] { const queue another(gone); });
    EXPECT_TRUE(contains(later, "lost to this process") && contains(later, "kernel 'k'")) << code << ": " << later;
  }
  driver_function<void(int)>("fake_cuda_fault_with")(719);
}

TEST_F(fake_gpu, other_errors_leave_the_device_usable) {
  runtime::queue_object &queue = runtime::implementation_of(in_order);
  constexpr std::string_view ptx = ".entry dpep_kernel";  // sufficient for the fake driver
  const ref<const backend::code> code =
      queue.target.load({.bytes = std::as_bytes(std::span(ptx)), .loaded = {}, .name = "k"}, {});
  backend::launch_command command{code.get(), flat(1), {}, 0, {}, true};
  std::vector<event> pending;  // use all recycled events; the end of the last task is not recorded yet
  for (int i = 0; i < 10000; ++i) pending.push_back(queue.launch(command, {}));
  driver_function<void(bool)>("fake_cuda_fail_event_creation")(true);
  const std::string message = error_message([&] {
    (void)pending.back().status();
    in_order.wait_and_throw();
  });
  driver_function<void(bool)>("fake_cuda_fail_event_creation")(false);
  EXPECT_TRUE(contains(message, "out of memory")) << message;
  auto *const x = allocate<int>(usm_kind::device, 1);
  in_order.fill(x, &x, 4, 1);
  in_order.wait_and_throw();
}

void fail_call(const char *name, int number) {
  driver_function<void(const char *, int)>("fake_cuda_fail_call")(name, number);
}

TEST_F(fake_gpu, a_deferred_command_that_fails_halfway_keeps_its_owners_until_its_work_is_complete) {
  constexpr std::size_t pattern_bytes = 24, count = 1000;  // a fill of several copies
  const queue own(gpu, {.in_order = true});
  auto *const x = allocate<char>(usm_kind::device, pattern_bytes * count, own);
  foreign_driver().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gpu)));
  void *const gate =
      driver_function<void *(stream_handle)>("fake_cuda_gate")(reinterpret_cast<stream_handle>(native::stream_of(own)));
  const user_event start;
  const event after[] = {start};
  const event filled = own.fill(x, "abcdefghijklmnopqrstuvwx", pattern_bytes, count, after);
  auto owner = std::make_shared<int>();
  const std::weak_ptr<int> watched = owner;
  filled.keep_alive(std::move(owner));
  fail_call("cuMemcpyAsync", 2);
  start.complete();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(watched.expired()) << "the first copy is still in the stream";
  EXPECT_NE(filled.status(), event_status::complete);
  driver_function<void(void *)>("fake_cuda_open")(gate);
  const std::string message = error_message([&] { own.wait(); });
  EXPECT_TRUE(contains(message, "out of memory")) << message;
  EXPECT_TRUE(watched.expired());
}

TEST_F(fake_gpu, queues_whose_creation_fails_leave_no_streams) {
  const int before = driver_counter("fake_cuda_streams");
  fail_call("cuStreamCreateWithPriority", 3);
  EXPECT_TRUE(contains(error_message([&] { const queue none(gpu); }), "out of memory"));
  EXPECT_EQ(driver_counter("fake_cuda_streams"), before);
}

TEST_F(fake_gpu, a_fill_whose_kernel_cannot_be_loaded_leaves_no_module) {
  const queue own(second, {.in_order = true});  // no fill by the kernel before
  auto *const x = allocate<double>(usm_kind::device, 200'000, own);
  const double value = 1.5;
  const int before = driver_counter("fake_cuda_modules");
  fail_call("cuModuleGetFunction", 1);
  const auto fill = [&] { own.fill(x, &value, sizeof value, 200'000); };
  EXPECT_TRUE(contains(error_message(fill), "out of memory"));
  EXPECT_EQ(driver_counter("fake_cuda_modules"), before);
  fill();
  own.wait();
}

TEST_F(fake_gpu, unfinished_kernels_are_named) {
  const queue mine(next_unused_device(), {.in_order = true});
  launch(mine, kernel_named("over", false), flat(1), {}).wait();
  mine.wait();
  EXPECT_EQ(interrupts::describe_unfinished_kernels(mine), "");
  hold_faults(true);
  const event first = launch(mine, kernel_named("endless", true), flat(1), {}, 0, {}, {"program.py", 7});
  const event second = launch(mine, kernel_named("behind", false), flat(1), {});
  const event both[] = {first, second};
  const std::string message = interrupts::describe_unfinished_kernels(both);
  EXPECT_TRUE(contains(message, "still running on Fake GPU")) << message;
  EXPECT_TRUE(contains(message, "'endless', launched at program.py:7")) << message;
  EXPECT_TRUE(contains(message, "'behind'")) << message;
  EXPECT_FALSE(contains(message, "'over'")) << message;
  EXPECT_EQ(interrupts::describe_unfinished_kernels(mine), message);
  driver_function<void(int)>("fake_cuda_fault_with")(0);  // now without a fault
  hold_faults(false);
  mine.wait();
  EXPECT_EQ(interrupts::describe_unfinished_kernels(both), "");
  driver_function<void(int)>("fake_cuda_fault_with")(719);
}

TEST_F(fake_gpu, code_of_incomplete_launches_stays_loaded) {
  int before = -1;  // modules of other tests may still be unloading
  while (before != driver_counter("fake_cuda_modules")) {
    before = driver_counter("fake_cuda_modules");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  hold_faults(true);
  const queue mine(next_unused_device(), {.in_order = true});
  launch(mine, kernel_named("first", true), flat(1), {});  // delays the following kernels
  for (int i = 0; i < 12; ++i) launch(mine, kernel_named("k" + std::to_string(i), false), flat(1), {});
  EXPECT_EQ(driver_counter("fake_cuda_modules"), before + 13);
  driver_function<void(int)>("fake_cuda_fault_with")(0);  // now without a fault
  hold_faults(false);
  mine.wait();
  for (int i = 0; i < 12; ++i) launch(mine, kernel_named("l" + std::to_string(i), false), flat(1), {}).wait();
  for (int i = 0; i < 5000 && driver_counter("fake_cuda_modules") > before + 9; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_LE(driver_counter("fake_cuda_modules"), before + 9) << "modules of complete launches are unloaded";
  driver_function<void(int)>("fake_cuda_fault_with")(719);
}

TEST_F(fake_gpu, failures_are_reported_by_their_own_queue) {
  const kernel k = ir_kernel(R"(
    @text = private constant [6 x i8] c"a < b\00"
    declare void @__dpep_assert_fail(ptr, ptr, i32, ptr) noreturn
    define spir_kernel void @k(ptr %arguments) {
      %a = load ptr, ptr %arguments
      %null = icmp eq ptr %a, null
      br i1 %null, label %fail, label %ok
    fail:
      call void @__dpep_assert_fail(ptr @text, ptr @text, i32 3, ptr @text)
      unreachable
    ok:
      ret void
    })");
  const void *const none = nullptr;
  const auto submit = [&](const queue &where, bool fails, std::uint32_t line = 1) {
    driver_function<void(bool)>("fake_cuda_fail_kernels")(fails);
    return launch(where, k, flat(1), packed(none), 0, {}, {"program.py", line});
  };
  for (std::uint32_t line = 1; line < 20; ++line) {  // a queue out of order has several streams
    submit(q, true, line);
    const std::string message = error_message([&] { q.wait_and_throw(); });
    EXPECT_TRUE(contains(message, "launched at program.py:" + std::to_string(line) + ",")) << message;
  }
  for (int round = 0; round < 20; ++round) {
    const queue other(gpu);
    for (int i = 0; i < 3; ++i) submit(q, round % 4 != 3);
    submit(in_order, false);
    submit(other, false);
    for (int i = 0; i < 100 && !q.empty(); ++i) std::this_thread::sleep_for(std::chrono::microseconds(100));
    for (const queue &innocent : {in_order, other})
      EXPECT_EQ(error_message([&] { innocent.wait_and_throw(); }), "nothing was thrown");
    const std::string message = error_message([&] { q.wait_and_throw(); });
    if (round % 4 == 3)
      EXPECT_EQ(message, "nothing was thrown");
    else
      EXPECT_TRUE(contains(message, "kernel 'k'") && contains(message, "fake failure") &&
                  contains(message, "by work-item (7)"))
          << message;
  }
}

}  // namespace
}  // namespace dpep::test
