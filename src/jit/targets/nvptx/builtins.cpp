// Work-item ids from special registers, barriers, shuffles, local memory, printing.
#include "jit/targets/nvptx/builtins.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/compile/builtins.hpp"
#include "jit/spmd/loops.hpp"
#include "jit/targets/nvptx/intrinsics.hpp"

namespace dpep::jit::nvptx_builtins {
namespace {

constexpr unsigned warp = 32;
constexpr unsigned shared_space = 3;

class lowering {
public:
  lowering(llvm::Function &entry, const specialisation &shape)
      : entry_(entry),
        module_(*entry.getParent()),
        shape_(shape),
        build_(entry.getContext()),
        index_(shape.narrow ? build_.getInt32Ty() : build_.getInt64Ty()) {
    for (int d = 0; d < 3; ++d) local_size_[d] = shape.grouped && d < shape.dimensions ? shape.local[d] : 1;
    group_size_ = local_size_[0] * local_size_[1] * local_size_[2];
  }

  needs run() {
    llvm::BasicBlock *const body = &entry_.getEntryBlock();
    start_ = llvm::BasicBlock::Create(entry_.getContext(), "start", &entry_, body);
    // variables of the body stay in the entry block, where they cost nothing
    for (llvm::Instruction &i : llvm::make_early_inc_range(*body))
      if (auto *const variable = llvm::dyn_cast<llvm::AllocaInst>(&i); variable && variable->isStaticAlloca())
        variable->moveBefore(*start_, start_->end());
    build_.SetInsertPoint(start_);
    find_failure_place();
    if (shape_.grouped)
      values_ = constants_ = build_.CreateBr(body);
    else
      loop_over_items(body);
    // dynamic local memory lies behind the rest, whose size is only known when all of it was seen
    llvm::SmallVector<llvm::CallInst *> calls, dynamic;
    for (llvm::Instruction &i : llvm::instructions(entry_))
      if (const builtin which = builtin_of(i); which != builtin::none)
        (which == builtin::local_memory ? dynamic : calls).push_back(llvm::cast<llvm::CallInst>(&i));
    calls.append(dynamic);
    for (llvm::CallInst *call : calls) {
      build_.SetInsertPoint(call);
      if (llvm::Value *const value = replacement(builtin_of(*call), *call)) call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
    name_failing_items();
    return needs_;
  }

private:
  /// Failures in the kernel itself name their work-item. What stays a function of its own, as it calls itself or has
  /// its address taken, does not know it.
  void name_failing_items() {
    llvm::Function *const f = module_.getFunction("__dpep_failing_item");
    if (!f) return;
    for (llvm::User *user : llvm::make_early_inc_range(f->users())) {
      auto *const call = llvm::cast<llvm::CallInst>(user);
      build_.SetInsertPoint(call);
      call->replaceAllUsesWith(call->getFunction() == &entry_ ? of_dimension(*call, [&](int d) { return global_id(d); })
                                                              : llvm::ConstantInt::getAllOnesValue(call->getType()));
      call->eraseFromParent();
    }
  }

  /// Where failures are written is a word of the launch, which functions that stay by themselves find in local memory.
  void find_failure_place() {
    llvm::Function *const f = module_.getFunction("__dpep_failure_place");
    if (!f) return;
    llvm::Value *const word =
        build_.CreateConstInBoundsGEP1_64(build_.getInt64Ty(), entry_.getArg(1), failure_place_word);
    std::optional<std::size_t> at;  // in local memory
    for (llvm::User *user : llvm::make_early_inc_range(f->users())) {
      auto *const call = llvm::cast<llvm::CallInst>(user);
      const llvm::IRBuilder<>::InsertPointGuard guard(build_);
      if (call->getFunction() != &entry_ && !at) {
        at = scratch_reserved();
        needs_.static_local_bytes = sizeof(std::uint64_t);
        build_.CreateStore(build_.CreateLoad(build_.getPtrTy(), word), shared(*at));  // every work-item the same
      }
      build_.SetInsertPoint(call);
      llvm::Value *const from = call->getFunction() == &entry_ ? word : shared(*at);
      call->replaceAllUsesWith(build_.CreateLoad(build_.getPtrTy(), from));
      call->eraseFromParent();
    }
  }

  // -- Values that the whole kernel has alike are computed at its start, where each is wanted for the first time.

  template <class Make> llvm::Value *at_start(llvm::Value *&kept, Make make, bool of_launch = false) {
    if (kept) return kept;
    const llvm::IRBuilder<>::InsertPointGuard guard(build_);
    if (llvm::Instruction *const place = of_launch ? constants_ : values_) build_.SetInsertPoint(place);
    return kept = make();
  }

  llvm::Value *read(llvm::Intrinsic::ID which, std::uint64_t below) {
    llvm::CallInst *const value = build_.CreateIntrinsic(which, llvm::ArrayRef<llvm::Value *>());
    value->addRetAttr(llvm::Attribute::get(module_.getContext(), llvm::Attribute::Range,
                                           llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, below))));
    return build_.CreateZExt(value, index_, "", /*IsNonNeg=*/true);
  }
  static llvm::Intrinsic::ID of(int d, llvm::Intrinsic::ID x, llvm::Intrinsic::ID y, llvm::Intrinsic::ID z) {
    return d == 0 ? x : d == 1 ? y : z;
  }
  llvm::Value *launch_size(int which) {
    return at_start(
        launch_[which],
        [&] {
          llvm::Value *const place = build_.CreateConstInBoundsGEP1_64(build_.getInt64Ty(), entry_.getArg(1), which);
          llvm::LoadInst *const load = build_.CreateAlignedLoad(index_, place, llvm::Align(8));  // or its lower half
          load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(build_.getContext(), {}));
          if (shape_.narrow)
            load->setMetadata(
                llvm::LLVMContext::MD_range,
                llvm::MDBuilder(build_.getContext()).createRange(llvm::APInt(32, 0), llvm::APInt(32, 0x7fffffff)));
          return load;
        },
        true);
  }

