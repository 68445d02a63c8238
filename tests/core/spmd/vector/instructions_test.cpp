// Vectorisation of rare instructions, at several widths, against a plain loop.
#include "spmd/run_kernel.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <functional>
#include <vector>

namespace dpep::test {
namespace {

constexpr std::size_t items = 75;  // no multiple of any width

struct instruction_case {
  const char *name;
  /// Computes %r, a float, from %x (the float a[i]), %n (the i32 b[i]) and %i; or stores a result itself and returns
  /// %x.
  const char *body;
  std::function<float(std::size_t, float, int)> expected;
  float total = 0;  // expected in sum[0], to which work-items may add
};

const instruction_case cases[] = {
    {"integer powers", "%r = call float @llvm.powi.f32.i32(float %x, i32 2)",
     [](std::size_t, float x, int) { return x * x; }},
    {"frozen values", "%f = freeze float %x\n%r = fadd float %f, 1.0", [](std::size_t, float x, int) { return x + 1; }},
    {"fences", "fence seq_cst\n%r = fadd float %x, 2.0", [](std::size_t, float x, int) { return x + 2; }},
    {"selected structures", R"(
      %a0 = insertvalue {float, i32} poison, float %x, 0
      %a = insertvalue {float, i32} %a0, i32 %n, 1
      %y = fadd float %x, 1.0
      %b0 = insertvalue {float, i32} poison, float %y, 0
      %b = insertvalue {float, i32} %b0, i32 7, 1
      %odd = trunc i32 %n to i1
      %c = select i1 %odd, {float, i32} %a, {float, i32} %b
      %c0 = extractvalue {float, i32} %c, 0
      %c1 = extractvalue {float, i32} %c, 1
      %c2 = sitofp i32 %c1 to float
      %r = fadd float %c0, %c2)",
     [](std::size_t, float x, int n) { return n % 2 ? x + static_cast<float>(n) : x + 1 + 7; }},
    {"integers of odd sizes", R"(
      %m = trunc i32 %n to i24
      %t = mul i24 %m, 5
      %p = alloca i24
      store i24 %t, ptr %p
      %q = load i24, ptr %p
      %w = sext i24 %q to i32
      %r = sitofp i32 %w to float)",
     [](std::size_t, float, int n) { return static_cast<float>(5 * n); }},
    {"masked descending accesses", R"(
      %back = sub i64 74, %i
      %in.back = getelementptr float, ptr %in, i64 %back
      %even = icmp eq i32 %bit, 0
      br i1 %even, label %some, label %meet
    some:
      %y = load float, ptr %in.back
      br label %meet
    meet:
      %r = phi float [%y, %some], [%x, %start])",
     [](std::size_t i, float x, int n) { return n % 2 ? x : static_cast<float>((74 - i) % 9) + 1; }},
    {"atomic float sum at one address",
     "%old = atomicrmw fadd ptr %sum, float %x monotonic, align 4\n%r = fadd float %x, 0.0",
     [](std::size_t, float x, int) { return x; }, 366},
    {"atomic maximum at one address",
     "%old = atomicrmw max ptr %sum, i32 %n monotonic, align 4\n%r = fadd float %x, 0.0",
     [](std::size_t, float x, int) { return x; }, std::bit_cast<float>(5)},
    {"compare-exchange at separate addresses", R"(
      %own = getelementptr float, ptr %out, i64 %i
      %b = bitcast float %x to i32
      %old = atomicrmw xchg ptr %own, i32 %b monotonic, align 4
      %o = bitcast i32 %old to float
      %r = fadd float %o, %x)",
     [](std::size_t, float x, int) { return -1 + x; }},
};

TEST(vectorised_instructions, match_a_scalar_loop) {
  std::vector<float> in(items);
  std::vector<std::int32_t> numbers(items);
  for (std::size_t i = 0; i < items; ++i)
    in[i] = static_cast<float>(i % 9) + 1, numbers[i] = static_cast<int>(i * 7 % 6);
  for (const instruction_case &each : cases) {
    const std::string text = std::string(R"(
      define spir_kernel void @kernel(ptr %arguments) {
      start:
        %in = load ptr, ptr %arguments
        %a1 = getelementptr ptr, ptr %arguments, i64 1
        %numbers = load ptr, ptr %a1
        %a2 = getelementptr ptr, ptr %arguments, i64 2
        %out = load ptr, ptr %a2
        %a3 = getelementptr ptr, ptr %arguments, i64 3
        %sum = load ptr, ptr %a3
        %i = call i64 @__dpep_global_id(i32 0)
        %px = getelementptr float, ptr %in, i64 %i
        %x = load float, ptr %px
        %pn = getelementptr i32, ptr %numbers, i64 %i
        %n = load i32, ptr %pn
        %bit = and i32 %n, 1
    )") + each.body + R"(
        %po = getelementptr float, ptr %out, i64 %i
        store float %r, ptr %po
        ret void
      })";
    const geometry work = range_of(items);
    for (const unsigned lanes : {1u, 2u, 8u, 16u, 64u}) {
      SCOPED_TRACE(std::string(each.name) + ", " + std::to_string(lanes) + " lanes");
      const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard,
                                 {.width = lanes});
      EXPECT_EQ(kernel.report().vector_width, lanes) << kernel.report().remarks;
      std::vector<float> out(items, -1);
      float sum = 0;
      void *arguments[] = {in.data(), numbers.data(), out.data(), &sum};
      kernel.run(work, arguments);
      for (std::size_t i = 0; i < items; ++i) EXPECT_EQ(out[i], each.expected(i, in[i], numbers[i])) << i;
      EXPECT_EQ(sum, each.total);
    }
  }
}

