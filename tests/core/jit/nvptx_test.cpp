// Tests compilation for NVIDIA GPUs on any machine: checks the PTX, and assembles it if ptxas is installed.
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "fake_gpu.hpp"
#include "jit/launch/image_kernels.hpp"
#include "jit/launch/plan.hpp"

namespace dpep::test {
namespace {

struct nvptx : ::testing::Test {
  const environment no_cache{"DPEP_CACHE", "off"};
};

TEST_F(nvptx, the_argument_parameter_has_the_size_that_is_read) {
  const gpu_result made = compile(scale_ir(), range(1));
  EXPECT_TRUE(contains(made.ptx, ".entry dpep_kernel")) << made.ptx;
  EXPECT_EQ(made.needs.argument_bytes, 12u);
  EXPECT_TRUE(contains(made.ptx, "ld.global")) << made.ptx;  // not a generic load
  EXPECT_TRUE(contains(made.ptx, "%ctaid.x")) << made.ptx;
  EXPECT_EQ(assembler_errors(made.ptx), "");
}

TEST_F(nvptx, kernels_wait_for_earlier_kernels_before_accessing_memory) {
  const gpu_result made = compile(scale_ir(), range(1));
  const std::size_t waits = made.ptx.find("griddepcontrol.wait;");
  EXPECT_LT(waits, made.ptx.find(".global.")) << made.ptx;
  EXPECT_EQ(made.ptx.find("griddepcontrol", waits + 1), std::string::npos) << made.ptx;
  EXPECT_TRUE(made.needs.dependent_launch);
  const gpu_result older = compile(scale_ir(), range(1), "sm_89");  // has no such instruction
  EXPECT_FALSE(contains(older.ptx, "griddepcontrol")) << older.ptx;
  EXPECT_FALSE(older.needs.dependent_launch);
}

/// The text with a placeholder replaced.
std::string filled(std::string text, std::string_view placeholder, std::string_view with) {
  return text.replace(text.find(placeholder), placeholder.size(), with);
}

/// The largest number of loads without a store between them.
std::size_t most_loads_without_store(const std::string &ptx) {
  std::size_t loads = 0, most = 0;
  for (std::size_t at = 0; at < ptx.size(); at = ptx.find_first_of('\n', at) + 1) {
    const std::string line = ptx.substr(at, ptx.find('\n', at) - at);
    if (contains(line, "ld.global.")) most = std::max(most, ++loads);
    if (contains(line, "st.global.")) loads = 0;
    if (ptx.find('\n', at) == std::string::npos) break;
  }
  return most;
}

TEST_F(nvptx, streaming_kernels_load_several_work_items_before_they_store) {
  const std::string ptx = compile(scale_ir(), range(1)).ptx;
  EXPECT_GE(most_loads_without_store(ptx), 4u) << ptx;
}

/// A kernel with a branch and a call, which cannot be interleaved. `reads` computes %x from %i, %a and %b.
std::string branching_ir(const std::string &reads) {
  return R"(
    declare i64 @__dpep_global_id(i32)
    define internal float @rare(float %x) noinline {
      %y = fdiv float 1.0, %x
      ret float %y
    }
    define spir_kernel void @k(ptr %arguments) {
      %i = call i64 @__dpep_global_id(i32 0)
      %a = load ptr, ptr %arguments
      %second = getelementptr ptr, ptr %arguments, i64 1
      %b = load ptr, ptr %second
      )" +
         reads +
         R"(
      %negative = fcmp olt float %x, 0.0
      br i1 %negative, label %rarely, label %end
    rarely:
      %r = call float @rare(float %x)
      br label %end
    end:
      %y = phi float [ %x, %0 ], [ %r, %rarely ]
      %to = getelementptr float, ptr %b, i64 %i
      store float %y, ptr %to
      ret void
    })";
}

