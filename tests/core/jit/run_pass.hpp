// Runs one pass over a function of LLVM IR in text.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "jit/compile/analyses.hpp"

namespace dpep::test {

/// The module's text after a function pass has run on a function. The module must be valid then.
template <class Pass> std::string text_after(Pass pass, const std::string &text, const char *function) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const auto module = llvm::parseAssemblyString(text, error, context);
  if (!module) throw std::runtime_error(error.getMessage().str());
  jit::analyses analyses(nullptr);
  llvm::FunctionPassManager passes;
  passes.addPass(std::move(pass));
  passes.run(*module->getFunction(function), analyses.functions);
  std::string after;
  llvm::raw_string_ostream stream(after);
  EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << after;
  stream << *module;
  return after;
}

}  // namespace dpep::test