  /// Of a launch without work-groups, which is counted linearly: a thread takes several work-items, so that more memory
  /// is on its way at once, at distances of its block's length.
  void loop_over_items(llvm::BasicBlock *body) {
    using namespace llvm;
    const bool simple = is_streaming();
    SmallVector<BasicBlock *> ends;
    for (BasicBlock &block : entry_)
      if (isa_and_nonnull<ReturnInst>(block.getTerminator())) ends.push_back(&block);
    Value *const length = read(Intrinsic::nvvm_read_ptx_sreg_ntid_x, 1025);
    Value *const each = launch_size(6);
    Value *const tile = build_.CreateMul(read(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, 0x7fffffff),
                                         build_.CreateMul(length, each, "", true, true), "", true, true);
    Value *const first = build_.CreateAdd(tile, read(Intrinsic::nvvm_read_ptx_sreg_tid_x, 1024), "first", true, true);
    Value *total = launch_size(0);
    for (int d = 1; d < shape_.dimensions; ++d) total = build_.CreateNUWMul(total, launch_size(d));
    Value *count = index(0);
    for (unsigned k = 0; k < most_items_each; ++k) {
      Value *const item = build_.CreateAdd(first, build_.CreateMul(length, index(k), "", true, true));
      Value *const is = build_.CreateAnd(build_.CreateICmpULT(index(k), each), build_.CreateICmpULT(item, total));
      count = build_.CreateAdd(count, build_.CreateZExt(is, index_), "count", true, true);
    }
    auto *const outside = BasicBlock::Create(entry_.getContext(), "outside", &entry_);
    auto *const some = BasicBlock::Create(entry_.getContext(), "some", &entry_, body);
    constants_ = build_.CreateCondBr(build_.CreateICmpNE(count, index(0)), some, outside);
    ReturnInst::Create(entry_.getContext(), outside);
    build_.SetInsertPoint(some);
    const spmd::counting_loop items = spmd::open_loop(build_, index(0), count, "item");
    linear_ = build_.CreateAdd(first, build_.CreateMul(items.index, length, "", true, true), "linear", true, true);
    values_ = build_.CreateBr(body);
    for (BasicBlock *block : ends) {
      block->getTerminator()->eraseFromParent();
      BranchInst::Create(items.latch, block);
    }
    BranchInst::Create(outside, items.done);
    if (simple)
      interleave(items);
    else
      items.index->setMetadata(work_items_mark, llvm::MDNode::get(entry_.getContext(), {}));
  }

