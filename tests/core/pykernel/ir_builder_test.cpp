// The IR builder: constant folding, with the results of hardware.
#include "pykernel/translate/ir_builder.hpp"

#include <gtest/gtest.h>

namespace dpep::pykernel {
namespace {

using enum operation;

/// Expects the folded results to be those of C++ in the type.
template <class T> void expect_as_in_cpp(machine_type m, std::int64_t x, std::int64_t y) {
  kernel_ir c;
  ir_builder b(c);
  const T p = static_cast<T>(x), q = static_cast<T>(y);
  const node l = b.integer(m, x), r = b.integer(m, y);
  const auto same = [&](operation what, auto wanted) {
    EXPECT_EQ(b.known(b.binary(what, l, r)), std::int64_t(static_cast<T>(wanted)))
        << static_cast<int>(what) << " of " << x << " and " << y << " in " << name_of(m);
  };
  using U = std::make_unsigned_t<T>;
  same(add, U(U(p) + U(q)));
  same(sub, U(U(p) - U(q)));
  same(mul, U(std::uint64_t(U(p)) * U(q)));
  same(bit_and, p & q);
  same(bit_or, p | q);
  same(bit_xor, p ^ q);
  if (q != 0) {
    same(udiv, U(U(p) / U(q)));
    same(urem, U(U(p) % U(q)));
  }
  if (q != 0 && q != -1) {
    same(sdiv, p / q);
    same(srem, p % q);
  }
  EXPECT_EQ(b.known(b.compare(slt, l, r)), std::int64_t(p < q));
  EXPECT_EQ(b.known(b.compare(ult, l, r)), std::int64_t(U(p) < U(q)));
  EXPECT_EQ(b.known(b.compare(sle, l, r)), std::int64_t(p <= q));
  EXPECT_EQ(b.known(b.compare(ule, l, r)), std::int64_t(U(p) <= U(q)));
}

TEST(kernel_ir_builder, constants_are_folded_as_hardware_computes_them) {
  for (const std::int64_t x : {0L, 1L, 7L, -1L, -5L, 127L, -128L, 40000L, 1L << 31, INT64_MAX, INT64_MIN})
    for (const std::int64_t y : {0L, 1L, 3L, -1L, -7L, 100L, 1L << 40}) {
      expect_as_in_cpp<std::int8_t>(machine_type::i8, x, y);
      expect_as_in_cpp<std::int16_t>(machine_type::i16, x, y);
      expect_as_in_cpp<std::int32_t>(machine_type::i32, x, y);
      expect_as_in_cpp<std::int64_t>(machine_type::i64, x, y);
    }
}

TEST(kernel_ir_builder, undefined_results_are_not_folded) {
  kernel_ir c;
  ir_builder b(c);
  const node zero = b.size(0), one = b.size(1), least = b.size(INT64_MIN), minus = b.size(-1), far = b.size(64);
  for (const auto &[what, l, r] :
       {std::tuple(sdiv, one, zero), std::tuple(udiv, one, zero), std::tuple(srem, one, zero),
        std::tuple(sdiv, least, minus), std::tuple(shl, one, far), std::tuple(ashr, one, far)})
    EXPECT_FALSE(b.known(b.binary(what, l, r))) << static_cast<int>(what);
}

TEST(kernel_ir_builder, identity_operations_are_not_emitted) {
  kernel_ir c;
  ir_builder b(c);
  const node x = b.argument(machine_type::i64, 0);
  const std::size_t before = c.blocks[0].size() + 3;  // the constants themselves
  const node zero = b.size(0), one = b.size(1), yes = b.boolean(true);
  EXPECT_EQ(b.add(x, zero), x);
  EXPECT_EQ(b.mul(one, x), x);
  EXPECT_EQ(b.binary(shl, x, zero), x);
  EXPECT_EQ(b.select(yes, x, zero), x);
  EXPECT_EQ(b.offset(x, zero, 8), x);
  EXPECT_EQ(c.blocks[0].size(), before);
}

TEST(kernel_ir_builder, branches_on_constants_keep_one_block) {
  kernel_ir c;
  ir_builder b(c);
  int taken = 0;
  b.branch(b.boolean(true), [&] { ++taken; }, [&] { taken += 100; });
  b.branch(b.boolean(false), [&] { taken += 100; }, [&] { ++taken; });
  EXPECT_EQ(taken, 2);
  EXPECT_EQ(c.blocks.size(), 1U);
}

TEST(kernel_ir_builder, kernels_differ_by_their_fast_math_flags) {
  const auto text = [](std::uint8_t fast) {
    kernel_ir c;
    ir_builder b(c);
    b.fast = fast;
    const node x = b.argument(machine_type::f32, 0);
    b.store(b.argument(machine_type::pointer, 8), b.binary(fadd, x, x));
    return text_of(c, false);
  };
  EXPECT_EQ(text(0), text(0));
  EXPECT_NE(text(0), text(all_fast_math));
  EXPECT_NE(text(nnan), text(ninf));
}

}  // namespace
}  // namespace dpep::pykernel
