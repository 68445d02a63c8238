// Detection of spin-wait loops: their kernels run each work-item as a fiber, and yield in these loops.
#include <gtest/gtest.h>

#include <string>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

std::string kernel_with(const std::string &loop) {
  return R"(
  define spir_kernel void @kernel(ptr %arguments) {
  entry:
    %memory = load ptr, ptr %arguments, !invariant.load !0
    %item = call i64 @__dpep_local_id(i32 0)
    %first = icmp eq i64 %item, 0
    br i1 %first, label %waits, label %tells
  tells:
    store atomic i32 7, ptr %memory monotonic, align 4
    br label %done
  waits:
    %before = load atomic i32, ptr %memory monotonic, align 4
    br label %loop
)" + loop +
         R"(
  done:
    ret void
  }
  !0 = !{}
)";
}

formed_kernel formed(const std::string &loop) {
  const geometry work = groups_of({16, 1, 1}, {16, 1, 1}, 1);
  return {kernel_with(loop), specialisation_of(work), formed_kernel::optimisation::none};
}
bool waits(const std::string &loop) { return formed(loop).needs().concurrent_items != 0; }
bool yields(const std::string &loop) { return contains(formed(loop).formed(), "call void @__dpep_yield()"); }

constexpr char reads_in_each_iteration[] = R"(
  loop:
    %value = load atomic i32, ptr %memory monotonic, align 4
    %again = icmp ne i32 %value, 7
    br i1 %again, label %loop, label %done)";

// The last iteration reads nothing.
constexpr char reads_until_found[] = R"(
  loop:
    %value = phi i32 [ %before, %waits ], [ %next, %joined ]
    %high = lshr i32 %value, 1
    %again = icmp ne i32 %high, 3
    br i1 %again, label %read, label %joined
  read:
    %found = load atomic i32, ptr %memory monotonic, align 4
    br label %joined
  joined:
    %next = phi i32 [ %found, %read ], [ %value, %loop ]
    br i1 %again, label %loop, label %end
  end:
    store i32 %next, ptr %memory
    br label %done)";

constexpr char counts_iterations[] = R"(
  loop:
    %round = phi i32 [ 0, %waits ], [ %next, %loop ]
    %value = load atomic i32, ptr %memory monotonic, align 4
    %next = add i32 %round, 1
    %enough = icmp eq i32 %next, 5
    br i1 %enough, label %done, label %loop)";

TEST(spin_wait_loops, poll_memory) {
  for (const std::string loop : {reads_in_each_iteration, reads_until_found}) {
    EXPECT_TRUE(waits(loop)) << loop;
    EXPECT_TRUE(yields(loop)) << loop;
  }
}

TEST(spin_wait_loops, do_not_count_iterations) { EXPECT_FALSE(waits(counts_iterations)); }

}  // namespace
}  // namespace dpep::test
