// SPIR-V's variables of functions, accesses, addresses and composites.
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "program/spirv/module.hpp"

namespace dpep::spirv {
namespace {

llvm::Value *pointer(module_reader &m, id n) {
  llvm::Value *const p = m.value(n);
  if (!p->getType()->isPointerTy()) refuse("it is damaged: an address is not a pointer");
  return p;
}

/// The type that a pointer's type refers to.
id pointee(module_reader &m, id value) { return m.at(m.at(value).value_type).element; }

struct access {
  llvm::MaybeAlign alignment;
  bool is_volatile = false;
};
access access_of(const instruction &i, std::size_t operands) {
  access a;
  if (i.operands.size() <= operands) return a;
  a.is_volatile = i[operands] & 1;
  if (i[operands] & 2)
    if (const std::uint32_t bytes = i[operands + 1]; bytes && (bytes & (bytes - 1)) == 0)
      a.alignment = llvm::Align(bytes);
  return a;
}

llvm::AllocaInst *private_variable(module_reader &m, llvm::Type *type) {
  expect(type->isSized(), "a variable has no size");
  llvm::IRBuilder<> entry(&m.current->getEntryBlock(), m.current->getEntryBlock().begin());
  return entry.CreateAlloca(type);
}

/// Indices into composites of constant numbers.
llvm::Value *address(module_reader &m, const instruction &i, bool element_first, bool in_bounds) {
  llvm::Value *const base = pointer(m, i[2]);
  id type = pointee(m, i[2]);
  llvm::SmallVector<llvm::Value *> indices;
  std::size_t k = 3;
  indices.push_back(element_first ? m.value(i[k++]) : m.build.getInt64(0));
  llvm::Type *const source = m.type(type);
  expect(source->isSized(), "an address of something without a size");
  for (; k < i.operands.size(); ++k) {
    llvm::Value *index = m.value(i[k]);
    if (const auto *structure = llvm::dyn_cast<llvm::StructType>(m.type(type))) {
      const auto *number = llvm::dyn_cast<llvm::ConstantInt>(index);
      if (!number || number->getZExtValue() >= structure->getNumElements())
        refuse("it is damaged: the index of a structure is no constant or too large");
      index = m.build.getInt32(static_cast<unsigned>(number->getZExtValue()));
      type = m.at(type).members[number->getZExtValue()];
    } else {
      type = m.at(type).element;
      if (!type) refuse("it is damaged: an address has too many indices");
    }
    if (!index->getType()->isIntegerTy()) refuse("it is damaged: an index is not an integer");
    indices.push_back(index);
  }
  return in_bounds ? m.build.CreateInBoundsGEP(source, base, indices) : m.build.CreateGEP(source, base, indices);
}

llvm::Value *extract(module_reader &m, llvm::Value *from, std::span<const std::uint32_t> indices) {
  for (const std::uint32_t index : indices) {
    if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(from->getType())) {
      if (index >= vector->getNumElements()) refuse("it is damaged: an index of a vector is too large");
      from = m.build.CreateExtractElement(from, index);
    } else {
      if (!llvm::ExtractValueInst::getIndexedType(from->getType(), index)) refuse("it is damaged: a wrong index");
      from = m.build.CreateExtractValue(from, index);
    }
  }
  return from;
}

llvm::Value *insert(module_reader &m, llvm::Value *part, llvm::Value *into, std::span<const std::uint32_t> indices) {
  if (indices.empty()) return part;
  llvm::Value *const inner = insert(m, part, extract(m, into, indices.first(1)), indices.subspan(1));
  if (into->getType()->isVectorTy()) {
    expect(inner->getType() == into->getType()->getScalarType(), "a part has another type");
    return m.build.CreateInsertElement(into, inner, indices[0]);
  }
  expect(llvm::ExtractValueInst::getIndexedType(into->getType(), indices[0]) == inner->getType(),
         "a part has another type");
  return m.build.CreateInsertValue(into, inner, indices[0]);
}

llvm::Value *construct(module_reader &m, const instruction &i) {
  llvm::Type *const type = m.type(i[0]);
  expect(type->isAggregateType() || type->isVectorTy(), "a composite has another type");
  llvm::Value *result = llvm::PoisonValue::get(type);
  unsigned next = 0;
  for (std::size_t k = 2; k < i.operands.size(); ++k) {
    llvm::Value *const part = m.value(i[k]);
    if (!type->isVectorTy()) {
      if (llvm::ExtractValueInst::getIndexedType(type, next) != part->getType())
        refuse("it is damaged: a wrong member");
      result = m.build.CreateInsertValue(result, part, next++);
      continue;
    }
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(part->getType());
    expect(part->getType()->getScalarType() == type->getScalarType(), "a part has another type");
    for (unsigned e = 0; e < (vector ? vector->getNumElements() : 1); ++e)
      result = m.build.CreateInsertElement(result, vector ? m.build.CreateExtractElement(part, e) : part, next++);
  }
  return result;
}

}  // namespace