TEST(vectorised_instructions, assume_no_alignment_in_inactive_lanes) {
  // LLVM infers alignments from known bits of an id.
  const std::string text = R"(
    define spir_kernel void @kernel(ptr %arguments) {
    start:
      %in = load ptr, ptr %arguments
      %a1 = getelementptr ptr, ptr %arguments, i64 1
      %out = load ptr, ptr %a1
      %i = call i64 @__dpep_global_id(i32 0)
      %low = and i64 %i, 15
      %some = icmp eq i64 %low, 5
      br i1 %some, label %yes, label %no
    yes:
      %first = sub i64 %i, 5
      %from = getelementptr float, ptr %in, i64 %first
      %x = load float, ptr %from, align 64
      %y = fmul float %x, 2.0
      %to = getelementptr float, ptr %out, i64 %first
      store float %y, ptr %to, align 64
      br label %no
    no:
      ret void
    })";
  const geometry work = range_of(items);
  for (const unsigned lanes : {2u, 4u, 8u, 16u, 32u}) {
    SCOPED_TRACE(std::to_string(lanes) + " lanes");
    const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard, {.width = lanes});
    alignas(64) std::array<float, items> in, out{};
    for (std::size_t i = 0; i < items; ++i) in[i] = static_cast<float>(i);
    void *arguments[] = {in.data(), out.data()};
    kernel.run(work, arguments);
    for (std::size_t i = 0; i < items; ++i) EXPECT_EQ(out[i], i % 16 == 0 && i + 5 < items ? 2 * in[i] : 0) << i;
  }
}

TEST(vectorised_instructions, are_not_made_of_unsupported_ones) {
  const std::pair<const char *, const char *> unsupported[] = {
      {"it allocates private memory whose size is not constant", R"(
        %size = and i64 %i, 15
        %more = add i64 %size, 1
        %p = alloca i32, i64 %more
        store volatile i32 1, ptr %p
        br label %end)"},
  };
  for (const auto &[why, body] : unsupported) {
    const std::string text = std::string(R"(
      define spir_kernel void @kernel(ptr %arguments) {
      start:
        %out = load ptr, ptr %arguments
        %i = call i64 @__dpep_global_id(i32 0)
        %p0 = getelementptr i32, ptr %out, i64 %i
    )") + body + "\nend:\nret void\n}";
    const geometry work = range_of(items);
    const formed_kernel kernel(text, specialisation_of(work));
    EXPECT_EQ(kernel.report().vector_width, 1u);
    EXPECT_TRUE(contains(kernel.report().remarks, why)) << kernel.report().remarks;
  }
}

TEST(vectorised_instructions, need_a_marked_phi) {
  // When LLVM merges branches, another loop may get a branch's metadata. This one has a loop-carried dependence.
  const std::string text = R"(
    define spir_kernel void @kernel(ptr %arguments) {
    entry:
      %a = load ptr, ptr %arguments
      br label %loop
    loop:
      %k = phi i64 [0, %entry], [%k.next, %loop]
      %p = getelementptr i32, ptr %a, i64 %k
      %x = load i32, ptr %p
      %y = add i32 %x, 1
      %k.next = add nuw nsw i64 %k, 1
      %q = getelementptr i32, ptr %a, i64 %k.next
      store i32 %y, ptr %q
      %done = icmp eq i64 %k.next, 100
      br i1 %done, label %end, label %loop, !llvm.loop !0
    end:
      ret void
    }
    !0 = distinct !{!0, !1}
    !1 = !{!"dpep.items"}
  )";
  const geometry work = range_of(1);
  const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard, {.width = 4});
  std::vector<std::int32_t> a(101);
  void *arguments[] = {a.data()};
  kernel.run(work, arguments);
  for (int i = 0; i <= 100; ++i) EXPECT_EQ(a[static_cast<std::size_t>(i)], i);
}

}  // namespace
}  // namespace dpep::test
