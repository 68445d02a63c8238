// Barriers in loops and under branches: control flow, and values carried across iterations.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

TEST(barrier_loops, work_in_irreducible_loops) {
  // Two blocks, each with a barrier, that branch to each other and are both entered from outside: an irreducible loop.
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %a.start = getelementptr ptr, ptr %arguments, i64 1
  %start = load i64, ptr %a.start
  %id = call i64 @__dpep_local_id(i32 0)
  %size = call i64 @__dpep_local_size(i32 0)
  %local = call ptr @__dpep_local_memory()
  %mine = getelementptr i64, ptr %local, i64 %id
  %right = add i64 %id, 1
  %wrapped = urem i64 %right, %size
  %theirs = getelementptr i64, ptr %local, i64 %wrapped
  %first = icmp eq i64 %start, 0
  br i1 %first, label %a, label %b
a:
  %na = phi i64 [0, %0], [%nb.next, %b]
  %va = phi i64 [%id, %0], [%vb.next, %b]
  store i64 %va, ptr %mine
  call void @__dpep_group_barrier()
  %va.got = load i64, ptr %theirs
  call void @__dpep_group_barrier()
  %va.next = mul i64 %va.got, 3
  %na.next = add i64 %na, 1
  %enough = icmp ugt i64 %na.next, 5
  br i1 %enough, label %done, label %b
b:
  %nb = phi i64 [0, %0], [%na.next, %a]
  %vb = phi i64 [%id, %0], [%va.next, %a]
  store i64 %vb, ptr %mine
  call void @__dpep_group_barrier()
  %vb.got = load i64, ptr %theirs
  call void @__dpep_group_barrier()
  %vb.next = add i64 %vb.got, 7
  %nb.next = add i64 %nb, 1
  br label %a
done:
  %o = getelementptr i64, ptr %out, i64 %id
  store i64 %va.next, ptr %o
  ret void
}
)";
  constexpr std::size_t size = 6;
  const geometry work = groups_of({size, 1, 1}, {size, 1, 1}, 1);
  for (std::size_t start : {0, 1}) {
    const formed_kernel kernel(text, specialisation_of(work));
    std::vector<std::size_t> out(size), value(size);
    struct {
      void *out;
      std::size_t start;
    } arguments{out.data(), start};
    kernel.run(work, &arguments, size * 8);
    std::iota(value.begin(), value.end(), 0);
    bool in_a = start == 0;
    for (std::size_t n = 0;; in_a = !in_a) {
      std::rotate(value.begin(), value.begin() + 1, value.end());
      for (std::size_t &v : value) v = in_a ? v * 3 : v + 7;
      if (++n > 5 && in_a) break;
    }
    EXPECT_EQ(out, value) << "start " << start;
  }
}

TEST(barrier_loops, may_depend_on_conditions_that_only_the_data_makes_uniform) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %data = load ptr, ptr %arguments
  %i = call i64 @__dpep_global_id(i32 0)
  %a.n = getelementptr ptr, ptr %arguments, i64 1
  %n = load i64, ptr %a.n
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %work, label %done
work:
  %id = call i64 @__dpep_local_id(i32 0)
  %local = call ptr @__dpep_local_memory()
  %mine = getelementptr i32, ptr %local, i64 %id
  %p = getelementptr i32, ptr %data, i64 %i
  %x = load i32, ptr %p
  store i32 %x, ptr %mine
  call void @__dpep_group_barrier()
  %back = sub i64 3, %id
  %theirs = getelementptr i32, ptr %local, i64 %back
  %y = load i32, ptr %theirs
  store i32 %y, ptr %p
  br label %done
done:
  ret void
}
)";
  const geometry work = groups_of({12, 1, 1}, {4, 1, 1}, 1);
  const formed_kernel kernel(text, specialisation_of(work));
  std::vector<int> data(12), expected{3, 2, 1, 0, 7, 6, 5, 4, 8, 9, 10, 11};
  std::iota(data.begin(), data.end(), 0);
  struct {
    void *data;
    std::size_t n;
  } arguments{data.data(), 8};
  kernel.run(work, &arguments, 16);
  EXPECT_EQ(data, expected);
  EXPECT_TRUE(contains(kernel.report().remarks, "chosen at run time")) << kernel.report().remarks;
}

TEST(barrier_loops, preserve_the_values_with_which_each_work_item_left_a_loop) {
  // k is uniform in the loop and differs after it: temporal divergence.
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %id = call i64 @__dpep_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [0, %0], [%k.next, %loop]
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k, %id
  br i1 %more, label %loop, label %after
after:
  call void @__dpep_group_barrier()
  %o = getelementptr i64, ptr %out, i64 %id
  store i64 %k, ptr %o
  ret void
}
)";
  const geometry work = groups_of({8, 1, 1}, {8, 1, 1}, 1);
  for (auto how : {formed_kernel::optimisation::none, formed_kernel::optimisation::standard}) {
    const formed_kernel kernel(text, specialisation_of(work), how);
    std::vector<std::size_t> out(8, 99), expected(8);
    std::iota(expected.begin(), expected.end(), 0);
    const void *arguments[] = {out.data()};
    kernel.run(work, arguments);
    EXPECT_EQ(out, expected);
  }
}

