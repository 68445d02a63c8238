// Trimming of loops over work-items to the range of active ids: bounds of every kind, against a plain loop, at every
// width.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

struct comparison {
  const char *predicate;
  bool (*holds)(std::int64_t id, std::int64_t bound);
};
constexpr comparison comparisons[] = {
    {"slt", [](std::int64_t id, std::int64_t bound) { return id < bound; }},
    {"sle", [](std::int64_t id, std::int64_t bound) { return id <= bound; }},
    {"sgt", [](std::int64_t id, std::int64_t bound) { return id > bound; }},
    {"sge", [](std::int64_t id, std::int64_t bound) { return id >= bound; }},
    {"ult", [](std::int64_t id, std::int64_t bound) { return std::uint64_t(id) < std::uint64_t(bound); }},
    {"ule", [](std::int64_t id, std::int64_t bound) { return std::uint64_t(id) <= std::uint64_t(bound); }},
    {"ugt", [](std::int64_t id, std::int64_t bound) { return std::uint64_t(id) > std::uint64_t(bound); }},
    {"uge", [](std::int64_t id, std::int64_t bound) { return std::uint64_t(id) >= std::uint64_t(bound); }}};

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t bounds[] = {0, 1, 5, 15, 16, 17, 31, 63, 64, 65, 99, 100, 101, 1000, -1, -7, least, most};

// if (id ? bound) out[global id] = 2 * in[global id], with the id in 64 or 32 bits.
std::string guarded(const comparison &compare, const char *id, bool narrow) {
  const std::string type = narrow ? "i32" : "i64";
  return std::string(R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.bound = getelementptr ptr, ptr %arguments, i64 2
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %bound64 = load i64, ptr %a.bound
  %i = call i64 @__dpep_global_id(i32 0)
  %me64 = call i64 @)") +
         id + "(i32 0)\n" +
         (narrow ? "  %me = trunc i64 %me64 to i32\n  %bound = trunc i64 %bound64 to i32\n"
                 : "  %me = add i64 %me64, 0\n  %bound = add i64 %bound64, 0\n") +
         "  %some = icmp " + compare.predicate + " " + type + R"( %me, %bound
  br i1 %some, label %do, label %end
do:
  %p = getelementptr float, ptr %in, i64 %i
  %q = getelementptr float, ptr %out, i64 %i
  %x = load float, ptr %p
  %y = fmul float %x, 2.0
  store float %y, ptr %q
  br label %end
end:
  ret void
}
)";
}

void check_guarded(const comparison &compare, bool grouped, bool narrow, unsigned lanes) {
  SCOPED_TRACE(std::string(compare.predicate) + (grouped ? " in groups" : "") + (narrow ? " of ints" : ""));
  constexpr std::size_t groups = 2, size = 100;
  const geometry work = grouped ? groups_of({groups * size, 1, 1}, {size, 1, 1}, 1) : range_of(groups * size);
  const formed_kernel kernel(guarded(compare, grouped ? "__dpep_local_id" : "__dpep_global_id", narrow),
                             specialisation_of(work), formed_kernel::optimisation::standard, {.width = lanes});
  for (const std::int64_t bound : bounds) {
    if (narrow && bound != std::int32_t(bound)) continue;
    std::vector<float> in(groups * size), out(in.size(), -1), wanted(in.size(), -1);
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = static_cast<float>(i);
      const std::size_t id = grouped ? i % size : i;
      if (narrow && *compare.predicate == 'u' ? compare.holds(std::int64_t(id), std::uint32_t(bound))
                                              : compare.holds(std::int64_t(id), bound))
        wanted[i] = 2 * in[i];
    }
    const struct {
      const float *in;
      float *out;
      std::int64_t bound;
    } arguments{in.data(), out.data(), bound};
    kernel.run(work, &arguments);
    EXPECT_EQ(out, wanted) << bound;
  }
}

TEST(trim_bounds, does_not_change_results) {
  for (const unsigned lanes : {0U, 4U, 64U})
    for (const comparison &each : comparisons)
      for (const bool grouped : {false, true})
        for (const bool narrow : {false, true}) check_guarded(each, grouped, narrow, lanes);
}

TEST(trim_bounds, removes_the_comparison) {
  const geometry work = groups_of({200, 1, 1}, {100, 1, 1}, 1);
  for (const char *id : {"__dpep_local_id", "__dpep_global_id"}) {
    const formed_kernel kernel(guarded(comparisons[4], id, false), specialisation_of(work));
    EXPECT_TRUE(contains(kernel.optimised(), "trimmed"));
    EXPECT_FALSE(contains(kernel.optimised(), "icmp ult <")) << kernel.optimised();
  }
}

