// The LLVM IR of small kernels: valid, and without redundant operations.
#include "pykernel/lower/lower.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "pykernel/function.hpp"

namespace dpep::pykernel {
namespace {

using namespace test;

const type floats = array_with_index32(array_type(dtype::float32, 1, 'C')),
           words = array_with_index32(array_type(dtype::int32, 1, 'C'));

struct counts {
  int loads = 0, loops = 0, selections = 0, minima = 0, fast = 0, calls = 0;
};

counts counts_of(const callable &f, std::vector<type> arguments) {
  llvm::LLVMContext context;
  const auto module = lower(*translated(f, std::move(arguments)), context, false);
  std::string wrong;
  llvm::raw_string_ostream stream(wrong);
  EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << wrong;
  counts c;
  for (const llvm::Instruction &i : llvm::instructions(*module->getFunction(f.source.name))) {
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&i))
      c.loads += !load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
    c.selections += llvm::isa<llvm::SelectInst>(i);
    c.minima += llvm::isa<llvm::MinMaxIntrinsic>(i);
    c.calls += llvm::isa<llvm::CallInst>(i) && !llvm::isa<llvm::IntrinsicInst>(i);
    c.fast += llvm::isa<llvm::FPMathOperator>(i) && i.isFast();
    if (i.isTerminator())
      for (const llvm::BasicBlock *next : llvm::successors(&i)) c.loops += next == i.getParent();
  }
  return c;
}

/// for k in range(from, to): total += a[k + shift], and a[i] = total.
callable total_over(expression_pointer from, expression_pointer to, std::int64_t shift) {
  return kernel_function(
      {"a", "b"},
      body_of(assign(name("i"), id()), assign(name("total"), element("a", number(0))),
              for_range("k", std::move(from), std::move(to),
                        body_of(add_to(name("total"), element("a", binary(name("k"), "+", number(shift)))))),
              assign(element("a", name("i")), name("total"))));
}

TEST(lowered_kernels, signs_of_ids_and_upward_counters_are_not_tested) {
  const counts c =
      counts_of(total_over(number(0), make(kinds::attribute, "size", list(name("a"))), 3), {floats, words});
  EXPECT_EQ(c.minima + c.selections, 0);
  EXPECT_EQ(c.loops, 1);
  EXPECT_EQ(c.loads, 2);
  EXPECT_EQ(c.calls, 1);  // of the id
}

TEST(lowered_kernels, loops_from_a_variable_start_are_unswitched_by_its_sign) {
  const counts c = counts_of(total_over(element("b", number(0)), element("b", number(1)), 0), {floats, words});
  EXPECT_EQ(c.loops, 2);
  EXPECT_EQ(c.minima, 1);
  EXPECT_EQ(c.selections, 0);
}

// A position in a stream of bytes, each of which is the distance to the next one.
TEST(lowered_kernels, loops_over_positions_that_only_rise_are_unswitched_by_the_start) {
  const callable f = kernel_function(
      {"a", "b"}, body_of(assign(name("at"), element("b", number(0))),
                          for_range("k", number(0), number(100), body_of(add_to(name("at"), element("a", name("at"))))),
                          assign(element("b", id()), name("at"))));
  const counts c = counts_of(f, {array_with_index32(array_type(dtype::uint8, 1, 'C')), words});
  EXPECT_EQ(c.loops, 2);
  EXPECT_EQ(c.minima, 1);
  EXPECT_EQ(c.selections, 0);
  EXPECT_EQ(c.calls, 2);  // of the id and the agreement
}

// The byte may be negative, so the position may fall.
TEST(lowered_kernels, positions_that_may_fall_are_wrapped) {
  const callable f = kernel_function(
      {"a", "b"}, body_of(assign(name("at"), element("b", number(0))),
                          for_range("k", number(0), number(100), body_of(add_to(name("at"), element("a", name("at"))))),
                          assign(element("b", id()), name("at"))));
  const counts c = counts_of(f, {array_with_index32(array_type(dtype::int8, 1, 'C')), words});
  EXPECT_EQ(c.loops, 1);
  EXPECT_EQ(c.minima, 1);
}

TEST(lowered_kernels, an_earlier_condition_removes_the_sign_test_of_an_index) {
  const auto shifted = [] { return binary(id(), "-", number(1)); };
  const auto store = [&] { return assign(element("a", shifted()), number(1)); };
  EXPECT_EQ(counts_of(kernel_function({"a"}, body_of(store())), {floats}).minima, 1);
  const counts tested =
      counts_of(kernel_function({"a"}, body_of(branch(less(number(0), id()), body_of(store())))), {floats});
  EXPECT_EQ(tested.minima + tested.selections, 0);
}

TEST(lowered_kernels, loaded_indices_stay_in_32_bits_where_arrays_are_short) {
  const callable f = kernel_function({"a", "b"}, body_of(assign(element("a", id()), element("a", element("b", id())))));
  const auto width = [&](type array) {
    llvm::LLVMContext context;
    const auto module = lower(*translated(f, {array, words}), context, false);
    for (const llvm::Instruction &i : llvm::instructions(*module->getFunction("kernel")))
      if (llvm::isa<llvm::MinMaxIntrinsic>(i)) return i.getType()->getIntegerBitWidth();
    return 0U;
  };
  EXPECT_EQ(width(floats), 32U);
  EXPECT_EQ(width(array_type(dtype::float32, 1, 'C')), 64U);
}

TEST(lowered_kernels, fast_math_flags_are_those_of_the_function) {
  callable f = total_over(number(0), number(1000), 0);
  EXPECT_EQ(counts_of(f, {floats, words}).fast, 0);
  f.fast_math = all_fast_math;
  EXPECT_GT(counts_of(f, {floats, words}).fast, 0);
}

}  // namespace
}  // namespace dpep::pykernel
