// Inner loops over consecutive elements, of a different row for each work-item: four of a row are loaded at once.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// out[i] = the sum of x[i * length .. i * length + length - 1], in order, times i + 1.
constexpr const char *sums = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.length = getelementptr ptr, ptr %arguments, i64 2
  %x = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %length = load i64, ptr %a.length
  %i = call i64 @__dpep_global_id(i32 0)
  %row = mul i64 %i, %length
  %start = getelementptr TYPE, ptr %x, i64 %row
  %none = icmp eq i64 %length, 0
  br i1 %none, label %done, label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %sum = phi TYPE [ ZERO, %0 ], [ %more, %loop ]
  %p = getelementptr TYPE, ptr %start, i64 %k
  %element = load TYPE, ptr %p
  %squared = fmul TYPE %element, %element
  %more = fadd TYPE %sum, %squared
  %next = add nuw nsw i64 %k, 1
  %end = icmp eq i64 %next, %length
  br i1 %end, label %done, label %loop
done:
  %total = phi TYPE [ ZERO, %0 ], [ %more, %loop ]
  %target = getelementptr TYPE, ptr %out, i64 %i
  store TYPE %total, ptr %target
  ret void
}
)";

template <class T> void check(const std::string &type) {
  constexpr std::size_t items = 83;
  for (const auto &level : x86_levels()) {
    const formed_kernel kernel(replaced(replaced(sums, "TYPE", type), "ZERO", "0.0"),
                               specialisation_of(range_of(items)), formed_kernel::optimisation::standard,
                               {.target = *level});
    // A row has as many elements as a vector at most.
    if (sizeof(T) == 4 || !contains(kernel.optimised(), "\"prefer-vector-width\"=\"128\""))
      EXPECT_TRUE(contains(kernel.optimised(), ("load <4 x " + type + ">").c_str())) << kernel.optimised();
    for (const std::int64_t length : {0, 1, 2, 3, 4, 5, 7, 8, 11, 37}) {
      std::vector<T> x(items * static_cast<std::size_t>(length)), out(items, T(-1)), wanted(items);
      for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<T>(k * 37 % 101) / 7;
      for (std::size_t i = 0; i < items; ++i)
        for (std::size_t k = 0; k < static_cast<std::size_t>(length); ++k) {
          const T element = x[i * static_cast<std::size_t>(length) + k];
          wanted[i] += element * element;
        }
      const void *arguments[] = {x.data(), out.data(), reinterpret_cast<const void *>(length)};
      kernel.run(range_of(items), arguments);
      EXPECT_EQ(out, wanted) << length;
    }
  }
}

TEST(loops_along_rows, of_floats_load_four_elements_at_once) { check<float>("float"); }
TEST(loops_along_rows, of_doubles_load_four_elements_at_once) { check<double>("double"); }

// out[i * (length + 1) + k] = x[i * (length + 1) + k] + 1, for k below length.
constexpr const char *increments = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.length = getelementptr ptr, ptr %arguments, i64 2
  %x = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %length = load i64, ptr %a.length
  %i = call i64 @__dpep_global_id(i32 0)
  %stride = add i64 %length, 1
  %row = mul i64 %i, %stride
  %from = getelementptr float, ptr %x, i64 %row
  %to = getelementptr float, ptr %out, i64 %row
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %p = getelementptr float, ptr %from, i64 %k
  %element = load float, ptr %p
  %more = fadd float %element, 1.0
  %q = getelementptr float, ptr %to, i64 %k
  store float %more, ptr %q
  %next = add nuw nsw i64 %k, 1
  %end = icmp eq i64 %next, %length
  br i1 %end, label %done, label %loop
done:
  ret void
}
)";

/// Checks increments from one place of an array to another, which is `shift` elements further; in order, so that one
/// may be the next one's operand.
void check_increments(std::size_t shift) {
  constexpr std::size_t items = 83;
  constexpr std::int64_t length = 13;
  constexpr std::size_t size = items * (length + 1) + 1;
  for (const auto &level : x86_levels()) {
    const formed_kernel kernel(increments, specialisation_of(range_of(items)), formed_kernel::optimisation::standard,
                               {.target = *level});
    std::vector<float> x(2 * size);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<float>(k * 37 % 101);
    std::vector<float> wanted = x;
    for (std::size_t i = 0; i < items; ++i)
      for (std::size_t k = i * (length + 1); k < i * (length + 1) + length; ++k) wanted[k + shift] = wanted[k] + 1;
    const void *arguments[] = {x.data(), x.data() + shift, reinterpret_cast<const void *>(length)};
    kernel.run(range_of(items), arguments);
    EXPECT_EQ(x, wanted);
    // Whether rows of both arrays can be accessed together is known from their distance, before the loop.
    if (shift == size) EXPECT_TRUE(contains(kernel.optimised(), "store <4 x float>")) << kernel.optimised();
  }
}

TEST(loops_along_rows, store_rows_to_another_array) { check_increments(83 * 14 + 1); }
TEST(loops_along_rows, in_place_are_right) { check_increments(0); }
TEST(loops_along_rows, that_store_what_the_next_iteration_loads_are_right) { check_increments(1); }

}  // namespace
}  // namespace dpep::test
