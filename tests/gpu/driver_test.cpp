// The CUDA back end with the fake driver: order between streams, devices and the host; memory; refused operations.
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include <dpep/virtual_memory.hpp>

#include "backend/common/host_memory.hpp"
#include "fake_gpu.hpp"
#include "runtime/queue.hpp"
#include "runtime/queue_memory_cache.hpp"

namespace dpep::test {
namespace {

TEST_F(fake_gpu, copies_and_fills_run_in_the_order_of_their_dependencies) {
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

TEST_F(fake_gpu, fills_repeat_patterns_of_any_size) {
  for (const std::size_t size : {1, 2, 3, 4, 8, 12, 16, 24}) {
    for (const std::size_t offset : {0, 1}) {
      const std::size_t count = size == 8 || size == 16 ? 200001 : 1001;  // from a megabyte on, a kernel fills
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

TEST_F(fake_gpu, foreign_streams_are_ordered_before_and_after_a_queue) {
  constexpr std::size_t n = 5000;
  auto *const x = allocate<int>(usm_kind::device, n), *const y = allocate<int>(usm_kind::device, n);
  const auto at = [](const int *p) { return reinterpret_cast<address>(p); };
  std::vector<int> back(n);
  stream_handle foreign_stream = nullptr;
  (void)native::stream_of(q);  // creates the context
  foreign_driver().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gpu)));
  ASSERT_EQ(foreign_driver().make_stream(&foreign_stream, 1, 0), 0);
  const auto handle = reinterpret_cast<std::uintptr_t>(foreign_stream);
  for (unsigned round = 1; round < 30; ++round) {
    q.fill(x, &round, sizeof round, n);
    native::order_before(q, handle);
    foreign_driver().copy(at(y), at(x), n * sizeof(int), foreign_stream);
    foreign_driver().fill32(at(x), round + 1000, n, foreign_stream);
    native::order_after(q, handle);
    const event a = q.copy(back.data(), y, n * sizeof(int)),
                b = q.copy(x, x + 1, sizeof(int));  // in two streams of the queue
    a.wait();
    ASSERT_EQ(back, std::vector<int>(n, static_cast<int>(round)));
    b.wait();
    int first = 0;
    q.copy(&first, x, sizeof first).wait();
    ASSERT_EQ(first, static_cast<int>(round + 1000));
  }
  foreign_driver().destroy_stream(foreign_stream);
}

TEST_F(fake_gpu, native_commands_run_in_the_order_of_their_dependencies) {
  auto *const x = allocate<int>(usm_kind::device, 1);
  for (const bool delayed : {false, true}) {
    for (unsigned round = 1; round < 30; ++round) {
      event before;
      if (delayed) before = q.host_task([] { std::this_thread::sleep_for(std::chrono::microseconds(300)); });
      event last = q.fill(x, &round, sizeof round, 1, before ? dependencies(&before, 1) : dependencies());
      int seen = -1;
      const auto library_call = [&](std::uintptr_t stream) {
        const auto handle = reinterpret_cast<stream_handle>(stream);
        const auto at = reinterpret_cast<address>(x);
        foreign_driver().copy(reinterpret_cast<address>(&seen), at, sizeof seen, handle);
        foreign_driver().fill32(at, 1000 + round, 1, handle);
      };
      last = runtime::implementation_of(q).submit(backend::native_command{library_call}, {&last, 1}, "library");
      int after = -1;
      q.copy(&after, x, sizeof after, {&last, 1}).wait();
      ASSERT_EQ(seen, static_cast<int>(round));
      ASSERT_EQ(after, static_cast<int>(1000 + round));
    }
  }
}

TEST_F(fake_gpu, work_in_a_queues_native_stream_runs_after_submitted_work) {
  auto *const x = allocate<int>(usm_kind::device, 1);
  for (unsigned round = 0; round < 30; ++round) {
    q.host_task([] { std::this_thread::sleep_for(std::chrono::microseconds(300)); });
    q.fill(x, &round, sizeof round, 1);
    const auto stream = reinterpret_cast<stream_handle>(native::stream_of(q));
    foreign_driver().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gpu)));
    int seen = -1;
    int *const place = allocate<int>(usm_kind::host, 1);
    foreign_driver().copy(reinterpret_cast<address>(place), reinterpret_cast<address>(x), sizeof(int), stream);
    native::order_after(q, native::stream_of(q));
    q.copy(&seen, place, sizeof seen).wait();
    ASSERT_EQ(seen, static_cast<int>(round));
  }
}