TEST_F(nvptx, loads_of_several_work_items_are_hoisted_if_they_branch) {
  const std::pair<const char *, std::size_t> cases[] = {{R"(
      %from = getelementptr float, ptr %a, i64 %i
      %x = load float, ptr %from)",
                                                         4},
                                                        {R"(
      %n = getelementptr i32, ptr %a, i64 %i
      %k = load i32, ptr %n
      %from = getelementptr float, ptr %b, i32 %k
      %x = load float, ptr %from)",
                                                         8}};
  for (const auto &[reads, loads] : cases) {
    const std::string ptx = compile(branching_ir(reads), range(1)).ptx;
    EXPECT_EQ(most_loads_without_store(ptx), loads) << ptx;
    EXPECT_EQ(assembler_errors(ptx), "");
  }
}

TEST_F(nvptx, loads_are_not_hoisted_over_side_effects_of_their_work_item) {
  const std::string ptx = compile(branching_ir(R"(
      %mine = getelementptr float, ptr %b, i64 %i
      store float 1.0, ptr %mine
      %from = getelementptr float, ptr %a, i64 %i
      %x = load float, ptr %from)"),
                                  range(1))
                              .ptx;
  EXPECT_EQ(most_loads_without_store(ptx), 1u) << ptx;
}

TEST_F(nvptx, nontemporal_stores_are_evicted_first) {
  const gpu_result made = compile(R"(
    declare i64 @__dpep_global_id(i32)
    define spir_kernel void @k(ptr %arguments) {
      %i = call i64 @__dpep_global_id(i32 0)
      %a = load ptr, ptr %arguments
      %v = getelementptr <4 x float>, ptr %a, i64 %i
      %x = load <4 x float>, ptr %v, align 16
      %y = fadd <4 x float> %x, %x
      store <4 x float> %y, ptr %v, align 16, !nontemporal !0
      ret void
    }
    !0 = !{i32 1})",
                                  range(1));
  EXPECT_TRUE(contains(made.ptx, ".cs.v4.b32")) << made.ptx;
  EXPECT_EQ(assembler_errors(made.ptx), "");
}

TEST_F(nvptx, products_of_32_bit_numbers_are_wide_products) {
  const std::string kernel = R"(
    declare i64 @__dpep_global_id(i32)
    define spir_kernel void @k(ptr %arguments) {
      %i = call i64 @__dpep_global_id(i32 0)
      %a = load ptr, ptr %arguments
      %e = getelementptr i64, ptr %a, i64 %i
      %x = load i64, ptr %e
      %m = MASKED
      %y = mul i64 %m, FACTOR
      store i64 %y, ptr %e
      ret void
    })";
  const auto is_wide = [&](std::string_view masked, std::string_view factor) {
    const gpu_result made = compile(filled(filled(kernel, "MASKED", masked), "FACTOR", factor), range(1));
    EXPECT_EQ(assembler_errors(made.ptx), "");
    return contains(made.ptx, "mul.wide.u32");
  };
  EXPECT_TRUE(is_wide("and i64 %x, 4294967295", "3528531795"));
  EXPECT_TRUE(is_wide("lshr i64 %x, 32", "3449720151"));
  EXPECT_FALSE(is_wide("and i64 %x, 8589934591", "3528531795"));
  EXPECT_FALSE(is_wide("and i64 %x, 4294967295", "4294967297"));
}

// ptxas widens abs.s16 as if it were never negative, but it is for -32768.
TEST_F(nvptx, absolute_values_of_16_bits_are_maxima) {
  const gpu_result made = compile(R"(
    declare i64 @__dpep_global_id(i32)
    declare i16 @llvm.abs.i16(i16, i1)
    define spir_kernel void @k(ptr %arguments) {
      %i = call i64 @__dpep_global_id(i32 0)
      %a = load ptr, ptr %arguments
      %e = getelementptr i16, ptr %a, i64 %i
      %x = load i16, ptr %e
      %y = call i16 @llvm.abs.i16(i16 %x, i1 false)
      %z = sext i16 %y to i32
      %h = sdiv i32 %z, 7
      %r = trunc i32 %h to i16
      store i16 %r, ptr %e
      ret void
    })",
                                  range(1));
  EXPECT_FALSE(contains(made.ptx, "abs.s16")) << made.ptx;
  EXPECT_TRUE(contains(made.ptx, "max.s16")) << made.ptx;
  EXPECT_EQ(assembler_errors(made.ptx), "");
}

