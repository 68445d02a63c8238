// Kernels that fault take their device away: who is told what.
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "pretended_gpu.hpp"
#include "runtime/queue.hpp"

namespace dpep::test {
namespace {

/// A kernel in IR of this name.
kernel kernel_named(const std::string &name, bool faults) {
  return ir_kernel("declare void @llvm.debugtrap() define spir_kernel void @" + name + "(ptr %arguments) {" +
                       (faults ? "call void @llvm.debugtrap()" : "") + " ret void }",
                   name);
}

void hold_faults(bool hold) { pretended<void(bool)>("fake_cuda_hold_faults")(hold); }

TEST_F(PretendedGpu, FaultsTakeTheDeviceAndNothingElse) {
  const device gone = unused_device();
  const queue lost(gone), cpu{device("cpu")};
  auto *const x = allocate<int>(usm_kind::device, 1, lost);
  const kernel k = kernel_named("k", true);
  const std::string fault = message_of([&] {
    launch(lost, k, flat(1), {}, 0, {}, {"program.py", 7});
    lost.wait();
  });
  EXPECT_TRUE(contains(fault, "kernel 'k', launched at program.py:7,")) << fault;
  EXPECT_TRUE(contains(fault, "unspecified launch failure")) << fault;
  const std::string later = message_of([&] { lost.fill(x, &fault[0], 1, 4).wait(); });
  EXPECT_TRUE(contains(later, "lost to this process")) << later;
  EXPECT_TRUE(contains(message_of([&] { (void)native::stream_of(lost); }), "lost"));
  for (const std::size_t size : {16, 100 << 20}) {
    const std::string none = message_of([&] { allocate<char>(usm_kind::device, size, lost); });
    EXPECT_TRUE(size == 16 || contains(none, "lost to this process")) << none;
  }
  const int one = 1;
  auto *const y = allocate<int>(usm_kind::shared, 1);
  int z = 0;
  q.fill(y, &one, sizeof one, 1).wait();
  cpu.fill(&z, &one, sizeof one, 1).wait();
  EXPECT_EQ(*y + z, 2);
}

TEST_F(PretendedGpu, FaultsAreOfKernelsThatWereNotComplete) {
  const device gone = unused_device();
  const queue lost(gone, {.in_order = true}), innocent(gone, {.in_order = true});
  auto *const x = allocate<int>(usm_kind::device, 1, innocent);
  const int one = 1;
  const kernel good = kernel_named("good", false), bad = kernel_named("bad", true), fine = kernel_named("fine", false);
  launch(innocent, fine, flat(1), {}).wait();
  hold_faults(true);
  const event before = launch(lost, good, flat(1), {});
  launch(lost, bad, flat(1), {});
  before.wait();  // which says nothing of what came later
  const event pending = innocent.fill(x, &one, sizeof one, 1);
  pending.wait();
  hold_faults(false);
  const std::string later = message_of([&] {
    for (int i = 0; i < 2000; ++i) {
      innocent.fill(x, &one, sizeof one, 1);  // asked first
      innocent.wait();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const std::string fault = message_of([&] { lost.wait(); });
  for (const std::string &said : {later, fault}) {
    EXPECT_TRUE(contains(said, "kernel 'bad'") && contains(said, "unspecified launch failure")) << said;
    EXPECT_FALSE(contains(said, "'good'") || contains(said, "'fine'")) << said;
  }
}

TEST_F(PretendedGpu, FaultsAreNotOfTheKernelWhoseLaunchTellsThem) {
  const device gone = unused_device();
  const queue lost(gone, {.in_order = true});
  const auto at = reinterpret_cast<address>(allocate<int>(usm_kind::device, 1, lost));
  const kernel next = kernel_named("next", false);
  next.prepare(gone, flat(1));
  launch(lost, kernel_named("bad", true), flat(1), {});
  others().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gone)));
  while (others().fill8(at, 0, 1, backend::cuda::default_stream) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const std::string later = message_of([&] { launch(lost, next, flat(1), {}); });
  for (const std::string &said : {later, message_of([&] { lost.wait(); })}) {
    EXPECT_TRUE(contains(said, "kernel 'bad'") && contains(said, "unspecified launch failure")) << said;
    EXPECT_FALSE(contains(said, "'next'")) << said;
  }
}

TEST_F(PretendedGpu, EveryResultAfterWhichNothingSucceedsIsALoss) {
  for (const int code : {226, 709}) {
    const device gone = unused_device();
    const queue lost(gone);
    pretended<void(int)>("fake_cuda_fault_with")(code);
    message_of([&] {
      launch(lost, kernel_named("k", true), flat(1), {});
      lost.wait();
    });
    const std::string later = message_of([&] { const queue another(gone); });
    EXPECT_TRUE(contains(later, "lost to this process") && contains(later, "kernel 'k'")) << code << ": " << later;
  }
  pretended<void(int)>("fake_cuda_fault_with")(719);
}

TEST_F(PretendedGpu, AnErrorThatIsNoLossLeavesTheDevice) {
  runtime::queue_object &queue = runtime::implementation_of(in_order);
  constexpr std::string_view ptx = ".entry dpep_kernel";  // enough for the pretended driver
  const ref<const backend::code> code =
      queue.target.load({.bytes = std::as_bytes(std::span(ptx)), .loaded = {}, .name = "k"}, {});
  backend::launch_command command{code.get(), flat(1), {}, 0, {}, true};
  std::vector<event> pending;  // they have all events that were idle, but for the last, whose end is not marked yet
  for (int i = 0; i < 10000; ++i) pending.push_back(queue.launch(command, {}));
  pretended<void(bool)>("fake_cuda_refuse_events")(true);
  const std::string said = message_of([&] {
    (void)pending.back().status();
    in_order.wait_and_throw();
  });
  pretended<void(bool)>("fake_cuda_refuse_events")(false);
  EXPECT_TRUE(contains(said, "out of memory")) << said;
  auto *const x = allocate<int>(usm_kind::device, 1);
  in_order.fill(x, &x, 4, 1);
  in_order.wait_and_throw();
}

TEST_F(PretendedGpu, WhatCannotBeEndedIsNamed) {
  const queue mine(unused_device(), {.in_order = true});
  launch(mine, kernel_named("over", false), flat(1), {}).wait();
  mine.wait();
  EXPECT_EQ(interrupts::unfinished(mine), "");
  hold_faults(true);
  const event first = launch(mine, kernel_named("endless", true), flat(1), {}, 0, {}, {"program.py", 7});
  const event second = launch(mine, kernel_named("behind", false), flat(1), {});
  const event both[] = {first, second};
  const std::string said = interrupts::unfinished(both);
  EXPECT_TRUE(contains(said, "still running on Pretended")) << said;
  EXPECT_TRUE(contains(said, "'endless', launched at program.py:7")) << said;
  EXPECT_TRUE(contains(said, "'behind'")) << said;
  EXPECT_FALSE(contains(said, "'over'")) << said;
  EXPECT_EQ(interrupts::unfinished(mine), said);
  pretended<void(int)>("fake_cuda_fault_with")(0);  // no fault after all
  hold_faults(false);
  mine.wait();
  EXPECT_EQ(interrupts::unfinished(both), "");
  pretended<void(int)>("fake_cuda_fault_with")(719);
}

TEST_F(PretendedGpu, CodeThatIsInFlightStaysLoaded) {
  int before = -1;  // what other tests have left may still be on its way out
  while (before != living("fake_cuda_modules")) {
    before = living("fake_cuda_modules");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  hold_faults(true);
  const queue mine(unused_device(), {.in_order = true});
  launch(mine, kernel_named("first", true), flat(1), {});  // holds up what follows
  for (int i = 0; i < 12; ++i) launch(mine, kernel_named("k" + std::to_string(i), false), flat(1), {});
  EXPECT_EQ(living("fake_cuda_modules"), before + 13);
  pretended<void(int)>("fake_cuda_fault_with")(0);  // no fault after all
  hold_faults(false);
  mine.wait();
  for (int i = 0; i < 12; ++i) launch(mine, kernel_named("l" + std::to_string(i), false), flat(1), {}).wait();
  for (int i = 0; i < 5000 && living("fake_cuda_modules") > before + 9; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_LE(living("fake_cuda_modules"), before + 9) << "what is complete is not kept for good";
  pretended<void(int)>("fake_cuda_fault_with")(719);
}

TEST_F(PretendedGpu, FailuresAreToldByTheQueueThatTheyAreOf) {
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
    pretended<void(bool)>("fake_cuda_fail_kernels")(fails);
    return launch(where, k, flat(1), packed(none), 0, {}, {"program.py", line});
  };
  for (std::uint32_t line = 1; line < 20; ++line) {  // a queue out of order has several streams
    submit(q, true, line);
    const std::string said = message_of([&] { q.wait_and_throw(); });
    EXPECT_TRUE(contains(said, "launched at program.py:" + std::to_string(line) + ",")) << said;
  }
  for (int round = 0; round < 20; ++round) {
    const queue other(gpu);
    for (int i = 0; i < 3; ++i) submit(q, round % 4 != 3);
    submit(in_order, false);
    submit(other, false);
    for (int i = 0; i < 100 && !q.empty(); ++i) std::this_thread::sleep_for(std::chrono::microseconds(100));
    for (const queue &innocent : {in_order, other})
      EXPECT_EQ(message_of([&] { innocent.wait_and_throw(); }), "nothing was thrown");
    const std::string said = message_of([&] { q.wait_and_throw(); });
    if (round % 4 == 3)
      EXPECT_EQ(said, "nothing was thrown");
    else
      EXPECT_TRUE(contains(said, "kernel 'k'") && contains(said, "pretended") && contains(said, "by work-item (7)"))
          << said;
  }
}

}  // namespace
}  // namespace dpep::test
