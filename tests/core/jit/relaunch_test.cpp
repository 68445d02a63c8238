// Tests that repeated launches allocate no memory.
#include <atomic>
#include <cstdlib>
#include <new>

#include "jit/kernels.hpp"

// AddressSanitizer replaces operator new, so allocations cannot be counted, and these tests are skipped.
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define DPEP_COUNTS_ALLOCATIONS 0
#else
#define DPEP_COUNTS_ALLOCATIONS 1
#endif

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0};

}  // namespace

#if DPEP_COUNTS_ALLOCATIONS
namespace {

void *count_and_allocate(std::size_t bytes, std::size_t alignment) {
  if (counting.load(std::memory_order_relaxed)) ++allocations;
  if (void *p = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)) return p;
  throw std::bad_alloc();
}

}  // namespace

// Replaces the operators of the whole test program.
void *operator new(std::size_t bytes) { return count_and_allocate(bytes ? bytes : 1, alignof(std::max_align_t)); }
void *operator new(std::size_t bytes, std::align_val_t alignment) {
  return count_and_allocate(bytes ? bytes : 1, static_cast<std::size_t>(alignment));
}
void operator delete(void *p) noexcept { std::free(p); }
void operator delete(void *p, std::size_t) noexcept { std::free(p); }
void operator delete(void *p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void *p, std::size_t, std::align_val_t) noexcept { std::free(p); }
#endif

namespace dpep {
namespace {

using namespace test;

int allocations_of_relaunching(const queue &q, const geometry &shape) {
  const kernel k = ir_kernel(scale_ir());
  std::vector<float> a(shape.global[0], 1);
  const scale_arguments arguments{a.data(), 2};
  for (int i = 0; i < 4; ++i) launch(q, k, shape, packed(arguments));
  q.wait();
  allocations = 0;
  counting = true;
  launch(q, k, shape, packed(arguments));
  counting = false;
  q.wait();
  EXPECT_EQ(a, std::vector<float>(a.size(), 32));
  return allocations;
}

TEST(relaunching, allocates_nothing) {
  if (!DPEP_COUNTS_ALLOCATIONS) GTEST_SKIP() << "allocations are not counted under AddressSanitizer";
  const environment no_cache("DPEP_CACHE", "off");
  const queue out_of_order = cpu_queue();
  const queue in_order(device("cpu"), {.in_order = true});
  EXPECT_EQ(allocations_of_relaunching(out_of_order, flat(100)), 0);
  EXPECT_EQ(allocations_of_relaunching(in_order, flat(100)), 0);
  EXPECT_EQ(allocations_of_relaunching(out_of_order, grouped(100, 10)), 0);
}

TEST(relaunching, finds_the_plans_of_several_shapes_without_allocating) {
  if (!DPEP_COUNTS_ALLOCATIONS) GTEST_SKIP() << "allocations are not counted under AddressSanitizer";
  const environment no_cache("DPEP_CACHE", "off");
  const queue q = cpu_queue();
  const kernel k = ir_kernel(scale_ir());
  std::vector<float> a(120, 1);
  const scale_arguments arguments{a.data(), 1};
  const auto launch_all = [&] {
    for (const std::size_t local : {0, 1, 2, 3, 4, 5, 6})
      launch(q, k, {1, {120, 1, 1}, {local, 0, 0}, {}}, packed(arguments));
    q.wait();
  };
  for (int i = 0; i < 8; ++i) launch_all();  // until the queue's pools have reached their final sizes
  allocations = 0;
  counting = true;
  launch_all();
  counting = false;
  EXPECT_EQ(allocations, 0);
}

}  // namespace
}  // namespace dpep