// ptxas has the same defect for neg.s16. Negation in 32 bits is truncated and widened correctly.
TEST_F(nvptx, negation_of_16_bits_is_done_in_32) {
  const gpu_result made = compile(R"(
    declare i64 @__dpep_global_id(i32)
    define void @k(ptr %arguments) {
      %data = load ptr, ptr %arguments
      %i = call i64 @__dpep_global_id(i32 0)
      %at = getelementptr i16, ptr %data, i64 %i
      %x = load i16, ptr %at
      %y = sub i16 0, %x
      %wide = sext i16 %y to i32
      %out = getelementptr i32, ptr %data, i64 %i
      store i32 %wide, ptr %out
      ret void
    }
  )",
                                  range(1));
  EXPECT_FALSE(contains(made.ptx, "neg.s16")) << made.ptx;
  EXPECT_TRUE(contains(made.ptx, "neg.s32")) << made.ptx;
  EXPECT_EQ(assembler_errors(made.ptx), "");
}

// On GPUs, |x| of NaN has the sign of x, so bit casts of it are computed with integer operations.
TEST_F(nvptx, bits_of_absolute_values_have_no_sign) {
  const gpu_result made = compile(R"(
    declare i64 @__dpep_global_id(i32)
    declare double @llvm.fabs.f64(double)
    define void @k(ptr %arguments) {
      %data = load ptr, ptr %arguments
      %i = call i64 @__dpep_global_id(i32 0)
      %at = getelementptr double, ptr %data, i64 %i
      %x = load double, ptr %at
      %size = call double @llvm.fabs.f64(double %x)
      %bits = bitcast double %size to i64
      %block = lshr i64 %bits, 52
      store i64 %block, ptr %at
      ret void
    }
  )",
                                  range(1));
  EXPECT_FALSE(contains(made.ptx, "abs.f64")) << made.ptx;
}

// If only one use of a product were fused, the product's difference from itself would not be zero.
TEST_F(nvptx, products_with_several_uses_are_not_fused) {
  const std::string kernel = R"(
    declare i64 @__dpep_global_id(i32)
    define void @k(ptr %arguments) {
      %data = load ptr, ptr %arguments
      %i = call i64 @__dpep_global_id(i32 0)
      %at = getelementptr double, ptr %data, i64 %i
      %x = load double, ptr %at
      %y = fmul contract double %x, 0.3
      %z = fsub contract double SECOND, %y
      store double %z, ptr %at
      ret void
    }
  )";
  const auto with = [&](std::string_view second) { return compile(filled(kernel, "SECOND", second), range(1)).ptx; };
  EXPECT_FALSE(contains(with("%y"), "fma")) << with("%y");
  EXPECT_TRUE(contains(with("1.0"), "fma")) << with("1.0");
}