// Both a lower and an upper bound; the bounds may be in one of several conditions.
TEST(trim_bounds, handles_two_bounds_and_other_conditions) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.low = getelementptr ptr, ptr %arguments, i64 2
  %a.high = getelementptr ptr, ptr %arguments, i64 3
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %low = load i64, ptr %a.low
  %high = load i64, ptr %a.high
  %i = call i64 @__dpep_global_id(i32 0)
  %p = getelementptr float, ptr %in, i64 %i
  %q = getelementptr float, ptr %out, i64 %i
  %x = load float, ptr %p
  %outside = icmp ult i64 %i, %low
  %beyond = icmp uge i64 %i, %high
  %none = select i1 %outside, i1 true, i1 %beyond
  br i1 %none, label %end, label %between
between:
  %large = fcmp ogt float %x, 3.0
  br i1 %large, label %do, label %end
do:
  store float %x, ptr %q
  br label %end
end:
  ret void
}
)";
  const geometry work = range_of(300);
  const formed_kernel kernel(text, specialisation_of(work));
  for (const auto &[low, high] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 300}, {3, 20}, {17, 250}, {40, 40}, {50, 10}, {299, 1000}, {300, 301}, {16, 64}}) {
    std::vector<float> in(300), out(in.size(), -1), wanted(in.size(), -1);
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = static_cast<float>(i * 7 % 10);
      if (i >= low && i < high && in[i] > 3) wanted[i] = in[i];
    }
    const struct {
      const float *in;
      float *out;
      std::size_t low, high;
    } arguments{in.data(), out.data(), low, high};
    for (const std::size_t begin : {0UL, 33UL}) {  // a launch may run in several spans
      std::fill(out.begin(), out.end(), -1.0f);
      kernel.run(work, &arguments, 0, begin);
      kernel.run(work, &arguments, begin, 300);
      EXPECT_EQ(out, wanted) << low << " " << high;
    }
  }
}

// A work-item that is inactive in one region is active in others, and its spilled values are unchanged.
TEST(trim_bounds, preserves_spilled_values_of_inactive_work_items) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
entry:
  %out = load ptr, ptr %arguments
  %local = call ptr @__dpep_local_memory()
  %me = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %mine = getelementptr i32, ptr %local, i64 %me
  %next = getelementptr i32, ptr %mine, i64 1
  %start = trunc i64 %i to i32
  br label %loop
loop:
  %level = phi i64 [ 40, %entry ], [ %lower, %both ]
  %value = phi i32 [ %start, %entry ], [ %new, %both ]
  store i32 %value, ptr %mine
  call void @__dpep_group_barrier()
  %some = icmp ult i64 %me, %level
  br i1 %some, label %step, label %both
step:
  %other = load i32, ptr %next
  %own = load i32, ptr %mine
  %sum = add i32 %own, %other
  %turned = xor i32 %sum, 5
  br label %both
both:
  %new = phi i32 [ %value, %loop ], [ %turned, %step ]
  call void @__dpep_group_barrier()
  %lower = add i64 %level, -1
  %more = icmp ne i64 %lower, 0
  br i1 %more, label %loop, label %done
done:
  %q = getelementptr i32, ptr %out, i64 %i
  store atomic i32 %new, ptr %q monotonic, align 4  ; the barriers stay (ordered_barriers.hpp)
  ret void
}
)";
  constexpr std::size_t groups = 3, size = 41;
  const geometry work = groups_of({groups * size, 1, 1}, {size, 1, 1}, 1);
  const formed_kernel kernel(text, specialisation_of(work));
  std::vector<std::uint32_t> out(groups * size), wanted(groups * size);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<std::uint32_t>(i);
  for (std::size_t group = 0; group < groups; ++group)
    for (std::size_t level = 40; level > 0; --level)
      for (std::size_t me = 0; me < level; ++me) {
        std::uint32_t *value = &wanted[group * size + me];
        value[0] = (value[0] + value[1]) ^ 5;
      }
  const void *arguments[] = {out.data()};
  kernel.run(work, arguments, (size + 1) * sizeof(std::uint32_t));
  EXPECT_EQ(out, wanted);
  EXPECT_FALSE(contains(kernel.optimised(), "select <")) << kernel.optimised();
}

TEST(trim_bounds, is_not_done_if_other_work_items_have_effects) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %me = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %q = getelementptr i64, ptr %out, i64 %i
  %some = icmp ult i64 %me, 20
  br i1 %some, label %one, label %other
one:
  %x = mul i64 %me, %i
  store i64 %x, ptr %q
  br label %end
other:
  store i64 7, ptr %q
  br label %end
end:
  ret void
}
)";
  const geometry work = groups_of({90, 1, 1}, {30, 1, 1}, 1);
  const formed_kernel kernel(text, specialisation_of(work));
  std::vector<std::int64_t> out(90);
  const void *arguments[] = {out.data()};
  kernel.run(work, arguments);
  for (std::int64_t i = 0; i < 90; ++i) EXPECT_EQ(out[std::size_t(i)], i % 30 < 20 ? i % 30 * i : 7) << i;
  EXPECT_FALSE(contains(kernel.optimised(), "trimmed"));
}

}  // namespace
}  // namespace dpep::test
