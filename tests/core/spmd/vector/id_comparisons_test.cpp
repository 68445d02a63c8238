// Comparisons of 64-bit ids with bounds: all predicates, bounds beyond all ids, and negative ids, at every width.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

struct predicate {
  const char *name;
  bool (*holds)(std::int64_t, std::int64_t);
};

std::uint64_t u(std::int64_t value) { return static_cast<std::uint64_t>(value); }

constexpr predicate predicates[] = {
    {"eq", [](std::int64_t a, std::int64_t b) { return a == b; }},
    {"ne", [](std::int64_t a, std::int64_t b) { return a != b; }},
    {"slt", [](std::int64_t a, std::int64_t b) { return a < b; }},
    {"sle", [](std::int64_t a, std::int64_t b) { return a <= b; }},
    {"sgt", [](std::int64_t a, std::int64_t b) { return a > b; }},
    {"sge", [](std::int64_t a, std::int64_t b) { return a >= b; }},
    {"ult", [](std::int64_t a, std::int64_t b) { return u(a) < u(b); }},
    {"ule", [](std::int64_t a, std::int64_t b) { return u(a) <= u(b); }},
    {"ugt", [](std::int64_t a, std::int64_t b) { return u(a) > u(b); }},
    {"uge", [](std::int64_t a, std::int64_t b) { return u(a) >= u(b); }},
};

// out[i] has a bit for each predicate that holds between the id and the bound, and between the bound and the id. It is
// written only if the id is at least 3.
std::string comparing(const std::string &id) {
  std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.bound = getelementptr i64, ptr %arguments, i64 1
  %out = load ptr, ptr %arguments
  %bound = load i64, ptr %a.bound
  %me = call i64 @__dpep_local_id(i32 0)
  %late = icmp uge i64 %me, 3
  br i1 %late, label %compare, label %done
compare:
  %id = )" + id + "\n";
  std::string all = "0";
  int bit = 0;
  for (const predicate &each : predicates)
    for (const char *operands : {"%id, %bound", "%bound, %id"}) {
      const std::string n = std::to_string(bit);
      text += "  %c" + n + " = icmp " + each.name + " i64 " + operands + "\n  %z" + n + " = zext i1 %c" + n +
              " to i32\n  %s" + n + " = shl i32 %z" + n + ", " + n + "\n  %o" + n + " = or i32 " + all + ", %s" + n +
              "\n";
      all = "%o" + n;
      ++bit;
    }
  return text + "  %at = getelementptr i32, ptr %out, i64 %me\n  store i32 " + all +
         ", ptr %at\n  br label %done\ndone:\n  ret void\n}\n";
}

void check(const std::string &id, std::int64_t (*id_of)(std::size_t)) {
  constexpr std::size_t size = 80;
  const geometry work = groups_of({size, 1, 1}, {size, 1, 1}, 1);
  for (const std::uint32_t lanes : {0U, 1U, 4U, 32U, 64U}) {
    const formed_kernel kernel(comparing(id), specialisation_of(work), formed_kernel::optimisation::standard,
                               {.width = lanes});
    for (const std::int64_t bound :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{-9}, std::int64_t{5}, std::int64_t{15},
          std::int64_t{16}, std::int64_t{17}, std::int64_t{63}, std::int64_t{64}, std::int64_t{79}, std::int64_t{80},
          std::int64_t{1} << 33, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
      std::vector<std::uint32_t> out(size, 7), wanted(size, 7);
      for (std::size_t i = 3; i < size; ++i) {
        wanted[i] = 0;
        std::uint32_t bit = 1;
        for (const predicate &each : predicates) {
          wanted[i] |= each.holds(id_of(i), bound) ? bit : 0;
          wanted[i] |= each.holds(bound, id_of(i)) ? bit << 1 : 0;
          bit <<= 2;
        }
      }
      const void *arguments[] = {out.data(), reinterpret_cast<const void *>(bound)};
      kernel.run(work, arguments);
      EXPECT_EQ(out, wanted) << "width " << lanes << ", bound " << bound;
    }
  }
}

