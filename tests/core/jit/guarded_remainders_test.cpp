// Remainders on GPUs that divide only for dividends outside of the divisor's range.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "jit/compile/analyses.hpp"
#include "jit/compile/guarded_remainders.hpp"

namespace dpep::test {
namespace {

/// The module after the pass ran on @f.
std::unique_ptr<llvm::Module> guarded(const std::string &text, llvm::LLVMContext &context) {
  jit::analyses with(nullptr);
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  if (!module) throw std::runtime_error(error.getMessage().str());
  llvm::FunctionPassManager passes;
  passes.addPass(jit::guard_remainders());
  passes.run(*module->getFunction("f"), with.functions);
  std::string after;
  llvm::raw_string_ostream stream(after);
  EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << after;
  return module;
}

/// The value that a function returns, by folding its instructions one after the other.
std::int64_t evaluate(const llvm::Function &f, std::int64_t x, std::int64_t m) {
  const llvm::DataLayout &layout = f.getParent()->getDataLayout();
  llvm::DenseMap<const llvm::Value *, llvm::Constant *> known;
  llvm::Type *const i64 = llvm::Type::getInt64Ty(f.getContext());
  known[f.getArg(0)] = llvm::ConstantInt::get(i64, std::uint64_t(x), true);
  known[f.getArg(1)] = llvm::ConstantInt::get(i64, std::uint64_t(m), true);
  const auto value_of = [&](llvm::Value *v) {
    auto *const constant = llvm::dyn_cast<llvm::Constant>(v);
    return constant ? constant : known.at(v);
  };
  const llvm::BasicBlock *from = nullptr;
  for (const llvm::BasicBlock *at = &f.getEntryBlock();;) {
    const llvm::BasicBlock *next = nullptr;
    for (const llvm::Instruction &i : *at) {
      if (const auto *const result = llvm::dyn_cast<llvm::ReturnInst>(&i))
        return llvm::cast<llvm::ConstantInt>(value_of(result->getReturnValue()))->getSExtValue();
      if (const auto *const phi = llvm::dyn_cast<llvm::PHINode>(&i)) {
        known[&i] = value_of(phi->getIncomingValueForBlock(from));
      } else if (i.isTerminator()) {
        next = i.getSuccessor(i.getNumSuccessors() == 2 && value_of(i.getOperand(0))->isNullValue() ? 1 : 0);
      } else if (llvm::isa<llvm::FreezeInst>(i)) {
        known[&i] = value_of(i.getOperand(0));
      } else if (const auto *const compare = llvm::dyn_cast<llvm::CmpInst>(&i)) {
        known[&i] = llvm::ConstantFoldCompareInstOperands(compare->getPredicate(), value_of(i.getOperand(0)),
                                                          value_of(i.getOperand(1)), layout);
      } else {
        known[&i] = llvm::ConstantFoldBinaryOpOperands(i.getOpcode(), value_of(i.getOperand(0)),
                                                       value_of(i.getOperand(1)), layout);
      }
    }
    from = std::exchange(at, next);
  }
}

/// A function that returns a remainder of its arguments, after the pass.
std::int64_t remainder(const std::string &operation, std::int64_t x, std::int64_t m) {
  llvm::LLVMContext context;
  const std::string text = "define i64 @f(i64 %x, i64 %m) {\n %r = " + operation + " i64 %x, %m\n ret i64 %r\n}";
  return evaluate(*guarded(text, context)->getFunction("f"), x, m);
}

TEST(guarded_remainders, have_the_same_values) {
  constexpr std::int64_t values[] = {0, 1, 2, 5, 7, 8, -1, -5, -8, 1L << 40, -(1L << 40), INT64_MAX, INT64_MIN + 1};
  for (const std::int64_t x : values)
    for (const std::int64_t m : values) {
      if (m == 0) continue;
      SCOPED_TRACE(fmt::format("{} and {}", x, m));
      EXPECT_EQ(remainder("srem", x, m), x % m);
      EXPECT_EQ(remainder("urem", x, m), std::int64_t(std::uint64_t(x) % std::uint64_t(m)));
    }
}

TEST(guarded_remainders, divide_in_a_block_of_their_own) {
  llvm::LLVMContext context;
  for (const char *operation : {"srem i64 %x, %m", "urem i64 %x, %m"}) {
    const auto module =
        guarded(fmt::format("define i64 @f(i64 %x, i64 %m) {{\n %r = {}\n ret i64 %r\n}}", operation), context);
    EXPECT_EQ(module->getFunction("f")->size(), 3u) << operation;
  }
}

TEST(guarded_remainders, by_constants_and_of_short_integers_stay) {
  llvm::LLVMContext context;
  for (const char *body : {"%r = srem i64 %x, 10\n ret i64 %r",
                           "%a = trunc i64 %x to i32\n %b = trunc i64 %m to i32\n %c = urem i32 %a, %b\n"
                           " %r = zext i32 %c to i64\n ret i64 %r"}) {
    const auto module = guarded(fmt::format("define i64 @f(i64 %x, i64 %m) {{\n {}\n}}", body), context);
    EXPECT_EQ(module->getFunction("f")->size(), 1u) << body;
  }
}

}  // namespace
}  // namespace dpep::test
