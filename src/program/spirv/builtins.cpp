// SPIR-V's work-item ids, synchronisation, atomic operations and the instruction set OpenCL.std, as calls of OpenCL C's
// built-in functions.
#include <array>

#include <fmt/format.h>
#include <llvm/IR/Constants.h>

#include "program/lower/builtin_name.hpp"
#include "program/spirv/module.hpp"

namespace dpep::spirv {
namespace {

using program_lower::builtin_name;
using program_lower::builtin_parameter;

std::string code_of(llvm::Type *type, bool is_signed) {
  if (type->isHalfTy()) return "DF16_";
  if (type->isFloatTy()) return "f";
  if (type->isDoubleTy()) return "d";
  if (type->isIntegerTy(1)) return "b";
  if (type->isIntegerTy(8)) return is_signed ? "c" : "h";
  if (type->isIntegerTy(16)) return is_signed ? "s" : "t";
  if (type->isIntegerTy(64)) return is_signed ? "l" : "m";
  if (type->isIntegerTy(32)) return is_signed ? "i" : "j";
  refuse("a built-in function has an argument of another type");
}

builtin_parameter parameter(llvm::Type *type, bool is_signed) {
  builtin_parameter p;
  if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) p.lanes = vector->getNumElements();
  p.element = code_of(type->getScalarType(), is_signed);
  return p;
}

std::uint64_t constant(module_reader &m, id n) {
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(m.value(n));
  if (!number) refuse("a scope or the meaning of a barrier is no constant");
  return number->getZExtValue();
}

/// memory_order of C for the memory semantics.
std::uint32_t order_of(std::uint64_t semantics) {
  if (semantics & 0x10) return __ATOMIC_SEQ_CST;
  if (semantics & 0x8) return __ATOMIC_ACQ_REL;
  if (semantics & 0x4) return __ATOMIC_RELEASE;
  return semantics & 0x2 ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED;
}

/// memory_scope of OpenCL C for a scope.
std::uint32_t scope_of(std::uint64_t scope) {
  constexpr std::array<std::uint32_t, 5> scopes{3, 2, 1, 4, 0};
  return scope < scopes.size() ? scopes[scope] : 3;
}

// In SPIR-V's order of numbers, with the signedness of integers.
struct extended {
  const char *name;
  bool is_signed = true;
};
constexpr std::array<extended, 111> of_floats{{
    {"acos"},           {"acosh"},        {"acospi"},        {"asin"},          {"asinh"},
    {"asinpi"},         {"atan"},         {"atan2"},         {"atanh"},         {"atanpi"},
    {"atan2pi"},        {"cbrt"},         {"ceil"},          {"copysign"},      {"cos"},
    {"cosh"},           {"cospi"},        {"erfc"},          {"erf"},           {"exp"},
    {"exp2"},           {"exp10"},        {"expm1"},         {"fabs"},          {"fdim"},
    {"floor"},          {"fma"},          {"fmax"},          {"fmin"},          {"fmod"},
    {"fract"},          {"frexp"},        {"hypot"},         {"ilogb"},         {"ldexp"},
    {"lgamma"},         {"lgamma_r"},     {"log"},           {"log2"},          {"log10"},
    {"log1p"},          {"logb"},         {"mad"},           {"maxmag"},        {"minmag"},
    {"modf"},           {"nan", false},   {"nextafter"},     {"pow"},           {"pown"},
    {"powr"},           {"remainder"},    {"remquo"},        {"rint"},          {"rootn"},
    {"round"},          {"rsqrt"},        {"sin"},           {"sincos"},        {"sinh"},
    {"sinpi"},          {"sqrt"},         {"tan"},           {"tanh"},          {"tanpi"},
    {"tgamma"},         {"trunc"},        {"half_cos"},      {"half_divide"},   {"half_exp"},
    {"half_exp2"},      {"half_exp10"},   {"half_log"},      {"half_log2"},     {"half_log10"},
    {"half_powr"},      {"half_recip"},   {"half_rsqrt"},    {"half_sin"},      {"half_sqrt"},
    {"half_tan"},       {"native_cos"},   {"native_divide"}, {"native_exp"},    {"native_exp2"},
    {"native_exp10"},   {"native_log"},   {"native_log2"},   {"native_log10"},  {"native_powr"},
    {"native_recip"},   {"native_rsqrt"}, {"native_sin"},    {"native_sqrt"},   {"native_tan"},
    {"clamp"},          {"degrees"},      {"max"},           {"min"},           {"mix"},
    {"radians"},        {"step"},         {"smoothstep"},    {"sign"},          {"cross"},
    {"distance"},       {"length"},       {"normalize"},     {"fast_distance"}, {"fast_length"},
    {"fast_normalize"},
}};
constexpr std::array<extended, 30> of_integers{{
    {"abs"},
    {"abs_diff"},
    {"add_sat"},
    {"add_sat", false},
    {"hadd"},
    {"hadd", false},
    {"rhadd"},
    {"rhadd", false},
    {"clamp"},
    {"clamp", false},
    {"clz", false},
    {"ctz", false},
    {"mad_hi"},
    {"mad_sat", false},
    {"mad_sat"},
    {"max"},
    {"max", false},
    {"min"},
    {"min", false},
    {"mul_hi"},
    {"rotate", false},
    {"sub_sat"},
    {"sub_sat", false},
    {"upsample", false},
    {"upsample"},
    {"popcount", false},
    {"mad24"},
    {"mad24", false},
    {"mul24"},
    {"mul24", false},
}};
constexpr std::array<extended, 4> unsigned_ones{
    {{"abs", false}, {"abs_diff", false}, {"mul_hi", false}, {"mad_hi", false}}};

extended extended_instruction(std::uint32_t n) {
  if (n < of_floats.size()) return of_floats[n];
  if (n >= 141 && n < 141 + of_integers.size()) return of_integers[n - 141];
  if (n >= 201 && n < 205) return unsigned_ones[n - 201];
  if (n == 186) return {"bitselect"};
  if (n == 187) return {"select"};
  if (n == 182) return {"shuffle", false};
  if (n == 183) return {"shuffle2", false};
  if (n == 185) return {"prefetch", false};
  refuse(fmt::format("instruction {} of OpenCL.std is not supported", n));
}

/// vload… and vstore…, whose names have the number of elements.
std::string memory_function(module_reader &m, const instruction &i) {
  const auto lanes = [](llvm::Type *type) {
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector ? std::to_string(vector->getNumElements()) : std::string();
  };
  constexpr const char *modes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  const auto mode = [&] { return modes[i[i.operands.size() - 1] & 3]; };
  switch (i[3]) {
  case 171:
    return "vload" + lanes(m.type(i[0]));
  case 172:
    return "vstore" + lanes(m.value(i[4])->getType());
  case 173:
    return "vload_half";
  case 174:
    return "vload_half" + lanes(m.type(i[0]));
  case 175:
    return "vstore_half";
  case 176:
    return std::string("vstore_half") + mode();
  case 177:
    return "vstore_half" + lanes(m.value(i[4])->getType());
  case 178:
    return "vstore_half" + lanes(m.value(i[4])->getType()) + mode();
  case 179:
    return "vloada_half" + lanes(m.type(i[0]));
  case 180:
    return "vstorea_half" + lanes(m.value(i[4])->getType());
  default:
    return "vstorea_half" + lanes(m.value(i[4])->getType()) + mode();
  }
}

llvm::Value *print(module_reader &m, const instruction &i) {
  llvm::SmallVector<llvm::Value *> arguments;
  for (std::size_t k = 4; k < i.operands.size(); ++k) arguments.push_back(m.value(i[k]));
  if (arguments.empty() || !arguments[0]->getType()->isPointerTy()) refuse("it is damaged: printf without a format");
  arguments[0] = m.build.CreateAddrSpaceCast(arguments[0], m.build.getPtrTy(4));
  return m.build.CreateCall(m.module.getOrInsertFunction(
                                "printf", llvm::FunctionType::get(m.build.getInt32Ty(), {m.build.getPtrTy(4)}, true)),
                            arguments);
}

llvm::Value *work_item_function(module_reader &m, const char *name, llvm::ArrayRef<llvm::Value *> arguments) {
  const std::string_view text = name;
  const bool narrow = text.find("sub_group") != text.npos || text == "get_work_dim";
  return call_builtin(m, name, arguments, {}, narrow ? m.build.getInt32Ty() : m.build.getInt64Ty(), false);
}

}  // namespace

