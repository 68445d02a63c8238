// The CUDA back end on the pretended driver: what crosses streams, devices and the host, and what is refused.
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include "backend/common/host_memory.hpp"
#include "pretended_gpu.hpp"
#include "runtime/ordered_memory.hpp"
#include "runtime/queue.hpp"

namespace dpep::test {
namespace {

TEST_F(PretendedGpu, CopiesAndFillsComeInTheOrderThatIsAskedFor) {
  constexpr std::size_t n = 1000;
  auto *const a = allocate<int>(usm_kind::device, n), *const b = allocate<int>(usm_kind::device, n);
  std::vector<int> back(n);
  for (int round = 0; round < 20; ++round) {
    event last = q.fill(a, &round, sizeof round, n);
    last = q.copy(b, a, n * sizeof(int), {&last, 1});
    last = q.copy(back.data(), b, n * sizeof(int), {&last, 1});
    last.wait();
    ASSERT_EQ(back, std::vector<int>(n, round));
  }
}

TEST_F(PretendedGpu, PatternsOfAnySizeAreRepeated) {
  for (const std::size_t size : {1, 2, 3, 4, 8, 12, 16, 24}) {
    for (const std::size_t offset : {0, 1}) {
      const std::size_t count = size == 8 || size == 16 ? 200001 : 1001;  // a megabyte, from which on kernels do it
      auto *const to = allocate<unsigned char>(usm_kind::device, size * (count + offset)) + offset * size;
      std::vector<unsigned char> pattern(size), back(size * count), expected;
      for (std::size_t i = 0; i < size; ++i) pattern[i] = static_cast<unsigned char>(i + 1);
      for (std::size_t i = 0; i < count; ++i) expected.insert(expected.end(), pattern.begin(), pattern.end());
      const event filled = in_order.fill(to, pattern.data(), size, count);
      in_order.copy(back.data(), to, back.size()).wait();
      EXPECT_EQ(back, expected) << "patterns of " << size << " bytes";
    }
  }
}

TEST_F(PretendedGpu, OtherLibrariesStreamsComeBeforeAndAfterAQueue) {
  constexpr std::size_t n = 5000;
  auto *const x = allocate<int>(usm_kind::device, n), *const y = allocate<int>(usm_kind::device, n);
  const auto at = [](const int *p) { return reinterpret_cast<address>(p); };
  std::vector<int> back(n);
  stream_handle theirs = nullptr;
  (void)native::stream_of(q);  // the context is there
  others().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gpu)));
  ASSERT_EQ(others().make_stream(&theirs, 1, 0), 0);
  const auto handle = reinterpret_cast<std::uintptr_t>(theirs);
  for (unsigned round = 1; round < 30; ++round) {
    q.fill(x, &round, sizeof round, n);
    native::come_before(q, handle);
    others().copy(at(y), at(x), n * sizeof(int), theirs);
    others().fill32(at(x), round + 1000, n, theirs);
    native::come_after(q, handle);
    const event a = q.copy(back.data(), y, n * sizeof(int)), b = q.copy(x, x + 1, sizeof(int));  // in two streams
    a.wait();
    ASSERT_EQ(back, std::vector<int>(n, static_cast<int>(round)));
    b.wait();
    int first = 0;
    q.copy(&first, x, sizeof first).wait();
    ASSERT_EQ(first, static_cast<int>(round + 1000));
  }
  others().destroy_stream(theirs);
}

TEST_F(PretendedGpu, WhatIsInAQueuesOwnStreamIsAfterWhatWasSubmitted) {
  auto *const x = allocate<int>(usm_kind::device, 1);
  for (unsigned round = 0; round < 30; ++round) {
    q.host_task([] { std::this_thread::sleep_for(std::chrono::microseconds(300)); });
    q.fill(x, &round, sizeof round, 1);
    const auto stream = reinterpret_cast<stream_handle>(native::stream_of(q));
    others().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gpu)));
    int seen = -1;
    int *const place = allocate<int>(usm_kind::host, 1);
    others().copy(reinterpret_cast<address>(place), reinterpret_cast<address>(x), sizeof(int), stream);
    native::come_after(q, native::stream_of(q));
    q.copy(&seen, place, sizeof seen).wait();
    ASSERT_EQ(seen, static_cast<int>(round));
  }
}

