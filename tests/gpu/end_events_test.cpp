// End events of tasks, which the CUDA back end records only if something may wait for them: the driver calls that this
// saves, and that an event completes with its task, independently of later work in the stream.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include <dpep/kernel.hpp>
#include <dpep/native.hpp>

#include "fake_gpu.hpp"

namespace dpep::test {
namespace {

using backend::cuda::event_handle;
using std::chrono_literals::operator""s;

constexpr char empty_ir[] = "define spir_kernel void @k(ptr %arguments) { ret void }";

struct end_events : fake_gpu {
  const kernel k = ir_kernel(empty_ir);
  stream_handle foreign_stream = nullptr;  // of another library; waits for the gate
  event_handle mark = nullptr;             // recorded in foreign_stream
  void *gate = nullptr;

  static std::uint64_t calls(const char *name) {
    return driver_function<std::uint64_t(const char *)>("fake_cuda_calls")(name);
  }
  /// The minimum number of calls of the driver function in several runs: the back end may still poll another test's
  /// work.
  static std::uint64_t minimum_calls(const char *name, const std::function<void()> &what) {
    std::uint64_t least = ~std::uint64_t{0};
    for (int round = 0; round < 5 && least; ++round) {
      const std::uint64_t before = calls(name);
      what();
      least = std::min(least, calls(name) - before);
    }
    return least;
  }

  end_events() {
    (void)native::context_of(gpu);
    foreign_driver().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gpu)));
    foreign_driver().make_stream(&foreign_stream, 1, 0);
    foreign_driver().make_event(&mark, 0);
    close();
  }
  ~end_events() override {
    open();
    q.wait();
    in_order.wait();
    foreign_driver().destroy_event(mark);
    foreign_driver().destroy_stream(foreign_stream);
  }

  /// Until open(), work that waits for the other library's event is not complete.
  void close() {
    gate = driver_function<void *(stream_handle)>("fake_cuda_gate")(foreign_stream);
    foreign_driver().record(mark, foreign_stream);
  }
  void open() { driver_function<void(void *)>("fake_cuda_open")(gate); }
  event closed() const { return native::event_from_handle(gpu, reinterpret_cast<std::uintptr_t>(mark)); }

  event run(const queue &on, dependencies after = {}) const { return launch(on, k, flat(1), {}, 0, after); }
  /// Puts tasks into all streams of the queue that cannot complete before open().
  void block(const queue &on) const {
    const event stop = closed();
    for (int i = 0; i < 4; ++i) run(on, {&stop, 1});
  }
  static bool becomes_complete(const event &e) {
    const auto until = std::chrono::steady_clock::now() + 20s;
    return e.wait_while([&] { return std::chrono::steady_clock::now() < until; });
  }
};

TEST_F(end_events, are_not_recorded_for_discarded_events) {
  for (const queue &on : {in_order, q}) {
    run(on).wait();
    EXPECT_EQ(minimum_calls("cuEventRecord",
                            [&] {
                              for (int i = 0; i < 100; ++i) run(on);
                            }),
              0u);
    on.wait();
  }
  EXPECT_EQ(minimum_calls("cuCtxGetCurrent",
                          [&] {
                            for (int i = 0; i < 100; ++i) run(in_order);
                          }),
            100u);
}

TEST_F(end_events, are_recorded_once_for_kept_events) {
  std::vector<event> kept(100);
  for (const queue &on : {in_order, q}) {
    EXPECT_LE(minimum_calls("cuEventRecord",
                            [&] {
                              for (event &e : kept) e = run(on);
                            }),
              100u);
    EXPECT_LE(minimum_calls("cuEventRecord",
                            [&] {
                              for (const event &e : kept) e.wait();
                            }),
              4u);  // of the last task in each stream
  }
}

TEST_F(end_events, events_complete_independently_of_later_work) {
  for (const queue &on : {in_order, q}) {
    const event e = run(on), copy = e;
    block(on);
    EXPECT_TRUE(becomes_complete(e));
    EXPECT_TRUE(becomes_complete(copy));
    EXPECT_FALSE(on.empty());
    open();
    on.wait();
    close();
  }
}

TEST_F(end_events, events_with_waiters_and_dependents_complete) {
  for (const queue &on : {in_order, q}) {
    const event e = run(on);
    std::thread waiting([copy = e] { EXPECT_TRUE(becomes_complete(copy)); });
    bool called = false;
    const event second = run(on);
    auto owner = std::shared_ptr<void>(nullptr, [&](void *) { called = true; });
    second.keep_alive(std::move(owner));
    block(on);
    waiting.join();
    EXPECT_TRUE(becomes_complete(second));
    // a host task and another queue that depend on an event which is not the last in its stream
    EXPECT_TRUE(becomes_complete(q.host_task([] {}, {&e, 1})));
    EXPECT_TRUE(becomes_complete(run(queue(gpu), {&e, 1})));
    open();
    on.wait();
    close();
    EXPECT_TRUE(called);
  }
}

