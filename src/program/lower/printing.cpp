// OpenCL's printf: C's, with vectors.
#include "program/lower/printing.hpp"

#include <string>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace dpep::program_lower {
namespace {

/// Splits a format at its conversions and gives C's format for the arguments.
class formatter {
public:
  formatter(llvm::CallInst &call, llvm::StringRef format) : call_(call), b_(&call), rest_(format) {}

  void run() {
    while (!rest_.empty()) {
      if (rest_.front() != '%' || rest_.starts_with("%%")) {
        const std::size_t size = rest_.starts_with("%%") ? 2 : 1;
        text_ += rest_.take_front(size);
        rest_ = rest_.drop_front(size);
      } else {
        conversion();
      }
    }
    for (; next_ < call_.arg_size(); ++next_) add(call_.getArgOperand(next_), true);
    llvm::SmallVector<llvm::Value *> all{b_.CreateGlobalString(text_, "format")};
    all.append(arguments_.begin(), arguments_.end());
    const llvm::FunctionCallee print = call_.getModule()->getOrInsertFunction(
        "__dpep_printf", llvm::FunctionType::get(b_.getInt32Ty(), {b_.getPtrTy()}, true));
    call_.replaceAllUsesWith(b_.CreateCall(print, all));
    call_.eraseFromParent();
  }

private:
  /// Characters from the set, as the next part of the format.
  llvm::StringRef take(llvm::StringRef set) {
    const llvm::StringRef part = rest_.take_while([&](char c) { return set.contains(c); });
    rest_ = rest_.drop_front(part.size());
    return part;
  }

  void conversion() {
    rest_ = rest_.drop_front();
    std::string start = "%" + take("-+ #0").str() + take("0123456789").str();
    if (rest_.consume_front(".")) start += "." + take("0123456789").str();
    unsigned lanes = 0;
    if (rest_.consume_front("v")) take("0123456789").getAsInteger(10, lanes);
    const llvm::StringRef length = take("hl");
    const char type = rest_.empty() ? 'd' : rest_.front();
    rest_ = rest_.drop_front(rest_.empty() ? 0 : 1);
    llvm::Value *const value = next_ < call_.arg_size() ? call_.getArgOperand(next_++) : nullptr;
    const bool is_signed = type == 'd' || type == 'i' || type == 'c';
    if (!value || lanes == 0 || !value->getType()->isVectorTy()) {
      text_ += start + length.str() + type;
      if (value) add(value, is_signed);
      return;
    }
    const bool wide = value->getType()->getScalarSizeInBits() == 64 && !value->getType()->isFPOrFPVectorTy();
    for (unsigned k = 0; k < lanes; ++k) {
      text_ += (k ? "," : "") + start + (wide ? "l" : "") + type;
      add(b_.CreateExtractElement(value, k), is_signed);
    }
  }

  /// Adds an argument with C's promotions.
  void add(llvm::Value *value, bool is_signed) {
    llvm::Type *const type = value->getType();
    if (type->isHalfTy() || type->isFloatTy()) value = b_.CreateFPExt(value, b_.getDoubleTy());
    if (type->isIntegerTy() && type->getIntegerBitWidth() < 32)
      value = b_.CreateIntCast(value, b_.getInt32Ty(), is_signed);
    arguments_.push_back(value);
  }

  llvm::CallInst &call_;
  llvm::IRBuilder<> b_;
  llvm::StringRef rest_;
  unsigned next_ = 1;
  std::string text_;
  llvm::SmallVector<llvm::Value *> arguments_;
};

}  // namespace

void lower_printf(llvm::Module &module) {
  llvm::Function *const print = module.getFunction("printf");
  if (!print || !print->isDeclaration()) return;
  for (llvm::User *user : llvm::make_early_inc_range(print->users())) {
    auto *const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call) continue;
    llvm::StringRef format;
    llvm::getConstantStringInfo(call->getArgOperand(0), format);
    formatter(*call, format).run();
  }
  if (print->use_empty()) print->eraseFromParent();
}

}  // namespace dpep::program_lower