bool read_memory(module_reader &m, const instruction &i) {
  llvm::IRBuilder<> &b = m.build;
  const auto set = [&](llvm::Value *v) {
    m.set(i[1], i[0], v);
    return true;
  };
  switch (i.operation) {
  case 59: {
    llvm::AllocaInst *const variable = private_variable(m, m.type(m.at(i[0]).element));
    if (const decoration *alignment = m.find(i[1], 44); alignment && !alignment->words.empty())
      variable->setAlignment(llvm::MaybeAlign(alignment->words[0]).valueOrOne());
    if (i.operands.size() > 3) b.CreateStore(m.value(i[3]), variable);
    return set(variable);
  }
  case 61: {
    const access a = access_of(i, 3);
    expect(m.type(i[0])->isFirstClassType() && m.type(i[0])->isSized(), "a load of something without a size");
    return set(b.CreateAlignedLoad(m.type(i[0]), pointer(m, i[2]), a.alignment, a.is_volatile));
  }
  case 62: {
    const access a = access_of(i, 2);
    b.CreateAlignedStore(m.value(i[1]), pointer(m, i[0]), a.alignment, a.is_volatile);
    return true;
  }
  case 63:
    expect(m.type(pointee(m, i[1]))->isSized(), "a copy of something without a size");
    b.CreateStore(b.CreateLoad(m.type(pointee(m, i[1])), pointer(m, i[1])), pointer(m, i[0]));
    return true;
  case 64: {
    const access a = access_of(i, 3);
    expect(m.value(i[2])->getType()->isIntegerTy(), "a copy's size is not an integer");
    b.CreateMemCpy(pointer(m, i[0]), a.alignment, pointer(m, i[1]), a.alignment, m.value(i[2]), a.is_volatile);
    return true;
  }
  case 65:
    return set(address(m, i, false, false));
  case 66:
    return set(address(m, i, false, true));
  case 67:
    return set(address(m, i, true, false));
  case 70:
    return set(address(m, i, true, true));
  case 256:
  case 257:
    return true;  // lifetimes
  default:
    return false;
  }
}

bool read_composite(module_reader &m, const instruction &i) {
  llvm::IRBuilder<> &b = m.build;
  const auto set = [&](llvm::Value *v) {
    m.set(i[1], i[0], v);
    return true;
  };
  switch (i.operation) {
  case 77:
    expect(llvm::ExtractElementInst::isValidOperands(m.value(i[2]), m.value(i[3])), "an element of something else");
    return set(b.CreateExtractElement(m.value(i[2]), m.value(i[3])));
  case 78:
    expect(llvm::InsertElementInst::isValidOperands(m.value(i[2]), m.value(i[3]), m.value(i[4])),
           "an element of something else");
    return set(b.CreateInsertElement(m.value(i[2]), m.value(i[3]), m.value(i[4])));
  case 79: {
    llvm::SmallVector<int> mask;
    llvm::Value *first = m.value(i[2]), *second = m.value(i[3]);
    const auto lanes = [](llvm::Value *v) {
      const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(v->getType());
      if (!vector) refuse("it is damaged: a shuffle's operand is not a vector");
      return vector->getNumElements();
    };
    expect(first->getType()->getScalarType() == second->getType()->getScalarType(), "a shuffle of different types");
    const unsigned left = lanes(first), right = lanes(second), most = std::max(left, right);
    const auto widened = [&](llvm::Value *v) {  // both operands of LLVM's shuffle have one length
      llvm::SmallVector<int> all;
      for (unsigned k = 0; k < most; ++k) all.push_back(k < lanes(v) ? int(k) : -1);
      return lanes(v) == most ? v : b.CreateShuffleVector(v, all);
    };
    for (std::size_t k = 4; k < i.operands.size(); ++k) {
      const std::uint32_t n = i[k];
      if (n != 0xffffffff && n >= left + right) refuse("it is damaged: a shuffle's index is too large");
      mask.push_back(n == 0xffffffff ? -1 : n < left ? int(n) : int(n - left + most));
    }
    const auto *result = llvm::dyn_cast<llvm::FixedVectorType>(m.type(i[0]));
    expect(result && result->getNumElements() == mask.size(), "a shuffle has another number of elements");
    return set(b.CreateShuffleVector(widened(first), widened(second), mask));
  }
  case 80:
    return set(construct(m, i));
  case 81:
    return set(extract(m, m.value(i[2]), i.operands.subspan(3)));
  case 82:
    return set(insert(m, m.value(i[2]), m.value(i[3]), i.operands.subspan(4)));
  case 83:
    return set(m.value(i[2]));
  case 1:
    return set(llvm::UndefValue::get(m.type(i[0])));
  default:
    return false;
  }
}

}  // namespace dpep::spirv