// Without the data layout, shared memory would be accessed in words of four bytes.
TEST_F(nvptx, text_without_a_data_layout_gets_that_of_kernels) {
  const gpu_result made = compile(R"(
    @place = internal constant i8 0
    declare i64 @__dpep_local_id(i32)
    declare ptr @__dpep_static_local_memory(i64, i64, ptr)
    declare void @__dpep_group_barrier()
    define void @k(ptr %arguments) {
      %data = load ptr, ptr %arguments
      %local = call ptr @__dpep_static_local_memory(i64 1024, i64 16, ptr @place)
      %i = call i64 @__dpep_local_id(i32 0)
      %j = xor i64 %i, 1
      %mine = getelementptr double, ptr %local, i64 %i
      %other = getelementptr double, ptr %local, i64 %j
      %at = getelementptr double, ptr %data, i64 %i
      %x = load double, ptr %at
      store double %x, ptr %mine
      call void @__dpep_group_barrier() convergent
      %y = load double, ptr %other
      store double %y, ptr %at
      ret void
    }
  )",
                                  groups(128));
  EXPECT_TRUE(contains(made.ptx, "ld.shared.b64")) << made.ptx;
  EXPECT_FALSE(contains(made.ptx, "ld.shared.b32")) << made.ptx;
}

TEST_F(nvptx, loops_that_are_already_unrolled_are_not_unrolled_by_ptxas) {
  const std::string kernel = R"(
    declare i64 @__dpep_local_id(i32)
    declare void @__dpep_group_barrier() #1
    define void @k(ptr %arguments) ATTRIBUTE {
      %data = load ptr, ptr %arguments
      %place = getelementptr ptr, ptr %arguments, i64 1
      %count = load i64, ptr %place
      %i = call i64 @__dpep_local_id(i32 0)
      %at = getelementptr i64, ptr %data, i64 %i
      br label %loop
    loop:
      %n = phi i64 [ 0, %0 ], [ %next, %loop ]
      %x = load i64, ptr %at
      %y = mul i64 %x, %n
      store i64 %y, ptr %at
      call void @__dpep_group_barrier() #1
      %next = add i64 %n, 1
      %more = icmp slt i64 %next, %count
      br i1 %more, label %loop, label %done
    done:
      ret void
    }
    attributes #0 = { "dpep-unrolled" }
    attributes #1 = { convergent }
  )";
  const auto with = [&](const char *what) { return compile(filled(kernel, "ATTRIBUTE", what), groups(128)).ptx; };
  EXPECT_FALSE(contains(with(""), "nounroll")) << with("");
  EXPECT_TRUE(contains(with("#0"), ".pragma \"nounroll\"")) << with("#0");
  EXPECT_EQ(assembler_errors(with("#0")), "");
}

TEST_F(nvptx, ranges_are_numbered_linearly) {
  for (const std::uint8_t dimensions : {1, 2, 3}) {
    const gpu_result made = compile(scale_ir(), range(dimensions));
    EXPECT_FALSE(contains(made.ptx, "%ctaid.y")) << made.ptx;
    EXPECT_EQ(contains(made.ptx, "rem.u") || contains(made.ptx, "div.u"), dimensions > 1) << made.ptx;
    EXPECT_EQ(assembler_errors(made.ptx), "");
  }
}

constexpr char global_ids_ir[] = R"(
  declare i64 @__dpep_global_id(i32)
  define spir_kernel void @k(ptr %arguments) {
    %x = call i64 @__dpep_global_id(i32 0)
    %y = call i64 @__dpep_global_id(i32 1)
    %z = call i64 @__dpep_global_id(i32 2)
    %a = load ptr, ptr %arguments
    %xy = xor i64 %x, %y
    %xyz = xor i64 %xy, %z
    %e = getelementptr i32, ptr %a, i64 %xyz
    store i32 1, ptr %e
    ret void
  })";