TEST_F(fake_gpu, native_handles_of_events_live_as_long_as_the_events) {
  auto *const x = allocate<int>(usm_kind::device, 1 << 16);
  const int one = 1;
  const event pending = q.fill(x, &one, sizeof one, 1 << 16);
  const auto handle = reinterpret_cast<backend::cuda::event_handle>(native::event_of(pending));
  EXPECT_EQ(foreign_driver().synchronize(handle), 0);
  pending.wait();
  EXPECT_EQ(foreign_driver().query(handle), 0);
  const event done = q.fill(x, &one, sizeof one, 1);
  done.wait();
  EXPECT_EQ(foreign_driver().query(reinterpret_cast<backend::cuda::event_handle>(native::event_of(done))), 0);
}

TEST_F(fake_gpu, queues_and_events_can_adopt_foreign_handles) {
  constexpr std::size_t n = 5000;
  auto *const x = allocate<int>(usm_kind::device, n);
  std::vector<int> back(n);
  foreign_driver().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gpu)));
  stream_handle foreign_stream = nullptr;
  backend::cuda::event_handle mark = nullptr;
  ASSERT_EQ(foreign_driver().make_stream(&foreign_stream, 1, 0), 0);
  ASSERT_EQ(foreign_driver().make_event(&mark, 0), 0);
  const queue shared =
      native::queue_from_stream(q.get_context(), gpu, reinterpret_cast<std::uintptr_t>(foreign_stream));
  EXPECT_TRUE(shared.options().in_order);
  for (unsigned round = 0; round < 20; ++round) {
    foreign_driver().fill32(reinterpret_cast<address>(x), round, n, foreign_stream);
    shared.copy(x, x + n / 2, sizeof(int));  // in the same stream, hence after the fill
    ASSERT_EQ(foreign_driver().record(mark, foreign_stream), 0);
    const event done = native::event_from_handle(gpu, reinterpret_cast<std::uintptr_t>(mark));
    q.copy(back.data(), x, n * sizeof(int), {&done, 1}).wait();
    ASSERT_EQ(back, std::vector<int>(n, static_cast<int>(round)));
    EXPECT_EQ(done.status(), event_status::complete);
  }
  EXPECT_EQ(native::stream_of(shared), reinterpret_cast<std::uintptr_t>(foreign_stream));
  EXPECT_EQ(native::event_of(native::event_from_handle(gpu, reinterpret_cast<std::uintptr_t>(mark))),
            reinterpret_cast<std::uintptr_t>(mark));
  EXPECT_EQ(foreign_driver().query(mark), 0);  // still valid: the event belongs to the other library
  foreign_driver().destroy_event(mark);
  foreign_driver().destroy_stream(foreign_stream);
}

