// Tests code for known arguments (dpep::argument_facts): which launches share it, and that it is right.
#include <random>
#include <thread>

#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

#include "fake_gpu.hpp"
#include "jit/launch/plan.hpp"
#include "jit/targets/nvptx/intrinsics.hpp"

namespace dpep::test {
namespace {

struct known_arguments : ::testing::Test {
  const environment no_cache{"DPEP_CACHE", "off"};
};

/// Elements at multiples of a stride, which is the second word of the arguments.
constexpr char strided_ir[] = R"(
  declare i64 @__dpep_local_id(i32)
  define void @k(ptr %arguments) {
    %a = load ptr, ptr %arguments
    %place = getelementptr i8, ptr %arguments, i64 8
    %stride = load i64, ptr %place
    %i = call i64 @__dpep_local_id(i32 0)
    %at = mul i64 %i, %stride
    %e = getelementptr i32, ptr %a, i64 %at
    store i32 1, ptr %e
    ret void
  })";

struct strided_arguments {
  void *a;
  std::uint64_t stride;
};
constexpr std::uint32_t stride_offset[] = {offsetof(strided_arguments, stride)};
constexpr geometry one_group{1, {64, 1, 1}, {64, 0, 0}, {}};

class strided_kernel {
public:
  const jit::launch_plan &plan(std::uint64_t stride, const geometry &work = one_group) {
    const strided_arguments arguments{nullptr, stride};
    return kernel_->plan(gpu_, work, {std::as_bytes(std::span(&arguments, 1)), {stride_offset, false}});
  }
  const jit::launch_plan &general_plan() { return kernel_->plan(gpu_, one_group); }
  static std::string text(const jit::launch_plan &plan) { return static_cast<const ptx_code &>(*plan.code).text; }
  std::size_t plans() const {
    std::size_t count = 0;
    for (const jit::launch_plan *p = kernel_->plans(); p; p = p->next) ++count;
    return count;
  }

private:
  static std::vector<unsigned char> module() {
    const auto bytes = bytes_of(strided_ir);
    return {bytes.begin(), bytes.end()};
  }
  fake_gpu gpu_{"sm_90"};
  ref<jit::kernel_object> kernel_ = make_object<jit::kernel_object>(module(), "k");
};

TEST_F(known_arguments, words_are_constants_in_the_code) {
  strided_kernel kernel;
  const std::string of_16 = kernel.text(kernel.plan(16)), general = kernel.text(kernel.general_plan());
  EXPECT_FALSE(contains(of_16, "mul.lo.s64")) << of_16;
  EXPECT_FALSE(contains(of_16, "dpep_kernel_param_0+8")) << of_16;
  EXPECT_TRUE(contains(general, "mul.lo.s64")) << general;
  EXPECT_EQ(assembler_errors(of_16), "");
}

TEST_F(known_arguments, repeated_values_find_their_plan_and_others_get_one_until_there_are_many) {
  strided_kernel kernel;
  const jit::launch_plan *const of_16 = &kernel.plan(16), *const of_17 = &kernel.plan(17);
  EXPECT_NE(of_16, of_17);
  EXPECT_EQ(&kernel.plan(16), of_16);
  EXPECT_EQ(&kernel.plan(17), of_17);
  EXPECT_EQ(kernel.plans(), 2u);
  kernel.plan(18);
  kernel.plan(19);
  EXPECT_EQ(kernel.plans(), 4u);
  const jit::launch_plan *const others = &kernel.plan(20);
  EXPECT_TRUE(others->shape.words.empty());
  for (std::uint64_t stride = 21; stride < 60; ++stride) EXPECT_EQ(&kernel.plan(stride), others) << stride;
  EXPECT_EQ(&kernel.plan(17), of_17);
  EXPECT_EQ(kernel.plans(), 5u);
  EXPECT_EQ(&kernel.general_plan(), others);
}

TEST_F(known_arguments, each_local_size_has_plans_of_its_own) {
  strided_kernel kernel;
  for (const std::size_t size : {32, 64, 96})
    for (std::uint64_t stride = 0; stride < 10; ++stride) kernel.plan(stride, {1, {size, 1, 1}, {size, 0, 0}, {}});
  EXPECT_EQ(kernel.plans(), 15u);
}

TEST_F(known_arguments, threads_that_launch_at_once_get_code_for_their_values) {
  strided_kernel kernel;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (std::uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < 100; ++i) {
        const std::uint64_t stride = (t + i) % 8;
        const jit::launch_plan &plan = kernel.plan(stride);
        wrong += !plan.shape.words.empty() && plan.shape.words.front().value != stride;
      }
    });
  for (std::thread &t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(kernel.plans(), 9u);  // those that were begun before there were four
}