TEST(id_comparisons, of_ids) {
  check("add i64 %me, 0", [](std::size_t i) { return static_cast<std::int64_t>(i); });
}
TEST(id_comparisons, of_ids_plus_a_constant) {
  check("add nuw nsw i64 %me, 9", [](std::size_t i) { return static_cast<std::int64_t>(i) + 9; });
}
TEST(id_comparisons, of_ids_that_may_be_negative) {
  check("sub nsw i64 %me, 20", [](std::size_t i) { return static_cast<std::int64_t>(i) - 20; });
}
TEST(id_comparisons, of_ids_that_are_negative_in_inactive_lanes) {
  check("sub nuw nsw i64 %me, 3", [](std::size_t i) { return static_cast<std::int64_t>(i) - 3; });
}
TEST(id_comparisons, of_ids_that_may_wrap) {
  check("add i64 %me, 9223372036854775800",
        [](std::size_t i) { return static_cast<std::int64_t>(u(9223372036854775800) + i); });
}

// The prefix sum of a group by Hillis and Steele.
// With the attribute, the steps of the loop are not unrolled.
constexpr const char *scan = R"(
define spir_kernel void @kernel(ptr %arguments) "dpep-unrolled" {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %partial = call ptr @__dpep_local_memory()
  %me = call i64 @__dpep_local_id(i32 0)
  %size = call i64 @__dpep_local_size(i32 0)
  %p = getelementptr i32, ptr %in, i64 %me
  %own = load i32, ptr %p
  br label %step
step:
  %sum = phi i32 [ %own, %0 ], [ %sum.next, %again ]
  %distance = phi i64 [ 1, %0 ], [ %distance.next, %again ]
  %half = phi i64 [ 0, %0 ], [ %half.next, %again ]
  %start = mul i64 %half, %size
  %mine = add i64 %start, %me
  %m = getelementptr i32, ptr %partial, i64 %mine
  store i32 %sum, ptr %m
  call void @__dpep_group_barrier()
  %far = icmp uge i64 %me, %distance
  br i1 %far, label %add, label %again
add:
  %other = sub i64 %mine, %distance
  %q = getelementptr i32, ptr %partial, i64 %other
  %before = load i32, ptr %q
  %added = add i32 %sum, %before
  br label %again
again:
  %sum.next = phi i32 [ %sum, %step ], [ %added, %add ]
  %half.next = sub i64 1, %half
  %distance.next = shl i64 %distance, 1
  %more = icmp ult i64 %distance.next, %size
  br i1 %more, label %step, label %done
done:
  %o = getelementptr i32, ptr %out, i64 %me
  store i32 %sum.next, ptr %o
  ret void
}
)";

TEST(id_comparisons, of_a_prefix_sum_that_spills_one_value) {
  for (const std::size_t size : {5, 64, 100, 256})
    for (const std::uint32_t lanes : {0U, 1U, 4U, 32U}) {
      const geometry work = groups_of({size, 1, 1}, {size, 1, 1}, 1);
      const formed_kernel kernel(scan, specialisation_of(work), formed_kernel::optimisation::standard,
                                 {.width = lanes});
      std::vector<std::int32_t> in(size), out(size), wanted(size);
      std::int32_t sum = 0;
      for (std::size_t i = 0; i < size; ++i) wanted[i] = sum += in[i] = static_cast<std::int32_t>(i * i % 17);
      const void *arguments[] = {in.data(), out.data()};
      kernel.run(work, arguments, 2 * size * sizeof(std::int32_t));
      EXPECT_EQ(out, wanted) << size << " at width " << lanes;
      EXPECT_TRUE(contains(kernel.report().remarks, " 4 bytes are kept for each work-item")) << kernel.report().remarks;
    }
}

}  // namespace
}  // namespace dpep::test