TEST(barrier_loops, preserve_the_values_of_the_last_iteration) {
  // After the loop, the values with which its last iteration began are used, not those for the next iteration.
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %a.n = getelementptr ptr, ptr %arguments, i64 1
  %n = load i64, ptr %a.n
  %id = call i64 @__dpep_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [0, %0], [%i.next, %loop]
  %a = phi i64 [%id, %0], [%b, %loop]
  %b = phi i64 [100, %0], [%a, %loop]
  call void @__dpep_group_barrier()
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %after
after:
  %i10 = mul i64 %i, 1000
  %b2 = mul i64 %b, 2
  %ab = add i64 %a, %b2
  %sum = add i64 %ab, %i10
  %o = getelementptr i64, ptr %out, i64 %id
  store i64 %sum, ptr %o
  ret void
}
)";
  const geometry work = groups_of({4, 1, 1}, {4, 1, 1}, 1);
  for (auto how : {formed_kernel::optimisation::none, formed_kernel::optimisation::standard}) {
    const formed_kernel kernel(text, specialisation_of(work), how);
    for (std::size_t n :
         {1, 2, 5, 70}) {  // 70: more than work-items, since the loop around barriers is not one over work-items
      std::vector<std::size_t> out(4), expected(4);
      for (std::size_t id = 0; id < 4; ++id) expected[id] = 1000 * (n - 1) + (n % 2 ? id + 200 : 100 + 2 * id);
      struct {
        void *out;
        std::size_t n;
      } arguments{out.data(), n};
      kernel.run(work, &arguments);
      EXPECT_EQ(out, expected) << n << " iterations";
    }
  }
}

TEST(barrier_loops, work_before_a_divergent_loop) {
  // A uniform branch leads to barriers or to a loop that work-items leave at different times; both paths join in a
  // second such loop.
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %a.n = getelementptr ptr, ptr %arguments, i64 1
  %n = load i64, ptr %a.n
  %id = call i64 @__dpep_local_id(i32 0)
  %waits = icmp eq i64 %n, 0
  br i1 %waits, label %wait, label %first
wait:
  call void @__dpep_group_barrier()
  br label %second
first:
  %i = phi i64 [0, %0], [%i.next, %first]
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, %id
  br i1 %again, label %first, label %second
second:
  %j = phi i64 [0, %wait], [%i.next, %first], [%j.next, %second]
  %j.next = add i64 %j, 10
  %more = icmp ult i64 %j.next, %id
  br i1 %more, label %second, label %done
done:
  %o = getelementptr i64, ptr %out, i64 %id
  store i64 %j.next, ptr %o
  ret void
}
)";
  constexpr std::size_t size = 25;
  const geometry work = groups_of({size, 1, 1}, {size, 1, 1}, 1);
  for (auto how : {formed_kernel::optimisation::none, formed_kernel::optimisation::standard}) {
    const formed_kernel kernel(text, specialisation_of(work), how);
    for (std::size_t n : {0, 1}) {
      std::vector<std::size_t> out(size), expected(size);
      for (std::size_t id = 0; id < size; ++id) {
        std::size_t &j = expected[id] = n == 0 ? 0 : std::max<std::size_t>(id, 1);
        do j += 10;
        while (j < id);
      }
      struct {
        void *out;
        std::size_t n;
      } arguments{out.data(), n};
      kernel.run(work, &arguments);
      EXPECT_EQ(out, expected) << n;
    }
  }
}

TEST(barrier_loops, bound_the_loop_to_the_active_prefix) {
  // As in a tree reduction: in each iteration the first h work-items add one, and h is halved. h may start at 0 or
  // beyond all ids.
  for (const std::string compare : {"icmp ult i64 %id, %h", "icmp sgt i64 %h, %id"}) {
    const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %a.n = getelementptr i64, ptr %arguments, i64 1
  %n = load i64, ptr %a.n
  %id = call i64 @__dpep_local_id(i32 0)
  %o = getelementptr i64, ptr %out, i64 %id
  store i64 0, ptr %o
  br label %loop
loop:
  %h = phi i64 [%n, %0], [%h.next, %next]
  call void @__dpep_group_barrier()
  %first = )" + compare + R"(
  br i1 %first, label %add, label %next
add:
  %old = load i64, ptr %o
  %new = add i64 %old, 1
  store i64 %new, ptr %o
  br label %next
next:
  %h.next = lshr i64 %h, 1
  %more = icmp ne i64 %h.next, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}
)";
    const geometry work = groups_of({8, 1, 1}, {8, 1, 1}, 1);
    for (auto how : {formed_kernel::optimisation::none, formed_kernel::optimisation::standard}) {
      const formed_kernel kernel(text, specialisation_of(work), how);
      EXPECT_TRUE(contains(kernel.formed(), "@llvm.umin.i64(")) << kernel.formed();
      for (std::size_t n : {0, 1, 5, 8, 100}) {
        std::vector<std::size_t> out(8), expected(8);
        for (std::size_t h = n, more = 1; more; more = h /= 2)
          for (std::size_t id = 0; id < std::min<std::size_t>(h, 8); ++id) ++expected[id];
        struct {
          void *out;
          std::size_t n;
        } arguments{out.data(), n};
        kernel.run(work, &arguments);
        EXPECT_EQ(out, expected) << n;
      }
    }
  }
}

}  // namespace
}  // namespace dpep::test