TEST_F(nvptx, small_ranges_use_32_bit_ids) {
  for (const std::uint8_t dimensions : {1, 2, 3}) {
    for (jit::specialisation shape : {range(dimensions), groups(16, dimensions > 1 ? 4 : 0, dimensions > 2 ? 2 : 0)}) {
      const std::string wide = compile(global_ids_ir, shape).ptx;
      shape.narrow_ids = true;
      const std::string narrow = compile(global_ids_ir, shape).ptx;
      for (const char *const slow : {"div.u64", "rem.u64", "div.s64", "mad.lo.s64", "mul.lo.s64"})
        EXPECT_FALSE(contains(narrow, slow)) << slow << " in\n" << narrow;
      EXPECT_LT(narrow.size(), wide.size());
      // Rows are found by a product with a number of the launch, planes by a division.
      EXPECT_EQ(contains(narrow, "div.u32") || contains(narrow, "rem.u32"), !shape.grouped && dimensions > 2) << narrow;
      EXPECT_EQ(contains(wide, "div.u64") || contains(wide, "rem.u64"), !shape.grouped && dimensions > 1) << wide;
      EXPECT_EQ(assembler_errors(narrow), "");
    }
  }
}

TEST(narrow_ids, require_that_ids_sizes_and_their_sums_fit_31_bits) {
  constexpr std::size_t million = 1'000'000, most = 0x7ffe'ffff;
  const auto narrow = [](std::size_t x, std::size_t y, std::size_t z, std::array<std::size_t, 3> offset = {}) {
    return jit::fits_31_bits({3, {x, y, z}, {}, offset});
  };
  EXPECT_TRUE(narrow(0, 1, 1));
  EXPECT_TRUE(narrow(most, 1, 1));
  EXPECT_FALSE(narrow(most + 1, 1, 1));
  EXPECT_TRUE(narrow(1, 1, most));
  EXPECT_TRUE(narrow(2 * million, 1000, 1));
  EXPECT_FALSE(narrow(million, 3000, 1));
  EXPECT_FALSE(narrow(2000, 2000, 2000));
  EXPECT_FALSE(narrow(std::size_t{1} << 33, std::size_t{1} << 31, 1));  // the product is 0 in 64 bits
  EXPECT_TRUE(narrow(million, 1, 1, {most - million, 0, 0}));
  EXPECT_FALSE(narrow(million, 1, 1, {most, 0, 0}));
  EXPECT_FALSE(narrow(1, 1, 1, {0, 0, ~std::size_t{0}}));
}

constexpr char with_local_memory[] = R"(
  @key = internal constant i8 0
  declare i64 @__dpep_local_id(i32)
  declare i64 @__dpep_global_id(i32)
  declare ptr @__dpep_static_local_memory(i64, i64, ptr)
  declare ptr @__dpep_local_memory()
  declare ptr @__dpep_group_scratch(i64)
  declare void @__dpep_group_barrier() convergent
  define void @k(ptr %arguments) {
    %l = call i64 @__dpep_local_id(i32 0)
    %g = call i64 @__dpep_global_id(i32 0)
    %s = call ptr @__dpep_static_local_memory(i64 400, i64 4, ptr @key)
    %d = call ptr @__dpep_local_memory()
    %c = call ptr @__dpep_group_scratch(i64 8)
    %se = getelementptr i32, ptr %s, i64 %l
    %de = getelementptr i32, ptr %d, i64 %l
    %ce = getelementptr i32, ptr %c, i64 %l
    store i32 1, ptr %se
    store i32 2, ptr %de
    store i32 3, ptr %ce
    call void @__dpep_group_barrier()
    %a = load i32, ptr %s
    %b = load i32, ptr %d
    %e = load i32, ptr %c
    %ab = add i32 %a, %b
    %abe = add i32 %ab, %e
    %p = load ptr, ptr %arguments
    %pe = getelementptr i32, ptr %p, i64 %g
    store i32 %abe, ptr %pe
    ret void
  })";

TEST_F(nvptx, local_memory_of_a_work_group_is_one_shared_block) {
  const gpu_result made = compile(with_local_memory, groups(64));
  EXPECT_TRUE(contains(made.ptx, "st.shared")) << made.ptx;
  EXPECT_TRUE(contains(made.ptx, "bar")) << made.ptx;
  EXPECT_TRUE(contains(made.ptx, ".reqntid 64")) << made.ptx;
  EXPECT_EQ(made.needs.scratch_bytes, 64u * 8);
  EXPECT_EQ(made.needs.static_local_bytes, 448u);  // up to the dynamic part
  EXPECT_TRUE(made.report.uses_barriers);
  EXPECT_EQ(assembler_errors(made.ptx), "");
}