TEST_F(PretendedGpu, EventsHaveHandlesThatLiveAsLongAsTheyDo) {
  auto *const x = allocate<int>(usm_kind::device, 1 << 16);
  const int one = 1;
  const event pending = q.fill(x, &one, sizeof one, 1 << 16);
  const auto handle = reinterpret_cast<backend::cuda::event_handle>(native::event_of(pending));
  EXPECT_EQ(others().synchronize(handle), 0);
  pending.wait();
  EXPECT_EQ(others().query(handle), 0);
  const event done = q.fill(x, &one, sizeof one, 1);
  done.wait();
  EXPECT_EQ(others().query(reinterpret_cast<backend::cuda::event_handle>(native::event_of(done))), 0);
}

TEST_F(PretendedGpu, QueuesAndEventsAreMadeOfHandlesOfOthers) {
  constexpr std::size_t n = 5000;
  auto *const x = allocate<int>(usm_kind::device, n);
  std::vector<int> back(n);
  others().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gpu)));
  stream_handle theirs = nullptr;
  backend::cuda::event_handle mark = nullptr;
  ASSERT_EQ(others().make_stream(&theirs, 1, 0), 0);
  ASSERT_EQ(others().make_event(&mark, 0), 0);
  const queue shared = native::queue_on(q.get_context(), gpu, reinterpret_cast<std::uintptr_t>(theirs));
  EXPECT_TRUE(shared.options().in_order);
  for (unsigned round = 0; round < 20; ++round) {
    others().fill32(reinterpret_cast<address>(x), round, n, theirs);
    shared.copy(x, x + n / 2, sizeof(int));  // behind it, as all in that stream
    ASSERT_EQ(others().record(mark, theirs), 0);
    const event done = native::event_from(gpu, reinterpret_cast<std::uintptr_t>(mark));
    q.copy(back.data(), x, n * sizeof(int), {&done, 1}).wait();
    ASSERT_EQ(back, std::vector<int>(n, static_cast<int>(round)));
    EXPECT_EQ(done.status(), event_status::complete);
  }
  EXPECT_EQ(native::stream_of(shared), reinterpret_cast<std::uintptr_t>(theirs));
  EXPECT_EQ(native::event_of(native::event_from(gpu, reinterpret_cast<std::uintptr_t>(mark))),
            reinterpret_cast<std::uintptr_t>(mark));
  EXPECT_EQ(others().query(mark), 0);  // still theirs
  others().destroy_event(mark);
  others().destroy_stream(theirs);
}

TEST_F(PretendedGpu, LongCopiesOfOrdinaryMemoryKeepTheirPlaceInTheOrder) {
  constexpr std::size_t n = (std::size_t{19} << 18) + 3;  // 19 MiB and a bit: no whole number of blocks
  auto *const x = allocate<int>(usm_kind::device, n), *const y = allocate<int>(usm_kind::device, n);
  std::vector<int> from(n), back(n);
  for (const queue &on : {q, in_order}) {
    for (int round = 0; round < 3; ++round) {
      for (std::size_t i = 0; i < n; ++i) from[i] = static_cast<int>(i) * (round + 3);
      event last = on.fill(x, &round, sizeof round, n);
      last = on.copy(x, from.data(), n * sizeof(int), {&last, 1});
      last = on.copy(y, x, n * sizeof(int), {&last, 1});
      last = on.copy(back.data(), y, n * sizeof(int), {&last, 1});
      last = on.fill(y, &round, sizeof round, n, {&last, 1});
      on.wait();
      ASSERT_EQ(back, from);
    }
  }
}

