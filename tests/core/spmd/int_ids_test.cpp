// Ids that kernels keep in an int are still ids: neighbours' memory is neighbouring, and none is gathered.
#include <gtest/gtest.h>

#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// out[global id] = in[int(local id) + 1] + in[int(local id)], where an int goes through shifts, as clang leaves it.
constexpr const char *neighbours = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %me = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %up = shl i64 %me, 32
  %mine = ashr exact i64 %up, 30
  %next.up = add i64 %up, 4294967296
  %next = ashr exact i64 %next.up, 30
  %p = getelementptr i8, ptr %in, i64 %mine
  %q = getelementptr i8, ptr %in, i64 %next
  %x = load float, ptr %p
  %y = load float, ptr %q
  %sum = fadd float %x, %y
  %target = getelementptr float, ptr %out, i64 %i
  store float %sum, ptr %target
  ret void
}
)";

TEST(IntIds, WithAConstantAddedAreStillIds) {
  constexpr std::size_t groups = 3, size = 100;
  const geometry work = groups_of({groups * size, 1, 1}, {size, 1, 1}, 1);
  const formed_kernel kernel(neighbours, specialisation_of(work));
  std::vector<float> in(size + 1), out(groups * size), wanted(groups * size);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * i % 37);
  for (std::size_t i = 0; i < out.size(); ++i) wanted[i] = in[i % size] + in[i % size + 1];
  const void *arguments[] = {in.data(), out.data()};
  kernel.run(work, arguments);
  EXPECT_EQ(out, wanted);
  EXPECT_FALSE(contains(kernel.optimised(), "gather"));
}

}  // namespace
}  // namespace dpep::test
