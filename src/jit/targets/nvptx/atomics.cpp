// Lowers atomic read-modify-write operations to PTX. LLVM's NVPTX back end emits them without order and scope, which in
// PTX means relaxed order and device scope. Other operations are emitted here as inline assembly.
#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/CodeGen/AtomicExpandUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "jit/targets/nvptx/intrinsics.hpp"

namespace dpep::jit {
namespace {

constexpr unsigned global_space = 1, shared_space = 3, private_space = 5;

unsigned bits_of(llvm::Type *type, const llvm::AtomicRMWInst &i) {
  return static_cast<unsigned>(i.getModule()->getDataLayout().getTypeSizeInBits(type));
}

/// The suffix of the PTX instruction for the operation; empty if there is none.
std::string operation_of(const llvm::AtomicRMWInst &i, bool has_bfloat_add) {
  using op = llvm::AtomicRMWInst;
  llvm::Type *const type = i.getType();
  if (i.getOperation() == op::FAdd) {
    if (type->isBFloatTy()) return has_bfloat_add ? "add.noftz.bf16" : "";
    return type->isHalfTy() ? "add.noftz.f16" : type->isFloatTy() ? "add.f32" : type->isDoubleTy() ? "add.f64" : "";
  }
  const unsigned bits = bits_of(type, i);
  if (type->isVectorTy() || (bits != 32 && bits != 64)) return "";
  const auto of = [&](const char *name) { return fmt::format("{}{}", name, bits); };
  switch (i.getOperation()) {
  case op::Xchg:
    return of("exch.b");
  case op::And:
    return of("and.b");
  case op::Or:
    return of("or.b");
  case op::Xor:
    return of("xor.b");
  case op::Add:
  case op::Sub:
    return of("add.u");
  case op::Max:
    return of("max.s");
  case op::Min:
    return of("min.s");
  case op::UMax:
    return of("max.u");
  case op::UMin:
    return of("min.u");
  case op::UIncWrap:
    return bits == 32 ? "inc.u32" : "";
  case op::UDecWrap:
    return bits == 32 ? "dec.u32" : "";
  default:
    return "";
  }
}

/// Whether the pointer is loaded from the kernel's arguments on all paths, so that it is global. LLVM infers this
/// later, but not for inline assembly.
bool is_argument(const llvm::Value *pointer) {
  llvm::SmallVector<const llvm::Value *> origins;
  llvm::getUnderlyingObjects(pointer, origins, nullptr, /*MaxLookup=*/0);
  return llvm::all_of(origins, [](const llvm::Value *origin) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(origin);
    const auto *from =
        load ? llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load->getPointerOperand())) : nullptr;
    return from && from->hasByValAttr();
  });
}

bool is_private(const llvm::Value *pointer) {
  return pointer->getType()->getPointerAddressSpace() == private_space ||
         llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}

const char *name_of_scope(const llvm::AtomicRMWInst &i) {
  const llvm::SyncScope::ID scope = i.getSyncScopeID();
  if (scope == llvm::SyncScope::System) return "sys";
  return scope == i.getContext().getOrInsertSyncScopeID("device") ? "gpu" : "cta";
}

const char *name_of(llvm::AtomicOrdering order) {
  switch (order) {
  case llvm::AtomicOrdering::Monotonic:
    return "relaxed";
  case llvm::AtomicOrdering::Release:
    return "release";
  case llvm::AtomicOrdering::AcquireRelease:
    return "acq_rel";
  default:
    return "acquire";  // sequential consistency also has a fence before the operation
  }
}

/// Replaces the operation by inline assembly with its order and scope.
void emit_assembly(llvm::AtomicRMWInst &i, const std::string &operation) {
  llvm::IRBuilder<> build(&i);
  llvm::Value *pointer = i.getPointerOperand(), *operand = i.getValOperand();
  if (pointer->getType()->getPointerAddressSpace() == 0 && is_argument(pointer))
    pointer = build.CreateAddrSpaceCast(pointer, build.getPtrTy(global_space));
  const unsigned bits = bits_of(i.getType(), i), space = pointer->getType()->getPointerAddressSpace();
  llvm::Type *const type = build.getIntNTy(bits);
  if (i.getOperation() == llvm::AtomicRMWInst::Sub) operand = build.CreateNeg(operand);
  operand = build.CreateBitOrPointerCast(operand, type);
  const char *const scope = name_of_scope(i);
  std::string text;
  if (i.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent) text = fmt::format("fence.sc.{};\n\t", scope);
  text += fmt::format("atom.{}.{}{}.{} $0, [$1], $2;", name_of(i.getOrdering()), scope,
                      space == global_space   ? ".global"
                      : space == shared_space ? ".shared"
                                              : "",
                      operation);
  const char in_register = bits == 64 ? 'l' : bits == 32 ? 'r' : 'h';
  auto *const code = llvm::InlineAsm::get(llvm::FunctionType::get(type, {pointer->getType(), type}, false), text,
                                          fmt::format("={0},l,{0},~{{memory}}", in_register), /*hasSideEffects=*/true);
  i.replaceAllUsesWith(build.CreateBitOrPointerCast(build.CreateCall(code, {pointer, operand}), i.getType()));
  i.eraseFromParent();
}

/// Replaces the operation by a loop around a compare-and-exchange, which LLVM emits with order and scope.
void expand_to_cmpxchg(llvm::AtomicRMWInst &i) {
  llvm::expandAtomicRMWToCmpXchg(&i, [](llvm::IRBuilderBase &build, llvm::Value *address, llvm::Value *old,
                                        llvm::Value *next, llvm::Align alignment, llvm::AtomicOrdering order,
                                        llvm::SyncScope::ID scope, llvm::Value *&done, llvm::Value *&found,
                                        llvm::Instruction *) {
    llvm::Type *const type = next->getType();
    llvm::Type *const bits = build.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()));
    llvm::Value *const both =
        build.CreateAtomicCmpXchg(address, build.CreateBitCast(old, bits), build.CreateBitCast(next, bits), alignment,
                                  order, llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope);
    done = build.CreateExtractValue(both, 1);
    found = build.CreateBitCast(build.CreateExtractValue(both, 0), type);
  });
}

}  // namespace

void lower_atomics(llvm::Module &module, bool has_bfloat_add) {
  llvm::SmallVector<llvm::AtomicRMWInst *> found;
  llvm::SmallVector<llvm::Instruction *> fences;
  for (llvm::Function &f : module)
    for (llvm::Instruction &i : llvm::instructions(f)) {
      const auto scope = llvm::getAtomicSyncScopeID(&i);
      if (!scope) continue;
      if (*scope == llvm::SyncScope::SingleThread) {  // not supported by LLVM's NVPTX back end
        if (llvm::isa<llvm::FenceInst>(i))
          fences.push_back(&i);
        else
          llvm::setAtomicSyncScopeID(&i, module.getContext().getOrInsertSyncScopeID("block"));
      }
      if (auto *const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
        if (update->getOrdering() != llvm::AtomicOrdering::Monotonic ||
            update->getSyncScopeID() == llvm::SyncScope::System)
          found.push_back(update);
    }
  for (llvm::Instruction *fence : fences) fence->eraseFromParent();
  for (llvm::AtomicRMWInst *i : found) {
    if (is_private(i->getPointerOperand())) continue;
    if (const std::string operation = operation_of(*i, has_bfloat_add); !operation.empty())
      emit_assembly(*i, operation);
    else
      expand_to_cmpxchg(*i);
  }
}

}  // namespace dpep::jit
