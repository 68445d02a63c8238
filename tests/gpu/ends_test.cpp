// Ends of tasks, which the CUDA back end marks only when somebody may ask for them: which calls of the driver that
// saves, and that events are complete when their tasks are, whatever comes behind them.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include <dpep/kernel.hpp>
#include <dpep/native.hpp>

#include "pretended_gpu.hpp"

namespace dpep::test {
namespace {

using backend::cuda::event_handle;
using std::chrono_literals::operator""s;

constexpr char empty_ir[] = "define spir_kernel void @k(ptr %arguments) { ret void }";

struct Ends : PretendedGpu {
  const kernel k = ir_kernel(empty_ir);
  stream_handle theirs = nullptr;  // another library's, which waits for the gate
  event_handle mark = nullptr;     // in it
  void *gate = nullptr;

  static std::uint64_t calls(const char *name) {
    return pretended<std::uint64_t(const char *)>("fake_cuda_calls")(name);
  }
  /// The fewest calls of the driver's function that it took: another test's last work may still be asked for.
  static std::uint64_t fewest(const char *name, const std::function<void()> &what) {
    std::uint64_t least = ~std::uint64_t{0};
    for (int round = 0; round < 5 && least; ++round) {
      const std::uint64_t before = calls(name);
      what();
      least = std::min(least, calls(name) - before);
    }
    return least;
  }

  Ends() {
    (void)native::context_of(gpu);
    others().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gpu)));
    others().make_stream(&theirs, 1, 0);
    others().make_event(&mark, 0);
    close();
  }
  ~Ends() override {
    open();
    q.wait();
    in_order.wait();
    others().destroy_event(mark);
    others().destroy_stream(theirs);
  }

  /// From here on, until open(), what waits for the other library's event is not complete.
  void close() {
    gate = pretended<void *(stream_handle)>("fake_cuda_gate")(theirs);
    others().record(mark, theirs);
  }
  void open() { pretended<void(void *)>("fake_cuda_open")(gate); }
  event closed() const { return native::event_from(gpu, reinterpret_cast<std::uintptr_t>(mark)); }

  event run(const queue &on, dependencies after = {}) const { return launch(on, k, flat(1), {}, 0, after); }
  /// Puts something into all streams of the queue that cannot be complete now.
  void block(const queue &on) const {
    const event stop = closed();
    for (int i = 0; i < 4; ++i) run(on, {&stop, 1});
  }
  static bool comes_complete(const event &e) {
    const auto until = std::chrono::steady_clock::now() + 20s;
    return e.wait_while([&] { return std::chrono::steady_clock::now() < until; });
  }
};

TEST_F(Ends, OfEventsThatNobodyKeepsAreNotMarked) {
  for (const queue &on : {in_order, q}) {
    run(on).wait();
    EXPECT_EQ(fewest("cuEventRecord",
                     [&] {
                       for (int i = 0; i < 100; ++i) run(on);
                     }),
              0u);
    on.wait();
  }
  EXPECT_EQ(fewest("cuCtxGetCurrent",
                   [&] {
                     for (int i = 0; i < 100; ++i) run(in_order);
                   }),
            100u);
}

TEST_F(Ends, OfEventsThatAreKeptAreMarkedOnce) {
  std::vector<event> kept(100);
  for (const queue &on : {in_order, q}) {
    EXPECT_LE(fewest("cuEventRecord",
                     [&] {
                       for (event &e : kept) e = run(on);
                     }),
              100u);
    EXPECT_LE(fewest("cuEventRecord",
                     [&] {
                       for (const event &e : kept) e.wait();
                     }),
              4u);  // what came last in each stream
  }
}

TEST_F(Ends, EventsAreCompleteWhateverComesBehind) {
  for (const queue &on : {in_order, q}) {
    const event e = run(on), copy = e;
    block(on);
    EXPECT_TRUE(comes_complete(e));
    EXPECT_TRUE(comes_complete(copy));
    EXPECT_FALSE(on.empty());
    open();
    on.wait();
    close();
  }
}

TEST_F(Ends, EventsThatOthersAskForMeanwhileAreComplete) {
  for (const queue &on : {in_order, q}) {
    const event e = run(on);
    std::thread waiting([copy = e] { EXPECT_TRUE(comes_complete(copy)); });
    bool called = false;
    const event second = run(on);
    auto owner = std::shared_ptr<void>(nullptr, [&](void *) { called = true; });
    second.keep_alive(std::move(owner));
    block(on);
    waiting.join();
    EXPECT_TRUE(comes_complete(second));
    // a host task and another queue that wait for one which is not the last in its stream
    EXPECT_TRUE(comes_complete(q.host_task([] {}, {&e, 1})));
    EXPECT_TRUE(comes_complete(run(queue(gpu), {&e, 1})));
    open();
    on.wait();
    close();
    EXPECT_TRUE(called);
  }
}