constexpr char with_shuffles[] = R"(
  declare i64 @__dpep_global_id(i32)
  declare i32 @__dpep_sub_group_local_id()
  declare i32 @__dpep_sub_group_size()
  declare i32 @__dpep_sub_group_id()
  declare i64 @__dpep_sub_group_shuffle64(i64, i32) convergent
  declare void @__dpep_sub_group_barrier() convergent
  define void @k(ptr %arguments) {
    %g = call i64 @__dpep_global_id(i32 0)
    %l = call i32 @__dpep_sub_group_local_id()
    %z = call i32 @__dpep_sub_group_size()
    %i = call i32 @__dpep_sub_group_id()
    call void @__dpep_sub_group_barrier()
    %o = xor i32 %l, 1
    %v = call i64 @__dpep_sub_group_shuffle64(i64 %g, i32 %o)
    %w = zext i32 %z to i64
    %x = zext i32 %i to i64
    %vw = add i64 %v, %w
    %vwx = add i64 %vw, %x
    %p = load ptr, ptr %arguments
    %pe = getelementptr i64, ptr %p, i64 %g
    store i64 %vwx, ptr %pe
    ret void
  })";

TEST_F(nvptx, sub_groups_are_warps_and_the_last_may_be_smaller) {
  for (const std::uint32_t size : {32u, 64u, 20u, 100u}) {
    const gpu_result made = compile(with_shuffles, groups(size));
    EXPECT_TRUE(contains(made.ptx, "shfl.sync.bfly")) << made.ptx;
    EXPECT_EQ(assembler_errors(made.ptx), "");
  }
  EXPECT_FALSE(contains(compile(with_shuffles, range(1)).ptx, "shfl")) << "a single work-item needs no shuffle";
}

TEST_F(nvptx, pauses_are_an_instruction) {
  const gpu_result made = compile(R"(
    declare void @__dpep_pause(i32)
    define void @k(ptr %arguments) {
      call void @__dpep_pause(i32 700)
      %p = load ptr, ptr %arguments
      store i32 1, ptr %p
      ret void
    })",
                                  groups(32));
  EXPECT_TRUE(contains(made.ptx, "nanosleep.u32")) << made.ptx;
  EXPECT_EQ(assembler_errors(made.ptx), "");
}

/// shfl has variants for distances, which need no address computation.
TEST_F(nvptx, shuffles_with_constant_distances_use_them) {
  const std::pair<const char *, const char *> cases[] = {
      {"%o = add i32 %l, 4", "shfl.sync.down.b32"},
      {"%o = add i32 %l, -4", "shfl.sync.up.b32"},
      {"%o = sub i32 %l, 1", "shfl.sync.up.b32"},
      {"%o = xor i32 %l, %c", "shfl.sync.bfly.b32"},
      {"%is = icmp ult i32 %l, 30\n%n = add i32 %l, 2\n%o = select i1 %is, i32 %n, i32 %l", "shfl.sync.down.b32"},
      {"%is = icmp ult i32 %l, 30\n%n = add i32 %l, 2\n%o = select i1 %is, i32 %n, i32 0", "shfl.sync.idx.b32"},
      {"%o = add i32 %l, %c", "shfl.sync.idx.b32"},
      {"%o = sub i32 %c, %l", "shfl.sync.idx.b32"},
      {"%n = add i32 %l, 1\n%o = and i32 %n, 31", "shfl.sync.idx.b32"},
      {"%o = add i32 7, 0", "shfl.sync.idx.b32"},
  };
  for (const auto &[from, instruction] : cases) {
    const gpu_result made = compile(fmt::format(R"(
      declare i32 @__dpep_sub_group_local_id()
      declare i32 @__dpep_sub_group_shuffle32(i32, i32) convergent
      define void @k(ptr %arguments) {{
        %l = call i32 @__dpep_sub_group_local_id()
        %p = load ptr, ptr %arguments
        %e = getelementptr i32, ptr %p, i32 %l
        %x = load i32, ptr %e
        %ca = getelementptr i8, ptr %arguments, i64 8
        %c = load i32, ptr %ca
        {}
        %v = call i32 @__dpep_sub_group_shuffle32(i32 %x, i32 %o)
        store i32 %v, ptr %e
        ret void
      }})",
                                                from),
                                    groups(32));
    EXPECT_TRUE(contains(made.ptx, instruction)) << from << made.ptx;
    EXPECT_EQ(assembler_errors(made.ptx), "");
  }
}

