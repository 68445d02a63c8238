// Loads and stores of interleave groups as full vectors and shuffles.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/permutation.hpp"
#include "jit/spmd/vector/masks.hpp"
#include "jit/spmd/vector/memory.hpp"

namespace dpep::jit::spmd {
namespace {

/// The first element of a vector. Vectors cover all lanes' `elements`; the last one overlaps the one before it rather
/// than reading past the end.
std::uint64_t start_of(std::uint64_t vector, std::uint64_t elements, unsigned lanes) {
  return std::min(vector * lanes, elements - lanes);
}

llvm::Value *group_address(vector_code &code, const interleave_group &group, const llvm::Instruction &access,
                           std::uint64_t element) {
  const auto size = static_cast<std::int64_t>(
      access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue());
  const auto *own = llvm::find_if(group.members, [&](const auto &each) { return each.access == &access; });
  const std::int64_t distance = static_cast<std::int64_t>(element) - static_cast<std::int64_t>(own->index);
  return code.build.CreatePtrAdd(
      code.values.first(const_cast<llvm::Value *>(llvm::getLoadStorePointerOperand(&access))),
      code.build.getInt64(static_cast<std::uint64_t>(distance * size)));
}

/// The mask of a vector that begins at element `start`: each element's bit is that of its lane. Elements behind a
/// lane's last member are inactive, since those of the last active lane may be behind the array.
llvm::Value *group_mask(vector_code &code, const interleave_group &group, std::uint64_t start) {
  if (is_all_lanes(code, code.mask)) return code.mask;
  llvm::SmallVector<int> from;
  for (unsigned i = 0; i < code.lanes; ++i) {
    const bool is_behind = (start + i) % group.factor >= group.length();
    from.push_back(static_cast<int>(is_behind ? code.lanes : (start + i) / group.factor));
  }
  return code.build.CreateShuffleVector(code.mask, llvm::Constant::getNullValue(code.mask->getType()), from);
}

/// The lanes of a register, in which the elements of odd factors are collected; 0: another way is better.
unsigned lanes_of_blends(const vector_code &code, const interleave_group &group, unsigned element_bits) {
  if (group.factor % 2 == 0 || group.length() != group.factor || element_bits < 32) return 0;
  return std::min(code.lanes, register_bits(*code.items.header->getParent()) / element_bits);
}

/// A member of a group by blends. The elements of a member are at different positions in the group's vectors, if the
/// factor is odd, so blends of the vectors collect them, and one permutation puts them in order. Processors execute two
/// blends in the time of a permutation.
llvm::Value *load_by_blends(vector_code &code, const interleave_group &group, std::uint64_t member, unsigned part,
                            llvm::ArrayRef<llvm::Value *> vectors) {
  llvm::IRBuilder<> &build = code.build;
  llvm::SmallVector<llvm::Value *> parts;
  for (unsigned first = 0; first < code.lanes; first += part) {
    llvm::Value *collected = nullptr;
    for (unsigned i = 0; i < group.factor; ++i) {
      const unsigned start = first * static_cast<unsigned>(group.factor) + i * part;
      llvm::SmallVector<int> within, blend;
      bool any = false;
      for (unsigned p = 0; p < part; ++p) {
        within.push_back(static_cast<int>(start % code.lanes + p));
        const bool here = (start + p) % group.factor == member;
        blend.push_back(static_cast<int>(here ? part + p : p));
        any |= here;
      }
      if (!any) continue;
      llvm::Value *piece = vectors[start / code.lanes];
      if (part != code.lanes) piece = build.CreateShuffleVector(piece, within);
      collected = collected ? build.CreateShuffleVector(collected, piece, blend) : piece;
    }
    llvm::SmallVector<int> order;
    for (unsigned lane = 0; lane < part; ++lane)
      order.push_back(static_cast<int>((lane * group.factor + member) % part));
    parts.push_back(build.CreateShuffleVector(collected, order));
  }
  return llvm::concatenateVectors(build, parts);
}

/// The type of a vector whose elements each have one lane's members, such as the four bytes of a pixel: shifts divide
/// it, which conversions of the members to 32 bits include. Null: there are other ways for these members.
llvm::FixedVectorType *packed_type(const vector_code &code, const interleave_group &group, const llvm::Type *element) {
  constexpr unsigned bits = 32;
  if (!element->isIntegerTy() || element->getIntegerBitWidth() >= bits ||
      element->getIntegerBitWidth() * group.factor != bits || code.analyses.scalarised ||
      code.lanes * bits > register_bits(*code.items.header->getParent()))
    return nullptr;
  return llvm::FixedVectorType::get(llvm::Type::getIntNTy(element->getContext(), bits), code.lanes);
}

/// Loads a group as such a vector. Does not read past the last lane's last member. Null: not possible.
llvm::Value *load_packed(vector_code &code, const interleave_group &group, const llvm::LoadInst &first,
                         llvm::FixedVectorType *type, llvm::Align alignment) {
  llvm::IRBuilder<> &build = code.build;
  const auto gap = static_cast<unsigned>(group.factor - group.length());
  const bool all = is_all_lanes(code, code.mask);
  llvm::Value *address = group_address(code, group, first, 0);
  if (gap == 0)
    return all ? static_cast<llvm::Value *>(build.CreateAlignedLoad(type, address, alignment))
               : build.CreateMaskedLoad(type, address, alignment, code.mask);
  const auto half = static_cast<unsigned>(code.lanes * group.factor / 2);
  if (!all || gap >= half) return nullptr;
  auto *members = llvm::FixedVectorType::get(first.getType(), half);
  llvm::Value *low = build.CreateAlignedLoad(members, address, alignment);
  llvm::Value *high = build.CreateAlignedLoad(members, group_address(code, group, first, half - gap), alignment);
  llvm::SmallVector<int> order;
  for (unsigned i = 0; i < 2 * half; ++i)
    order.push_back(i < half ? static_cast<int>(i) : i + gap < 2 * half ? static_cast<int>(i + gap) : -1);
  return build.CreateBitCast(build.CreateShuffleVector(low, high, order), type);
}

/// Sets the members' values. Returns false if the group is loaded in another way.
bool load_as_packed(vector_code &code, const interleave_group &group, const llvm::LoadInst &first,
                    llvm::Align alignment) {
  llvm::FixedVectorType *type = packed_type(code, group, first.getType());
  llvm::Value *packed = type ? load_packed(code, group, first, type, alignment) : nullptr;
  if (!packed) return false;
  for (const auto &member : group.members) {
    const std::uint64_t shift = member.index * first.getType()->getIntegerBitWidth();
    llvm::Value *value = code.build.CreateTrunc(code.build.CreateLShr(packed, llvm::ConstantInt::get(type, shift)),
                                                code.values.widen(first.getType()), member.access->getName());
    code.values.set_wide(member.access, value);
  }
  return true;
}

bool store_as_packed(vector_code &code, const interleave_group &group, const llvm::StoreInst &last,
                     llvm::Align alignment) {
  const llvm::Type *element = last.getValueOperand()->getType();
  llvm::FixedVectorType *type = packed_type(code, group, element);
  if (!type) return false;
  llvm::Value *packed = nullptr;
  for (const auto &member : group.members) {
    llvm::Value *own = code.values.wide(llvm::cast<llvm::StoreInst>(member.access)->getValueOperand());
    llvm::Value *shifted = code.build.CreateShl(
        code.build.CreateZExt(own, type), llvm::ConstantInt::get(type, member.index * element->getIntegerBitWidth()));
    packed = packed ? code.build.CreateOr(packed, shifted) : shifted;
  }
  llvm::Value *address = group_address(code, group, last, 0);
  if (is_all_lanes(code, code.mask))
    code.build.CreateAlignedStore(packed, address, alignment);
  else
    code.build.CreateMaskedStore(packed, address, alignment, code.mask);
  return true;
}

/// The elements of a row that has one lane's members: all, or those of a constant mask.
llvm::Constant *row_mask(vector_code &code, const interleave_group &group) {
  llvm::SmallVector<llvm::Constant *> bits;
  for (std::uint64_t i = 0; i < group.factor; ++i) bits.push_back(code.build.getInt1(i < group.length()));
  return llvm::ConstantVector::get(bits);
}

/// The address of a lane's row.
llvm::Value *row_address(vector_code &code, const interleave_group &group, const llvm::Instruction &access,
                         unsigned lane) {
  const auto size = static_cast<std::int64_t>(
      access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue());
  const auto *own = llvm::find_if(group.members, [&](const auto &each) { return each.access == &access; });
  llvm::Value *pointer = code.values.at(
      code.build, const_cast<llvm::Value *>(llvm::getLoadStorePointerOperand(&access)), code.build.getInt32(lane));
  return code.build.CreatePtrAdd(pointer,
                                 code.build.getInt64(static_cast<std::uint64_t>(-size * std::int64_t(own->index))));
}

/// The rows of all lanes, in vectors with as many elements as there are lanes.
llvm::SmallVector<llvm::Value *> load_rows(vector_code &code, const interleave_group &group, llvm::LoadInst &first,
                                           llvm::Align alignment) {
  auto *type = llvm::FixedVectorType::get(first.getType(), static_cast<unsigned>(group.factor));
  llvm::SmallVector<llvm::Value *> rows, vectors;
  for (unsigned lane = 0; lane < code.lanes; ++lane) {
    llvm::Value *address = row_address(code, group, first, lane);
    rows.push_back(group.length() == group.factor
                       ? static_cast<llvm::Value *>(code.build.CreateAlignedLoad(type, address, alignment))
                       : code.build.CreateMaskedLoad(type, address, alignment, row_mask(code, group)));
  }
  const std::size_t together = code.lanes / group.factor;
  for (std::size_t i = 0; i < rows.size(); i += together)
    vectors.push_back(llvm::concatenateVectors(code.build, llvm::ArrayRef(rows).slice(i, together)));
  return vectors;
}

/// Stores the rows of a vector's lanes, `first` and those behind it.
void store_rows(vector_code &code, const interleave_group &group, const llvm::StoreInst &last, llvm::Value *vector,
                unsigned first, llvm::Align alignment) {
  for (unsigned begin = 0, lane = first; begin < code.lanes; begin += static_cast<unsigned>(group.factor), ++lane) {
    llvm::SmallVector<int> from;
    for (unsigned i = 0; i < group.factor; ++i) from.push_back(static_cast<int>(begin + i));
    llvm::Value *row = code.build.CreateShuffleVector(vector, from), *address = row_address(code, group, last, lane);
    if (group.length() == group.factor)
      code.build.CreateAlignedStore(row, address, alignment);
    else
      code.build.CreateMaskedStore(row, address, alignment, row_mask(code, group));
  }
}

}  // namespace

void load_group(vector_code &code, const interleave_group &group) {
  auto &first = llvm::cast<llvm::LoadInst>(*group.members.front().access);
  llvm::Type *type = code.values.widen(first.getType());
  const std::uint64_t elements = (code.lanes - 1) * group.factor + group.length();
  llvm::SmallVector<llvm::Value *> vectors;
  llvm::SmallVector<std::uint64_t> starts;
  llvm::Align alignment = lane_alignment(first);
  for (const auto &each : group.members) alignment = std::min(alignment, lane_alignment(*each.access));
  if (!group.rows && load_as_packed(code, group, first, alignment)) return;
  if (group.rows) {
    vectors = load_rows(code, group, first, alignment);
    for (std::size_t i = 0; i < vectors.size(); ++i) starts.push_back(i * code.lanes);
  }
  for (std::uint64_t i = 0; !group.rows && i * code.lanes < elements; ++i) {
    const std::uint64_t start = start_of(i, elements, code.lanes);
    llvm::Value *address = group_address(code, group, first, start), *mask = group_mask(code, group, start);
    llvm::Instruction *made =
        is_all_lanes(code, mask)
            ? static_cast<llvm::Instruction *>(code.build.CreateAlignedLoad(type, address, alignment))
            : code.build.CreateMaskedLoad(type, address, alignment, mask);
    vectors.push_back(made);
    starts.push_back(start);
  }
  const auto bits = static_cast<unsigned>(first.getDataLayout().getTypeSizeInBits(first.getType()).getFixedValue());
  const unsigned part = group.rows ? 0 : lanes_of_blends(code, group, bits);
  for (const auto &member : group.members) {
    llvm::Value *value = part ? load_by_blends(code, group, member.index, part, vectors) : nullptr;
    for (std::size_t i = 0; !part && i < vectors.size(); ++i) {
      // Takes the elements that are in this vector and in no earlier one.
      llvm::SmallVector<int> from;
      bool any = false;
      for (unsigned lane = 0; lane < code.lanes; ++lane) {
        const std::uint64_t element = lane * group.factor + member.index;
        const bool here = element / code.lanes == i || (i + 1 == vectors.size() && element / code.lanes > i);
        from.push_back(here ? static_cast<int>(code.lanes + element - starts[i]) : static_cast<int>(lane));
        any |= here;
      }
      if (any) value = code.build.CreateShuffleVector(value ? value : llvm::PoisonValue::get(type), vectors[i], from);
    }
    value->setName(member.access->getName());
    code.values.set_wide(member.access, value);
  }
}

void store_group(vector_code &code, const interleave_group &group) {
  auto &last = llvm::cast<llvm::StoreInst>(*group.members.back().access);
  llvm::Type *type = code.values.widen(last.getValueOperand()->getType());
  const std::uint64_t elements = code.lanes * group.factor;
  llvm::Align alignment = lane_alignment(last);
  for (const auto &each : group.members) alignment = std::min(alignment, lane_alignment(*each.access));
  if (!group.rows && store_as_packed(code, group, last, alignment)) return;
  for (std::uint64_t start = 0; start < elements; start += code.lanes) {
    llvm::Value *value = llvm::PoisonValue::get(type);
    for (const auto &member : group.members) {
      llvm::SmallVector<int> from;
      bool any = false;
      for (unsigned i = 0; i < code.lanes; ++i) {
        const bool here = (start + i) % group.factor == member.index;
        from.push_back(here ? static_cast<int>(code.lanes + (start + i) / group.factor) : static_cast<int>(i));
        any |= here;
      }
      llvm::Value *of_member = code.values.wide(llvm::cast<llvm::StoreInst>(member.access)->getValueOperand());
      if (any) value = code.build.CreateShuffleVector(value, of_member, from);
    }
    if (group.rows) {
      store_rows(code, group, last, value, static_cast<unsigned>(start / group.factor), alignment);
      continue;
    }
    llvm::Value *address = group_address(code, group, last, start), *mask = group_mask(code, group, start);
    if (is_all_lanes(code, mask))
      code.build.CreateAlignedStore(value, address, alignment);
    else
      code.build.CreateMaskedStore(value, address, alignment, mask);
  }
}

}  // namespace dpep::jit::spmd
