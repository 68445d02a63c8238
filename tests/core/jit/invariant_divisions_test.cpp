// Tests which divisions of vectors are computed by a reciprocal.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "jit/compile/invariant_divisions.hpp"
#include "run_pass.hpp"

namespace dpep::test {
namespace {

/// The number of fused multiply-adds after the pass, in a loop over vectors that begins with `body`. %v is the loop's
/// vector, %y the same for all.
int multiply_adds(const std::string &body, const std::string &features = "+fma", const std::string &end = "%n") {
  const std::string text = fmt::format(R"(
    define void @kernel(ptr %x, i64 %n, <8 x double> %y) "target-features"="{}" {{
    entry:
      br label %loop
    loop:
      %j = phi i64 [ 0, %entry ], [ %next, %loop ]
      %at = getelementptr <8 x double>, ptr %x, i64 %j
      %v = load <8 x double>, ptr %at
      {}
      store <8 x double> %r, ptr %at
      %next = add nuw nsw i64 %j, 1
      %ends = icmp eq i64 %next, {}
      br i1 %ends, label %done, label %loop
    done:
      ret void
    }})",
                                       features, body, end);
  const std::string after = text_after(jit::divide_by_invariants(), text, "kernel");
  int found = 0;
  for (std::size_t at = 0; (at = after.find(" call ", at)) != after.npos; ++at)
    found += after.substr(at, after.find('\n', at) - at).find("@llvm.fma.") != std::string::npos;
  return found;
}

TEST(invariant_divisions, by_a_number_of_before_the_loop_are_multiply_adds) {
  EXPECT_EQ(multiply_adds("%r = fdiv <8 x double> %v, %y"), 2);
  EXPECT_EQ(multiply_adds("%q = fdiv <8 x double> %v, %y\n %r = fdiv <8 x double> %q, %y"), 4);
}

TEST(invariant_divisions, many_in_a_block_share_a_reciprocal) {
  std::string dividends, quotients, sum = "%v";
  for (int k = 0; k < 4; ++k) {
    dividends += fmt::format("%x{0} = fadd <8 x double> %v, splat (double {0}.0)\n", k);
    quotients += fmt::format("%q{0} = fdiv <8 x double> %x{0}, %s0\n %t{0} = fadd <8 x double> %q{0}, {1}\n", k, sum);
    sum = fmt::format("%t{}", k);
  }
  const std::string divisor = "%s0 = fadd <8 x double> %v, %y\n", result = "%r = fadd <8 x double> %t3, %v";
  EXPECT_EQ(multiply_adds(divisor + dividends + quotients + result), 8);
}

TEST(invariant_divisions, whose_dividends_depend_on_each_other_stay) {
  std::string body = "%s0 = fadd <8 x double> %v, %y\n", sum = "%v";
  for (int k = 0; k < 4; ++k) {
    body += fmt::format("%q{0} = fdiv <8 x double> {1}, %s0\n %t{0} = fadd <8 x double> %q{0}, %v\n", k, sum);
    sum = fmt::format("%t{}", k);
  }
  EXPECT_EQ(multiply_adds(body + "%r = fadd <8 x double> %t3, %v"), 0);
}

TEST(invariant_divisions, that_are_few_or_by_other_numbers_stay) {
  EXPECT_EQ(multiply_adds("%r = fdiv <8 x double> %y, %v"), 0);
  EXPECT_EQ(multiply_adds("%s = fadd <8 x double> %v, %y\n %r = fdiv <8 x double> %y, %s"), 0);
  EXPECT_EQ(multiply_adds("%r = fdiv <8 x double> %v, %y", "+fma", "2"), 0) << "two iterations";
  EXPECT_EQ(multiply_adds("%r = fdiv <8 x double> %v, %y", "+sse2"), 0) << "no fused multiply-adds";
}

}  // namespace
}  // namespace dpep::test
