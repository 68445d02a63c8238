// Buffers: dependencies between commands that access the same bytes, host access, and write-back.
#include <gtest/gtest.h>

#include <dpep/buffer.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "runtime/kernels.hpp"

namespace dpep::testing {
namespace {

using namespace std::chrono_literals;

/// Submits a command on bytes [offset, offset + size) of the buffer, which depends on `gate`.
event submit(const queue &q, const buffer &b, access mode, std::size_t offset, std::size_t size,
             std::function<void(std::byte *)> body, const event &gate = {}) {
  const auto lock = buffer::lock_submission();
  std::vector<event> wait_for{gate};
  auto *bytes = static_cast<std::byte *>(b.acquire(q, mode, offset, size, wait_for));
  const event done = q.host_task([=] { body(bytes); }, wait_for);
  b.record(done, mode, offset, size);
  return done;
}

struct hazard {
  const char *name;
  access first, second;
  std::array<std::size_t, 2> first_range, second_range;  // offset, size
  bool waits;
};
class hazards : public ::testing::TestWithParam<hazard> {};
INSTANTIATE_TEST_SUITE_P(
    buffer, hazards,
    ::testing::Values(hazard{"read_after_write", access::write, access::read, {0, 64}, {0, 64}, true},
                      hazard{"write_after_read", access::read, access::write, {0, 64}, {0, 64}, true},
                      hazard{"write_after_write", access::write, access::discard, {0, 64}, {0, 64}, true},
                      hazard{"read_after_read", access::read, access::read, {0, 64}, {0, 64}, false},
                      hazard{"read_write_after_read", access::read, access::read_write, {0, 64}, {0, 64}, true},
                      hazard{"overlap_of_a_byte", access::write, access::read, {0, 33}, {32, 32}, true},
                      hazard{"adjacent_ranges", access::write, access::write, {0, 32}, {32, 32}, false},
                      hazard{"part_of_the_whole", access::write, access::read, {0, 64}, {8, 8}, true}),
    [](const auto &info) { return info.param.name; });

TEST_P(hazards, orders_the_second_command_after_the_first_exactly_when_needed) {
  const hazard &h = GetParam();
  const queue q{device()}, other{device()};
  const buffer b(64, 8);
  user_event gate;
  std::atomic<bool> first_done{false}, second_done{false};
  submit(q, b, h.first, h.first_range[0], h.first_range[1], [&](std::byte *) { first_done = true; }, gate);
  const event second = submit(other, b, h.second, h.second_range[0], h.second_range[1], [&](std::byte *) {
    EXPECT_TRUE(first_done || !h.waits);
    second_done = true;
  });
  if (h.waits) {
    std::this_thread::sleep_for(5ms);
    EXPECT_FALSE(second_done);
  } else {
    second.wait();
    EXPECT_FALSE(first_done);
  }
  gate.complete();
  second.wait();
  q.wait();
}

TEST(buffer, a_writer_waits_for_every_reader) {
  const queue q{device()};
  const buffer b(64, 8);
  std::array<user_event, 3> gates;
  std::atomic<int> reads{0};
  for (const user_event &g : gates) submit(q, b, access::read, 0, 64, [&](std::byte *) { ++reads; }, g);
  int seen = -1;
  const event write = submit(q, b, access::write, 0, 64, [&](std::byte *) { seen = reads; });
  for (const user_event &g : gates) {
    EXPECT_EQ(seen, -1);
    g.complete();
  }
  write.wait();
  EXPECT_EQ(seen, 3);
}

TEST(buffer, use_of_host_memory_makes_it_the_storage) {
  const queue q{device()};
  std::array<int, 16> host{};
  {
    const buffer b(sizeof host, alignof(int), host.data(), buffer::host_storage::use, true);
    std::vector<event> wait_for;
    EXPECT_EQ(b.acquire(q, access::write, 0, 64, wait_for), host.data());
    submit(q, b, access::write, 0, 64, [](std::byte *bytes) { reinterpret_cast<int *>(bytes)[3] = 7; });
  }
  EXPECT_EQ(host[3], 7) << "complete when the last handle is destroyed";
}

TEST(buffer, use_of_unaligned_memory_writes_back_to_it) {
  const queue q{device()};
  alignas(16) std::array<std::byte, 65> host{};
  host[1] = std::byte{5};
  {
    const buffer b(64, 16, host.data() + 1, buffer::host_storage::use, true);
    submit(q, b, access::read_write, 0, 64, [&](std::byte *bytes) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % 16, 0u);
      EXPECT_EQ(bytes[0], std::byte{5});
      bytes[63] = std::byte{9};
    });
  }
  EXPECT_EQ(host[64], std::byte{9});
}

TEST(buffer, a_copy_does_not_change_the_host_memory) {
  const queue q{device()};
  int host = 1;
  const buffer b(sizeof host, alignof(int), &host, buffer::host_storage::copy, true);
  host = 2;
  submit(q, b, access::read_write, 0, 4, [](std::byte *bytes) {
    EXPECT_EQ(*reinterpret_cast<int *>(bytes), 1);
    *reinterpret_cast<int *>(bytes) = 3;
  }).wait();
  b.finish();
  EXPECT_EQ(host, 2);
}