/// In single precision, the instruction for 2^x replaces the polynomial.
TEST_F(nvptx, exponentials_of_floats_are_few_instructions) {
  for (const char *name : {"expf", "exp2f", "exp10f"}) {
    const gpu_result made = compile(fmt::format(R"(
      declare i64 @__dpep_global_id(i32)
      declare float @{0}(float)
      define void @k(ptr %arguments) {{
        %i = call i64 @__dpep_global_id(i32 0)
        %p = load ptr, ptr %arguments
        %e = getelementptr float, ptr %p, i64 %i
        %x = load float, ptr %e
        %y = call float @{0}(float %x)
        store float %y, ptr %e
        ret void
      }})",
                                                name),
                                    groups(32));
    EXPECT_TRUE(contains(made.ptx, "ex2.approx.ftz.f32")) << made.ptx;
    std::size_t fused = 0;
    for (std::size_t at = 0; (at = made.ptx.find("fma.rn.f32", at)) != std::string::npos; ++at) ++fused;
    EXPECT_LE(fused, 3u) << made.ptx;  // no polynomial
    EXPECT_TRUE(contains(made.ptx, "fma.rn.sat.f32") && !contains(made.ptx, "min.f32")) << made.ptx;
    EXPECT_EQ(assembler_errors(made.ptx), "");
  }
}

constexpr char with_assertion[] = R"(
  @text = private constant [6 x i8] c"a < b\00"
  @file = private constant [6 x i8] c"k.cpp\00"
  @format = private constant [7 x i8] c"%d %f\0A\00"
  declare i64 @__dpep_global_id(i32)
  declare void @__dpep_assert_fail(ptr, ptr, i32, ptr) noreturn
  declare i32 @__dpep_printf(ptr, ...)
  define void @k(ptr %arguments) {
    %g = call i64 @__dpep_global_id(i32 0)
    %i = trunc i64 %g to i32
    call i32 (ptr, ...) @__dpep_printf(ptr @format, i32 %i, double 0.5)
    %bad = icmp eq i64 %g, 7
    br i1 %bad, label %fail, label %ok
  fail:
    call void @__dpep_assert_fail(ptr @text, ptr @file, i32 3, ptr @text)
    unreachable
  ok:
    ret void
  })";

TEST_F(nvptx, assertions_write_a_record_and_printf_calls_the_driver) {
  const gpu_result made = compile(with_assertion, range(1));
  EXPECT_TRUE(contains(made.ptx, ".visible .global")) << made.ptx;
  EXPECT_TRUE(contains(made.ptx, "dpep_failing_kernel")) << made.ptx;
  EXPECT_TRUE(contains(made.ptx, "vprintf")) << made.ptx;
  EXPECT_TRUE(contains(made.ptx, "exit;")) << made.ptx;
  EXPECT_EQ(assembler_errors(made.ptx), "");
}