TEST_F(known_arguments, loads_of_parts_of_words_are_constants_too) {
  jit::specialisation shape = groups(64);
  shape.words = {{8, 0x1234'5678'9abc'def0}};
  const std::string ptx = compile(R"(
    define void @k(ptr %arguments) {
      %a = load ptr, ptr %arguments
      %low.place = getelementptr i8, ptr %arguments, i64 8
      %low = load i32, ptr %low.place
      %high.place = getelementptr i8, ptr %arguments, i64 14
      %high = load i16, ptr %high.place
      %wide = zext i16 %high to i32
      store volatile i32 %low, ptr %a
      store volatile i32 %wide, ptr %a
      ret void
    })",
                                  shape)
                              .ptx;
  EXPECT_TRUE(contains(ptx, std::to_string(static_cast<std::int32_t>(0x9abcdef0)))) << ptx;
  EXPECT_TRUE(contains(ptx, std::to_string(0x1234))) << ptx;
}

TEST_F(known_arguments, arguments_that_the_kernel_writes_are_read) {
  jit::specialisation shape = groups(64);
  shape.words = {{8, 7}};
  const std::string ptx = compile(R"(
    define void @k(ptr %arguments) {
      %a = load ptr, ptr %arguments
      %place = getelementptr i8, ptr %arguments, i64 8
      %x = load i64, ptr %a
      store i64 %x, ptr %place
      %y = load i64, ptr %place
      store i64 %y, ptr %a
      ret void
    })",
                                  shape)
                              .ptx;
  EXPECT_FALSE(contains(ptx, ", 7;")) << ptx;
}

constexpr char stencil_ir[] = R"(
  declare i64 @__dpep_global_id(i32)
  declare i64 @__dpep_buffer_index(i64) #0
  define void @k(ptr %arguments) {
    %a = load ptr, ptr %arguments
    %rows.place = getelementptr i8, ptr %arguments, i64 8
    %rows = load i64, ptr %rows.place
    %columns.place = getelementptr i8, ptr %arguments, i64 16
    %columns = load i64, ptr %columns.place
    %x = call i64 @__dpep_global_id(i32 0)
    %y = call i64 @__dpep_global_id(i32 1)
    %z = call i64 @__dpep_global_id(i32 2)
    %p = mul i64 %z, %rows
    %q = add i64 %p, %y
    %r = mul i64 %q, %columns
    %s = add i64 %r, %x
    %t = add i64 %s, -1
    %u = call i64 @__dpep_buffer_index(i64 %s)
    %v = call i64 @__dpep_buffer_index(i64 %t)
    %to = getelementptr float, ptr %a, i64 %u
    %from = getelementptr float, ptr %a, i64 %v
    %value = load float, ptr %from
    store float %value, ptr %to
    ret void
  }
  attributes #0 = { memory(none) nounwind willreturn })";

TEST_F(known_arguments, indices_of_small_buffers_are_computed_in_32_bits) {
  jit::specialisation shape = groups(32, 4, 2);
  shape.narrow_ids = true;
  const std::string wide = compile(stencil_ir, shape).ptx;
  shape.small_buffers = true;
  const std::string narrow = compile(stencil_ir, shape).ptx;
  EXPECT_TRUE(contains(wide, "mad.lo.s64") || contains(wide, "mul.lo.s64")) << wide;
  for (const char *const slow : {"mad.lo.s64", "mul.lo.s64"}) EXPECT_FALSE(contains(narrow, slow)) << narrow;
  EXPECT_TRUE(contains(narrow, "-4]")) << "the neighbour has the same address register:\n" << narrow;
  EXPECT_EQ(assembler_errors(narrow), "");
}