TEST(buffer, read_only_host_memory_is_not_written) {
  const queue q{device()};
  alignas(16) std::array<std::byte, 20> host{};
  {
    const buffer b(16, 16, host.data() + 1, buffer::host_storage::use, false);
    submit(q, b, access::write, 0, 16, [](std::byte *bytes) { bytes[0] = std::byte{1}; });
  }
  EXPECT_EQ(host[1], std::byte{0});
}

TEST(buffer, the_final_write_back_can_be_redirected_and_disabled) {
  const queue q{device()};
  for (bool enabled : {true, false}) {
    int result = 0;
    {
      const buffer b(4, 4);
      b.set_final([&](const void *bytes) { result = *static_cast<const int *>(bytes); });
      b.set_write_back(enabled);
      submit(q, b, access::discard, 0, 4, [](std::byte *bytes) {
        std::this_thread::sleep_for(2ms);
        *reinterpret_cast<int *>(bytes) = 11;
      });
    }
    EXPECT_EQ(result, enabled ? 11 : 0);
  }
}

TEST(buffer, a_host_accessor_waits_for_writers_and_blocks_later_ones) {
  const queue q{device()};
  const buffer b(4, 4);
  submit(q, b, access::write, 0, 4, [](std::byte *bytes) {
    std::this_thread::sleep_for(3ms);
    *reinterpret_cast<int *>(bytes) = 1;
  });
  auto *value = static_cast<int *>(b.acquire_host(access::read_write));
  EXPECT_EQ(*value, 1);
  std::atomic<bool> ran{false};
  const event later = submit(q, b, access::read_write, 0, 4, [&](std::byte *bytes) {
    EXPECT_EQ(*reinterpret_cast<int *>(bytes), 2);
    ran = true;
  });
  std::this_thread::sleep_for(3ms);
  EXPECT_FALSE(ran);
  *value = 2;
  b.release_host(access::read_write);
  later.wait();
  EXPECT_TRUE(ran);
}

TEST(buffer, a_reading_host_accessor_blocks_writers_only) {
  const queue q{device()};
  const buffer b(4, 4);
  std::atomic<bool> has_read{false}, has_written{false};
  b.acquire_host(access::read);
  submit(q, b, access::read, 0, 4, [&](std::byte *) { has_read = true; }).wait();
  EXPECT_TRUE(has_read);
  const event write = submit(q, b, access::write, 0, 4, [&](std::byte *) { has_written = true; });
  std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(has_written);
  b.release_host(access::read);
  write.wait();
  EXPECT_TRUE(has_written);
}

TEST(buffer, host_accessors_do_not_wait_for_each_other) {
  const buffer b(4, 4);
  void *const written = b.acquire_host(access::read_write);
  EXPECT_EQ(b.acquire_host(access::read), written);  // would deadlock otherwise
  b.release_host(access::read);
  b.release_host(access::read_write);
}

TEST(buffer, a_long_history_is_discarded) {
  const queue q{device()};
  const buffer b(64, 8);
  int sum = 0;
  for (int i = 0; i < 20'000; ++i) submit(q, b, access::read_write, 0, 64, [&](std::byte *) { ++sum; });
  std::vector<event> wait_for;
  b.acquire(q, access::write, 0, 64, wait_for);
  EXPECT_LE(wait_for.size(), 1u) << "a write replaces its own dependencies";
  q.wait();
  EXPECT_EQ(sum, 20'000);
}

TEST(buffer, commands_of_many_threads_on_shared_buffers_neither_race_nor_deadlock) {
  const queue q{device()};
  const int zero = 0;
  const auto make = [&] { return buffer(4, 4, &zero, buffer::host_storage::copy, false); };
  const std::array<buffer, 3> buffers{make(), make(), make()};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 300; ++i) {
        const buffer &a = buffers[(t + i) % 3], &b = buffers[(t + 2 * i + 1) % 3];
        const auto lock = buffer::lock_submission();
        std::vector<event> wait_for;
        auto *x = static_cast<int *>(a.acquire(q, access::read_write, 0, 4, wait_for));
        auto *y = static_cast<int *>(b.acquire(q, access::read_write, 0, 4, wait_for));
        const event done = q.host_task([=] { ++*x, ++*y; }, wait_for);
        a.record(done, access::read_write, 0, 4);
        b.record(done, access::read_write, 0, 4);
      }
    });
  for (auto &t : threads) t.join();
  int total = 0;
  for (const buffer &b : buffers) {
    total += *static_cast<const int *>(b.acquire_host(access::read));
    b.release_host(access::read);
  }
  EXPECT_EQ(total, 2 * 8 * 300);
}

TEST(buffer, ranges_beyond_the_end_are_refused) {
  const queue q{device()};
  const buffer b(64, 8);
  std::vector<event> wait_for;
  EXPECT_THROW(b.acquire(q, access::read, 60, 5, wait_for), exception);
  EXPECT_THROW(b.acquire(q, access::read, ~std::size_t{0}, 2, wait_for), exception);
  EXPECT_THROW(buffer(64, 8, nullptr, buffer::host_storage::copy, false), exception);
}

}  // namespace
}  // namespace dpep::testing
