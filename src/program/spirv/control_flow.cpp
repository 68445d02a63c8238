// SPIR-V's blocks, branches and calls.
#include <fmt/format.h>
#include <llvm/IR/Constants.h>

#include "program/spirv/module.hpp"

namespace dpep::spirv {
namespace {

llvm::BasicBlock *block(module_reader &m, id n) {
  llvm::BasicBlock *const b = m.blocks.lookup(n);
  if (!b) refuse("it is damaged: a branch to something else than a block");
  return b;
}

llvm::Value *condition(module_reader &m, id n) {
  llvm::Value *const c = m.value(n);
  if (!c->getType()->isIntegerTy(1)) refuse("it is damaged: a condition is not a bool");
  return c;
}

void read_switch(module_reader &m, const instruction &i) {
  auto *const type = llvm::dyn_cast<llvm::IntegerType>(m.value(i[0])->getType());
  if (!type) refuse("it is damaged: a switch over something else than integers");
  llvm::SwitchInst *const s = m.build.CreateSwitch(m.value(i[0]), block(m, i[1]));
  const std::size_t words = type->getBitWidth() > 32 ? 2 : 1;
  for (std::size_t k = 2; k + words < i.operands.size(); k += words + 1) {
    std::uint64_t literal = i[k];
    if (words == 2) literal |= std::uint64_t{i[k + 1]} << 32;
    auto *const value =
        llvm::ConstantInt::get(m.module.getContext(), llvm::APInt(64, literal).zextOrTrunc(type->getBitWidth()));
    if (s->findCaseValue(value) == s->case_default()) s->addCase(value, block(m, i[k + words]));
  }
}

void read_call(module_reader &m, const instruction &i) {
  auto *const callee = llvm::dyn_cast<llvm::Function>(m.value(i[2]));
  if (!callee || callee->arg_size() != i.operands.size() - 3) refuse("it is damaged: a call of something else");
  llvm::SmallVector<llvm::Value *> arguments;
  for (std::size_t k = 3; k < i.operands.size(); ++k) {
    arguments.push_back(m.value(i[k]));
    if (arguments.back()->getType() != callee->getArg(unsigned(k - 3))->getType())
      refuse("it is damaged: a call with arguments of other types");
  }
  llvm::CallInst *const call = m.build.CreateCall(callee, arguments);
  call->setCallingConv(callee->getCallingConv());
  for (unsigned k = 0; k < callee->arg_size(); ++k)
    if (llvm::Type *const whole = callee->getParamByValType(k))
      call->addParamAttr(k, llvm::Attribute::getWithByValType(m.module.getContext(), whole));
  m.set(i[1], i[0], call);
}

}  // namespace

bool read_control_flow(module_reader &m, const instruction &i) {
  llvm::IRBuilder<> &b = m.build;
  switch (i.operation) {
  case 57:
    read_call(m, i);
    return true;
  case 245: {
    expect(m.type(i[0])->isFirstClassType(), "a phi has a wrong type");
    llvm::PHINode *const phi = b.CreatePHI(m.type(i[0]), unsigned(i.operands.size() / 2));
    m.open_phis.emplace_back(phi, i);
    m.set(i[1], i[0], phi);
    return true;
  }
  case 246:
  case 247:
    return true;  // merges are for GPUs' structured programs
  case 248:
    b.SetInsertPoint(block(m, i[0]));
    return true;
  case 249:
    b.CreateBr(block(m, i[0]));
    return true;
  case 250:
    b.CreateCondBr(condition(m, i[0]), block(m, i[1]), block(m, i[2]));
    return true;
  case 251:
    read_switch(m, i);
    return true;
  case 253:
    b.CreateRetVoid();
    return true;
  case 254:
    if (m.value(i[0])->getType() != m.current->getReturnType()) refuse("it is damaged: a result of another type");
    b.CreateRet(m.value(i[0]));
    return true;
  case 252:
  case 255:
    b.CreateUnreachable();
    return true;
  case 0:
  case 8:
  case 317:
  case 5630:
    return true;  // nothing, lines, assumptions
  default:
    return false;
  }
}

void read_instruction(module_reader &m, const instruction &i) {
  // The ends of blocks: nothing may follow them.
  if (m.current && i.operation != 248 && (!m.build.GetInsertBlock() || m.build.GetInsertBlock()->getTerminator()))
    refuse("it is damaged: an instruction outside of a block");
  if (read_control_flow(m, i) || read_memory(m, i) || read_composite(m, i) || read_conversion(m, i) ||
      read_comparison(m, i) || read_arithmetic(m, i) || read_synchronisation(m, i) || read_extended(m, i))
    return;
  refuse(fmt::format("instruction {} is not supported", i.operation));
}

}  // namespace dpep::spirv