TEST_F(end_events, barriers_of_all_streams_do_not_delay_earlier_events) {
  for (const queue &on : {in_order, q}) {
    std::vector<event> kept;
    for (int i = 0; i < 4; ++i) kept.push_back(run(on));
    const event stop = closed(), all = on.barrier({&stop, 1});
    for (const event &e : kept) EXPECT_TRUE(becomes_complete(e));
    EXPECT_NE(all.status(), event_status::complete);
    open();
    EXPECT_TRUE(becomes_complete(all));
    close();
  }
}

TEST_F(end_events, foreign_streams_do_not_delay_earlier_events) {
  for (const queue &on : {in_order, q}) {
    std::vector<event> kept;
    for (int i = 0; i < 4; ++i) kept.push_back(run(on));
    native::order_after(on, reinterpret_cast<std::uintptr_t>(foreign_stream));
    for (const event &e : kept) EXPECT_TRUE(becomes_complete(e));
    EXPECT_NE(run(on).status(), event_status::complete);
    open();
    on.wait();
    close();
  }
}

TEST_F(end_events, foreign_work_in_the_queues_stream_does_not_delay_earlier_events) {
  for (const queue_options options : {queue_options{.in_order = true}, queue_options{}}) {
    const queue on(gpu, options);
    std::vector<event> kept;
    for (int i = 0; i < 4; ++i) kept.push_back(run(on));
    const auto stream = reinterpret_cast<stream_handle>(native::stream_of(on));
    for (int i = 0; i < 4; ++i) kept.push_back(run(on));
    foreign_driver().stream_wait(stream, mark, 0);  // not visible to the queue
    for (const event &e : kept) EXPECT_TRUE(becomes_complete(e));
    open();
    on.wait();
    close();
  }
  const queue shared =
      native::queue_from_stream(q.get_context(), gpu, reinterpret_cast<std::uintptr_t>(foreign_stream));
  open();
  const event e = run(shared);
  close();
  EXPECT_TRUE(becomes_complete(e));
}

TEST_F(end_events, deferred_tasks_do_not_delay_earlier_events) {
  for (const queue &on : {in_order, q}) {
    std::vector<event> kept;
    for (int i = 0; i < 4; ++i) kept.push_back(run(on));
    const user_event later;
    const event stop = closed();
    const event both[] = {later, stop};
    std::vector<event> deferred_events;
    for (int i = 0; i < 4; ++i) deferred_events.push_back(run(on, both));
    deferred_events.push_back(on.barrier(both));
    later.complete();
    for (const event &e : kept) EXPECT_TRUE(becomes_complete(e));
    for (const event &e : deferred_events) EXPECT_NE(e.status(), event_status::complete);
    open();
    for (const event &e : deferred_events) EXPECT_TRUE(becomes_complete(e));
    close();
  }
}

TEST_F(end_events, events_outlive_their_queues) {
  for (const queue_options options : {queue_options{.in_order = true}, queue_options{}}) {
    std::optional<queue> on(std::in_place, gpu, options);
    const event first = run(*on);
    block(*on);
    const event blocked = run(*on, {&first, 1});
    on.reset();
    EXPECT_TRUE(becomes_complete(first));
    open();
    EXPECT_TRUE(becomes_complete(blocked));
    close();
  }
  std::optional<queue> on(std::in_place, gpu, queue_options{.in_order = true});
  const event last = run(*on);
  on.reset();
  EXPECT_TRUE(becomes_complete(last));
}

TEST_F(end_events, refused_launches_do_not_affect_earlier_events) {
  const event e = run(in_order);
  const event stop = closed();
  EXPECT_TRUE(
      contains(error_message([&] { launch(in_order, k, flat(std::size_t{1} << 62), {}, 0, {&stop, 1}); }), "k"));
  block(in_order);
  EXPECT_TRUE(becomes_complete(e));
}

TEST_F(end_events, times_are_those_of_the_task_itself) {
  const queue timed(gpu, {.in_order = true, .profiling = true});
  const event e = run(timed);
  block(timed);
  EXPECT_TRUE(becomes_complete(e));
  const event_times before = e.times();
  EXPECT_LE(before.start, before.end);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  open();
  timed.wait();
  EXPECT_EQ(e.times().end, before.end);
}

TEST_F(end_events, unknown_times_are_zero_and_an_error) {
  const queue timed(gpu, {.in_order = true, .profiling = true});
  const auto break_clock = driver_function<void(bool)>("fake_cuda_break_clock");
  break_clock(true);
  const event e = run(timed);
  e.wait();
  break_clock(false);
  EXPECT_EQ(e.times().start, 0u);
  EXPECT_EQ(e.times().end, 0u);
  EXPECT_TRUE(contains(error_message([&] { timed.wait(); }), "times of a task are not known"));
}

}  // namespace
}  // namespace dpep::test
