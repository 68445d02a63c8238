// SPIR-V's types, constants and variables of the module.
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "program/spirv/module.hpp"

namespace dpep::spirv {
namespace {

/// clang's address space for a storage class.
unsigned address_space(std::uint32_t storage) {
  switch (storage) {
  case 0:
    return 2;  // UniformConstant
  case 4:
    return 3;  // Workgroup
  case 5:
    return 1;  // CrossWorkgroup
  case 8:
    return 4;  // Generic
  case 1:      // Input: ids of work-items, which are variables of functions here
  case 7:
    return 0;
  default:
    refuse(fmt::format("storage class {} is not OpenCL's", storage));
  }
}

void read_type(module_reader &m, const instruction &i) {
  llvm::LLVMContext &context = m.module.getContext();
  entry &e = m.at(i[0]);
  expect(!e.value && (!e.type || i.operation == 32), "an id has two definitions");  // pointers can be declared before
  switch (i.operation) {
  case 19:
    e.type = llvm::Type::getVoidTy(context);
    break;
  case 20:
    e.type = llvm::Type::getInt1Ty(context);
    break;
  case 21:
    if (i[1] == 0 || i[1] > 64) refuse(fmt::format("integers of {} bits are not supported", i[1]));
    e.type = llvm::Type::getIntNTy(context, i[1]);
    break;
  case 22:
    e.type = i[1] == 16   ? llvm::Type::getHalfTy(context)
             : i[1] == 32 ? llvm::Type::getFloatTy(context)
             : i[1] == 64 ? llvm::Type::getDoubleTy(context)
                          : nullptr;
    if (!e.type) refuse(fmt::format("floats of {} bits are not supported", i[1]));
    break;
  case 23:
    if (!llvm::VectorType::isValidElementType(m.type(i[1])) || i[2] < 2 || i[2] > 16) refuse("a vector type is wrong");
    e.element = i[1];
    e.type = llvm::FixedVectorType::get(m.type(i[1]), i[2]);
    break;
  case 28: {
    const auto *length = llvm::dyn_cast<llvm::ConstantInt>(m.value(i[2]));
    if (!length) refuse("the length of an array is no constant");
    constexpr std::uint64_t most = std::uint64_t{1} << 32;
    expect(m.type(i[1])->isSized() && length->getValue().ult(most), "an array's type is wrong");
    e.element = i[1];
    e.type = llvm::ArrayType::get(m.type(i[1]), length->getZExtValue());
    break;
  }
  case 30: {
    llvm::SmallVector<llvm::Type *> types;
    for (std::size_t k = 1; k < i.operands.size(); ++k) {
      expect(m.type(i[k])->isSized(), "a member of a structure has a wrong type");
      types.push_back(m.type(i[k]));
      e.members.push_back(i[k]);
    }
    const bool packed = m.find(i[0], 10) != nullptr;
    e.type = llvm::StructType::get(context, types, packed);
    break;
  }
  case 32:
    e.element = i[2];
    e.type = llvm::PointerType::get(context, address_space(i[1]));
    break;
  case 33: {
    llvm::SmallVector<llvm::Type *> types;
    for (std::size_t k = 2; k < i.operands.size(); ++k) {
      expect(m.type(i[k])->isFirstClassType(), "a parameter has a wrong type");
      types.push_back(m.type(i[k]));
      e.members.push_back(i[k]);
    }
    expect(m.type(i[1])->isFirstClassType() || m.type(i[1])->isVoidTy(), "a function's result has a wrong type");
    e.type = llvm::FunctionType::get(m.type(i[1]), types, false);
    break;
  }
  case 34:
    e.type = llvm::TargetExtType::get(context, "spirv.Event");
    break;
  case 39:  // a pointer that is defined later: the type does not depend on what it points to
    e.type = llvm::PointerType::get(context, address_space(i[1]));
    break;
  case 25:
  case 26:
  case 27:
    e.type = llvm::TargetExtType::get(context, "spirv.Image");
    break;
  default:
    refuse(fmt::format("the type of instruction {} is not supported", i.operation));
  }
}

llvm::Constant *number(module_reader &m, const instruction &i) {
  llvm::Type *const type = m.type(i[0]);
  std::uint64_t bits = i[2];
  if (type->getPrimitiveSizeInBits() > 32) bits |= std::uint64_t{i[3]} << 32;
  const unsigned width = static_cast<unsigned>(type->getPrimitiveSizeInBits());
  if (width == 0 || width > 64) refuse("a constant is neither an integer nor a float");
  const llvm::APInt value = llvm::APInt(64, bits).zextOrTrunc(width);
  if (type->isIntegerTy()) return llvm::ConstantInt::get(type, value);
  if (!type->isFloatingPointTy()) refuse("a constant is neither an integer nor a float");
  return llvm::ConstantFP::get(type, llvm::APFloat(type->getFltSemantics(), value));
}

llvm::Constant *composite(module_reader &m, const instruction &i) {
  llvm::Type *const type = m.type(i[0]);
  llvm::SmallVector<llvm::Constant *> parts;
  for (std::size_t k = 2; k < i.operands.size(); ++k) {
    auto *const part = llvm::dyn_cast<llvm::Constant>(m.value(i[k]));
    if (!part) refuse("a part of a constant is no constant");
    llvm::Type *const wanted = type->isVectorTy()  ? type->getScalarType()
                               : type->isArrayTy() ? type->getArrayElementType()
                                                   : llvm::ExtractValueInst::getIndexedType(type, unsigned(k - 2));
    expect(part->getType() == wanted, "a part of a constant has another type");
    parts.push_back(part);
  }
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type); array && array->getNumElements() == parts.size())
    return llvm::ConstantArray::get(array, parts);
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type); vector && vector->getNumElements() == parts.size())
    return llvm::ConstantVector::get(parts);
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type);
      structure && structure->getNumElements() == parts.size())
    return llvm::ConstantStruct::get(structure, parts);
  refuse("it is damaged: a constant has other parts than its type");
}