TEST_F(PretendedGpu, WhatTasksKeepIsLetGoWhenTheyAreComplete) {
  auto *const x = allocate<int>(usm_kind::device, 64);
  const int one = 1;
  std::atomic<int> alive{0};
  for (int i = 0; i < 500; ++i) {
    const event e = (i % 3 ? q : in_order).fill(x, &one, sizeof one, 64);
    ++alive;
    e.keep_alive(std::shared_ptr<void>(nullptr, [&](void *) { --alive; }));
    if (i % 50 == 0) q.host_task([] {}, {&e, 1});  // somebody who waits to be called
  }
  for (int i = 0; i < 2000 && alive; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(alive, 0);
}

TEST_F(PretendedGpu, ALoopOfSubmissionsLetsGoOfWhatItsTasksKeep) {
  auto *const x = allocate<int>(usm_kind::device, 64);
  const int one = 1;
  for (const queue &on : {q, in_order}) {
    std::atomic<int> alive{0}, let_go_here{0};
    event last;
    for (int i = 0; i < 1'000'000 && !let_go_here; ++i) {  // the pretended GPU is a thread, which may get its turn late
      last = on.fill(x, &one, sizeof one, 64, {&last, last ? 1u : 0u});
      ++alive;
      last.keep_alive(std::shared_ptr<void>(nullptr, [&, me = std::this_thread::get_id()](void *) {
        --alive;
        let_go_here += std::this_thread::get_id() == me;
      }));
    }
    EXPECT_GT(let_go_here, 0) << "by nobody but the watcher";
    on.wait();
    for (int i = 0; i < 2000 && alive; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(alive, 0);
  }
}

TEST_F(PretendedGpu, ManyKernelsInTurnsAreKeptWhileTheyRunAndNoLonger) {
  const queue mine(gpu, {.in_order = true});
  runtime::queue_object &queue = runtime::implementation_of(mine);
  constexpr std::string_view ptx = ".entry dpep_kernel";  // enough for the pretended driver
  std::vector<ref<const backend::code>> codes;
  for (int i = 0; i < 20; ++i)
    codes.push_back(queue.target.load({.bytes = std::as_bytes(std::span(ptx)), .loaded = {}, .name = "k"}, {}));
  std::atomic<int> alive{0};
  for (const int wait_each : {1, 7, 40})
    for (int i = 0; i < 2000; ++i) {  // notes of launches that are complete are kept, too, when the next needs room
      backend::launch_command command{
          codes[static_cast<std::size_t>(i) % codes.size()].get(), flat(1), {}, 0, {}, true};
      const event e = queue.launch(command, {});
      if (i % 3 == 0) {
        ++alive;
        e.keep_alive(std::shared_ptr<void>(nullptr, [&](void *) { --alive; }));
      }
      if (i % wait_each == 0) e.wait();
    }
  mine.wait();
  for (int i = 0; i < 2000 && alive; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(alive, 0);
}

TEST_F(PretendedGpu, QueuesThatAreGoneLeaveNoStreamsBehind) {
  constexpr int at_once = 20;
  constexpr std::size_t n = 1 << 10;
  auto *const x = allocate<int>(usm_kind::device, n * at_once);
  std::atomic<int> alive{0};
  std::vector<event> outlive;  // their queues
  std::array<int, at_once> came;
  const auto use_and_discard = [&](int round) {
    const queue mine(gpu, {.in_order = round % 2 == 0, .profiling = round % 5 == 0});
    int *const at = x + n * (round % at_once);
    event last;
    if (round % 3 == 1)  // what follows is held back, and comes into a stream when the queue is gone
      last = mine.host_task([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
    for (int k = 0; k < 4; ++k) {
      last = mine.fill(at, &round, sizeof round, n, {&last, last ? 1u : 0u});
      if (round % 4 < 2) {
        ++alive;
        last.keep_alive(std::shared_ptr<void>(nullptr, [&](void *) { --alive; }));
      }
    }
    last = mine.copy(&came[round % at_once], at + n - 1, sizeof(int), {&last, 1});
    if (round % 7 == 0) mine.wait();
    if (round % 11 == 0) mine.barrier();
    outlive.push_back(last);
  };
  const auto settled = [&](int streams) {
    for (int i = 0; i < 5000 && (alive || living("fake_cuda_streams") > streams); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(alive, 0);
    return living("fake_cuda_streams");
  };
  queue(gpu, {.profiling = true}).fill(x, &at_once, sizeof at_once, 1).wait();  // the clock has a stream, too
  const int streams = living("fake_cuda_streams");
  int events = 0;
  for (int round = 0; round < 200; ++round) {
    use_and_discard(round);
    if (round % at_once != at_once - 1) continue;
    for (const event &e : outlive) e.wait();
    for (int i = 0; i < at_once; ++i) EXPECT_EQ(came[i], round - at_once + 1 + i);
    const event late = outlive.back();  // whose queue is gone, and all of its work complete
    outlive.clear();
    ++alive;
    late.keep_alive(std::shared_ptr<void>(nullptr, [&](void *) { --alive; }));
    EXPECT_EQ(settled(streams + 4), streams + 4);  // late's
    if (round == 2 * at_once - 1) events = living("fake_cuda_events");
  }
  EXPECT_EQ(settled(streams), streams);
  EXPECT_LE(living("fake_cuda_events"), events + 100) << "events are used again";
}

TEST_F(PretendedGpu, DevicesAreFoundByTheDriversNumbers) {
  EXPECT_EQ(native::number_of(second), 1);
  EXPECT_EQ(native::device_of(backend_kind::cuda, 1), second);
  EXPECT_TRUE(contains(message_of([] { (void)native::device_of(backend_kind::cuda, 99); }), "99"));
  EXPECT_TRUE(contains(message_of([] { (void)native::number_of(device("cpu")); }), "native_cpu"));
  EXPECT_TRUE(contains(message_of([] { (void)native::stream_of(queue(device("cpu"))); }), "streams"));
}

TEST_F(PretendedGpu, MemoryOfOthersIsFound) {
  others().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(second)));
  address place = 0;
  ASSERT_EQ(others().allocate(&place, 4096), 0);
  const auto found = native::find(reinterpret_cast<void *>(place + 100));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->where, second);
  EXPECT_EQ(found->kind, usm_kind::device);
  int on_host = 0;
  EXPECT_FALSE(native::find(&on_host));
  others().free(place);
}

TEST_F(PretendedGpu, ThreadsThatHaveNoContextAreGivenIt) {
  (void)native::stream_of(q);
  others().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gpu)));
  address place = 0;
  ASSERT_EQ(others().allocate(&place, 4096), 0);
  const auto in_new_thread = [](auto act) { std::thread(act).join(); };
  std::optional<native::place> found;
  in_new_thread([&] { found = native::find(reinterpret_cast<void *>(place)); });
  EXPECT_TRUE(found && found->where == gpu);
  others().free(place);
  event lent = in_order.fill(allocate<int>(usm_kind::device, 1), &place, 4, 1);
  (void)native::event_of(lent);
  lent.wait();
  in_order.barrier().wait();  // the queue knows another one by now
  const int events = living("fake_cuda_events");
  in_new_thread([&] { lent = event(); });
  EXPECT_EQ(living("fake_cuda_events"), events - 1);
}

