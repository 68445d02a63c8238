// Lowers the intermediate form to LLVM IR. Variables are allocas, which the first passes promote to registers.
#include "pykernel/lower/lower.hpp"

#include <bit>
#include <map>

#include <dpep/exception.hpp>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "jit/compile/llvm_session.hpp"
#include "jit/compile/memory_scopes.hpp"
#include "pykernel/compile.hpp"
#include "pykernel/lower/debug_information.hpp"
#include "pykernel/lower/link_externals.hpp"
#include "pykernel/lower/optimise.hpp"
#include "pykernel/lower/wrapped_indices.hpp"

namespace dpep::pykernel {
namespace {

using enum operation;

llvm::Type *llvm_type(llvm::LLVMContext &context, machine_type t) {
  switch (t) {
  case machine_type::none:
    return llvm::Type::getVoidTy(context);
  case machine_type::i1:
    return llvm::Type::getInt1Ty(context);
  case machine_type::i8:
    return llvm::Type::getInt8Ty(context);
  case machine_type::i16:
    return llvm::Type::getInt16Ty(context);
  case machine_type::i32:
    return llvm::Type::getInt32Ty(context);
  case machine_type::i64:
    return llvm::Type::getInt64Ty(context);
  case machine_type::f16:
    return llvm::Type::getHalfTy(context);
  case machine_type::f32:
    return llvm::Type::getFloatTy(context);
  case machine_type::f64:
    return llvm::Type::getDoubleTy(context);
  case machine_type::pointer:
    break;
  }
  return llvm::PointerType::get(context, 0);
}

class kernel_emitter {
public:
  kernel_emitter(const kernel_ir &c, llvm::Module &module, bool line_tables)
      : ir_(c), module_(module), context_(module.getContext()), b_(context_) {
    function_ = llvm::Function::Create(signature(), llvm::Function::ExternalLinkage, c.name, module);
    function_->setDoesNotThrow();
    if (is_elementwise()) {
      // inlined, since fused loops over elements must not contain calls
      function_->addFnAttr(c.debug ? llvm::Attribute::NoInline : llvm::Attribute::AlwaysInline);
    } else {
      function_->addParamAttr(0, llvm::Attribute::NoAlias);
      function_->addParamAttr(0, llvm::Attribute::ReadOnly);
      if (c.many_iterations) function_->addFnAttr("dpep-single-item");
    }
    entry_ = llvm::BasicBlock::Create(context_, "entry", function_);
    b_.SetInsertPoint(entry_);
    values_.resize(c.instructions.size());
    if (line_tables) debug_.emplace(c, module, *function_);
    variables_.resize(c.variables.size());
    if (debug_ && c.debug)
      for (const debug_variable &v : c.debug_variables) debug_->declare(v, b_, variables_);
    for (std::size_t v = 0; v < c.variables.size(); ++v) {
      const variable_slot &slot = c.variables[v];
      if (!variables_[v].memory) variables_[v].memory = b_.CreateAlloca(type(slot.type), nullptr, slot.name);
    }
    auto *const start = llvm::BasicBlock::Create(context_, "start", function_);
    // A variable that is read before any assignment is zero.
    for (std::size_t v = 0; v < variables_.size(); ++v)
      b_.CreateStore(llvm::Constant::getNullValue(type(c.variables[v].type)), variable_address(v));
    b_.CreateBr(start);
    b_.SetInsertPoint(start);
    emit_block(0);
    if (block_is_open()) emit_return();
    if (debug_) debug_->finish();
  }

private:
  const kernel_ir &ir_;
  llvm::Module &module_;
  llvm::LLVMContext &context_;
  llvm::IRBuilder<> b_;
  llvm::Function *function_;
  llvm::BasicBlock *entry_;
  std::vector<llvm::Value *> values_;
  std::vector<slot_address> variables_;
  std::map<std::int64_t, llvm::BasicBlock *> scope_ends_;
  std::map<std::string, llvm::GlobalVariable *, std::less<>> strings_;
  std::optional<debug_information> debug_;