TEST_F(Ends, BarriersOfAllStreamsComeBehindWhatIsKept) {
  for (const queue &on : {in_order, q}) {
    std::vector<event> kept;
    for (int i = 0; i < 4; ++i) kept.push_back(run(on));
    const event stop = closed(), all = on.barrier({&stop, 1});
    for (const event &e : kept) EXPECT_TRUE(comes_complete(e));
    EXPECT_NE(all.status(), event_status::complete);
    open();
    EXPECT_TRUE(comes_complete(all));
    close();
  }
}

TEST_F(Ends, StreamsOfOthersComeBehindWhatIsKept) {
  for (const queue &on : {in_order, q}) {
    std::vector<event> kept;
    for (int i = 0; i < 4; ++i) kept.push_back(run(on));
    native::come_after(on, reinterpret_cast<std::uintptr_t>(theirs));
    for (const event &e : kept) EXPECT_TRUE(comes_complete(e));
    EXPECT_NE(run(on).status(), event_status::complete);
    open();
    on.wait();
    close();
  }
}

TEST_F(Ends, OthersWorkInTheQueuesOwnStreamComesBehindWhatIsKept) {
  for (const queue_options options : {queue_options{.in_order = true}, queue_options{}}) {
    const queue on(gpu, options);
    std::vector<event> kept;
    for (int i = 0; i < 4; ++i) kept.push_back(run(on));
    const auto stream = reinterpret_cast<stream_handle>(native::stream_of(on));
    for (int i = 0; i < 4; ++i) kept.push_back(run(on));
    others().stream_wait(stream, mark, 0);  // which the queue does not know of
    for (const event &e : kept) EXPECT_TRUE(comes_complete(e));
    open();
    on.wait();
    close();
  }
  const queue shared = native::queue_on(q.get_context(), gpu, reinterpret_cast<std::uintptr_t>(theirs));
  open();
  const event e = run(shared);
  close();
  EXPECT_TRUE(comes_complete(e));
}

TEST_F(Ends, WhatWasHeldBackComesBehindWhatIsKept) {
  for (const queue &on : {in_order, q}) {
    std::vector<event> kept;
    for (int i = 0; i < 4; ++i) kept.push_back(run(on));
    const user_event later;
    const event stop = closed();
    const event both[] = {later, stop};
    std::vector<event> held;
    for (int i = 0; i < 4; ++i) held.push_back(run(on, both));
    held.push_back(on.barrier(both));
    later.complete();
    for (const event &e : kept) EXPECT_TRUE(comes_complete(e));
    for (const event &e : held) EXPECT_NE(e.status(), event_status::complete);
    open();
    for (const event &e : held) EXPECT_TRUE(comes_complete(e));
    close();
  }
}

TEST_F(Ends, EventsOutliveTheirQueues) {
  for (const queue_options options : {queue_options{.in_order = true}, queue_options{}}) {
    std::optional<queue> on(std::in_place, gpu, options);
    const event first = run(*on);
    block(*on);
    const event blocked = run(*on, {&first, 1});
    on.reset();
    EXPECT_TRUE(comes_complete(first));
    open();
    EXPECT_TRUE(comes_complete(blocked));
    close();
  }
  std::optional<queue> on(std::in_place, gpu, queue_options{.in_order = true});
  const event last = run(*on);
  on.reset();
  EXPECT_TRUE(comes_complete(last));
}

TEST_F(Ends, RefusedLaunchesLeaveWhatWasBeforeThem) {
  const event e = run(in_order);
  const event stop = closed();
  EXPECT_TRUE(contains(message_of([&] { launch(in_order, k, flat(std::size_t{1} << 62), {}, 0, {&stop, 1}); }), "k"));
  block(in_order);
  EXPECT_TRUE(comes_complete(e));
}

TEST_F(Ends, TimesAreOfTheTaskItself) {
  const queue timed(gpu, {.in_order = true, .profiling = true});
  const event e = run(timed);
  block(timed);
  EXPECT_TRUE(comes_complete(e));
  const event_times before = e.times();
  EXPECT_LE(before.start, before.end);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  open();
  timed.wait();
  EXPECT_EQ(e.times().end, before.end);
}

TEST_F(Ends, TimesThatAreNotKnownAreNotMadeUp) {
  const queue timed(gpu, {.in_order = true, .profiling = true});
  const auto break_clock = pretended<void(bool)>("fake_cuda_break_clock");
  break_clock(true);
  const event e = run(timed);
  e.wait();
  break_clock(false);
  EXPECT_EQ(e.times().start, 0u);
  EXPECT_EQ(e.times().end, 0u);
  EXPECT_TRUE(contains(message_of([&] { timed.wait(); }), "times of a task are not known"));
}

}  // namespace
}  // namespace dpep::test
