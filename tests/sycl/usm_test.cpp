// Unified shared memory: all allocation functions, queries about pointers, and containers in it.
#include <complex>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

namespace {

using sycl::usm::alloc;

struct alignas(256) wide {
  int value;
};

bool aligned(const void *p, std::size_t alignment) { return reinterpret_cast<std::uintptr_t>(p) % alignment == 0; }

}  // namespace

TEST(usm, is_allocated_by_every_overload) {
  const sycl::queue q;
  const sycl::device d = q.get_device();
  const sycl::context c = q.get_context();
  const struct {
    alloc kind;
    void *memory;
  } all[] = {
      {alloc::device, sycl::malloc_device(100, q)},
      {alloc::device, sycl::malloc_device(100, d, c)},
      {alloc::device, sycl::malloc_device<int>(100, q)},
      {alloc::device, sycl::malloc_device<int>(100, d, c)},
      {alloc::device, sycl::aligned_alloc_device(64, 100, q)},
      {alloc::device, sycl::aligned_alloc_device<int>(64, 100, d, c)},
      {alloc::shared, sycl::malloc_shared(100, q)},
      {alloc::shared, sycl::malloc_shared(100, d, c)},
      {alloc::shared, sycl::malloc_shared<int>(100, q, sycl::property_list())},
      {alloc::shared, sycl::aligned_alloc_shared(64, 100, d, c)},
      {alloc::shared, sycl::aligned_alloc_shared<int>(64, 100, q)},
      {alloc::host, sycl::malloc_host(100, q)},
      {alloc::host, sycl::malloc_host(100, c)},
      {alloc::host, sycl::malloc_host<int>(100, c)},
      {alloc::host, sycl::aligned_alloc_host<int>(64, 100, q)},
      {alloc::shared, sycl::malloc(100, q, alloc::shared)},
      {alloc::device, sycl::malloc<int>(100, d, c, alloc::device)},
      {alloc::host, sycl::aligned_alloc(64, 100, q, alloc::host)},
      {alloc::shared, sycl::aligned_alloc<int>(64, 100, d, c, alloc::shared)},
  };
  for (const auto &[kind, memory] : all) {
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(sycl::get_pointer_type(memory, c), kind);
    EXPECT_EQ(sycl::get_pointer_device(static_cast<char *>(memory) + 50, c), d);
    sycl::free(memory, q);
    EXPECT_EQ(sycl::get_pointer_type(memory, c), alloc::unknown);
  }
}

TEST(usm, is_aligned) {
  const sycl::queue q;
  for (const std::size_t alignment : {1, 2, 64, 256, 4096}) {
    void *p = sycl::aligned_alloc_shared(alignment, 10, q);
    EXPECT_TRUE(aligned(p, alignment)) << alignment;
    sycl::free(p, q);
  }
  wide *w = sycl::malloc_device<wide>(3, q);
  EXPECT_TRUE(aligned(w, alignof(wide)));
  sycl::free(w, q);
}

TEST(usm, impossible_allocations_are_null) {
  const sycl::queue q;
  EXPECT_EQ(sycl::aligned_alloc_shared(3, 10, q), nullptr);
  EXPECT_EQ(sycl::aligned_alloc_host<int>(96, 10, q), nullptr);
  EXPECT_EQ(sycl::malloc_device(std::size_t(1) << 50, q), nullptr);
  EXPECT_EQ(sycl::malloc_shared<double>(~std::size_t(0) / 4, q), nullptr);
  EXPECT_THROW(sycl::malloc(10, q, alloc::unknown), sycl::exception);
}

TEST(usm, foreign_pointers_are_unknown) {
  const sycl::queue q;
  int here = 0;
  EXPECT_EQ(sycl::get_pointer_type(&here, q.get_context()), alloc::unknown);
  EXPECT_THROW(sycl::get_pointer_device(&here, q.get_context()), sycl::exception);
  EXPECT_THROW(sycl::free(&here, q), sycl::exception);
  sycl::free(nullptr, q);
}

TEST(usm, holds_containers) {
  sycl::queue q;
  using allocator = sycl::usm_allocator<int, alloc::shared>;
  std::vector<int, allocator> v(1000, allocator(q));
  std::iota(v.begin(), v.end(), 0);
  q.parallel_for(v.size(), [p = v.data()](sycl::id<1> i) { p[i] *= 2; }).wait();
  v.push_back(7);  // moves the elements
  EXPECT_EQ(v[999], 1998);
  EXPECT_EQ(v[1000], 7);
  EXPECT_EQ(sycl::get_pointer_type(v.data(), q.get_context()), alloc::shared);
}

TEST(usm, allocators_of_one_kind_and_place_are_equal) {
  const sycl::queue q, other{sycl::context(q.get_device()), q.get_device()};
  const sycl::usm_allocator<int, alloc::host> a(q), b(q.get_context(), q.get_device()), c(other);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  const sycl::usm_allocator<double, alloc::host> rebound(a);
  EXPECT_EQ(rebound, a);
  EXPECT_NE(a, (sycl::usm_allocator<int, alloc::shared>(q)));
  EXPECT_THROW((sycl::usm_allocator<int, alloc::host>(q).allocate(std::size_t(1) << 50)), sycl::exception);
}

TEST(usm, is_advised_about_beyond_its_end) {
  sycl::queue q;
  char *const ten = sycl::malloc_shared<char>(10, q);
  EXPECT_NO_THROW(q.mem_advise(ten, 40, 0).wait());
  EXPECT_NO_THROW(q.mem_advise(ten + 9, 40, 0).wait());
  sycl::free(ten, q);
}

TEST(usm, is_read_through_pointers_in_pointers) {
  sycl::queue q;
  struct node {
    int value;
    node *next;
  };
  node *nodes = sycl::malloc_shared<node>(10, q);
  for (int i = 0; i < 10; i++) nodes[i] = {i, i < 9 ? nodes + i + 1 : nullptr};
  int *sum = sycl::malloc_host<int>(1, q);
  q.single_task([=] {
     *sum = 0;
     for (const node *n = nodes; n; n = n->next) *sum += n->value;
   }).wait();
  EXPECT_EQ(*sum, 45);
  sycl::free(nodes, q);
  sycl::free(sum, q);
}