TEST_F(PretendedGpu, CopiesGoFromDeviceToDevice) {
  const queue there(second);
  auto *const x = allocate<int>(usm_kind::device, 100), *const y = allocate<int>(usm_kind::device, 100, there);
  const int value = 42;
  std::vector<int> back(100);
  const event filled = q.fill(x, &value, sizeof value, 100);
  const event copied = there.copy(y, x, 400, {&filled, 1});
  there.copy(back.data(), y, 400, {&copied, 1}).wait();
  EXPECT_EQ(back, std::vector<int>(100, 42));
}

TEST_F(PretendedGpu, PeerAccessIsGivenAndTakenOnce) {
  EXPECT_TRUE(native::can_access_peer(gpu, second));
  EXPECT_FALSE(native::can_access_peer(gpu, gpu));
  EXPECT_FALSE(native::can_access_peer(gpu, device("cpu")));
  EXPECT_TRUE(contains(message_of([&] { native::set_peer_access(gpu, second, false); }), "no peer access"));
  native::set_peer_access(gpu, second, true);
  EXPECT_TRUE(contains(message_of([&] { native::set_peer_access(gpu, second, true); }), "already"));
  native::set_peer_access(gpu, second, false);
  const int before = living("fake_cuda_peers_enabled"), strange = living("fake_cuda_strange_questions");
  const queue there(second);
  auto *const x = allocate<int>(usm_kind::device, 1), *const y = allocate<int>(usm_kind::device, 1, there);
  int value = 42;
  q.copy(x, &value, sizeof value).wait();
  q.copy(y, x, sizeof value).wait();
  EXPECT_EQ(living("fake_cuda_peers_enabled"), before) << "the program has taken it away";
  EXPECT_EQ(living("fake_cuda_strange_questions"), strange);
}