/// Computes the values of a function without branches and memory.
class evaluator {
public:
  std::int64_t result(llvm::Function &f, std::span<const std::int64_t> arguments) {
    std::map<const llvm::Value *, std::int64_t> values;
    for (llvm::Argument &a : f.args()) values[&a] = truncated(arguments[a.getArgNo()], a.getType());
    const auto value = [&](const llvm::Value *v) {
      const auto *const constant = llvm::dyn_cast<llvm::ConstantInt>(v);
      return constant ? constant->getSExtValue() : values.at(v);
    };
    for (llvm::Instruction &i : llvm::instructions(f)) {
      if (llvm::isa<llvm::ReturnInst>(i)) return value(i.getOperand(0));
      const auto a = static_cast<std::uint64_t>(value(i.getOperand(0)));
      const std::uint64_t b =
          llvm::isa<llvm::BinaryOperator>(i) ? static_cast<std::uint64_t>(value(i.getOperand(1))) : 0;
      values[&i] = truncated(static_cast<std::int64_t>(computed(i, a, b)), i.getType());
    }
    return 0;
  }

private:
  static std::int64_t truncated(std::int64_t x, const llvm::Type *type) {
    return type->isIntegerTy(32) ? static_cast<std::int32_t>(x) : x;  // kept as the sign extension
  }
  static std::uint64_t computed(const llvm::Instruction &i, std::uint64_t a, std::uint64_t b) {
    switch (i.getOpcode()) {
    case llvm::Instruction::Add:
      return a + b;
    case llvm::Instruction::Sub:
      return a - b;
    case llvm::Instruction::Mul:
      return a * b;
    case llvm::Instruction::Shl:
      return a << b;
    case llvm::Instruction::Xor:
      return a ^ b;
    case llvm::Instruction::ZExt:
      return i.getOperand(0)->getType()->isIntegerTy(32) ? static_cast<std::uint32_t>(a) : a;
    case llvm::Instruction::SExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::Call:  // __dpep_buffer_index
      return a;
    default:
      ADD_FAILURE() << "unexpected " << i.getOpcodeName();
      return 0;
    }
  }
};

/// A function of two 64-bit and two 32-bit numbers, of random operations.
std::string random_function(std::mt19937_64 &random) {
  std::vector<std::string> wide{"%a", "%b"}, narrow{"%c", "%d"};
  std::string text = "declare i64 @__dpep_buffer_index(i64)\ndefine i64 @f(i64 %a, i64 %b, i32 %c, i32 %d) {\n";
  const auto pick = [&](const std::vector<std::string> &from) { return from[random() % from.size()]; };
  const auto constant = [&] {
    constexpr std::int64_t some[] = {-1, 1, 2, -3, 100, 65535, 65536, 65537, -65537, 1 << 30, -2147483648};
    return std::to_string(some[random() % std::size(some)]);
  };
  for (int i = 0; i < 14; ++i) {
    const std::string name = fmt::format("%v{}", i);
    const bool is_wide = random() % 3 != 0;
    auto &all = is_wide ? wide : narrow;
    const char *const type = is_wide ? "i64" : "i32";
    switch (random() % 8) {
    case 0:
      text += fmt::format("{} = {} i32 {} to i64\n", name, random() % 2 ? "sext" : "zext", pick(narrow));
      wide.push_back(name);
      continue;
    case 1:
      text += fmt::format("{} = trunc i64 {} to i32\n", name, pick(wide));
      narrow.push_back(name);
      continue;
    case 2:
      text += fmt::format("{} = shl {} {}, {}\n", name, type, pick(all), random() % 31);
      break;
    case 3:
      text += fmt::format("{} = xor {} {}, {}\n", name, type, pick(all), pick(all));
      break;
    case 4:
      text += fmt::format("{} = add {} {}, {}\n", name, type, pick(all), constant());
      break;
    default: {
      constexpr const char *operations[] = {"add", "sub", "mul"};
      text += fmt::format("{} = {} {} {}, {}\n", name, operations[random() % 3], type, pick(all), pick(all));
    }
    }
    all.push_back(name);
  }
  return text + fmt::format("%r = call i64 @__dpep_buffer_index(i64 {})\nret i64 %r\n}}\n", wide.back());
}

TEST(buffer_indices, are_the_same_in_32_bits_for_all_elements_of_small_buffers) {
  std::mt19937_64 random(1);
  std::size_t compared = 0;
  for (int turn = 0; turn < 2000; ++turn) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    const std::string text = random_function(random);
    const auto parse = [&] { return llvm::parseAssemblyString(text, problem, context); };
    const auto before = parse(), after = parse();
    ASSERT_TRUE(before && after) << problem.getMessage().str() << text;
    jit::narrow_buffer_indices(*after->getFunction("f"));
    ASSERT_FALSE(llvm::verifyModule(*after, &llvm::errs()));
    for (int k = 0; k < 20; ++k) {
      const auto number = [&] {
        const auto bits = static_cast<std::int64_t>(random());
        return bits >> (random() % 64);
      };
      const std::int64_t arguments[] = {number(), number(), number(), number()};
      const std::int64_t expected = evaluator().result(*before->getFunction("f"), arguments);
      constexpr std::int64_t limit = 0x7fff'0000;
      if (expected <= -limit || expected >= limit) continue;  // no element
      ++compared;
      ASSERT_EQ(evaluator().result(*after->getFunction("f"), arguments), expected) << text;
    }
  }
  EXPECT_GT(compared, 2000u);
}

}  // namespace
}  // namespace dpep::test