llvm::Value *call_builtin(module_reader &m, const std::string &name, llvm::ArrayRef<llvm::Value *> arguments,
                          llvm::ArrayRef<llvm::Type *> pointees, llvm::Type *result, bool is_signed) {
  expect(result->isFirstClassType() || result->isVoidTy(), "a result has a wrong type");
  builtin_name full{name, {}};
  llvm::SmallVector<llvm::Value *> values;
  llvm::SmallVector<llvm::Type *> types;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    llvm::Value *value = arguments[k];
    if (value->getType()->isPointerTy()) {
      if (k >= pointees.size() || !pointees[k]) refuse("a built-in function has a pointer of an unknown type");
      full.parameters.push_back(parameter(pointees[k], is_signed));
      full.parameters.back().pointer = true;
      value = m.build.CreateAddrSpaceCast(value, m.build.getPtrTy(4));
    } else {
      full.parameters.push_back(parameter(value->getType(), is_signed));
    }
    values.push_back(value);
    types.push_back(value->getType());
  }
  const llvm::FunctionCallee callee =
      m.module.getOrInsertFunction(full.mangled(), llvm::FunctionType::get(result, types, false));
  return m.build.CreateCall(callee, values);
}

llvm::Value *builtin_variable(module_reader &m, id variable) {
  if (llvm::Value *const known = m.builtin_variables.lookup(variable)) return known;
  constexpr std::array names{
      "get_num_groups",          "get_local_size",         "get_group_id",         "get_local_id",
      "get_global_id",           "get_local_linear_id",    "get_work_dim",         "get_global_size",
      "get_enqueued_local_size", "get_global_offset",      "get_global_linear_id", "",
      "get_sub_group_size",      "get_max_sub_group_size", "get_num_sub_groups",   "get_enqueued_num_sub_groups",
      "get_sub_group_id",        "get_sub_group_local_id"};
  const std::uint32_t which = m.find(variable, 11)->words.empty() ? 0 : m.find(variable, 11)->words[0];
  if (which < 24 || which - 24 >= names.size() || !*names[which - 24])
    refuse(fmt::format("the built-in variable {} is not OpenCL's", which));
  llvm::Type *const type = m.type(m.at(m.at(variable).value_type).element);
  expect(type->isIntOrIntVectorTy(), "an id of work-items is not an integer");
  llvm::BasicBlock &first = m.current->getEntryBlock();
  const llvm::IRBuilderBase::InsertPointGuard guard(m.build);
  m.build.SetInsertPoint(&first, first.begin());
  llvm::AllocaInst *const memory = m.build.CreateAlloca(type);
  m.build.SetInsertPoint(&first, std::next(memory->getIterator()));
  llvm::Value *value = llvm::PoisonValue::get(type);
  if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    for (unsigned d = 0; d < vector->getNumElements(); ++d) {
      llvm::Value *const one = work_item_function(m, names[which - 24], {m.build.getInt32(d)});
      value = m.build.CreateInsertElement(value, m.build.CreateIntCast(one, vector->getElementType(), false), d);
    }
  } else {
    value = m.build.CreateIntCast(work_item_function(m, names[which - 24], {}), type, false);
  }
  m.build.CreateStore(value, memory);
  m.builtin_variables[variable] = memory;
  return memory;
}