TEST_F(PretendedGpu, MemoryThatIsNotThereIsAnErrorAndTheProcessGoesOn) {
  for (const usm_kind kind : {usm_kind::device, usm_kind::shared}) {
    const std::string said = message_of([&] { allocate<char>(kind, std::size_t{3} << 30); });
    EXPECT_TRUE(contains(said, "3.00 GiB")) << said;
    std::vector<void *> held;
    const std::string full = message_of([&] {
      for (;;) held.push_back(dpep::allocate(kind, std::size_t{200} << 20, 64, q.get_context(), gpu));
    });
    EXPECT_TRUE(contains(full, "200.00 MiB") && contains(full, "in use")) << full;
    EXPECT_GE(held.size(), 4u);
    for (void *const place : held) dpep::free(place, q.get_context());
  }
}

TEST_F(PretendedGpu, ManagedMemoryKeepsItsPlaceBeforeItIsTouched) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const queue there(second);  // of a GiB
  const auto make = [&](usm_kind kind, std::size_t bytes) {
    return dpep::allocate(kind, bytes, 64, there.get_context(), second);
  };
  const auto refused = [&](usm_kind kind, std::size_t bytes) {
    return contains(message_of([&] { dpep::free(make(kind, bytes), there.get_context()); }), "MiB");
  };
  others().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(second)));
  address elsewhere = 0;
  ASSERT_EQ(others().allocate(&elsewhere, 400 * mebibyte), 0);
  for (const bool touched : {false, true}) {
    void *const managed = make(usm_kind::shared, 300 * mebibyte);
    const int one = 1;
    if (touched) there.fill(managed, &one, sizeof one, 1).wait();
    EXPECT_TRUE(refused(usm_kind::shared, 330 * mebibyte));
    EXPECT_TRUE(refused(usm_kind::device, 330 * mebibyte));
    EXPECT_FALSE(refused(usm_kind::shared, 200 * mebibyte));
    EXPECT_FALSE(refused(usm_kind::device, 200 * mebibyte));
    dpep::free(managed, there.get_context());
    dpep::trim(there.get_context());
  }
  others().free(elsewhere);
  EXPECT_FALSE(refused(usm_kind::shared, 700 * mebibyte));
}