  bool is_elementwise() const { return !ir_.results.empty(); }
  llvm::Type *type(machine_type t) { return llvm_type(context_, t); }
  llvm::FunctionType *signature() {
    if (!is_elementwise()) return llvm::FunctionType::get(b_.getVoidTy(), {llvm::PointerType::get(context_, 0)}, false);
    llvm::SmallVector<llvm::Type *, 8> parameters;
    for (const machine_type m : ir_.parameters) parameters.push_back(type(m));
    llvm::Type *const part = type(ir_.instructions[ir_.results[0]].type);
    llvm::Type *const result = ir_.results.size() == 1 ? part : llvm::StructType::get(part, part);
    return llvm::FunctionType::get(result, parameters, false);
  }
  void emit_return() {
    if (!is_elementwise()) {
      b_.CreateRetVoid();
      return;
    }
    llvm::SmallVector<llvm::Value *, 2> parts;
    for (const std::uint32_t n : ir_.results) parts.push_back(operand(n));
    if (parts.size() == 1)
      b_.CreateRet(parts[0]);
    else
      b_.CreateAggregateRet(parts.data(), unsigned(parts.size()));
  }
  /// Whether the current block has no terminator yet.
  bool block_is_open() { return !b_.GetInsertBlock()->getTerminator(); }
  llvm::BasicBlock *new_block(const char *name) { return llvm::BasicBlock::Create(context_, name, function_); }

  llvm::Value *constant(const instruction &i) {
    if (i.what == integer) return llvm::ConstantInt::getSigned(type(i.type), i.number, /*ImplicitTrunc=*/true);
    return llvm::ConstantFP::get(type(i.type), std::bit_cast<double>(i.number));
  }
  llvm::Value *operand(std::uint32_t n) {
    const instruction &i = ir_.instructions[n];
    if (i.what == integer || i.what == real) return constant(i);
    return values_[n];
  }

  llvm::Value *variable_address(std::size_t v) {
    const slot_address &slot = variables_[v];
    return slot.offset ? b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), slot.memory, slot.offset) : slot.memory;
  }

  llvm::Constant *string_constant(const std::string &text) {
    llvm::GlobalVariable *&global = strings_[text];
    if (!global) {
      auto *const data = llvm::ConstantDataArray::getString(context_, text);
      global =
          new llvm::GlobalVariable(module_, data->getType(), true, llvm::GlobalValue::PrivateLinkage, data, "text");
      global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
      global->setAlignment(llvm::Align(16));  // the text may be the elements of a constant array
    }
    return global;
  }