void read_variable(module_reader &m, const instruction &i) {
  expect(m.type(i[0])->isPointerTy(), "a variable's type is not a pointer");
  llvm::Type *const type = m.type(m.at(i[0]).element);
  expect(type->isSized(), "a variable has no size");
  if (m.find(i[1], 11)) return m.set(i[1], i[0], nullptr);  // an id of work-items
  llvm::Constant *initial = nullptr;
  if (i.operands.size() > 3) initial = llvm::dyn_cast<llvm::Constant>(m.value(i[3]));
  const unsigned space = address_space(i[2]);
  expect(!initial || initial->getType() == type, "a variable's first value has another type");
  if (!initial) initial = space == 3 ? llvm::UndefValue::get(type) : llvm::Constant::getNullValue(type);
  const bool constant = space == 2 || m.find(i[1], 22);
  auto *const variable = new llvm::GlobalVariable(m.module, type, constant, llvm::GlobalValue::InternalLinkage, initial,
                                                  m.at(i[1]).name.empty() ? "variable" : m.at(i[1]).name, nullptr,
                                                  llvm::GlobalValue::NotThreadLocal, space);
  if (const decoration *alignment = m.find(i[1], 44); alignment && !alignment->words.empty())
    variable->setAlignment(llvm::MaybeAlign(alignment->words[0]));
  else
    variable->setAlignment(m.module.getDataLayout().getABITypeAlign(type));
  m.set(i[1], i[0], variable);
}

}  // namespace

bool read_declaration(module_reader &m, const instruction &i) {
  if (i.operation >= 19 && i.operation <= 39) return read_type(m, i), true;
  const auto set = [&](llvm::Value *v) {
    m.set(i[1], i[0], v);
    return true;
  };
  switch (i.operation) {
  case 1:
    expect(m.type(i[0])->isFirstClassType(), "a value has no type");
    return set(llvm::UndefValue::get(m.type(i[0])));
  case 41:
  case 48:
    return set(m.build.getTrue());
  case 42:
  case 49:
    return set(m.build.getFalse());
  case 43:
  case 50:
    return set(number(m, i));
  case 44:
  case 51:
    return set(composite(m, i));
  case 46:
    expect(m.type(i[0])->isSized(), "a constant has no size");
    return set(llvm::Constant::getNullValue(m.type(i[0])));
  case 52: {  // an instruction on constants
    const auto operation = static_cast<std::uint16_t>(i[2]);
    std::vector<std::uint32_t> operands{i[0], i[1]};
    operands.insert(operands.end(), i.operands.begin() + 3, i.operands.end());
    read_instruction(m, {operation, operands});
    if (!llvm::isa<llvm::Constant>(m.value(i[1]))) refuse("a constant's instruction is not supported");
    return true;
  }
  case 59:
    return read_variable(m, i), true;
  default:
    return false;
  }
}

}  // namespace dpep::spirv
