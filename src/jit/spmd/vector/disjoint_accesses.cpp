// The search for pairs of bases, and their comparison.
#include "jit/spmd/vector/disjoint_accesses.hpp"

#include <functional>

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace dpep::jit::spmd {
namespace {

constexpr std::size_t max_pairs = 8;

}  // namespace

std::pair<const llvm::SCEV *, const llvm::SCEV *> disjoint_accesses::starts_of(const llvm::Value *a,
                                                                               const llvm::Value *b) const {
  const auto scev = [&](const llvm::Value *value) { return evolution_.getSCEV(const_cast<llvm::Value *>(value)); };
  const llvm::SCEVExpander expander(evolution_, "disjoint");
  const auto are_known = [&](const llvm::SCEV *first, const llvm::SCEV *second) {
    return evolution_.isLoopInvariant(first, items_.loop) && evolution_.isLoopInvariant(second, items_.loop) &&
           expander.isSafeToExpand(first) && expander.isSafeToExpand(second);
  };
  using starts = std::pair<const llvm::SCEV *, const llvm::SCEV *>;
  const auto *x = llvm::dyn_cast<llvm::GetElementPtrInst>(a), *y = llvm::dyn_cast<llvm::GetElementPtrInst>(b);
  if (x && y && x->getNumIndices() == 1 && y->getNumIndices() == 1 && x->getOperand(1) == y->getOperand(1) &&
      x->getSourceElementType() == y->getSourceElementType()) {
    const starts arrays{scev(x->getPointerOperand()), scev(y->getPointerOperand())};
    if (are_known(arrays.first, arrays.second)) return arrays;
  }
  const auto *counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(scev(a)),
             *other = llvm::dyn_cast<llvm::SCEVAddRecExpr>(scev(b));
  if (counted && other && counted->getLoop() == items_.loop && other->getLoop() == items_.loop && counted->isAffine() &&
      other->isAffine() && counted->getStepRecurrence(evolution_) == other->getStepRecurrence(evolution_) &&
      are_known(counted->getStart(), other->getStart()))
    return {counted->getStart(), other->getStart()};
  // In addresses of rows, what varies between work-items and iterations is often the same.
  const llvm::SCEV *one = evolution_.getLosslessPtrToIntExpr(scev(a)),
                   *two = evolution_.getLosslessPtrToIntExpr(scev(b));
  if (llvm::isa<llvm::SCEVCouldNotCompute>(one) || llvm::isa<llvm::SCEVCouldNotCompute>(two)) return {};
  const llvm::SCEV *distance = evolution_.getMinusSCEV(one, two);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(distance)) return {};
  const llvm::SCEV *zero = evolution_.getZero(distance->getType());
  return are_known(distance, zero) ? starts{distance, zero} : starts{};
}

// An affine recurrence has its extreme values in the first and in the last iteration, so that each loop around the
// access doubles the number of corners. Addresses are assumed not to wrap.
bool disjoint_accesses::add_corners(corners &found, const llvm::SCEV *value) const {  // NOLINT(misc-no-recursion)
  constexpr std::size_t max_corners = 4;
  if (evolution_.isLoopInvariant(value, items_.loop)) {
    found.push_back(value);
    return llvm::SCEVExpander(evolution_, "disjoint").isSafeToExpand(value);
  }
  const auto *counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
  if (!counted || !counted->isAffine() || !items_.loop->contains(counted->getLoop())) return false;
  const llvm::SCEV *step = counted->getStepRecurrence(evolution_);
  const llvm::SCEV *last = evolution_.getBackedgeTakenCount(counted->getLoop());
  if (llvm::isa<llvm::SCEVCouldNotCompute>(last) || last->getType() != step->getType()) return false;
  if (!evolution_.isLoopInvariant(step, items_.loop) || !evolution_.isLoopInvariant(last, items_.loop)) return false;
  const std::size_t first = found.size();
  if (!add_corners(found, counted->getStart()) || 2 * found.size() - first > max_corners) return false;
  const llvm::SCEV *distance = evolution_.getMulExpr(step, last);
  for (std::size_t i = first, end = found.size(); i < end; ++i)
    found.push_back(evolution_.getAddExpr(found[i], distance));
  return llvm::SCEVExpander(evolution_, "disjoint").isSafeToExpand(distance);
}

disjoint_accesses::corners disjoint_accesses::corners_of(const llvm::Value *base) const {
  corners found;
  if (!add_corners(found, evolution_.getSCEV(const_cast<llvm::Value *>(base)))) found.clear();
  return found;
}