  /// Short code that computes and moves data, and nothing else.
  bool is_streaming() const {
    unsigned instructions = 0;
    for (const llvm::Instruction &i : llvm::instructions(entry_)) {
      if (++instructions > 100 || llvm::isa<llvm::AllocaInst>(i) || i.isAtomic() || i.isVolatile()) return false;
      const auto *const call = llvm::dyn_cast<llvm::CallBase>(&i);
      if (!call || llvm::isa<llvm::IntrinsicInst>(call)) continue;
      switch (builtin_of(i)) {
      case builtin::global_id:
      case builtin::global_size:
      case builtin::global_offset:
      case builtin::group_id:
      case builtin::group_count:
        continue;
      default:
        return false;
      }
    }
    return true;
  }

  /// Work-items are independent, so all their loads may come before all their stores: LLVM's loop vectoriser does that
  /// when it is told to "vectorise" by one element and interleave.
  void interleave(const spmd::counting_loop &items) {
    llvm::LLVMContext &context = entry_.getContext();
    llvm::MDNode *const group = llvm::MDNode::getDistinct(context, {});
    for (llvm::Instruction &i : llvm::instructions(entry_))
      if (i.getParent() != start_) spmd::put_in_access_group(i, group, false);
    const auto property = [&](const char *name, llvm::Metadata *value) {
      llvm::SmallVector<llvm::Metadata *> words{llvm::MDString::get(context, name)};
      if (value) words.push_back(value);
      return llvm::MDNode::get(context, words);
    };
    const auto number = [&](unsigned n) {
      return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), n));
    };
    llvm::MDNode *const id = llvm::MDNode::getDistinct(
        context,
        {nullptr, property("llvm.loop.mustprogress", nullptr), property("llvm.loop.unroll.disable", nullptr),
         property("llvm.loop.parallel_accesses", group),
         property("llvm.loop.vectorize.enable", llvm::ConstantAsMetadata::get(llvm::ConstantInt::getTrue(context))),
         property("llvm.loop.vectorize.width", number(1)),
         property("llvm.loop.interleave.count", number(most_items_each))});
    id->replaceOperandWith(0, id);
    items.latch->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, id);
  }

  llvm::Value *coordinate(int d) {
    if (d >= shape_.dimensions) return index(0);
    if (shape_.dimensions == 1) return linear_;
    return at_start(coordinate_[d], [&]() -> llvm::Value * {
      llvm::Value *before = launch_size(0);
      if (d == 0) return build_.CreateURem(linear_, before);
      if (d == 2) before = build_.CreateNUWMul(before, launch_size(1));
      llvm::Value *const rows = build_.CreateUDiv(linear_, before);
      return d + 1 == shape_.dimensions ? rows : build_.CreateURem(rows, launch_size(d));
    });
  }

  llvm::Value *local_id(int d) {
    if (local_size_[d] == 1) return index(0);
    using namespace llvm;
    return at_start(local_id_[d], [&] {
      return read(of(d, Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                     Intrinsic::nvvm_read_ptx_sreg_tid_z),
                  local_size_[d]);
    });
  }
  llvm::Value *group_id(int d) {
    if (!shape_.grouped) return coordinate(d);
    if (d >= shape_.dimensions) return index(0);
    using namespace llvm;
    return at_start(group_id_[d], [&] {
      if (shape_.tall) return linear_group(d);
      return read(of(d, Intrinsic::nvvm_read_ptx_sreg_ctaid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                     Intrinsic::nvvm_read_ptx_sreg_ctaid_z),
                  d == 0 ? 0x7fffffff : 65535);
    });
  }
  llvm::Value *group_count(int d) {
    if (d >= shape_.dimensions) return index(1);
    if (!shape_.grouped) return launch_size(d);
    using namespace llvm;
    return at_start(group_count_[d], [&]() -> Value * {
      if (shape_.tall) return build_.CreateUDiv(launch_size(d), index(local_size_[d]), "", /*isExact=*/true);
      return read(of(d, Intrinsic::nvvm_read_ptx_sreg_nctaid_x, Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                     Intrinsic::nvvm_read_ptx_sreg_nctaid_z),
                  d == 0 ? 0x80000000 : 65536);
    });
  }
  /// Where all work-groups lie in the grid's first dimension.
  llvm::Value *linear_group(int d) {
    llvm::Value *rest = read(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x, 0x7fffffff);
    for (int below = 0; below < d; ++below) rest = build_.CreateUDiv(rest, group_count(below));
    return d + 1 == shape_.dimensions ? rest : build_.CreateURem(rest, group_count(d));
  }
  llvm::Value *global_size(int d) { return d < shape_.dimensions ? launch_size(d) : index(1); }
  llvm::Value *offset(int d) { return d < shape_.dimensions ? launch_size(3 + d) : index(0); }
  llvm::Value *global_id(int d) {
    if (d >= shape_.dimensions) return index(0);
    return at_start(global_id_[d], [&] {
      llvm::Value *const first = build_.CreateMul(group_id(d), index(local_size_[d]), "", true, true);
      llvm::Value *const here = build_.CreateAdd(first, local_id(d), "", true, true);
      return build_.CreateAdd(here, offset(d), "", true, true);
    });
  }

  llvm::Value *index(std::uint64_t n) { return llvm::ConstantInt::get(index_, n); }

  // -- Sub-groups are warps; of a launch without work-groups, single work-items as on every device.

  llvm::Value *number(unsigned n) { return build_.getInt32(n); }
  llvm::Value *linear_id() {
    llvm::Value *const row = build_.CreateNUWAdd(build_.CreateNUWMul(local_id(2), index(local_size_[1])), local_id(1));
    llvm::Value *const id = build_.CreateNUWAdd(build_.CreateNUWMul(row, index(local_size_[0])), local_id(0));
    return build_.CreateZExtOrTrunc(id, build_.getInt32Ty());
  }
  llvm::Value *sub_group_id() {
    return at_start(sub_group_id_, [&]() -> llvm::Value * {
      return group_size_ <= warp ? number(0) : build_.CreateLShr(linear_id(), number(5));
    });
  }
  llvm::Value *lane() {
    if (group_size_ == 1) return number(0);
    return at_start(lane_, [&] { return build_.CreateAnd(linear_id(), number(warp - 1)); });
  }
  /// Of the last sub-group one value, of the others another.
  llvm::Value *by_sub_group(unsigned full, unsigned last) {
    const std::size_t whole = group_size_ / warp;
    if (group_size_ % warp == 0) return number(full);
    if (whole == 0) return number(last);
    return build_.CreateSelect(build_.CreateICmpEQ(sub_group_id(), number(unsigned(whole))), number(last),
                               number(full));
  }
  llvm::Value *sub_group_size() { return by_sub_group(warp, unsigned(group_size_ % warp)); }
  llvm::Value *sub_group_mask() { return by_sub_group(~0U, (1U << (group_size_ % warp)) - 1); }

  /// Whom a work-item gets a value from, as a warp's instructions say it: a lane, or the distance to it, which costs
  /// neither an addition nor a register. Where the condition is false, it keeps its own.
  struct partner {
    llvm::Intrinsic::ID how;
    llvm::Value *which;
    unsigned bound;
    llvm::Value *condition = nullptr;
  };
  bool is_lane(const llvm::Value *x) const {
    const auto *const call = llvm::dyn_cast<llvm::CallInst>(x);
    return (lane_ && x == lane_) || (call && builtin_of(*call) == builtin::sub_group_local_id);
  }
  partner partner_at(llvm::Value *from) {
    using namespace llvm;
    using namespace llvm::PatternMatch;
    Value *condition = nullptr, *here = nullptr, *there = nullptr, *mask = nullptr;
    if (match(from, m_Select(m_Value(condition), m_Value(there), m_Value(here))) && is_lane(here)) {
      partner with = partner_at(there);
      with.condition = condition;
      if (with.how != Intrinsic::nvvm_shfl_sync_idx_i32) return with;
    }
    const APInt *distance = nullptr;
    if (match(from, m_Add(m_Value(here), m_APInt(distance))) && is_lane(here) && distance->abs().ult(warp))
      return distance->isNegative()
                 ? partner{Intrinsic::nvvm_shfl_sync_up_i32, number(unsigned(-distance->getSExtValue())), 0}
                 : partner{Intrinsic::nvvm_shfl_sync_down_i32, number(unsigned(distance->getZExtValue())), warp - 1};
    if (match(from, m_Sub(m_Value(here), m_APInt(distance))) && is_lane(here) && distance->ult(warp))
      return {Intrinsic::nvvm_shfl_sync_up_i32, number(unsigned(distance->getZExtValue())), 0};
    if (match(from, m_c_Xor(m_Value(here), m_Value(mask))) && is_lane(here))
      return {Intrinsic::nvvm_shfl_sync_bfly_i32, mask, warp - 1};
    return {Intrinsic::nvvm_shfl_sync_idx_i32, from, warp - 1};
  }
  llvm::Value *shuffle(llvm::CallInst &call) {
    llvm::Value *const x = call.getArgOperand(0), *const from = call.getArgOperand(1);
    if (group_size_ == 1) return x;
    const partner with = partner_at(from);
    const auto one = [&](llvm::Value *bits) -> llvm::Value * {
      llvm::Value *const taken =
          build_.CreateIntrinsic(with.how, {}, {sub_group_mask(), bits, with.which, number(with.bound)});
      return with.condition ? build_.CreateSelect(with.condition, taken, bits) : taken;
    };
    if (x->getType()->isIntegerTy(32)) return one(x);
    auto *const pair = llvm::FixedVectorType::get(build_.getInt32Ty(), 2);
    llvm::Value *const halves = build_.CreateBitCast(x, pair);
    llvm::Value *moved = llvm::PoisonValue::get(pair);
    for (unsigned i = 0; i < 2; ++i)
      moved = build_.CreateInsertElement(moved, one(build_.CreateExtractElement(halves, i)), i);
    return build_.CreateBitCast(moved, x->getType());
  }

  // -- Local memory

  llvm::Value *shared(std::size_t offset) {
    llvm::GlobalVariable *block = module_.getNamedGlobal("dpep_local");
    if (!block) {
      block = new llvm::GlobalVariable(module_, llvm::ArrayType::get(build_.getInt8Ty(), 0), false,
                                       llvm::GlobalValue::ExternalLinkage, nullptr, "dpep_local", nullptr,
                                       llvm::GlobalValue::NotThreadLocal, shared_space);
      block->setAlignment(llvm::Align(64));
    }
    llvm::Value *const place = build_.CreateConstInBoundsGEP1_64(build_.getInt8Ty(), block, offset);
    return build_.CreateAddrSpaceCast(place, build_.getPtrTy());
  }
  /// Work-items of a launch without work-groups are groups of one: their local memory is private.
  llvm::Value *private_block(llvm::Value *&kept, std::size_t bytes) {
    const llvm::IRBuilder<>::InsertPointGuard guard(build_);
    build_.SetInsertPoint(start_, start_->begin());
    llvm::AllocaInst *const block = build_.CreateAlloca(llvm::ArrayType::get(build_.getInt8Ty(), bytes));
    block->setAlignment(llvm::Align(64));
    return kept = block;
  }
  llvm::Value *static_local(llvm::CallInst &call) {
    const std::size_t bytes = constant(call, 0, "a size"), alignment = constant(call, 1, "an alignment");
    auto *const key = llvm::dyn_cast<llvm::Constant>(call.getArgOperand(2));
    if (!key) refuse(call, "a key");
    auto [place, isnew] = declared_.try_emplace(key->stripPointerCasts());
    if (!shape_.grouped) return isnew ? private_block(place->second.second, bytes) : place->second.second;
    if (isnew) {
      const std::size_t at = llvm::alignTo(needs_.static_local_bytes, llvm::Align(std::max<std::size_t>(alignment, 1)));
      place->second.first = at;
      needs_.static_local_bytes = at + bytes;
    }
    return shared(place->second.first + scratch_reserved());
  }
  /// Scratch is first in the block, since its size is found here beforehand.
  std::size_t scratch_reserved() {
    if (scratch_known_) return needs_.scratch_bytes;
    scratch_known_ = true;
    std::size_t each = 0;
    for (llvm::Instruction &i : llvm::instructions(entry_))
      if (builtin_of(i) == builtin::group_scratch)
        each = std::max(each, constant(llvm::cast<llvm::CallInst>(i), 0, "a size"));
    scratch_each_ = each;
    return needs_.scratch_bytes = llvm::alignTo(each * group_size_, 64);
  }
  llvm::Value *scratch() {
    scratch_reserved();
    if (shape_.grouped) return shared(0);
    return private_scratch_ ? private_scratch_ : private_block(private_scratch_, scratch_each_);
  }
  llvm::Value *dynamic_local() {
    if (!shape_.grouped) return llvm::ConstantPointerNull::get(build_.getPtrTy());  // a launch without has none
    scratch_reserved();
    needs_.static_local_bytes = llvm::alignTo(needs_.static_local_bytes, 64);
    return shared(needs_.scratch_bytes + needs_.static_local_bytes);
  }

  // -- All of them

  llvm::Value *replacement(builtin which, llvm::CallInst &call) {
    switch (which) {
    case builtin::global_id:
      return of_dimension(call, [&](int d) { return global_id(d); });
    case builtin::global_size:
      return of_dimension(call, [&](int d) { return global_size(d); });
    case builtin::global_offset:
      return of_dimension(call, [&](int d) { return offset(d); });
    case builtin::local_id:
      return of_dimension(call, [&](int d) { return local_id(d); });
    case builtin::local_size:
      return of_dimension(call, [&](int d) -> llvm::Value * { return index(local_size_[d]); });
    case builtin::group_id:
      return of_dimension(call, [&](int d) { return group_id(d); });
    case builtin::group_count:
      return of_dimension(call, [&](int d) { return group_count(d); });
    case builtin::sub_group_id:
      return sub_group_id();
    case builtin::sub_group_count:
      return number(unsigned((group_size_ + warp - 1) / warp));
    case builtin::sub_group_local_id:
      return lane();
    case builtin::sub_group_size:
      return sub_group_size();
    case builtin::sub_group_max_size:
      return number(group_size_ == 1 ? 1 : warp);
    case builtin::sub_group_shuffle:
      return shuffle(call);
    case builtin::local_memory:
      return dynamic_local();
    case builtin::static_local_memory:
      return static_local(call);
    case builtin::group_scratch:
      return scratch();
    case builtin::sized_memory:
      return call.getArgOperand(0);
    case builtin::group_barrier:
      if (group_size_ == 1) return nullptr;
      needs_.has_barriers = true;
      build_.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all, {}, {number(0)});
      return nullptr;
    case builtin::sub_group_barrier:
      if (group_size_ > 1) build_.CreateIntrinsic(llvm::Intrinsic::nvvm_bar_warp_sync, {}, {sub_group_mask()});
      return nullptr;
    case builtin::none:
      return nullptr;
    }
    return nullptr;
  }

  // The dimension is a constant as good as always: SYCL's are template arguments.
  template <class F> llvm::Value *of_dimension(llvm::CallInst &call, F value) {
    llvm::Value *const which = call.getArgOperand(0);
    if (auto *const constant = llvm::dyn_cast<llvm::ConstantInt>(which))
      return widened(value(static_cast<int>(std::min<std::uint64_t>(constant->getZExtValue(), 2))));
    llvm::Value *result = value(2);
    for (const int d : {1, 0})
      result = build_.CreateSelect(build_.CreateICmpEQ(which, llvm::ConstantInt::get(which->getType(), d)), value(d),
                                   result);
    return widened(result);
  }
  llvm::Value *widened(llvm::Value *x) { return build_.CreateZExt(x, build_.getInt64Ty(), "", /*IsNonNeg=*/true); }

  std::size_t constant(llvm::CallInst &call, unsigned operand, const char *what) {
    auto *const value = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(operand));
    if (!value) refuse(call, what);
    return value->getZExtValue();
  }
  [[noreturn]] void refuse(llvm::CallInst &call, const char *what) {
    throw exception(errc::build, call.getCalledFunction()->getName().str() + " wants " + what +
                                     " that is known when compiling, and got one that is computed");
  }

  llvm::Function &entry_;
  llvm::Module &module_;
  const specialisation &shape_;
  llvm::IRBuilder<> build_;
  llvm::IntegerType *const index_;  // of ids and sizes, until the kernel gets them
  std::array<std::size_t, 3> local_size_{};
  std::size_t group_size_ = 1;
  needs needs_;
  llvm::BasicBlock *start_ = nullptr;
  // what is the same for the whole launch goes before the first, what is the work-item's before the second
  llvm::Instruction *constants_ = nullptr, *values_ = nullptr;
  llvm::Value *linear_ = nullptr;
  std::array<llvm::Value *, 7> launch_{};
  std::array<llvm::Value *, 3> coordinate_{}, local_id_{}, group_id_{}, group_count_{}, global_id_{};
  llvm::Value *sub_group_id_ = nullptr, *lane_ = nullptr, *private_scratch_ = nullptr;
  std::size_t scratch_each_ = 0;
  bool scratch_known_ = false;
  std::map<llvm::Value *, std::pair<std::size_t, llvm::Value *>> declared_;  // by key; its order never matters
};