  /// Calls a function that the device library, the runtime or an external library defines.
  llvm::Value *emit_library_call(llvm::Type *result, llvm::StringRef name, llvm::ArrayRef<llvm::Value *> arguments) {
    llvm::SmallVector<llvm::Type *, 8> types;
    for (llvm::Value *a : arguments) types.push_back(a->getType());
    const bool variadic = name == "__dpep_printf";
    if (variadic) types.resize(1);
    llvm::FunctionCallee callee = module_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, variadic));
    if (const external_function *external = find_external(name)) return call_external(*external, callee, arguments);
    if (auto *f = llvm::dyn_cast<llvm::Function>(callee.getCallee()); f && !f->isIntrinsic()) {
      f->setDoesNotThrow();
      if (name.starts_with("dpep_")) {
        f->addFnAttr(llvm::Attribute::Convergent);  // group algorithms
      } else if (name.starts_with("__dpep_")) {
        if (name.ends_with("barrier") || name.contains("shuffle")) {
          f->addFnAttr(llvm::Attribute::Convergent);
        } else if (name == "__dpep_independent_iteration") {  // stays although its value is not used
          f->setOnlyAccessesInaccessibleMemory();
          f->setWillReturn();
        } else if (name != "__dpep_printf" && !name.contains("text_of") && !name.starts_with("__dpep_raise") &&
                   !name.starts_with("__dpep_require")) {
          f->setDoesNotAccessMemory();
          f->setWillReturn();
        }
      } else {
        f->setWillReturn();
        const bool through_memory = std::ranges::any_of(types, [](llvm::Type *t) { return t->isPointerTy(); });
        if (!through_memory) f->setDoesNotAccessMemory();
      }
    }
    return b_.CreateCall(callee, arguments);
  }

  const external_function *find_external(std::string_view name) const {
    const auto found = std::ranges::find_if(ir_.externals, [&](const auto &e) { return e->name == name; });
    return found == ir_.externals.end() ? nullptr : found->get();
  }

  /// By the C ABI the caller extends small integers to 32 bits.
  llvm::Value *call_external(const external_function &f, llvm::FunctionCallee callee,
                             llvm::ArrayRef<llvm::Value *> arguments) {
    llvm::CallInst *const call = b_.CreateCall(callee, arguments);
    const auto extension = [](type_properties::kind what, dtype t) {
      if (what != type_properties::kind::scalar || is_real(t) || size_of(t) > 2) return llvm::Attribute::None;
      return t == dtype::boolean || is_unsigned(t) ? llvm::Attribute::ZExt : llvm::Attribute::SExt;
    };
    for (unsigned i = 0; i < f.parameters.size(); ++i)
      if (const auto a = extension(f.parameters[i]->what, f.parameters[i]->element); a != llvm::Attribute::None)
        call->addParamAttr(i, a);
    if (const auto a = extension(f.result->what, f.result->element); a != llvm::Attribute::None) call->addRetAttr(a);
    return call;
  }

  void emit_block(std::uint32_t block) {
    for (const std::uint32_t n : ir_.blocks[block]) {
      if (!block_is_open()) return;  // instructions after a `leave` are unreachable
      const instruction &i = ir_.instructions[n];
      if (debug_) debug_->set_location(b_, i.line, i.site);
      if (i.what >= operation::branch)
        emit_control_flow(i);
      else
        values_[n] = emit_instruction(i);
    }
  }

  void emit_control_flow(const instruction &i) {
    switch (i.what) {
    case operation::branch: {
      llvm::BasicBlock *const yes = new_block("then"), *const join = new_block("join"),
                              *const no = i.c ? new_block("else") : join;
      b_.CreateCondBr(operand(i.a), yes, no);
      const auto side = [&](llvm::BasicBlock *block, std::uint32_t contents) {
        b_.SetInsertPoint(block);
        emit_block(contents);
        if (block_is_open()) b_.CreateBr(join);
      };
      side(yes, i.b);
      if (i.c) side(no, i.c);
      b_.SetInsertPoint(join);
      return;
    }
    case operation::loop: {
      llvm::BasicBlock *const head = new_block("loop"), *const body = new_block("body"), *const end = new_block("end");
      b_.CreateBr(head);
      b_.SetInsertPoint(head);
      emit_block(i.b);
      b_.CreateCondBr(operand(i.a), body, end);
      b_.SetInsertPoint(body);
      emit_block(i.c);
      if (block_is_open()) b_.CreateBr(head);
      b_.SetInsertPoint(end);
      return;
    }
    case operation::scope: {
      llvm::BasicBlock *const end = scope_ends_[i.number] = new_block("behind");
      emit_block(i.b);
      if (block_is_open()) b_.CreateBr(end);
      b_.SetInsertPoint(end);
      return;
    }
    default:
      b_.CreateBr(scope_ends_.at(i.number));
      return;
    }
  }

  llvm::AtomicRMWInst::BinOp atomic_opcode(llvm::StringRef name) {
    using ops = llvm::AtomicRMWInst;
    static const std::map<llvm::StringRef, ops::BinOp> table{
        {"add", ops::Add},   {"sub", ops::Sub},   {"and", ops::And},   {"or", ops::Or},     {"xor", ops::Xor},
        {"min", ops::Min},   {"max", ops::Max},   {"umin", ops::UMin}, {"umax", ops::UMax}, {"fadd", ops::FAdd},
        {"fsub", ops::FSub}, {"fmin", ops::FMin}, {"fmax", ops::FMax}, {"xchg", ops::Xchg}};
    return table.at(name);
  }

  llvm::SyncScope::ID scope_of(const instruction &i) {
    return jit::llvm_scope(b_.getContext(), static_cast<std::uint64_t>(memory_ordering::of(i.number).scope));
  }
  static llvm::AtomicOrdering order_of(const instruction &i) {
    return jit::llvm_order(static_cast<std::uint64_t>(memory_ordering::of(i.number).order));
  }

  llvm::Value *emit_atomic(const instruction &i) {
    using enum llvm::AtomicOrdering;
    const std::string &what = ir_.text_of(i);
    const llvm::AtomicOrdering order = order_of(i);
    if (what == "load") {
      llvm::LoadInst *const load = b_.CreateLoad(type(i.type), operand(i.a));
      load->setAtomic(order == AcquireRelease ? Acquire : order == Release ? Monotonic : order, scope_of(i));
      load->setAlignment(llvm::Align(std::uint64_t(bits_of(i.type) / 8)));
      return load;
    }
    if (what == "store") {
      llvm::StoreInst *const store = b_.CreateStore(operand(i.b), operand(i.a));
      store->setAtomic(order == AcquireRelease ? Release : order == Acquire ? Monotonic : order, scope_of(i));
      store->setAlignment(llvm::Align(operand(i.b)->getType()->getPrimitiveSizeInBits() / 8));
      return store;
    }
    return b_.CreateAtomicRMW(atomic_opcode(what), operand(i.a), operand(i.b), llvm::MaybeAlign(), order, scope_of(i));
  }

  /// By the C ABI a complex float is passed as a vector of two floats, a complex double as two doubles.
  void emit_complex_call(const instruction &i) {
    std::vector<llvm::Value *> list;
    llvm::Type *const part = type(i.type);
    const bool single = i.type == machine_type::f32;
    llvm::Type *const pair =
        single ? static_cast<llvm::Type *>(llvm::FixedVectorType::get(part, 2)) : llvm::StructType::get(part, part);
    for (std::uint32_t k = 0; k < i.count; k += single ? 2 : 1) {
      if (!single) {
        list.push_back(operand(ir_.lists[i.first + k]));
        continue;
      }
      llvm::Value *v = llvm::PoisonValue::get(pair);
      for (std::uint32_t p = 0; p < 2; ++p) v = b_.CreateInsertElement(v, operand(ir_.lists[i.first + k + p]), p);
      list.push_back(v);
    }
    b_.CreateStore(emit_library_call(pair, ir_.text_of(i), list), operand(i.a));
  }

  /// Contraction is always allowed, as by default in C++ (within an expression); other flags are those of `fastmath`.
  static llvm::FastMathFlags fast_math_flags(const instruction &i) {
    llvm::FastMathFlags flags;
    flags.setAllowContract();
    flags.setNoNaNs(i.number & nnan);
    flags.setNoInfs(i.number & ninf);
    flags.setNoSignedZeros(i.number & nsz);
    flags.setAllowReciprocal(i.number & arcp);
    flags.setApproxFunc(i.number & afn);
    flags.setAllowReassoc(i.number & reassoc);
    return flags;
  }
  static bool has_fast_math_flags(const instruction &i) {
    return (i.what >= fadd && i.what <= fneg) || (i.what >= feq && i.what <= operation::select) || i.what == call;
  }

  static std::optional<llvm::Instruction::BinaryOps> binary_opcode(operation what) {
    using op = llvm::Instruction;
    switch (what) {
    case sdiv:
      return op::SDiv;
    case udiv:
      return op::UDiv;
    case srem:
      return op::SRem;
    case urem:
      return op::URem;
    case bit_and:
      return op::And;
    case bit_or:
      return op::Or;
    case bit_xor:
      return op::Xor;
    case shl:
      return op::Shl;
    case lshr:
      return op::LShr;
    case ashr:
      return op::AShr;
    case fadd:
      return op::FAdd;
    case fsub:
      return op::FSub;
    case fmul:
      return op::FMul;
    case fdiv:
      return op::FDiv;
    default:
      return std::nullopt;
    }
  }

  static std::optional<llvm::CmpInst::Predicate> predicate(operation what) {
    using op = llvm::CmpInst;
    switch (what) {
    case eq:
      return op::ICMP_EQ;
    case ne:
      return op::ICMP_NE;
    case slt:
      return op::ICMP_SLT;
    case sle:
      return op::ICMP_SLE;
    case ult:
      return op::ICMP_ULT;
    case ule:
      return op::ICMP_ULE;
    case feq:
      return op::FCMP_OEQ;
    case fne:
      return op::FCMP_UNE;
    case flt:
      return op::FCMP_OLT;
    case fle:
      return op::FCMP_OLE;
    default:
      return std::nullopt;
    }
  }

  static std::optional<llvm::Instruction::CastOps> cast_opcode(operation what) {
    using op = llvm::Instruction;
    switch (what) {
    case trunc:
      return op::Trunc;
    case zext:
      return op::ZExt;
    case sext:
      return op::SExt;
    case fptosi:
      return op::FPToSI;
    case fptoui:
      return op::FPToUI;
    case sitofp:
      return op::SIToFP;
    case uitofp:
      return op::UIToFP;
    default:
      return std::nullopt;
    }
  }

  llvm::Value *emit_instruction(const instruction &i) {
    if (has_fast_math_flags(i)) b_.setFastMathFlags(fast_math_flags(i));
    if (const auto opcode = binary_opcode(i.what)) return b_.CreateBinOp(*opcode, operand(i.a), operand(i.b));
    if (const auto p = predicate(i.what)) return b_.CreateCmp(*p, operand(i.a), operand(i.b));
    if (const auto opcode = cast_opcode(i.what)) return b_.CreateCast(*opcode, operand(i.a), type(i.type));
    switch (i.what) {
    case integer:
    case real:
      return nullptr;  // constants are created where they are used
    case argument:
      return emit_argument(i);
    case get:
      return b_.CreateLoad(type(i.type), variable_address(std::size_t(i.number)));
    case set:
      return b_.CreateStore(operand(i.a), variable_address(std::size_t(i.number)));
    case private_memory:
      return emit_private_memory(i);
    case add:
      return b_.CreateAdd(operand(i.a), operand(i.b), "", false, i.flag);
    case sub:
      return b_.CreateSub(operand(i.a), operand(i.b), "", false, i.flag);
    case mul:
      return b_.CreateMul(operand(i.a), operand(i.b), "", false, i.flag);
    case frem:
      return emit_remainder(i);
    case fneg:
      return b_.CreateFNeg(operand(i.a));
    case operation::select:
      return b_.CreateSelect(operand(i.a), operand(i.b), operand(i.c));
    case fpcast:
      return b_.CreateFPCast(operand(i.a), type(i.type));
    case bits:
      return b_.CreateBitOrPointerCast(operand(i.a), type(i.type));
    case operation::wrap:
      return emit_wrap(i);
    case operation::offset:
      return b_.CreateInBoundsGEP(type_of_size(i.number), operand(i.a), operand(i.b));
    case operation::load: {
      llvm::LoadInst *const load =
          b_.CreateAlignedLoad(type(i.type), operand(i.a), llvm::Align(std::uint64_t(bits_of(i.type) / 8)));
      if (i.flag) load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
      return load;
    }
    case operation::store:
      return b_.CreateAlignedStore(operand(i.b), operand(i.a),
                                   llvm::Align(operand(i.b)->getType()->getPrimitiveSizeInBits() / 8));
    case string:
      return string_constant(ir_.text_of(i));
    case call:
      return emit_call(i);
    case operation::complex_call:
      emit_complex_call(i);
      return nullptr;
    case operation::atomic:
      return emit_atomic(i);
    case operation::compare_exchange:
      return emit_compare_exchange(i);
    case operation::fence:
      return b_.CreateFence(order_of(i), scope_of(i));
    case fail:
    case fail_with:
      return emit_failure(i);
    default:
      return nullptr;
    }
  }

  llvm::Value *emit_argument(const instruction &i) {
    if (is_elementwise()) return function_->getArg(unsigned(i.number / 8));
    llvm::Value *const address =
        b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), function_->getArg(0), std::uint64_t(i.number));
    llvm::LoadInst *const load = b_.CreateAlignedLoad(type(i.type), address, llvm::Align(8));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
    llvm::MDBuilder metadata(context_);
    if (i.c && i.type == machine_type::pointer)
      load->setMetadata(llvm::LLVMContext::MD_align,
                        llvm::MDNode::get(context_, metadata.createConstant(b_.getInt64(std::uint64_t(1) << i.c))));
    else if (i.c)
      load->setMetadata(llvm::LLVMContext::MD_range,
                        metadata.createRange(llvm::APInt(64, 0), llvm::APInt(64, 1).shl(i.c)));
    return load;
  }

  llvm::Value *emit_private_memory(const instruction &i) {
    llvm::IRBuilder<> first(entry_, entry_->getFirstInsertionPt());
    // An array of its elements' type, so that the work-group passes can interleave the work-items' arrays.
    const auto element = static_cast<machine_type>(i.c);
    auto *const array = llvm::ArrayType::get(type(element), std::uint64_t(i.number));
    llvm::AllocaInst *const memory = first.CreateAlloca(array);
    const auto size = std::uint64_t(bits_of(element) / 8);
    memory->setAlignment(llvm::Align(size));
    if (i.flag) b_.CreateMemSet(memory, b_.getInt8(0), std::uint64_t(i.number) * size, llvm::Align(size));
    return memory;
  }

  /// Calls the device library's fmod, which can be vectorised.
  llvm::Value *emit_remainder(const instruction &i) {
    if (i.type == machine_type::f64) return emit_library_call(type(i.type), "fmod", {operand(i.a), operand(i.b)});
    llvm::Type *const single = type(machine_type::f32);
    llvm::Value *const result = emit_library_call(
        single, "fmodf", {b_.CreateFPCast(operand(i.a), single), b_.CreateFPCast(operand(i.b), single)});
    return b_.CreateFPCast(result, type(i.type));
  }

  llvm::Value *emit_wrap(const instruction &i) {
    if (ir_.debug)  // no pass replaces the placeholder
      return b_.CreateSelect(operand(i.c), b_.CreateAdd(operand(i.a), operand(i.b)), operand(i.a));
    auto *const call = llvm::cast<llvm::CallInst>(
        emit_library_call(type(i.type), wrapped_index_name(i.type), {operand(i.a), operand(i.b), operand(i.c)}));
    call->getCalledFunction()->addFnAttr(llvm::Attribute::Speculatable);
    return call;
  }

  llvm::Type *type_of_size(std::int64_t bytes) {
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) return b_.getIntNTy(unsigned(bytes) * 8);
    return llvm::ArrayType::get(b_.getInt8Ty(), std::uint64_t(bytes));
  }

  llvm::Value *emit_call(const instruction &i) {
    std::vector<llvm::Value *> list;
    for (std::uint32_t k = 0; k < i.count; ++k) list.push_back(operand(ir_.lists[i.first + k]));
    const std::string &name = ir_.text_of(i);
    if (name == "__dpep_static_local_memory") {
      // The last argument identifies the local array; it becomes the address of a global variable.
      const std::string key = "local" + std::to_string(llvm::cast<llvm::ConstantInt>(list[2])->getSExtValue());
      llvm::GlobalVariable *global = module_.getGlobalVariable(key, true);
      if (!global)
        global = new llvm::GlobalVariable(module_, b_.getInt8Ty(), true, llvm::GlobalValue::InternalLinkage,
                                          b_.getInt8(0), key);
      list[2] = global;
    }
    return emit_library_call(type(i.type), name, list);
  }

  llvm::Value *emit_compare_exchange(const instruction &i) {
    llvm::Type *const bits_type = b_.getIntNTy(unsigned(bits_of(i.type)));
    const llvm::AtomicOrdering order = order_of(i);
    llvm::Value *const result =
        b_.CreateAtomicCmpXchg(operand(i.a), b_.CreateBitOrPointerCast(operand(i.b), bits_type),
                               b_.CreateBitOrPointerCast(operand(i.c), bits_type), llvm::MaybeAlign(), order,
                               llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope_of(i));
    return b_.CreateBitOrPointerCast(b_.CreateExtractValue(result, 0), type(i.type));
  }

  llvm::Value *emit_failure(const instruction &i) {
    const bool has_numbers = i.what == fail_with;
    std::vector<llvm::Value *> list{string_constant(ir_.texts[i.text])};
    if (has_numbers) list.insert(list.end(), {operand(i.a), operand(i.b)});
    list.push_back(string_constant(ir_.texts[i.text + 1]));
    list.push_back(b_.getInt32(static_cast<std::uint32_t>(i.number)));
    list.push_back(string_constant(ir_.texts[i.text + 2]));
    auto *const call = llvm::cast<llvm::CallInst>(
        emit_library_call(b_.getVoidTy(), has_numbers ? "__dpep_raise_with" : "__dpep_raise", list));
    call->setDoesNotReturn();
    call->getCalledFunction()->setDoesNotReturn();
    return b_.CreateUnreachable();
  }
};

}  // namespace