TEST_F(fake_gpu, staged_copies_of_pageable_memory_keep_their_order) {
  constexpr std::size_t n = (std::size_t{19} << 18) + 3;  // 19 MiB and 12 bytes: not a whole number of blocks
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

TEST_F(fake_gpu, owners_are_released_when_their_tasks_are_complete) {
  auto *const x = allocate<int>(usm_kind::device, 64);
  const int one = 1;
  std::atomic<int> alive{0};
  for (int i = 0; i < 500; ++i) {
    const event e = (i % 3 ? q : in_order).fill(x, &one, sizeof one, 64);
    ++alive;
    e.keep_alive(std::shared_ptr<void>(nullptr, [&](void *) { --alive; }));
    if (i % 50 == 0) q.host_task([] {}, {&e, 1});  // a callback at completion
  }
  for (int i = 0; i < 2000 && alive; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(alive, 0);
}

TEST_F(fake_gpu, a_loop_of_submissions_releases_owners_itself) {
  auto *const x = allocate<int>(usm_kind::device, 64);
  const int one = 1;
  for (const queue &on : {q, in_order}) {
    std::atomic<int> alive{0}, released_here{0};
    event last;
    for (int i = 0; i < 1'000'000 && !released_here; ++i) {  // the fake GPU is a thread, which may be scheduled late
      last = on.fill(x, &one, sizeof one, 64, {&last, last ? 1u : 0u});
      ++alive;
      last.keep_alive(std::shared_ptr<void>(nullptr, [&, me = std::this_thread::get_id()](void *) {
        --alive;
        released_here += std::this_thread::get_id() == me;
      }));
    }
    EXPECT_GT(released_here, 0) << "all were released by the reaper";
    on.wait();
    for (int i = 0; i < 2000 && alive; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(alive, 0);
  }
}

TEST_F(fake_gpu, many_alternating_kernels_are_kept_loaded_only_while_they_run) {
  const queue mine(gpu, {.in_order = true});
  runtime::queue_object &queue = runtime::implementation_of(mine);
  constexpr std::string_view ptx = ".entry dpep_kernel";  // sufficient for the fake driver
  std::vector<ref<const backend::code>> codes;
  for (int i = 0; i < 20; ++i)
    codes.push_back(queue.target.load({.bytes = std::as_bytes(std::span(ptx)), .loaded = {}, .name = "k"}, {}));
  std::atomic<int> alive{0};
  for (const int wait_each : {1, 7, 40})
    for (int i = 0; i < 2000; ++i) {  // also retains the records of complete launches that a later launch has replaced
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

TEST_F(fake_gpu, destroyed_queues_release_their_streams) {
  constexpr int at_once = 20;
  constexpr std::size_t n = 1 << 10;
  auto *const x = allocate<int>(usm_kind::device, n * at_once);
  std::atomic<int> alive{0};
  std::vector<event> outlive;  // events that outlive their queues
  std::array<int, at_once> came;
  const auto use_and_discard = [&](int round) {
    const queue mine(gpu, {.in_order = round % 2 == 0, .profiling = round % 5 == 0});
    int *const at = x + n * (round % at_once);
    event last;
    if (round % 3 == 1)  // later tasks are deferred, and enter a stream after the queue is destroyed
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
    for (int i = 0; i < 5000 && (alive || driver_counter("fake_cuda_streams") > streams); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(alive, 0);
    return driver_counter("fake_cuda_streams");
  };
  queue(gpu, {.profiling = true})
      .fill(x, &at_once, sizeof at_once, 1)
      .wait();  // creates the stream of the device's clock
  const int streams = driver_counter("fake_cuda_streams");
  int events = 0;
  for (int round = 0; round < 200; ++round) {
    use_and_discard(round);
    if (round % at_once != at_once - 1) continue;
    for (const event &e : outlive) e.wait();
    for (int i = 0; i < at_once; ++i) EXPECT_EQ(came[i], round - at_once + 1 + i);
    const event late = outlive.back();  // its queue is destroyed, and all its work is complete
    outlive.clear();
    ++alive;
    late.keep_alive(std::shared_ptr<void>(nullptr, [&](void *) { --alive; }));
    EXPECT_EQ(settled(streams + 4), streams + 4);  // of late's queue
    if (round == 2 * at_once - 1) events = driver_counter("fake_cuda_events");
  }
  EXPECT_EQ(settled(streams), streams);
  EXPECT_LE(driver_counter("fake_cuda_events"), events + 100) << "events are recycled";
}

TEST_F(fake_gpu, devices_are_found_by_their_ordinals) {
  EXPECT_EQ(native::ordinal_of(second), 1);
  EXPECT_EQ(native::device_from_ordinal(backend_kind::cuda, 1), second);
  EXPECT_TRUE(contains(error_message([] { (void)native::device_from_ordinal(backend_kind::cuda, 99); }), "99"));
  EXPECT_TRUE(contains(error_message([] { (void)native::ordinal_of(device("cpu")); }), "native_cpu"));
  EXPECT_TRUE(contains(error_message([] { (void)native::stream_of(queue(device("cpu"))); }), "streams"));
}

TEST_F(fake_gpu, memory_of_other_libraries_is_found) {
  foreign_driver().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(second)));
  address place = 0;
  ASSERT_EQ(foreign_driver().allocate(&place, 4096), 0);
  const auto found = native::attributes_of(reinterpret_cast<void *>(place + 100));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->memory_device, second);
  EXPECT_EQ(found->kind, usm_kind::device);
  int on_host = 0;
  EXPECT_FALSE(native::attributes_of(&on_host));
  foreign_driver().free(place);
}

TEST_F(fake_gpu, threads_without_a_context_get_one) {
  (void)native::stream_of(q);
  foreign_driver().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(gpu)));
  address place = 0;
  ASSERT_EQ(foreign_driver().allocate(&place, 4096), 0);
  const auto in_new_thread = [](auto act) { std::thread(act).join(); };
  std::optional<native::pointer_attributes> found;
  in_new_thread([&] { found = native::attributes_of(reinterpret_cast<void *>(place)); });
  EXPECT_TRUE(found && found->memory_device == gpu);
  foreign_driver().free(place);
  event lent = in_order.fill(allocate<int>(usm_kind::device, 1), &place, 4, 1);
  (void)native::event_of(lent);
  lent.wait();
  in_order.barrier().wait();  // replaces the queue's reference to the event
  const int events = driver_counter("fake_cuda_events");
  in_new_thread([&] { lent = event(); });
  EXPECT_EQ(driver_counter("fake_cuda_events"), events - 1);
}

TEST_F(fake_gpu, copies_work_between_devices) {
  const queue there(second);
  auto *const x = allocate<int>(usm_kind::device, 100), *const y = allocate<int>(usm_kind::device, 100, there);
  const int value = 42;
  std::vector<int> back(100);
  const event filled = q.fill(x, &value, sizeof value, 100);
  const event copied = there.copy(y, x, 400, {&filled, 1});
  there.copy(back.data(), y, 400, {&copied, 1}).wait();
  EXPECT_EQ(back, std::vector<int>(100, 42));
}

TEST_F(fake_gpu, atomic_operations_on_a_peers_memory_are_a_property_of_their_own) {
  const device third("cuda:gpu:2");
  EXPECT_TRUE(native::has_peer_atomics(gpu, second));
  EXPECT_TRUE(native::can_access_peer(gpu, third));
  EXPECT_FALSE(native::has_peer_atomics(gpu, third)) << "connected by PCIe only";
  EXPECT_FALSE(native::has_peer_atomics(gpu, gpu));
  EXPECT_FALSE(native::has_peer_atomics(gpu, device("cpu")));
}

TEST_F(fake_gpu, peer_access_can_be_enabled_and_disabled_once) {
  EXPECT_TRUE(native::can_access_peer(gpu, second));
  EXPECT_FALSE(native::can_access_peer(gpu, gpu));
  EXPECT_FALSE(native::can_access_peer(gpu, device("cpu")));
  EXPECT_TRUE(contains(error_message([&] { native::set_peer_access(gpu, second, false); }), "no peer access"));
  native::set_peer_access(gpu, second, true);
  EXPECT_TRUE(contains(error_message([&] { native::set_peer_access(gpu, second, true); }), "already"));
  native::set_peer_access(gpu, second, false);
  const int before = driver_counter("fake_cuda_peers_enabled"), strange = driver_counter("fake_cuda_invalid_queries");
  const queue there(second);
  auto *const x = allocate<int>(usm_kind::device, 1), *const y = allocate<int>(usm_kind::device, 1, there);
  int value = 42;
  q.copy(x, &value, sizeof value).wait();
  q.copy(y, x, sizeof value).wait();
  EXPECT_EQ(driver_counter("fake_cuda_peers_enabled"), before) << "the program has disabled it";
  EXPECT_EQ(driver_counter("fake_cuda_invalid_queries"), strange);
}

TEST_F(fake_gpu, exhausted_memory_is_an_error_and_the_process_goes_on) {
  for (const usm_kind kind : {usm_kind::device, usm_kind::shared}) {
    const std::string message = error_message([&] { allocate<char>(kind, std::size_t{3} << 30); });
    EXPECT_TRUE(contains(message, "3.00 GiB")) << message;
    std::vector<void *> blocks;
    const std::string full = error_message([&] {
      for (;;) blocks.push_back(dpep::allocate(kind, std::size_t{200} << 20, 64, q.get_context(), gpu));
    });
    EXPECT_TRUE(contains(full, "200.00 MiB") && contains(full, "in use")) << full;
    EXPECT_GE(blocks.size(), 4u);
    for (void *const place : blocks) dpep::free(place, q.get_context());
  }
}

TEST_F(fake_gpu, managed_memory_counts_before_it_is_touched) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const queue there(second);  // with 1 GiB of memory
  const auto make = [&](usm_kind kind, std::size_t bytes) {
    return dpep::allocate(kind, bytes, 64, there.get_context(), second);
  };
  const auto refused = [&](usm_kind kind, std::size_t bytes) {
    return contains(error_message([&] { dpep::free(make(kind, bytes), there.get_context()); }), "MiB");
  };
  foreign_driver().set_context(reinterpret_cast<backend::cuda::context_handle>(native::context_of(second)));
  address elsewhere = 0;
  ASSERT_EQ(foreign_driver().allocate(&elsewhere, 400 * mebibyte), 0);
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
  foreign_driver().free(elsewhere);
  EXPECT_FALSE(refused(usm_kind::shared, 700 * mebibyte));
}