bool read_synchronisation(module_reader &m, const instruction &i) {
  llvm::IRBuilder<> &b = m.build;
  const auto number = [&](std::uint32_t n) { return b.getInt32(n); };
  const auto atomic = [&](const std::string &name, std::size_t pointer, llvm::ArrayRef<llvm::Value *> more,
                          llvm::Type *type, llvm::Type *result, bool is_signed = true) {
    expect(m.value(i[pointer])->getType()->isPointerTy(), "an atomic operation on no memory");
    llvm::SmallVector<llvm::Value *> arguments{b.CreateAddrSpaceCast(m.value(i[pointer]), b.getPtrTy(4))};
    arguments.append(more.begin(), more.end());
    builtin_name full{name, {parameter(type, is_signed)}};
    full.parameters[0].pointer = true;
    llvm::SmallVector<llvm::Type *> types{arguments[0]->getType()};
    bool value = true;  // values before order and scope, which are ints
    for (std::size_t k = 1; k < arguments.size(); ++k) {
      types.push_back(arguments[k]->getType());
      value = value && arguments.size() - k > 2;
      full.parameters.push_back(parameter(value ? type : b.getInt32Ty(), value ? is_signed : true));
      full.parameters.back().pointer = arguments[k]->getType()->isPointerTy();
    }
    return b.CreateCall(m.module.getOrInsertFunction(full.symbol(), llvm::FunctionType::get(result, types, false)),
                        arguments);
  };
  const auto order = [&](std::size_t k) { return number(order_of(constant(m, i[k]))); };
  const auto scope = [&](std::size_t k) { return number(scope_of(constant(m, i[k]))); };
  const auto set = [&](llvm::Value *v) {
    m.set(i[1], i[0], v);
    return true;
  };
  constexpr std::array<extended, 9> updates{
      {{"add"}, {"sub"}, {"min"}, {"min", false}, {"max"}, {"max", false}, {"and"}, {"or"}, {"xor"}}};
  switch (i.operation) {
  case 224:
    call_builtin(m, constant(m, i[0]) == 3 ? "sub_group_barrier" : "barrier", {number(1)}, {}, b.getVoidTy(), false);
    return true;
  case 225: {
    llvm::Value *const arguments[]{number(1), order(1), scope(0)};
    b.CreateCall(m.module.getOrInsertFunction(
                     "_Z22atomic_work_item_fencejii",
                     llvm::FunctionType::get(b.getVoidTy(), {b.getInt32Ty(), b.getInt32Ty(), b.getInt32Ty()}, false)),
                 arguments);
    return true;
  }
  case 227:
    return set(atomic("atomic_load_explicit", 2, {order(4), scope(3)}, m.type(i[0]), m.type(i[0])));
  case 228: {
    llvm::Value *const x = m.value(i[3]);
    atomic("atomic_store_explicit", 0, {x, order(2), scope(1)}, x->getType(), b.getVoidTy());
    return true;
  }
  case 229:
    return set(atomic("atomic_exchange_explicit", 2, {m.value(i[5]), order(4), scope(3)}, m.type(i[0]), m.type(i[0])));
  case 230:
  case 231: {  // returns the value before; the function updates the expected value to it
    llvm::Type *const type = m.type(i[0]);
    expect(type->isIntegerTy() && m.value(i[2])->getType()->isPointerTy(), "an exchange of something else");
    llvm::IRBuilder<> entry(&m.current->getEntryBlock(), m.current->getEntryBlock().begin());
    llvm::AllocaInst *const expected = entry.CreateAlloca(type);
    b.CreateStore(m.value(i[7]), expected);
    const std::string code = code_of(type, true);
    llvm::Value *const arguments[]{b.CreateAddrSpaceCast(m.value(i[2]), b.getPtrTy(4)),
                                   b.CreateAddrSpaceCast(expected, b.getPtrTy(4)),
                                   m.value(i[6]),
                                   order(4),
                                   order(5),
                                   scope(3)};
    llvm::SmallVector<llvm::Type *> types;
    for (const llvm::Value *a : arguments) types.push_back(a->getType());
    b.CreateCall(
        m.module.getOrInsertFunction("_Z39atomic_compare_exchange_strong_explicitP" + code + "S_" + code + "iii",
                                     llvm::FunctionType::get(b.getInt1Ty(), types, false)),
        arguments);
    return set(b.CreateLoad(type, expected));
  }
  case 232:
  case 233:
    expect(m.type(i[0])->isIntegerTy(), "an atomic operation on another type");
    return set(atomic(i.operation == 232 ? "atomic_fetch_add_explicit" : "atomic_fetch_sub_explicit", 2,
                      {llvm::ConstantInt::get(m.type(i[0]), 1), order(4), scope(3)}, m.type(i[0]), m.type(i[0])));
  case 234:
  case 235:
  case 236:
  case 237:
  case 238:
  case 239:
  case 240:
  case 241:
  case 242: {
    const extended update = updates[i.operation - 234u];
    return set(atomic(std::string("atomic_fetch_") + update.name + "_explicit", 2, {m.value(i[5]), order(4), scope(3)},
                      m.type(i[0]), m.type(i[0]), update.is_signed));
  }
  case 259: {
    llvm::Value *const to = m.value(i[3]), *const from = m.value(i[4]);
    if (!to->getType()->isPointerTy() || !from->getType()->isPointerTy())
      refuse("it is damaged: a copy of no pointers");
    const builtin_parameter what = parameter(m.type(m.at(m.at(i[3]).value_type).element), false);
    const std::string element = (what.lanes > 1 ? fmt::format("Dv{}_", what.lanes) : "") + what.element;
    const std::string name =
        fmt::format("_Z29async_work_group_strided_copyPU3AS{0}{1}PU3AS{2}{1}mm9ocl_event",
                    to->getType()->getPointerAddressSpace(), element, from->getType()->getPointerAddressSpace());
    const auto count = [&](std::size_t k) { return b.CreateIntCast(integers(m.value(i[k])), b.getInt64Ty(), false); };
    llvm::Value *const arguments[]{to, from, count(5), count(6), m.value(i[7])};
    llvm::SmallVector<llvm::Type *> types;
    for (const llvm::Value *a : arguments) types.push_back(a->getType());
    return set(b.CreateCall(m.module.getOrInsertFunction(name, llvm::FunctionType::get(m.type(i[0]), types, false)),
                            arguments));
  }
  case 260: {
    const llvm::FunctionCallee wait =
        m.module.getOrInsertFunction("_Z17wait_group_eventsiP9ocl_event",
                                     llvm::FunctionType::get(b.getVoidTy(), {b.getInt32Ty(), b.getPtrTy(4)}, false));
    b.CreateCall(wait, {number(1), b.CreateAddrSpaceCast(m.value(i[2]), b.getPtrTy(4))});
    return true;
  }
  case 261:
  case 262: {
    const std::string name =
        std::string(constant(m, i[2]) == 3 ? "sub_group_" : "work_group_") + (i.operation == 261 ? "all" : "any");
    expect(m.value(i[3])->getType()->isIntegerTy(1), "a test of something else than a bool");
    llvm::Value *const x = b.CreateZExt(m.value(i[3]), b.getInt32Ty());
    return set(b.CreateICmpNE(call_builtin(m, name, {x}, {}, b.getInt32Ty(), true), number(0)));
  }
  case 263: {
    llvm::SmallVector<llvm::Value *> arguments{m.value(i[3])};
    llvm::Value *const where = integers(m.value(i[4]));
    const bool sub_group = constant(m, i[2]) == 3;
    builtin_name full{sub_group ? "sub_group_broadcast" : "work_group_broadcast", {parameter(m.type(i[0]), true)}};
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(where->getType());
    for (unsigned d = 0; d < (vector ? vector->getNumElements() : 1); ++d) {
      llvm::Value *const one = vector ? b.CreateExtractElement(where, d) : where;
      arguments.push_back(b.CreateIntCast(one, sub_group ? b.getInt32Ty() : b.getInt64Ty(), false));
      full.parameters.push_back(parameter(arguments.back()->getType(), false));
    }
    llvm::SmallVector<llvm::Type *> types;
    for (const llvm::Value *a : arguments) types.push_back(a->getType());
    return set(b.CreateCall(
        m.module.getOrInsertFunction(full.symbol(), llvm::FunctionType::get(m.type(i[0]), types, false)), arguments));
  }
  case 264:
  case 265:
  case 266:
  case 267:
  case 268:
  case 269:
  case 270:
  case 271: {
    constexpr std::array<extended, 8> operations{
        {{"add"}, {"add"}, {"min"}, {"min", false}, {"min"}, {"max"}, {"max", false}, {"max"}}};
    const extended operation = operations[i.operation - 264u];
    constexpr std::array forms{"_reduce_", "_scan_inclusive_", "_scan_exclusive_"};
    if (i[3] >= forms.size()) refuse("a group operation is not supported");
    const std::string name =
        std::string(constant(m, i[2]) == 3 ? "sub_group" : "work_group") + forms[i[3]] + operation.name;
    return set(call_builtin(m, name, {m.value(i[4])}, {}, m.type(i[0]), operation.is_signed));
  }
  default:
    return false;
  }
}

