// What a kernel learns of its sub-group.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

TEST(SubGroups, HaveOneWorkItem) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %id = call i64 @__dpep_global_id(i32 0)
  %group = call i32 @__dpep_sub_group_id()
  %count = call i32 @__dpep_sub_group_count()
  %lane = call i32 @__dpep_sub_group_local_id()
  %size = call i32 @__dpep_sub_group_size()
  %most = call i32 @__dpep_sub_group_max_size()
  %same = call i32 @__dpep_sub_group_shuffle32(i32 %group, i32 0)
  %wide = call i64 @__dpep_sub_group_shuffle64(i64 %id, i32 0)
  %o = getelementptr [7 x i32], ptr %out, i64 %id
  store i32 %group, ptr %o
  %o1 = getelementptr i32, ptr %o, i64 1
  store i32 %count, ptr %o1
  %o2 = getelementptr i32, ptr %o, i64 2
  store i32 %lane, ptr %o2
  %o3 = getelementptr i32, ptr %o, i64 3
  store i32 %size, ptr %o3
  %o4 = getelementptr i32, ptr %o, i64 4
  store i32 %most, ptr %o4
  %o5 = getelementptr i32, ptr %o, i64 5
  store i32 %same, ptr %o5
  %o6 = getelementptr i32, ptr %o, i64 6
  %w = trunc i64 %wide to i32
  store i32 %w, ptr %o6
  ret void
}
)";
  const geometry work = groups_of({6, 1, 1}, {3, 1, 1}, 1);
  const formed_kernel kernel(text, specialisation_of(work));
  std::vector<std::array<int, 7>> out(6);
  const void *arguments[] = {out.data()};
  kernel.run(work, arguments);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(out[i], (std::array{i % 3, 3, 0, 1, 1, i % 3, i})) << i;
}

}  // namespace
}  // namespace dpep::test