TEST_F(fake_gpu, pinned_memory_is_refused_before_the_host_runs_out) {
  const auto take = [&](std::size_t bytes) {
    dpep::free(dpep::allocate(usm_kind::host, bytes, 64, q.get_context(), gpu), q.get_context());
  };
  const std::string why =
      error_message([&] { take(backend::available_memory()); });  // the driver itself would allocate this
  EXPECT_TRUE(contains(why, "of host memory")) << why;
  EXPECT_FALSE(contains(why, "free of")) << why;  // this text is about device memory
  EXPECT_NO_THROW(take(1 << 20));
}

TEST_F(fake_gpu, memory_is_reused_and_counted) {
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
  EXPECT_TRUE(contains(error_message([&] { allocate<char>(usm_kind::device, 8 << 20); }), "limit"));
  set_limit(where, usm_kind::device, 0);
}

TEST_F(fake_gpu, memory_ordered_by_a_queue_counts_as_free_and_serves_its_later_work) {
  const context where = q.get_context();
  const auto in_use = [&] { return statistics(where, usm_kind::device).in_use; };
  const auto before = statistics(where, usm_kind::device);
  auto kept = std::make_optional<runtime::queue_memory_cache>(where, gpu);
  const auto make = [&](std::size_t bytes) { return dpep::allocate(usm_kind::device, bytes, 64, where, gpu); };
  for (const std::size_t bytes : {100, 70000, 5 << 20}) {
    EXPECT_EQ(kept->allocate(bytes), nullptr);
    void *const first = make(bytes);
    ASSERT_TRUE(kept->free(first));
    EXPECT_FALSE(kept->free(first));
    EXPECT_EQ(in_use(), before.in_use);
    EXPECT_FALSE(find_allocation(first));
    EXPECT_TRUE(contains(error_message([&] { dpep::free(first, where); }), "freed already"));
    void *const other = make(bytes);  // a different block: work of the queue may still use the first
    EXPECT_NE(other, first);
    EXPECT_EQ(kept->allocate(bytes * 3), nullptr);
    EXPECT_EQ(kept->allocate(bytes), first);
    EXPECT_EQ(kept->allocate(bytes), nullptr);
    EXPECT_EQ(find_allocation(first)->bytes, bytes);
    EXPECT_TRUE(kept->free(first));
    dpep::free(other, where);
  }
  // a queue may cache an eighth of the device's memory, here of 1 GiB
  std::vector<void *> large;
  for (int i = 0; i < 3; ++i) large.push_back(make(std::size_t{50} << 20));
  EXPECT_TRUE(kept->free(large[0]));
  EXPECT_TRUE(kept->free(large[1]));
  EXPECT_FALSE(kept->free(large[2]));
  dpep::free(large[2], where);
  // an allocation that finds no memory waits, and takes the cached blocks
  std::vector<void *> all;
  EXPECT_TRUE(contains(error_message([&] {
                         for (;;) all.push_back(make(std::size_t{50} << 20));
                       }),
                       "cannot allocate 50.00 MiB"));
  EXPECT_GE(all.size(), 19u);
  EXPECT_EQ(kept->allocate(std::size_t{50} << 20), nullptr);
  for (void *const p : all) dpep::free(p, where);
  EXPECT_TRUE(kept->free(make(1000)));
  kept.reset();
  EXPECT_EQ(in_use(), before.in_use);
  EXPECT_EQ(statistics(where, usm_kind::device).allocations, before.allocations);
}

TEST_F(fake_gpu, virtual_memory_is_refused_by_a_driver_without_it) {
  EXPECT_FALSE(has_virtual_memory(gpu));
  EXPECT_TRUE(
      contains(error_message([&] { reserve_addresses(0, 1 << 21, q.get_context()); }), "has no virtual memory"));
  EXPECT_TRUE(
      contains(error_message([&] { physical_memory(q.get_context(), gpu, 1 << 21); }), "has no virtual memory"));
}

}  // namespace
}  // namespace dpep::test