constexpr char with_assertion_in_recursion[] = R"(
  @text = private constant [6 x i8] c"a < b\00"
  declare i64 @__dpep_global_id(i32)
  declare void @__dpep_assert_fail(ptr, ptr, i32, ptr) noreturn
  define internal i64 @down(i64 %n) noinline {
    %bad = icmp eq i64 %n, 7
    br i1 %bad, label %fail, label %ok
  fail:
    call void @__dpep_assert_fail(ptr @text, ptr @text, i32 3, ptr @text)
    unreachable
  ok:
    %end = icmp slt i64 %n, 2
    br i1 %end, label %done, label %more
  more:
    %less = sub i64 %n, 2
    %below = call i64 @down(i64 %less)
    %sum = add i64 %below, %n
    %next = mul i64 %sum, %below
    ret i64 %next
  done:
    ret i64 %n
  }
  define void @k(ptr %arguments) {
    %g = call i64 @__dpep_global_id(i32 0)
    %x = call i64 @down(i64 %g)
    %a = load ptr, ptr %arguments
    store i64 %x, ptr %a
    ret void
  })";

TEST_F(nvptx, recursive_functions_may_assert) {
  const gpu_result made = compile(with_assertion_in_recursion, range(1));
  EXPECT_TRUE(contains(made.ptx, "dpep_failing_kernel")) << made.ptx;
  // functions load the failure record's address from local memory, the kernel itself from its parameter
  EXPECT_TRUE(contains(made.ptx, "st.shared") && contains(made.ptx, "ld.shared")) << made.ptx;
  EXPECT_EQ(made.needs.static_local_bytes, 8u);
  EXPECT_EQ(compile(with_assertion, range(1)).needs.static_local_bytes, 0u);
  EXPECT_EQ(assembler_errors(made.ptx), "");
}

TEST_F(nvptx, math_comes_from_the_device_library) {
  const gpu_result made = compile(R"(
    declare i64 @__dpep_global_id(i32)
    declare double @exp(double)
    declare float @llvm.sin.f32(float)
    define void @k(ptr %arguments) {
      %i = call i64 @__dpep_global_id(i32 0)
      %a = load ptr, ptr %arguments
      %e = getelementptr double, ptr %a, i64 %i
      %v = load double, ptr %e
      %x = call double @exp(double %v)
      %f = fptrunc double %x to float
      %s = call float @llvm.sin.f32(float %f)
      %d = fpext float %s to double
      store double %d, ptr %e
      ret void
    })",
                                  range(1));
  EXPECT_FALSE(contains(made.ptx, ".extern .func")) << made.ptx;
  EXPECT_EQ(assembler_errors(made.ptx), "");
}

TEST_F(nvptx, undefined_functions_are_named) {
  try {
    compile("declare void @nobody()\n define void @k(ptr %a) {\n call void @nobody()\n ret void\n }", range(1));
    FAIL() << "compiled";
  } catch (const exception &e) {
    EXPECT_EQ(e.code(), errc::build);
    EXPECT_TRUE(contains(e.what(), "nobody")) << e.what();
  }
}

// DPEP_TEST_IMAGES="a.bc b.bc": compiles all kernels of these files for several shapes.
TEST_F(nvptx, all_kernels_of_the_given_images_compile) {
  const char *const files = std::getenv("DPEP_TEST_IMAGES");
  if (!files) GTEST_SKIP() << "DPEP_TEST_IMAGES names no files";
  std::istringstream list(files);
  for (std::string file; list >> file;) {
    std::ifstream stream(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    const std::span image(reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size());
    for (const jit::declared_kernel &k : jit::kernels_in(image))
      for (const jit::specialisation &shape : {range(1), groups(64), groups(8, 8)}) {
        SCOPED_TRACE(file + ": " + k.name);
        try {
          EXPECT_EQ(assembler_errors(compile(image, k.name, shape).ptx), "");
        } catch (const exception &e) {
          ADD_FAILURE() << e.what();
        }
      }
  }
}

}  // namespace
}  // namespace dpep::test
