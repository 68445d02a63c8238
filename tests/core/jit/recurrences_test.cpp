// Tests which minima and maxima of recurrences become conditional moves, and their order.
#include <string>

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "jit/compile/analyses.hpp"
#include "jit/compile/recurrences.hpp"

namespace dpep::test {
namespace {

/// A loop over %x with the value %left of the iteration before; `body` computes %value from it and the elements %a and
/// %b.
std::string loop_of(const std::string &body) {
  return R"(
    declare i64 @llvm.smin.i64(i64, i64)
    declare i64 @llvm.umax.i64(i64, i64)
    define void @kernel(ptr %x, ptr %y, i64 %limit) {
    entry:
      br label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %next, %loop ]
      %left = phi i64 [ 0, %entry ], [ %value, %loop ]
      %at = getelementptr i64, ptr %x, i64 %i
      %a = load i64, ptr %at
      %beside = getelementptr i64, ptr %at, i64 1
      %b = load i64, ptr %beside
)" + body +
         R"(
      %to = getelementptr i64, ptr %y, i64 %i
      store i64 %value, ptr %to
      %next = add nuw i64 %i, 1
      %more = icmp ult i64 %next, 100
      br i1 %more, label %loop, label %done
    done:
      ret void
    })";
}

std::string after_pass(const std::string &body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const auto module = llvm::parseAssemblyString(loop_of(body), error, context);
  if (!module) throw std::runtime_error(error.getMessage().str());
  jit::analyses analyses(nullptr);
  llvm::FunctionPassManager passes;
  passes.addPass(jit::shorten_recurrences());
  passes.run(*module->getFunction("kernel"), analyses.functions);
  std::string after;
  llvm::raw_string_ostream stream(after);
  if (llvm::verifyModule(*module, &stream)) return "invalid: " + after;
  stream << *module->getFunction("kernel");
  return after;
}

std::size_t count(const std::string &text, const std::string &part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(recurrences, apply_the_value_of_the_iteration_before_last) {
  const std::string after = after_pass(R"(
    %more.left = add i64 %left, 1
    %first = call i64 @llvm.smin.i64(i64 %more.left, i64 %a)
    %value = call i64 @llvm.smin.i64(i64 %b, i64 %first))");
  EXPECT_EQ(count(after, "call i64"), 0u) << after;
  EXPECT_EQ(count(after, "!unpredictable"), 2u) << after;
  EXPECT_NE(after.find("icmp slt i64 %more.left, "), after.npos) << after;
  EXPECT_EQ(after.find("icmp slt i64 %more.left, %a"), after.npos) << after;
}

TEST(recurrences, of_two_carried_operands_keep_their_order) {
  const std::string after = after_pass(R"(
    %more.left = add i64 %left, 1
    %twice = shl i64 %left, 1
    %first = call i64 @llvm.umax.i64(i64 %more.left, i64 %a)
    %value = call i64 @llvm.umax.i64(i64 %first, i64 %twice))");
  EXPECT_EQ(count(after, "!unpredictable"), 2u) << after;
  EXPECT_NE(after.find("icmp ugt i64 %more.left, %a"), after.npos) << after;
}

TEST(recurrences, do_not_change_running_minima) {
  const std::string after = after_pass("%value = call i64 @llvm.smin.i64(i64 %left, i64 %a)");
  EXPECT_EQ(count(after, "call i64 @llvm.smin.i64(i64 %left, i64 %a)"), 1u) << after;
}

TEST(recurrences, do_not_change_limits) {
  const std::string after = after_pass(R"(
    %sum = add i64 %left, %a
    %value = call i64 @llvm.smin.i64(i64 %sum, i64 %limit))");
  EXPECT_EQ(count(after, "call i64"), 1u) << after;
}

TEST(recurrences, do_not_change_minima_outside_of_them) {
  const std::string after = after_pass(R"(
    %value = add i64 %left, %a
    %other = call i64 @llvm.smin.i64(i64 %value, i64 %b)
    store i64 %other, ptr %at)");
  EXPECT_EQ(count(after, "call i64"), 1u) << after;
}

}  // namespace
}  // namespace dpep::test