bool disjoint_accesses::are_disjoint_ranges(const access_location &a, const access_location &b) {
  const auto found = pairs_.find({a.base, b.base});
  if (found == pairs_.end()) {
    if (!searching_ || pairs_.size() == max_pairs || corners_of(a.base).empty() || corners_of(b.base).empty())
      return false;
    pairs_[{a.base, b.base}] = {{a.offset, a.end()}, {b.offset, b.end()}, /*differ=*/false, /*of_ranges=*/true};
    return true;
  }
  const auto includes = [&](window &bytes, const access_location &one) {
    if (searching_) bytes = {std::min(bytes.low, one.offset), std::max(bytes.high, one.end())};
    return bytes.low <= one.offset && one.end() <= bytes.high;
  };
  return found->second.of_ranges && includes(found->second.first, a) && includes(found->second.second, b);
}

bool disjoint_accesses::are_disjoint(const access_location &a, const access_location &b) {
  if (a.base == b.base) return false;
  if (std::less<>()(b.base, a.base)) return are_disjoint(b, a);
  const bool is_distance_known = a.stride == b.stride && (a.stride || starts_of(a.base, b.base).first);
  if (!is_distance_known) return are_disjoint_ranges(a, b);
  const auto found = pairs_.find({a.base, b.base});
  if (!searching_) {
    if (found == pairs_.end()) return false;
    const auto covers = [](const window &bytes, const access_location &one) {
      return bytes.low <= one.offset && one.end() <= bytes.high;
    };
    return covers(found->second.first, a) && covers(found->second.second, b) &&
           !(found->second.differ && a.overlaps(b));
  }
  if (found == pairs_.end()) {
    if (pairs_.size() == max_pairs || !starts_of(a.base, b.base).first) return false;
    pairs_[{a.base, b.base}] = {{a.offset, a.end()}, {b.offset, b.end()}, !a.overlaps(b)};
    return true;
  }
  const auto extend = [](window &bytes, const access_location &one) {
    bytes = {std::min(bytes.low, one.offset), std::max(bytes.high, one.end())};
  };
  extend(found->second.first, a);
  extend(found->second.second, b);
  found->second.differ &= !a.overlaps(b);
  return true;
}

llvm::Value *disjoint_accesses::emit_check() const {
  llvm::Instruction *end = items_.preheader->getTerminator();
  llvm::IRBuilder<> build(end);
  llvm::SCEVExpander expander(evolution_, "disjoint");
  const auto address = [&](const llvm::SCEV *start) {
    llvm::Value *made = expander.expandCodeFor(start, start->getType(), end);
    if (made->getType()->isPointerTy()) made = build.CreatePtrToInt(made, build.getInt64Ty());
    return build.CreateFreeze(made);
  };
  const auto range = [&](const llvm::Value *base, const window &bytes) {
    llvm::Value *low = nullptr, *high = nullptr;
    for (const llvm::SCEV *corner : corners_of(base)) {
      llvm::Value *at = address(corner);
      low = low ? build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, low, at) : at;
      high = high ? build.CreateBinaryIntrinsic(llvm::Intrinsic::umax, high, at) : at;
    }
    return std::pair(build.CreateAdd(low, build.getInt64(static_cast<std::uint64_t>(bytes.low))),
                     build.CreateAdd(high, build.getInt64(static_cast<std::uint64_t>(bytes.high))));
  };
  llvm::Value *hold = build.getTrue();
  for (const auto &[bases, bytes] : pairs_) {
    const auto [first, second, differ, of_ranges] = bytes;
    if (of_ranges) {
      const auto [low, high] = range(bases.first, first);
      const auto [other_low, other_high] = range(bases.second, second);
      hold = build.CreateAnd(
          hold, build.CreateOr(build.CreateICmpULE(high, other_low), build.CreateICmpULE(other_high, low)), "disjoint");
      continue;
    }
    const auto starts = starts_of(bases.first, bases.second);
    llvm::Value *distance = build.CreateSub(address(starts.first), address(starts.second));
    llvm::Value *apart = build.CreateOr(build.CreateICmpSLE(distance, build.getInt64(second.low - first.high)),
                                        build.CreateICmpSGE(distance, build.getInt64(second.high - first.low)));
    if (differ) apart = build.CreateOr(apart, build.CreateIsNull(distance));
    hold = build.CreateAnd(hold, apart, "disjoint");
  }
  return hold;
}

}  // namespace dpep::jit::spmd
