// Expands calls of OpenCL's built-in functions with vectors.
#include "program/lower/vector_calls.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace dpep::program_lower {
namespace {

constexpr std::array relations{"isequal",     "isnotequal",    "isgreater", "isgreaterequal", "isless",
                               "islessequal", "islessgreater", "isordered", "isunordered",    "isfinite",
                               "isinf",       "isnan",         "isnormal",  "signbit"};

unsigned lanes_of(const llvm::Type *type) {
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// The number in a name such as vload4 at `at`; 1 if there is none.
unsigned lanes_in(std::string_view name, std::size_t at) {
  unsigned n = 0;
  for (; at < name.size() && name[at] >= '0' && name[at] <= '9'; ++at) n = n * 10 + unsigned(name[at] - '0');
  return n ? n : 1;
}

class expansion {
public:
  expansion(llvm::CallInst &call, const builtin_name &name) : call_(call), name_(name), b_(&call) {}

  bool run() {
    const std::string &f = name_.function;
    const bool known = f.starts_with("vload")                 ? takes("np")
                       : f.starts_with("vstore")              ? takes("nnp")
                       : f == "shuffle"                       ? takes("nn")
                       : f == "shuffle2"                      ? takes("nnn")
                       : f == "any" || f == "all"             ? takes("n")
                       : f == "wait_group_events"             ? takes("np")
                       : f == "async_work_group_copy"         ? takes("ppnn")
                       : f == "async_work_group_strided_copy" ? takes("ppnnn")
                                                              : true;
    if (!known) return false;
    if (f.starts_with("vload")) return replace(load());
    if (f.starts_with("vstore")) return store(), replace(nullptr);
    if (f == "shuffle" || f == "shuffle2") return replace(shuffle());
    if (f == "prefetch") return replace(nullptr);
    if (f == "wait_group_events")
      return call_scalar({"dpep_wait_group_events", {}}, {}, b_.getVoidTy()), replace(nullptr);
    if (f == "async_work_group_copy" || f == "async_work_group_strided_copy") return copy();
    const bool has_vector = std::ranges::any_of(name_.parameters, [](const auto &p) { return p.lanes > 1; });
    if (!has_vector) return false;
    if (f == "any" || f == "all") return replace(fold(f == "all"));
    for (const char *geometric :
         {"dot", "length", "distance", "fast_length", "fast_distance", "normalize", "fast_normalize", "cross"})
      if (f == geometric) return replace(with_elements());
    return replace(by_element());
  }

private:
  /// Whether the parameters are numbers (n) and pointers (p) as in the text.
  bool takes(std::string_view kinds) const {
    return std::ranges::equal(name_.parameters, kinds,
                              [](const builtin_parameter &p, char kind) { return p.pointer == (kind == 'p'); });
  }
  bool replace(llvm::Value *result) {
    if (result) call_.replaceAllUsesWith(result);
    call_.eraseFromParent();
    return true;
  }
  llvm::Value *argument(std::size_t i) { return call_.getArgOperand(unsigned(i)); }
  llvm::Value *element(llvm::Value *value, unsigned k) {
    return value->getType()->isVectorTy() ? b_.CreateExtractElement(value, k) : value;
  }

  llvm::Value *call_scalar(const builtin_name &name, llvm::ArrayRef<llvm::Value *> arguments, llvm::Type *result) {
    return call_symbol(name.symbol(), arguments, result);
  }
  llvm::Value *call_symbol(const std::string &symbol, llvm::ArrayRef<llvm::Value *> arguments, llvm::Type *result) {
    llvm::SmallVector<llvm::Type *> types;
    for (const llvm::Value *a : arguments) types.push_back(a->getType());
    llvm::Module &module = *call_.getModule();
    llvm::CallInst *const made =
        b_.CreateCall(module.getOrInsertFunction(symbol, llvm::FunctionType::get(result, types, false)), arguments);
    made->copyFastMathFlags(llvm::isa<llvm::FPMathOperator>(&call_) && llvm::isa<llvm::FPMathOperator>(made)
                                ? call_.getFastMathFlags()
                                : llvm::FastMathFlags());
    return made;
  }

  /// The scalar function for each lane. Scalar arguments are the same for all lanes.
  llvm::Value *by_element() {
    const std::string &f = name_.function;
    builtin_name scalar = name_;
    unsigned lanes = 1;
    for (builtin_parameter &p : scalar.parameters) {
      lanes = std::max(lanes, p.lanes);
      p.lanes = 1;
    }
    // min(float4, float) and the like are functions of the same types. Only ldexp, pown and rootn have integers beside.
    if (f.starts_with("convert_")) {
      const std::size_t digits = f.find_first_of("0123456789"), rest = f.find('_', 8);
      if (digits != std::string::npos)
        scalar.function = f.substr(0, digits) + (rest == std::string::npos ? "" : f.substr(rest));
    }
    const bool relation = std::ranges::find(relations, f) != relations.end();
    llvm::Type *const type = call_.getType()->getScalarType();
    llvm::Value *result = call_.getType()->isVoidTy() ? nullptr : llvm::PoisonValue::get(call_.getType());
    for (unsigned k = 0; k < lanes; ++k) {
      llvm::SmallVector<llvm::Value *> arguments;
      for (std::size_t i = 0; i < name_.parameters.size(); ++i) {
        llvm::Value *value = argument(i);
        if (name_.parameters[i].pointer)
          value = b_.CreateConstInBoundsGEP1_32(type_of_code(b_.getContext(), name_.parameters[i].element), value, k);
        else
          value = element(value, k);
        if (f == "select" && i == 2)  // the highest bit selects
          value = b_.CreateZExt(b_.CreateICmpSLT(value, llvm::ConstantInt::get(value->getType(), 0)), value->getType());
        arguments.push_back(value);
      }
      llvm::Value *part = call_scalar(scalar, arguments, relation ? b_.getInt32Ty() : type);
      if (relation) part = b_.CreateSExt(b_.CreateICmpNE(part, b_.getInt32(0)), type);
      if (result) result = b_.CreateInsertElement(result, part, k);
    }
    return result;
  }

  llvm::Value *fold(bool all) {
    builtin_name scalar = name_;
    scalar.parameters[0].lanes = 1;
    llvm::Value *result = nullptr;
    for (unsigned k = 0; k < name_.parameters[0].lanes; ++k) {
      llvm::Value *const one = call_scalar(scalar, {element(argument(0), k)}, b_.getInt32Ty());
      result = !result ? one : all ? b_.CreateAnd(result, one) : b_.CreateOr(result, one);
    }
    return result;
  }

  /// A function of all elements as arguments of their own; a vector is returned in memory.
  llvm::Value *with_elements() {
    builtin_name flat{name_.function, {}};
    llvm::SmallVector<llvm::Value *> arguments;
    const unsigned lanes = lanes_of(call_.getType());
    llvm::Type *const type = call_.getType()->getScalarType();
    llvm::AllocaInst *memory = nullptr;
    if (lanes > 1) {
      llvm::IRBuilder<> entry(&*call_.getFunction()->getEntryBlock().getFirstInsertionPt());
      memory = entry.CreateAlloca(llvm::ArrayType::get(type, lanes));
      flat.parameters.push_back({.element = name_.parameters[0].element, .pointer = true});
      arguments.push_back(memory);
    }
    for (std::size_t i = 0; i < name_.parameters.size(); ++i)
      for (unsigned k = 0; k < name_.parameters[i].lanes; ++k) {
        flat.parameters.push_back({.element = name_.parameters[i].element});
        arguments.push_back(element(argument(i), k));
      }
    llvm::Value *const value = call_scalar(flat, arguments, memory ? b_.getVoidTy() : type);
    if (!memory) return value;
    llvm::Value *result = llvm::PoisonValue::get(call_.getType());
    for (unsigned k = 0; k < lanes; ++k)
      result = b_.CreateInsertElement(result, b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_32(type, memory, k)), k);
    return result;
  }

  llvm::Value *shuffle() {
    const bool two = name_.function == "shuffle2";
    llvm::Value *const mask = argument(two ? 2 : 1);
    const unsigned from = lanes_of(argument(0)->getType());
    llvm::Value *all = argument(0);
    if (two) {
      llvm::SmallVector<int> both;
      for (unsigned k = 0; k < 2 * from; ++k) both.push_back(int(k));
      all = b_.CreateShuffleVector(argument(0), argument(1), both);
    }
    const unsigned bits = (two ? 2 * from : from) - 1;  // 3 elements are numbered by two bits, as 4 are
    const unsigned highest = from == 3 ? (two ? 7 : 3) : bits;
    llvm::Value *result = llvm::PoisonValue::get(call_.getType());
    for (unsigned k = 0; k < lanes_of(call_.getType()); ++k) {
      llvm::Value *const which = element(mask, k);
      llvm::Value *const index = b_.CreateAnd(which, llvm::ConstantInt::get(which->getType(), highest));
      result = b_.CreateInsertElement(result, b_.CreateExtractElement(all, index), k);
    }
    return result;
  }

  /// The address of vector number `offset`, and the alignment of its elements.
  struct place {
    llvm::Value *address;
    llvm::Align alignment;
  };
  place at(llvm::Type *type, llvm::Value *memory, llvm::Value *offset, unsigned lanes, bool aligned) {
    const unsigned step = aligned && lanes == 3 ? 4 : lanes;
    llvm::Value *const index = b_.CreateMul(offset, llvm::ConstantInt::get(offset->getType(), step));
    const std::uint64_t bytes = type->getScalarSizeInBits() / 8;
    return {b_.CreateGEP(type, memory, index), llvm::Align(aligned ? bytes * step : bytes)};
  }

  // vload4, vload_half, vload_half4, vloada_half4
  llvm::Value *load() {
    const std::string_view f = name_.function;
    const bool halves = f.find("_half") != f.npos, aligned = f.starts_with("vloada");
    const unsigned lanes = lanes_in(f, halves ? f.find("_half") + 5 : 5);
    llvm::Type *const type = halves ? b_.getHalfTy() : call_.getType()->getScalarType();
    const auto [address, alignment] = at(type, argument(1), argument(0), lanes, aligned);
    llvm::Type *const whole = lanes > 1 ? llvm::FixedVectorType::get(type, lanes) : type;
    llvm::Value *const value = b_.CreateAlignedLoad(whole, address, alignment);
    return halves ? b_.CreateFPExt(value, call_.getType()) : value;
  }

  // vstore4, vstore_half_rtz, vstore_half4_rtz, vstorea_half4_rtz
  void store() {
    const std::string_view f = name_.function;
    const bool halves = f.find("_half") != f.npos, aligned = f.starts_with("vstorea");
    const unsigned lanes = lanes_in(f, halves ? f.find("_half") + 5 : 6);
    llvm::Value *value = argument(0);
    if (halves) value = as_halves(value, f);
    const auto [address, alignment] = at(value->getType()->getScalarType(), argument(2), argument(1), lanes, aligned);
    b_.CreateAlignedStore(value, address, alignment);
  }

  llvm::Value *as_halves(llvm::Value *value, std::string_view f) {
    const int mode = f.ends_with("_rtz") ? 1 : f.ends_with("_rtp") ? 2 : f.ends_with("_rtn") ? 3 : 0;
    llvm::Type *const type = value->getType()->getWithNewType(b_.getHalfTy());
    if (mode == 0) return b_.CreateFPTrunc(value, type);
    const auto one = [&](llvm::Value *x) {
      if (x->getType()->isDoubleTy())  // the second rounding in the same direction changes nothing
        x = call_symbol("_Z17convert_float" + std::string(f.substr(f.size() - 4)) + "d", {x}, b_.getFloatTy());
      return call_symbol("_Z9dpep_halffi", {x, b_.getInt32(unsigned(mode))}, b_.getHalfTy());
    };
    if (!type->isVectorTy()) return one(value);
    llvm::Value *result = llvm::PoisonValue::get(type);
    for (unsigned k = 0; k < lanes_of(type); ++k) result = b_.CreateInsertElement(result, one(element(value, k)), k);
    return result;
  }

  bool copy() {
    const bool strided = name_.function == "async_work_group_strided_copy";
    const builtin_parameter &what = name_.parameters[0];
    const unsigned bytes = type_of_code(b_.getContext(), what.element)->getPrimitiveSizeInBits() / 8;
    const std::string code = bytes == 1 ? "h" : bytes == 2 ? "t" : bytes == 4 ? "j" : "m";
    llvm::Value *const one = b_.getInt64(1), *const stride = strided ? argument(3) : one;
    const bool to_local = call_.getCalledFunction()->getName().contains("copyPU3AS3");
    call_symbol("_Z15dpep_group_copyP" + code + "PK" + code + "mmmm",
                {argument(0), argument(1), argument(2), b_.getInt64(what.lanes == 3 ? 4 : what.lanes),
                 to_local ? one : stride, to_local ? stride : one},
                b_.getVoidTy());
    return replace(argument(strided ? 4 : 3));
  }

  llvm::CallInst &call_;
  const builtin_name &name_;
  llvm::IRBuilder<> b_;
};

}  // namespace

llvm::Type *type_of_code(llvm::LLVMContext &context, std::string_view code) {
  if (code == "DF16_") return llvm::Type::getHalfTy(context);
  if (code == "f") return llvm::Type::getFloatTy(context);
  if (code == "d") return llvm::Type::getDoubleTy(context);
  if (code == "b") return llvm::Type::getInt1Ty(context);
  if (code == "c" || code == "h") return llvm::Type::getInt8Ty(context);
  if (code == "s" || code == "t") return llvm::Type::getInt16Ty(context);
  if (code == "l" || code == "m") return llvm::Type::getInt64Ty(context);
  return llvm::Type::getInt32Ty(context);
}

bool expand_call(llvm::CallInst &call, const builtin_name &name) { return expansion(call, name).run(); }

}  // namespace dpep::program_lower
