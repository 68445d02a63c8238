// Loops that all work-items run together process two vectors at once if their loads are uniform: results for any number
// of work-items.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// out[i] = sum over j < count of (in[j + SHIFT] - i)^2
std::string squares(const std::string &shift) {
  return R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.count = getelementptr ptr, ptr %arguments, i64 2
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %count = load i64, ptr %a.count
  %i = call i64 @__dpep_global_id(i32 0)
  %me = uitofp i64 %i to float
  %some = icmp ne i64 %count, 0
  br i1 %some, label %loop, label %done
loop:
  %j = phi i64 [ 0, %0 ], [ %j.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %at = add i64 %j, )" +
         shift + R"(
  %p = getelementptr float, ptr %in, i64 %at
  %x = load float, ptr %p
  %difference = fsub float %x, %me
  %square = fmul float %difference, %difference
  %sum.next = fadd float %sum, %square
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %count
  br i1 %more, label %loop, label %done
done:
  %result = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %q = getelementptr float, ptr %out, i64 %i
  store float %result, ptr %q
  ret void
}
)";
}

formed_kernel formed(const std::string &shift, std::uint32_t width = 0) {
  return formed_kernel(squares(shift), specialisation_of(range_of(1000)), formed_kernel::optimisation::standard,
                       {.width = width});
}

TEST(loop_width, does_not_change_results) {
  constexpr std::size_t max_items = 100, max_rounds = 9;
  std::vector<float> in(max_items + max_rounds);
  for (std::size_t j = 0; j < in.size(); ++j) in[j] = static_cast<float>(j * 7 % 13);
  for (const bool shifted : {false, true})
    for (const unsigned width : {0U, 1U, 4U}) {
      const formed_kernel kernel = formed(shifted ? "%i" : "0", width);
      for (const std::size_t items : {1, 7, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100})
        for (const std::size_t rounds : {0, 1, 9}) {
          SCOPED_TRACE(std::to_string(items) + " items, " + std::to_string(rounds) + " rounds, width " +
                       std::to_string(width));
          std::vector<float> out(items, -1), wanted(items, 0);
          for (std::size_t i = 0; i < items; ++i)
            for (std::size_t j = 0; j < rounds; ++j) {
              const float difference = in[j + (shifted ? i : 0)] - static_cast<float>(i);
              wanted[i] += difference * difference;
            }
          const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(rounds)};
          kernel.run(range_of(items), arguments);
          EXPECT_EQ(out, wanted);  // small whole numbers: no rounding
        }
    }
}

TEST(loop_width, is_two_vectors_if_loads_are_uniform) {
  const formed_kernel same = formed("0"), each = formed("%i");
  if (same.report().vector_width < 2) GTEST_SKIP() << "there are no vectors on this machine";
  const std::string lanes = std::to_string(2 * same.report().vector_width);
  EXPECT_TRUE(contains(same.optimised(), ("phi <" + lanes + " x float>").c_str())) << same.optimised();
  EXPECT_FALSE(contains(each.optimised(), ("phi <" + lanes + " x float>").c_str())) << each.optimised();
}

// out[i] = in[i] < 1000 ? in[i] + 1 : a value that is computed in double precision
std::string float_with_double_path(const std::string &weights) {
  std::string work;
  for (int k = 0; k < 20; ++k)
    work += "  %d" + std::to_string(k + 1) + " = fadd double %d" + std::to_string(k) + ", 1.5\n";
  return R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_global_id(i32 0)
  %p = getelementptr float, ptr %in, i64 %i
  %x = load float, ptr %p
  %short = fadd float %x, 1.0
  %usual = fcmp olt float %x, 1000.0
  br i1 %usual, label %done, label %rare, !prof !0
rare:
  %d0 = fpext float %x to double
)" + work +
         R"(
  %long = fptrunc double %d20 to float
  br label %done
done:
  %result = phi float [ %short, %0 ], [ %long, %rare ]
  %q = getelementptr float, ptr %out, i64 %i
  store float %result, ptr %q
  ret void
}
!0 = !{!"branch_weights", i32 )" +
         weights + "}\n";
}

TEST(loop_width, does_not_depend_on_unlikely_code) {
  const auto width_of = [](const std::string &weights) {
    return formed_kernel(float_with_double_path(weights), specialisation_of(range_of(1000))).report().vector_width;
  };
  if (width_of("1, i32 1") < 2) GTEST_SKIP() << "there are no vectors on this machine";
  EXPECT_EQ(width_of("2000, i32 1"), 2 * width_of("1, i32 1"));
  EXPECT_EQ(width_of("1, i32 2000"), width_of("1, i32 1"));
}

}  // namespace
}  // namespace dpep::test
