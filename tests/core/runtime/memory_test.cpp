// USM allocations: pools, statistics, limits, look-up, and errors on misuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include <unistd.h>

#include <dpep/idle.hpp>

#include "growth.hpp"
#include "runtime/kernels.hpp"

namespace dpep::testing {
namespace {

constexpr std::array kinds{usm_kind::host, usm_kind::device, usm_kind::shared};

class usm_memory : public ::testing::TestWithParam<usm_kind> {
protected:
  usm_memory() : where(context(on)) {}
  void *get(std::size_t bytes, std::size_t alignment = 64) const {
    return allocate(GetParam(), bytes, alignment, where, on);
  }
  memory_statistics stats() const { return statistics(where, GetParam()); }

  device on;
  context where;  // not shared, so that the statistics are those of this test
};
INSTANTIATE_TEST_SUITE_P(kinds, usm_memory, ::testing::ValuesIn(kinds),
                         [](const auto &info) { return name_of(info.param); });

std::string error_of(auto &&call, errc code) {
  try {
    call();
  } catch (const exception &e) {
    EXPECT_EQ(e.code(), code) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST_P(usm_memory, of_any_size_is_aligned_writable_and_disjoint) {
  std::vector<std::pair<unsigned char *, std::size_t>> blocks;
  for (std::size_t bytes :
       {0u, 1u, 63u, 64u, 65u, 512u, 513u, 640u, 1000u, 4096u, 100'000u, 1u << 20, (1u << 20) + 1, 5u << 20})
    for (std::size_t alignment : {1u, 64u, 256u, 4096u, 1u << 21}) {
      auto *p = static_cast<unsigned char *>(get(bytes, alignment));
      ASSERT_NE(p, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % std::max<std::size_t>(alignment, 64), 0u)
          << bytes << " by " << alignment;
      std::memset(p, static_cast<int>(blocks.size()), bytes);
      blocks.emplace_back(p, bytes);
    }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto [p, bytes] = blocks[i];
    for (std::size_t j = 0; j < bytes; j += std::max<std::size_t>(bytes / 7, 1)) ASSERT_EQ(p[j], i % 256);
    free(p, where);
  }
  EXPECT_EQ(stats().in_use, 0u);
  EXPECT_EQ(stats().allocations, 0u);
}

std::int64_t resident_bytes() {
  std::int64_t whole = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> whole >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST_P(usm_memory, of_many_small_sizes_does_not_take_huge_pages) {
  const std::int64_t before = resident_bytes();
  std::vector<void *> blocks;
  for (std::size_t bytes = 64; bytes <= 32'768; bytes = bytes * 5 / 4) {  // 27 classes of sizes
    blocks.push_back(get(bytes));
    std::memset(blocks.back(), 1, bytes);
  }
  EXPECT_LT(resident_bytes() - before, std::int64_t{8} << 20);  // a huge page for each would be 54 MiB
  for (void *each : blocks) free(each, where);
}

TEST_P(usm_memory, look_up_finds_only_addresses_inside_allocations) {
  for (std::size_t bytes : {1u, 100u, 5000u, 3u << 20}) {
    auto *p = static_cast<std::byte *>(get(bytes));
    for (std::size_t offset : {std::size_t{0}, bytes / 2, bytes - 1}) {
      const auto found = find_allocation(p + offset);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->base, p);
      EXPECT_EQ(found->bytes, bytes);
      EXPECT_EQ(found->kind, GetParam());
      EXPECT_EQ(found->context, where);
      EXPECT_EQ(static_cast<bool>(found->device), GetParam() != usm_kind::host);
    }
    EXPECT_FALSE(find_allocation(p + bytes));
    free(p, where);
    EXPECT_FALSE(find_allocation(p));
  }
  int local = 0;
  EXPECT_FALSE(find_allocation(&local));
  EXPECT_FALSE(find_allocation(nullptr));
}

TEST_P(usm_memory, is_reused_and_counted) {
  void *small = get(1000), *large = get(3 << 20);
  const auto used = stats();
  EXPECT_GE(used.in_use, 1000u + (3u << 20));
  EXPECT_EQ(used.allocations, 2u);
  free(small, where);
  free(large, where);
  EXPECT_EQ(stats().in_use, 0u);
  EXPECT_EQ(stats().cached, used.in_use);
  EXPECT_EQ(stats().peak, used.in_use);
  EXPECT_EQ(get(1000), small);
  EXPECT_EQ(get(3 << 20), large);
  EXPECT_EQ(stats().cached, 0u);
  free(small, where);
  free(large, where);
  reset_peak(where, GetParam());
  EXPECT_EQ(stats().peak, 0u);
  EXPECT_EQ(trim(where), used.in_use);
  EXPECT_EQ(stats().cached, 0u);
}

TEST_P(usm_memory, comes_from_the_cache_only_if_a_slot_is_free) {
  EXPECT_EQ(allocate_from_cache(GetParam(), 80, where, on), nullptr);  // the context has no pool yet
  void *const first = get(80);
  EXPECT_EQ(allocate_from_cache(GetParam(), 80, where, on), nullptr);
  free(first, where);
  EXPECT_EQ(allocate_from_cache(GetParam(), 1000, where, on), nullptr);  // of another size
  void *const again = allocate_from_cache(GetParam(), 70, where, on);
  EXPECT_EQ(again, first);
  EXPECT_EQ(stats().allocations, 1u);
  const auto found = find_allocation(again);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bytes, 70u);
  EXPECT_EQ(found->kind, GetParam());
  free(again, where);
  EXPECT_EQ(stats().allocations, 0u);
  void *const large = get(std::size_t{4} << 20);
  free(large, where);
  EXPECT_EQ(allocate_from_cache(GetParam(), std::size_t{4} << 20, where, on), nullptr);
  EXPECT_EQ(allocate_from_cache(GetParam(), 80, context(ref<object>()), on), nullptr);
}

TEST_P(usm_memory, of_other_contexts_is_not_affected_by_a_trim) {
  std::atomic<bool> stop{false};
  std::thread trimming([&] {
    while (!stop.load()) {
      free(get(100), where);
      trim(where);
    }
  });
  for (int round = 0; round < 300; ++round) {
    const context other(on);
    std::byte *const p = static_cast<std::byte *>(allocate(GetParam(), 100, 64, other, on));
    std::memset(p, round, 100);
    std::this_thread::yield();
    EXPECT_EQ(std::count(p, p + 100, std::byte(round)), 100);
    EXPECT_EQ(statistics(other, GetParam()).allocations, 1u);
    free(p, other);
  }
  stop = true;
  trimming.join();
}

TEST_P(usm_memory, a_limit_is_enforced_and_named_in_the_error) {
  set_limit(where, GetParam(), 10'000'000);
  void *p = get(6'000'000);
  const std::string message = error_of([&] { get(6'000'000); }, errc::memory_allocation);
  EXPECT_NE(message.find("limit"), std::string::npos) << message;
  EXPECT_NE(message.find("5.72 MiB"), std::string::npos) << message;  // requested, and in use
  free(p, where);
  free(get(9'000'000), where);  // frees the cached block
  EXPECT_LE(stats().in_use + stats().cached, 10'000'000u);
  set_limit(where, GetParam(), 0);
  free(get(60'000'000), where);
}

TEST_P(usm_memory, a_petabyte_fails_cleanly_and_immediately) {
  const queue q(where, on);
  user_event gate;
  q.host_task([] {}, after(gate));  // the allocation must not wait for pending work if that cannot help
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t bytes : {std::size_t{1} << 50, ~std::size_t{0}, ~std::size_t{0} - 63}) {
    const std::string message = error_of([&] { get(bytes); }, errc::memory_allocation);
    EXPECT_NE(message.find("free of"), std::string::npos) << message;
  }
  EXPECT_NE(error_of([&] { get(std::size_t{1} << 50); }, errc::memory_allocation).find("1.00 PiB"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(100));
  gate.complete();
  q.wait();
}

TEST_P(usm_memory, out_of_memory_waits_for_pending_work_that_frees) {
  set_limit(where, GetParam(), 8 << 20);
  void *p = get(6 << 20);
  const queue q(where, on);
  q.host_task([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    free(p, where);
  });
  free(get(6 << 20), where);
  q.wait();
}

TEST_P(usm_memory, errors_of_free_name_the_kind_of_misuse) {
  for (std::size_t bytes : {100u, 3u << 20}) {
    auto *p = static_cast<std::byte *>(get(bytes));
    EXPECT_NE(error_of([&] { free(p + 8, where); }, errc::invalid).find("8 bytes inside"), std::string::npos);
    const context other(on);
    EXPECT_NE(error_of([&] { free(p, other); }, errc::invalid).find("another context"), std::string::npos);
    free(p, where);
    EXPECT_NE(error_of([&] { free(p, where); }, errc::invalid).find("freed"), std::string::npos);
  }
  int local = 0;
  EXPECT_NE(error_of([&] { free(&local, where); }, errc::invalid).find("not USM memory"), std::string::npos);
  free(nullptr, where);
}

TEST_P(usm_memory, copies_from_freed_memory_or_past_the_end_are_refused) {
  const queue q(where, on);
  auto *p = static_cast<std::byte *>(get(100)), *keep = static_cast<std::byte *>(get(100));
  std::array<std::byte, 200> local{};
  q.copy(local.data(), p, 100);
  EXPECT_NE(error_of([&] { q.copy(local.data(), p, 101); }, errc::invalid).find("pass the end"), std::string::npos);
  EXPECT_NE(error_of([&] { q.copy(p + 90, local.data(), 11); }, errc::invalid).find("10 bytes"), std::string::npos);
  free(p, where);
  EXPECT_NE(error_of([&] { q.copy(local.data(), p, 1); }, errc::invalid).find("freed"), std::string::npos);
  EXPECT_NE(error_of([&] { q.fill(p, "", 1, 1); }, errc::invalid).find("freed"), std::string::npos);
  EXPECT_NE(error_of([&] { q.copy(nullptr, keep, 1); }, errc::invalid).find("null"), std::string::npos);
  free(keep, where);
}

TEST_P(usm_memory, outlives_the_last_handle_to_its_context) {
  void *p;
  {
    const context brief(on);
    p = allocate(GetParam(), 100, 64, brief, on);
  }
  const auto found = find_allocation(p);
  ASSERT_TRUE(found);
  free(p, found->context);
}

TEST(memory_arguments, are_checked) {
  const device on;
  const context where(on);
  EXPECT_NE(error_of([&] { allocate(usm_kind::shared, 1, 48, where, on); }, errc::invalid).find("power of two"),
            std::string::npos);
  EXPECT_NE(error_of([&] { allocate(usm_kind::unknown, 1, 64, where, on); }, errc::invalid).find("unknown"),
            std::string::npos);
  EXPECT_NE(
      error_of([&] { allocate(usm_kind::shared, 1, 64, where, device(ref<object>())); }, errc::invalid).find("context"),
      std::string::npos);
  EXPECT_NE(error_of([&] { allocate(usm_kind::shared, 1, 64, context(), on); }, errc::invalid).find("empty"),
            std::string::npos);
}

TEST(memory_threads, allocate_and_free_each_others_blocks) {
  const device on;
  const context where(on);
  std::mutex mutex;
  std::vector<std::pair<unsigned char *, std::size_t>> exchange;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int i = 0; i < 3000; ++i) {
        const std::size_t bytes = random() % 100 == 0 ? (1u << 20) + random() % (1u << 20) : random() % 5000 + 1;
        auto *p = static_cast<unsigned char *>(allocate(usm_kind::shared, bytes, 64, where, on));
        p[0] = p[bytes - 1] = static_cast<unsigned char>(bytes);
        std::lock_guard lock(mutex);
        exchange.emplace_back(p, bytes);
        std::swap(exchange[random() % exchange.size()], exchange.back());
        if (exchange.size() < 50) continue;
        const auto [q, n] = exchange.back();
        exchange.pop_back();
        if (q[0] != static_cast<unsigned char>(n) || q[n - 1] != q[0] || find_allocation(q)->bytes != n) ++wrong;
        free(q, where);
      }
    });
  for (auto &t : threads) t.join();
  for (const auto &[p, n] : exchange) free(p, where);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(statistics(where, usm_kind::shared).in_use, 0u);
}

/// The size of the address space: pools are mapped, so their memory is not on the heap.
std::size_t mapped_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  statm >> pages;
  return pages * 4096;
}

TEST(memory_growth, none_over_many_allocations_and_contexts) {
  if (sanitized) GTEST_SKIP() << "sanitizers map memory themselves";
  const device on;
  const auto use_a_context = [&] {
    const context where(on);
    for (int j = 0; j < 20; ++j) free(allocate(usm_kind::device, 1 << (j % 22), 64, where, on), where);
    EXPECT_GT(statistics(where, usm_kind::device).cached, 1u << 19);
  };
  use_a_context();
  const std::size_t before = mapped_bytes();
  EXPECT_LT(bytes_left_by_each(500, 1, [&](int) { use_a_context(); }), 64);  // bookkeeping that is reused
  // A pool maps at least 2 MiB, so a leak would leave hundreds of such blocks.
  EXPECT_LT(mapped_bytes(), before + (std::size_t{64} << 20));
}

}  // namespace
}  // namespace dpep::testing
