// Arrays whose accesses by one work-item, or by all of them, are assumed not to overlap, and the check before the loop.
#pragma once

#include <cstdint>

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

/// Bytes at a constant offset from a base that advances by `stride` bytes with each work-item.
struct access_location {
  const llvm::Value *base;
  std::int64_t offset, stride;
  std::uint64_t size;

  std::int64_t end() const { return offset + static_cast<std::int64_t>(size); }
  bool overlaps(const access_location &other) const { return offset < other.end() && other.offset < end(); }
};

/// Pairs of bases, as in `out[4 * i] = a[4 * i]; out[4 * i + 1] = a[4 * i + 1];`, whose accesses can be done together
/// only if one work-item's do not overlap. Bases that advance equally have a constant distance, so that one comparison
/// for each pair suffices. For bases that do not advance equally, such as rows of different lengths, the check compares
/// the lowest and the highest address that any work-item of the loop accesses from each base. If a comparison fails,
/// the item loop runs without vectors.
class disjoint_accesses {
public:
  disjoint_accesses(const item_loop &items, llvm::ScalarEvolution &evolution) : items_(items), evolution_(evolution) {}

  /// Whether pairs are searched: whether are_disjoint() adds them.
  void set_searching(bool searching) { searching_ = searching; }
  void clear() { pairs_.clear(); }
  /// Whether two accesses with different bases are assumed not to overlap.
  bool are_disjoint(const access_location &, const access_location &);
  bool empty() const { return pairs_.empty(); }
  /// Emits the comparisons at the end of the preheader.
  llvm::Value *emit_check() const;

private:
  struct window {
    std::int64_t low, high;
  };
  /// The bytes accessed from both bases, and whether the accesses do not overlap if the bases are equal.
  struct pair {
    window first, second;
    bool differ = true;
    bool of_ranges = false;  // the ranges of all accesses are compared
  };
  /// The bases less what they have in common, before the loop. Null: their distance is not known there.
  std::pair<const llvm::SCEV *, const llvm::SCEV *> starts_of(const llvm::Value *, const llvm::Value *) const;
  using corners = llvm::SmallVector<const llvm::SCEV *, 4>;
  /// Values of a base, before the loop, between which are all its values. Empty: they are not known there.
  corners corners_of(const llvm::Value *base) const;
  bool add_corners(corners &, const llvm::SCEV *) const;
  bool are_disjoint_ranges(const access_location &, const access_location &);

  const item_loop &items_;
  llvm::ScalarEvolution &evolution_;
  llvm::MapVector<std::pair<const llvm::Value *, const llvm::Value *>, pair> pairs_;
  bool searching_ = false;
};

}  // namespace dpep::jit::spmd