std::unique_ptr<llvm::Module> lower(const kernel_ir &c, llvm::LLVMContext &context, bool line_tables) {
  auto module = std::make_unique<llvm::Module>(c.name, context);
  // The layout and triple of all stored bitcode, which the passes below need.
  module->setDataLayout("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128");
  module->setTargetTriple(llvm::Triple("x86_64-unknown-linux-gnu"));
  kernel_emitter(c, *module, line_tables);
  if (!c.debug) optimise(*module->getFunction(c.name));
  return module;
}

std::string llvm_ir_text(const kernel_ir &c) {
  llvm::LLVMContext context;
  std::string text;
  llvm::raw_string_ostream stream(text);
  lower(c, context, c.debug)->print(stream, nullptr);
  return text;
}

namespace {

std::vector<unsigned char> bitcode_of(const llvm::Module &module) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return {bytes.begin(), bytes.end()};
}

/// Lowers a kernel, and links the functions of other languages that it calls.
std::unique_ptr<llvm::Module> lower_with_externals(jit::llvm_session &session, const kernel_ir &c, bool line_tables) {
  std::unique_ptr<llvm::Module> module = lower(c, session.context(), line_tables);
  if (c.externals.empty()) return module;
  try {
    session.guard([&] { link_externals(session, c, *module); });
  } catch (const exception &) {
    if (session.abandoned()) (void)module.release();
    throw;
  }
  return module;
}

}  // namespace

std::vector<unsigned char> lower(const kernel_ir &c, bool line_tables) {
  jit::llvm_session session(c.name);
  return bitcode_of(*lower_with_externals(session, c, line_tables));
}

std::vector<unsigned char> define_in(std::span<const unsigned char> bytes, const kernel_ir &c, bool line_tables) {
  jit::llvm_session session(c.name);
  const llvm::StringRef data(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  llvm::SMDiagnostic diagnostic;
  // The parser needs a null-terminated buffer, so it gets a copy.
  const auto copy = llvm::MemoryBuffer::getMemBufferCopy(data, c.name);
  const std::unique_ptr<llvm::Module> module = llvm::parseIR(copy->getMemBufferRef(), diagnostic, session.context());
  if (!module) throw exception(errc::build, c.name + ": " + diagnostic.getMessage().str());
  std::unique_ptr<llvm::Module> definition = lower_with_externals(session, c, line_tables);
  module->setDataLayout(definition->getDataLayout());
  module->setTargetTriple(definition->getTargetTriple());
  if (llvm::Linker::linkModules(*module, std::move(definition)))
    throw exception(errc::build, c.name + ": the types of the definition do not match those of the call");
  return bitcode_of(*module);
}

}  // namespace dpep::pykernel
