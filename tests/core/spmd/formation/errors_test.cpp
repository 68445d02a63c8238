// Errors of work-group formation, and similar kernels that are valid.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <dpep/exception.hpp>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

std::string message_of(const std::string &text, const geometry &work) {
  try {
    const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::none);
  } catch (const exception &error) {
    EXPECT_EQ(error.code(), make_error_code(errc::build));
    return error.what();
  }
  return {};
}

TEST(formation_errors, name_recursion_through_a_barrier) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  call void @first(i32 3)
  ret void
}
define void @first(i32 %n) {
  call void @second(i32 %n)
  ret void
}
define void @second(i32 %n) {
  call void @__dpep_group_barrier()
  %end = icmp eq i32 %n, 0
  br i1 %end, label %done, label %again
again:
  %m = sub i32 %n, 1
  call void @first(i32 %m)
  ret void
done:
  ret void
}
)";
  const std::string message = message_of(text, groups_of({4, 1, 1}, {4, 1, 1}, 1));
  EXPECT_TRUE(contains(message, "kernel kernel: second calls itself")) << message;
}

TEST(formation_errors, name_a_barrier_called_through_a_pointer) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  store ptr @waits, ptr %arguments
  ret void
}
define void @waits() {
  call void @__dpep_group_barrier()
  ret void
}
)";
  const std::string message = message_of(text, groups_of({4, 1, 1}, {4, 1, 1}, 1));
  EXPECT_TRUE(contains(message, "the address of waits")) << message;
}

TEST(formation_errors, name_local_memory_of_a_computed_size) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %n = load i64, ptr %arguments
  %p = call ptr @__dpep_group_scratch(i64 %n)
  store i8 0, ptr %p
  ret void
}
)";
  EXPECT_TRUE(contains(message_of(text, groups_of({4, 1, 1}, {4, 1, 1}, 1)), "known when compiling"));
}

TEST(formation_errors, do_not_include_recursion_without_builtins) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %id = call i64 @__dpep_global_id(i32 0)
  %f = call i64 @factorial(i64 %id)
  call void @__dpep_group_barrier()
  %o = getelementptr i64, ptr %out, i64 %id
  store i64 %f, ptr %o
  ret void
}
define internal i64 @factorial(i64 %n) noinline {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %done, label %again
again:
  %m = sub i64 %n, 1
  %f = call i64 @factorial(i64 %m)
  %r = mul i64 %f, %n
  ret i64 %r
done:
  ret i64 1
}
)";
  const geometry work = groups_of({6, 1, 1}, {6, 1, 1}, 1);
  const formed_kernel kernel(text, specialisation_of(work));
  std::vector<std::size_t> out(6);
  const void *arguments[] = {out.data()};
  kernel.run(work, arguments);
  EXPECT_EQ(out, (std::vector<std::size_t>{1, 1, 2, 6, 24, 120}));
}

}  // namespace
}  // namespace dpep::test