TEST_F(PretendedGpu, PinnedMemoryIsRefusedBeforeTheHostHasNoneLeft) {
  const auto take = [&](std::size_t bytes) {
    dpep::free(dpep::allocate(usm_kind::host, bytes, 64, q.get_context(), gpu), q.get_context());
  };
  const std::string why = message_of([&] { take(backend::available_memory()); });  // which the driver would give
  EXPECT_TRUE(contains(why, "of host memory")) << why;
  EXPECT_FALSE(contains(why, "free of")) << why;  // that would be the device's
  EXPECT_NO_THROW(take(1 << 20));
}

TEST_F(PretendedGpu, MemoryIsUsedAgainAndCounted) {
  const context where = q.get_context();
  const auto before = statistics(where, usm_kind::device);
  void *const first = dpep::allocate(usm_kind::device, 5 << 20, 64, where, gpu);
  EXPECT_EQ(statistics(where, usm_kind::device).in_use - before.in_use, 5u << 20);
  dpep::free(first, where);
  EXPECT_GE(statistics(where, usm_kind::device).cached, 5u << 20);
  void *const again = dpep::allocate(usm_kind::device, 5 << 20, 64, where, gpu);
  EXPECT_EQ(again, first);
  dpep::free(again, where);
  set_limit(where, usm_kind::device, 1 << 20);
  EXPECT_TRUE(contains(message_of([&] { allocate<char>(usm_kind::device, 8 << 20); }), "limit"));
  set_limit(where, usm_kind::device, 0);
}

TEST_F(PretendedGpu, MemoryOfAQueuesOrderIsFreeInTheBooksAndForLaterWorkOfThatQueue) {
  const context where = q.get_context();
  const auto in_use = [&] { return statistics(where, usm_kind::device).in_use; };
  const auto before = statistics(where, usm_kind::device);
  auto kept = std::make_optional<runtime::ordered_memory>(where, gpu);
  const auto make = [&](std::size_t bytes) { return dpep::allocate(usm_kind::device, bytes, 64, where, gpu); };
  for (const std::size_t bytes : {100, 70000, 5 << 20}) {
    EXPECT_EQ(kept->take(bytes), nullptr);
    void *const first = make(bytes);
    ASSERT_TRUE(kept->give(first));
    EXPECT_FALSE(kept->give(first));
    EXPECT_EQ(in_use(), before.in_use);
    EXPECT_FALSE(find_allocation(first));
    EXPECT_TRUE(contains(message_of([&] { dpep::free(first, where); }), "freed already"));
    void *const other = make(bytes);  // not that one, which work may still use
    EXPECT_NE(other, first);
    EXPECT_EQ(kept->take(bytes * 3), nullptr);
    EXPECT_EQ(kept->take(bytes), first);
    EXPECT_EQ(kept->take(bytes), nullptr);
    EXPECT_EQ(find_allocation(first)->bytes, bytes);
    EXPECT_TRUE(kept->give(first));
    dpep::free(other, where);
  }
  // a device of a GiB keeps an eighth for a queue
  std::vector<void *> large;
  for (int i = 0; i < 3; ++i) large.push_back(make(std::size_t{50} << 20));
  EXPECT_TRUE(kept->give(large[0]));
  EXPECT_TRUE(kept->give(large[1]));
  EXPECT_FALSE(kept->give(large[2]));
  dpep::free(large[2], where);
  // who finds no memory gets what is kept, after waiting
  std::vector<void *> all;
  EXPECT_TRUE(contains(message_of([&] {
                         for (;;) all.push_back(make(std::size_t{50} << 20));
                       }),
                       "no 50.00 MiB"));
  EXPECT_GE(all.size(), 19u);
  EXPECT_EQ(kept->take(std::size_t{50} << 20), nullptr);
  for (void *const p : all) dpep::free(p, where);
  EXPECT_TRUE(kept->give(make(1000)));
  kept.reset();
  EXPECT_EQ(in_use(), before.in_use);
  EXPECT_EQ(statistics(where, usm_kind::device).allocations, before.allocations);
}

}  // namespace
}  // namespace dpep::test
