// Tests kernel launches: shapes, arguments, and errors.
#include "jit/kernels.hpp"

#include <cmath>
#include <numeric>

namespace dpep {
namespace {

using namespace test;

class launching : public ::testing::Test {
protected:
  environment no_cache{"DPEP_CACHE", "off"};
  queue q = cpu_queue();
};

TEST_F(launching, runs_each_work_item_once) {
  const kernel k = ir_kernel(scale_ir());
  for (const std::size_t n : {1, 2, 15, 16, 17, 63, 64, 65, 1000, 100'003}) {
    std::vector<float> a(n);
    std::iota(a.begin(), a.end(), 1.0F);
    launch(q, k, flat(n), packed(scale_arguments{a.data(), 2}));
    q.wait();
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(a[i], 2 * float(i + 1)) << "n = " << n;
  }
}

TEST_F(launching, runs_each_work_item_of_work_groups_once) {
  const kernel k = ir_kernel(scale_ir());
  for (const std::size_t local : {1, 3, 16, 64}) {
    std::vector<float> a(local * 50, 3);
    launch(q, k, grouped(a.size(), local), packed(scale_arguments{a.data(), 2}));
    q.wait();
    EXPECT_EQ(a, std::vector<float>(a.size(), 6)) << "local size " << local;
  }
}

// A kernel in which each work-item writes its ids, and all sizes, to its own row.
constexpr std::string_view ids_ir = R"(
  declare i64 @__dpep_global_id(i32)
  declare i64 @__dpep_global_size(i32)
  declare i64 @__dpep_global_offset(i32)
  declare i64 @__dpep_local_id(i32)
  declare i64 @__dpep_local_size(i32)
  declare i64 @__dpep_group_id(i32)
  declare i64 @__dpep_group_count(i32)
  define spir_kernel void @k(ptr %arguments) {
    %out = load ptr, ptr %arguments
    br label %dimension
  dimension:
    %d = phi i32 [ 0, %0 ], [ %next, %dimension ]
    %g0 = call i64 @__dpep_global_id(i32 0)
    %g1 = call i64 @__dpep_global_id(i32 1)
    %g2 = call i64 @__dpep_global_id(i32 2)
    %o0 = call i64 @__dpep_global_offset(i32 0)
    %o1 = call i64 @__dpep_global_offset(i32 1)
    %o2 = call i64 @__dpep_global_offset(i32 2)
    %s0 = call i64 @__dpep_global_size(i32 0)
    %s1 = call i64 @__dpep_global_size(i32 1)
    %r0 = sub i64 %g0, %o0
    %r1 = sub i64 %g1, %o1
    %r2 = sub i64 %g2, %o2
    %l2 = mul i64 %r2, %s1
    %l1 = add i64 %l2, %r1
    %l1s = mul i64 %l1, %s0
    %row = add i64 %l1s, %r0
    %row3 = mul i64 %row, 3
    %dd = zext i32 %d to i64
    %cell = add i64 %row3, %dd
    %p = getelementptr [7 x i64], ptr %out, i64 %cell
    %v0 = call i64 @__dpep_global_id(i32 %d)
    store i64 %v0, ptr %p
    %p1 = getelementptr i64, ptr %p, i64 1
    %v1 = call i64 @__dpep_global_size(i32 %d)
    store i64 %v1, ptr %p1
    %p2 = getelementptr i64, ptr %p, i64 2
    %v2 = call i64 @__dpep_global_offset(i32 %d)
    store i64 %v2, ptr %p2
    %p3 = getelementptr i64, ptr %p, i64 3
    %v3 = call i64 @__dpep_local_id(i32 %d)
    store i64 %v3, ptr %p3
    %p4 = getelementptr i64, ptr %p, i64 4
    %v4 = call i64 @__dpep_local_size(i32 %d)
    store i64 %v4, ptr %p4
    %p5 = getelementptr i64, ptr %p, i64 5
    %v5 = call i64 @__dpep_group_id(i32 %d)
    store i64 %v5, ptr %p5
    %p6 = getelementptr i64, ptr %p, i64 6
    %v6 = call i64 @__dpep_group_count(i32 %d)
    store i64 %v6, ptr %p6
    %next = add i32 %d, 1
    %more = icmp ult i32 %next, 3
    br i1 %more, label %dimension, label %done
  done:
    ret void
  })";

TEST_F(launching, work_items_have_the_right_ids) {
  const kernel k = ir_kernel(ids_ir);
  const geometry shapes[] = {
      {1, {12, 1, 1}, {4, 0, 0}, {0, 0, 0}},
      {1, {12, 1, 1}, {4, 1, 1}, {100, 0, 0}},
      {2, {6, 4, 1}, {3, 2, 0}, {5, 7, 0}},
      {3, {4, 6, 2}, {2, 3, 1}, {1, 2, 3}},
  };
  for (const geometry &g : shapes) {
    const std::size_t items = g.global[0] * g.global[1] * g.global[2];
    std::vector<std::size_t> out(items * 3 * 7, 99);
    struct {
      std::size_t *out;
    } arguments{out.data()};
    launch(q, k, g, packed(arguments));
    q.wait();
    for (std::size_t item = 0; item < items; ++item) {
      const std::array<std::size_t, 3> at{item % g.global[0], item / g.global[0] % g.global[1],
                                          item / g.global[0] / g.global[1]};
      for (std::size_t d = 0; d < 3; ++d) {
        const std::size_t local = std::max<std::size_t>(g.local[d], 1);
        const std::vector<std::size_t> expected{
            at[d] + g.offset[d], g.global[d], g.offset[d], at[d] % local, local, at[d] / local, g.global[d] / local};
        const auto *row = out.data() + (item * 3 + d) * 7;
        ASSERT_EQ(std::vector(row, row + 7), expected)
            << "dimension " << d << " of item " << item << ", " << g.dimensions << " dimensions";
      }
    }
  }
}

TEST_F(launching, copies_arguments_immediately) {
  const kernel k = ir_kernel(scale_ir());
  std::vector<float> a(1 << 20, 1);
  user_event gate;
  const event first = gate;
  scale_arguments arguments{a.data(), 5};
  const event done = launch(q, k, flat(a.size()), packed(arguments), 0, {&first, 1});
  arguments = {nullptr, 0};
  gate.complete();
  done.wait();
  EXPECT_EQ(a, std::vector<float>(a.size(), 5));
}

TEST_F(launching, accepts_arguments_of_any_size) {
  // The kernel sums 1,000 numbers, all of which are arguments.
  const kernel k = ir_kernel(R"(
    define spir_kernel void @k(ptr %arguments) {
      %out = load ptr, ptr %arguments
      br label %loop
    loop:
      %i = phi i64 [ 1, %0 ], [ %next, %loop ]
      %sum = phi i64 [ 0, %0 ], [ %more, %loop ]
      %p = getelementptr i64, ptr %arguments, i64 %i
      %v = load i64, ptr %p
      %more = add i64 %sum, %v
      %next = add i64 %i, 1
      %done = icmp ugt i64 %next, 1000
      br i1 %done, label %end, label %loop
    end:
      store i64 %more, ptr %out
      ret void
    })");
  std::int64_t result = 0;
  struct {
    std::int64_t *out;
    std::int64_t numbers[1000];
  } arguments{&result, {}};
  std::iota(std::begin(arguments.numbers), std::end(arguments.numbers), 1);
  launch(q, k, flat(1), packed(arguments));
  q.wait();
  EXPECT_EQ(result, 500'500);
}

TEST_F(launching, an_empty_range_completes_immediately) {
  const kernel k = ir_kernel(scale_ir());
  const event done = launch(q, k, flat(0), packed(scale_arguments{nullptr, 0}));
  EXPECT_EQ(done.status(), event_status::complete);
}

TEST_F(launching, an_empty_range_still_waits_for_its_dependencies) {
  const kernel k = ir_kernel(scale_ir());
  user_event gate;
  const event first = gate;
  const event done = launch(q, k, flat(0), packed(scale_arguments{nullptr, 0}), 0, {&first, 1});
  EXPECT_NE(done.status(), event_status::complete);
  gate.complete();
  done.wait();
  EXPECT_EQ(done.status(), event_status::complete);
}

TEST_F(launching, rejects_local_sizes_that_do_not_divide_the_global_size) {
  const kernel k = ir_kernel(scale_ir());
  const std::string error =
      error_of(errc::nd_range, [&] { launch(q, k, grouped(10, 4), packed(scale_arguments{nullptr, 0})); });
  EXPECT_HAS(error, "local size (4) does not divide the global size (10)");
  EXPECT_HAS(error, "'k'");
}

TEST_F(launching, rejects_work_groups_that_are_too_large) {
  const kernel k = ir_kernel(scale_ir());
  const std::size_t limit = std::size_t{1} << 20;  // of the CPU, where work-items are iterations of loops
  const std::string error = error_of(
      errc::nd_range, [&] { launch(q, k, grouped(limit * 4, limit * 2), packed(scale_arguments{nullptr, 0})); });
  EXPECT_HAS(error, std::to_string(limit));
  EXPECT_HAS(error, q.get_device().info().name);
}

TEST_F(launching, accepts_larger_work_groups_than_the_device_recommends) {
  const kernel k = ir_kernel(scale_ir());
  const std::size_t items = 16 * q.get_device().info().max_work_group_size;
  std::vector<float> a(2 * items, 1);
  launch(q, k, grouped(2 * items, items), packed(scale_arguments{a.data(), 2}));
  q.wait();
  EXPECT_EQ(a, std::vector<float>(2 * items, 2));
}

TEST_F(launching, rejects_invalid_shapes) {
  const kernel k = ir_kernel(scale_ir());
  const auto error_for = [&](const geometry &g) {
    return error_of(errc::nd_range, [&] { launch(q, k, g, packed(scale_arguments{nullptr, 0})); });
  };
  EXPECT_HAS(error_for({0, {1, 1, 1}, {}, {}}), "1 to 3");
  EXPECT_HAS(error_for({4, {1, 1, 1}, {}, {}}), "1 to 3");
  EXPECT_HAS(error_for({1, {8, 2, 1}, {}, {}}), "must be 1");
  EXPECT_HAS(error_for({2, {8, 8, 1}, {4, 0, 0}, {}}), "at least 1");
  EXPECT_HAS(error_for({1, {8, 1, 1}, {4, 2, 0}, {}}), "0 or 1");
  EXPECT_HAS(error_for({3, {~0UL, ~0UL, 2}, {}, {}}), "2^64");
}

TEST_F(launching, rejects_more_local_memory_than_the_device_has) {
  const kernel k = ir_kernel(scale_ir());
  const std::size_t limit = q.get_device().info().local_mem_size;
  std::vector<float> a(8, 1);
  const scale_arguments arguments{a.data(), 2};
  const std::string error =
      error_of(errc::memory_allocation, [&] { launch(q, k, grouped(8, 4), packed(arguments), limit + 1); });
  EXPECT_HAS(error, std::to_string(limit));
  launch(q, k, grouped(8, 4), packed(arguments), limit);
  q.wait();
  EXPECT_EQ(a, std::vector<float>(8, 2));
}

TEST_F(launching, rejects_local_memory_without_work_groups) {
  const kernel k = ir_kernel(scale_ir());
  const std::string error =
      error_of(errc::nd_range, [&] { launch(q, k, flat(8), packed(scale_arguments{nullptr, 0}), 64); });
  EXPECT_HAS(error, "nd_range");
}

// Without work-groups, each work-item is a group of its own, whose local memory is private.
TEST_F(launching, work_items_without_work_groups_have_private_local_memory) {
  for (const std::string memory :
       {"@__dpep_static_local_memory(i64 64, i64 8, ptr @key)", "@__dpep_group_scratch(i64 64)"}) {
    const kernel k = ir_kernel(R"(
      @key = internal constant i8 0
      declare i64 @__dpep_global_id(i32)
      declare ptr @__dpep_static_local_memory(i64, i64, ptr)
      declare ptr @__dpep_group_scratch(i64)
      define spir_kernel void @k(ptr %arguments) {
        %i = call i64 @__dpep_global_id(i32 0)
        %out = load ptr, ptr %arguments
        %at_at = getelementptr i8, ptr %arguments, i64 8
        %at = load ptr, ptr %at_at
        %local = call ptr )" + memory +
                               R"(
        store i64 %i, ptr %local
        %from_at = getelementptr i64, ptr %at, i64 %i
        %from = load i64, ptr %from_at
        %read_at = getelementptr i64, ptr %local, i64 %from
        %read = load i64, ptr %read_at
        %target = getelementptr i64, ptr %out, i64 %i
        store i64 %read, ptr %target
        ret void
      })");
    std::vector<std::int64_t> out(10'000, -1), where_written(out.size(), 0), expected(out.size());
    std::iota(expected.begin(), expected.end(), 0);
    const struct {
      std::int64_t *out, *at;
    } arguments{out.data(), where_written.data()};
    launch(q, k, flat(out.size()), packed(arguments));
    q.wait_and_throw();
    EXPECT_EQ(out, expected) << memory;
  }
}

TEST_F(launching, rejects_an_empty_kernel) {
  EXPECT_HAS(error_of(errc::invalid, [&] { launch(q, kernel(), flat(8), {}); }), "the kernel is empty");
  EXPECT_EQ(kernel().name(), "");
}

TEST_F(launching, reports_properties_of_the_compiled_kernel) {
  const kernel k = ir_kernel(scale_ir());
  k.prepare(q.get_device(), flat(100));
  EXPECT_EQ(k.report(q.get_device(), flat(100)).name, "k");
  EXPECT_FALSE(k.report(q.get_device(), grouped(100, 10)).uses_barriers);
}

TEST_F(launching, runs_the_same_kernel_in_many_shapes) {
  const kernel k = ir_kernel(scale_ir());
  std::vector<float> a(240, 1);
  for (const std::size_t local : {1, 2, 3, 4, 5, 6, 8, 10, 12, 15})
    launch(q, k, grouped(a.size(), local), packed(scale_arguments{a.data(), 2})).wait();
  launch(q, k, flat(a.size()), packed(scale_arguments{a.data(), 2})).wait();
  EXPECT_EQ(a, std::vector<float>(a.size(), 2048));
}

}  // namespace
}  // namespace dpep
