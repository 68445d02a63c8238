// Lowers the builtins of sub-groups.
#include "jit/targets/nvptx/sub_groups.hpp"

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/compile/builtins.hpp"

namespace dpep::jit::nvptx_builtins {

using namespace llvm;

llvm::Value *sub_groups::id() {
  return context_.at_start(id_, [&]() -> Value * {
    return context_.group_size <= warp_size ? context_.number(0)
                                            : context_.build.CreateLShr(ids_.linear_local_id(), context_.number(5));
  });
}

llvm::Value *sub_groups::lane() {
  if (context_.group_size == 1) return context_.number(0);
  return context_.at_start(
      lane_, [&] { return context_.build.CreateAnd(ids_.linear_local_id(), context_.number(warp_size - 1)); });
}

// Selects `last` in the work-group's last sub-group if that has fewer work-items than the others, otherwise `full`.
llvm::Value *sub_groups::select_by_size(unsigned full, unsigned last) {
  const std::size_t whole = context_.group_size / warp_size;
  if (context_.group_size % warp_size == 0) return context_.number(full);
  if (whole == 0) return context_.number(last);
  IRBuilder<> &build = context_.build;
  return build.CreateSelect(build.CreateICmpEQ(id(), context_.number(unsigned(whole))), context_.number(last),
                            context_.number(full));
}

llvm::Value *sub_groups::size() { return select_by_size(warp_size, unsigned(context_.group_size % warp_size)); }

llvm::Value *sub_groups::member_mask() { return select_by_size(~0U, (1U << (context_.group_size % warp_size)) - 1); }

bool sub_groups::is_own_lane(const llvm::Value *x) const {
  const auto *const call = dyn_cast<CallInst>(x);
  return (lane_ && x == lane_) || (call && builtin_of(*call) == builtin::sub_group_local_id);
}

sub_groups::shuffle_source sub_groups::source_of(llvm::Value *lane) {
  using namespace llvm::PatternMatch;
  Value *condition = nullptr, *own = nullptr, *other = nullptr, *mask = nullptr;
  if (match(lane, m_Select(m_Value(condition), m_Value(other), m_Value(own))) && is_own_lane(own)) {
    shuffle_source source = source_of(other);
    source.condition = condition;
    if (source.intrinsic != Intrinsic::nvvm_shfl_sync_idx_i32) return source;
  }
  const auto distance_operand = [&](std::int64_t n) { return context_.number(static_cast<unsigned>(n)); };
  const APInt *distance = nullptr;
  if (match(lane, m_Add(m_Value(own), m_APInt(distance))) && is_own_lane(own) && distance->abs().ult(warp_size))
    return distance->isNegative()
               ? shuffle_source{Intrinsic::nvvm_shfl_sync_up_i32, distance_operand(-distance->getSExtValue()), 0}
               : shuffle_source{Intrinsic::nvvm_shfl_sync_down_i32,
                                distance_operand(static_cast<std::int64_t>(distance->getZExtValue())), warp_size - 1};
  if (match(lane, m_Sub(m_Value(own), m_APInt(distance))) && is_own_lane(own) && distance->ult(warp_size))
    return {Intrinsic::nvvm_shfl_sync_up_i32, distance_operand(static_cast<std::int64_t>(distance->getZExtValue())), 0};
  if (match(lane, m_c_Xor(m_Value(own), m_Value(mask))) && is_own_lane(own))
    return {Intrinsic::nvvm_shfl_sync_bfly_i32, mask, warp_size - 1};
  return {Intrinsic::nvvm_shfl_sync_idx_i32, lane, warp_size - 1};
}

llvm::Value *sub_groups::shuffle(const llvm::CallInst &call) {
  Value *const x = call.getArgOperand(0), *const lane = call.getArgOperand(1);
  if (context_.group_size == 1) return x;
  IRBuilder<> &build = context_.build;
  const shuffle_source source = source_of(lane);
  Value *const members =
      call.arg_size() > 2 ? build.CreateTrunc(call.getArgOperand(2), build.getInt32Ty()) : member_mask();
  const auto shuffle_word = [&](Value *bits) -> Value * {
    Value *const received =
        build.CreateIntrinsic(source.intrinsic, {}, {members, bits, source.operand, context_.number(source.clamp)});
    return source.condition ? build.CreateSelect(source.condition, received, bits) : received;
  };
  if (x->getType()->isIntegerTy(32)) return shuffle_word(x);
  auto *const pair = FixedVectorType::get(build.getInt32Ty(), 2);
  Value *const halves = build.CreateBitCast(x, pair);
  Value *result = PoisonValue::get(pair);
  for (unsigned i = 0; i < 2; ++i)
    result = build.CreateInsertElement(result, shuffle_word(build.CreateExtractElement(halves, i)), i);
  return build.CreateBitCast(result, x->getType());
}

void sub_groups::barrier(llvm::Value *mask) {
  if (context_.group_size == 1) return;
  IRBuilder<> &build = context_.build;
  Value *const members = mask ? build.CreateTrunc(mask, build.getInt32Ty()) : member_mask();
  build.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {members});
}

}  // namespace dpep::jit::nvptx_builtins