/// The driver's vprintf takes the arguments as a structure in memory.
void lower_printing(llvm::Module &module) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (const char *name : {"__dpep_printf", "printf"})
    if (llvm::Function *const f = module.getFunction(name))
      for (llvm::User *user : f->users())
        if (auto *const call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == f)
          calls.push_back(call);
  if (!calls.empty())  // tells the loader that somebody must fetch the output
    new llvm::GlobalVariable(module, llvm::Type::getInt32Ty(module.getContext()), false,
                             llvm::GlobalValue::ExternalLinkage,
                             llvm::ConstantInt::get(module.getContext(), llvm::APInt(32, 0)), "dpep_prints", nullptr,
                             llvm::GlobalValue::NotThreadLocal, 1);
  for (llvm::CallInst *call : calls) {
    llvm::Function &function = *call->getFunction();
    llvm::IRBuilder<> build(&*function.getEntryBlock().begin());
    llvm::Type *const pointer = build.getPtrTy();
    llvm::SmallVector<llvm::Type *> types;
    for (unsigned i = 1; i < call->arg_size(); ++i) types.push_back(call->getArgOperand(i)->getType());
    llvm::Value *values = llvm::ConstantPointerNull::get(build.getPtrTy());
    if (!types.empty()) {
      auto *const all = llvm::StructType::get(build.getContext(), types);
      values = build.CreateAlloca(all);
      build.SetInsertPoint(call);
      for (unsigned i = 0; i < types.size(); ++i)
        build.CreateStore(call->getArgOperand(i + 1), build.CreateStructGEP(all, values, i));
    }
    build.SetInsertPoint(call);
    const llvm::FunctionCallee print =
        module.getOrInsertFunction("vprintf", llvm::FunctionType::get(build.getInt32Ty(), {pointer, pointer}, false));
    call->replaceAllUsesWith(build.CreateCall(print, {call->getArgOperand(0), values}));
    call->eraseFromParent();
  }
}

/// Where a work-item ends before its kernel does.
void lower_endings(llvm::Module &module) {
  llvm::Function *const f = module.getFunction("__dpep_end_work_item");
  if (!f) return;
  for (llvm::User *user : llvm::make_early_inc_range(f->users())) {
    auto *const call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> build(call);
    build.CreateIntrinsic(llvm::Intrinsic::nvvm_exit, llvm::ArrayRef<llvm::Value *>());
    call->eraseFromParent();
  }
}

}  // namespace

needs lower(llvm::Function &entry, const specialisation &shape) {
  const needs result = lowering(entry, shape).run();
  lower_printing(*entry.getParent());
  lower_endings(*entry.getParent());
  return result;
}

}  // namespace dpep::jit::nvptx_builtins