bool read_extended(module_reader &m, const instruction &i) {
  if (i.operation != 12) return false;
  if (m.at(i[2]).extension != "OpenCL.std")
    refuse(fmt::format("the instruction set '{}' is not supported", m.at(i[2]).extension));
  if (i[3] == 184) return m.set(i[1], i[0], print(m, i)), true;
  const bool memory = i[3] >= 171 && i[3] <= 181;
  const extended which = memory ? extended{"", false} : extended_instruction(i[3]);
  std::size_t end = i.operands.size();
  if (i[3] == 171 || i[3] == 174 || i[3] == 179 || i[3] == 176 || i[3] == 178 || i[3] == 181) --end;  // a literal
  llvm::SmallVector<llvm::Value *> arguments;
  llvm::SmallVector<llvm::Type *> pointees;
  for (std::size_t k = 4; k < end; ++k) {
    arguments.push_back(m.value(i[k]));
    llvm::Type *type = nullptr;
    if (arguments.back()->getType()->isPointerTy()) type = m.type(m.at(m.at(i[k]).value_type).element);
    // fract(float, float*) and the like: some writers give other pointers
    if (type && !memory && which.is_signed && !type->isFPOrFPVectorTy() && !type->isIntOrIntVectorTy())
      type = arguments[0]->getType();
    pointees.push_back(type);
  }
  m.set(
      i[1], i[0],
      call_builtin(m, memory ? memory_function(m, i) : which.name, arguments, pointees, m.type(i[0]), which.is_signed));
  return true;
}

}  // namespace dpep::spirv
