// Loops over work-items that clamp, mirror or wrap indices, or branch at borders: against plain loops, at every width,
// with numbers that wrap around.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

using i64 = std::int64_t;
using u64 = std::uint64_t;

constexpr std::uint32_t widths[] = {0, 1, 4, 16, 64};
constexpr std::size_t sizes[] = {1, 2, 3, 15, 16, 17, 18, 31, 33, 64, 100, 257, 1000};

/// out[id] = in[at], of ints. `body` computes %at from %id and the number of elements %n, all i64.
std::string reading(const std::string &body) {
  return R"(
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.usub.sat.i64(i64, i64)
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.n = getelementptr ptr, ptr %arguments, i64 2
  %a.k = getelementptr ptr, ptr %arguments, i64 3
  %a.b = getelementptr ptr, ptr %arguments, i64 4
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %n = load i64, ptr %a.n
  %k = load i64, ptr %a.k
  %b = load i64, ptr %a.b
  %id = call i64 @__dpep_global_id(i32 0)
)" + body +
         R"(
  %p = getelementptr i32, ptr %in, i64 %at
  %q = getelementptr i32, ptr %out, i64 %id
  %x = load i32, ptr %p
  store i32 %x, ptr %q
  ret void
}
)";
}

struct access {
  const char *name, *body;
  i64 (*at)(i64 id, i64 n);
};

constexpr access accesses[] = {
    {"max", R"(
  %l = add nsw i64 %id, -1
  %at = call i64 @llvm.smax.i64(i64 %l, i64 0))",
     [](i64 i, i64) { return std::max<i64>(i - 1, 0); }},
    {"clamp", R"(
  %r = add nsw i64 %id, 3
  %m = call i64 @llvm.smax.i64(i64 %r, i64 0)
  %last = add i64 %n, -1
  %at = call i64 @llvm.smin.i64(i64 %m, i64 %last))",
     [](i64 i, i64 n) { return std::clamp<i64>(i + 3, 0, n - 1); }},
    {"clamp of an int", R"(
  %x32 = trunc i64 %id to i32
  %n32 = trunc i64 %n to i32
  %r = add nsw i32 %x32, -2
  %m = call i32 @llvm.smax.i32(i32 %r, i32 0)
  %last = add i32 %n32, -1
  %c = call i32 @llvm.smin.i32(i32 %m, i32 %last)
  %at = sext i32 %c to i64)",
     [](i64 i, i64 n) { return std::clamp<i64>(i - 2, 0, n - 1); }},
    {"mirror by selects of an int", R"(
  %x32 = trunc i64 %id to i32
  %n32 = trunc i64 %n to i32
  %first = icmp eq i32 %x32, 0
  %l = add i32 %x32, -1
  %m = select i1 %first, i32 0, i32 %l
  %at = zext i32 %m to i64)",
     [](i64 i, i64) { return i == 0 ? 0 : i - 1; }},
    {"mirror", R"(
  %l = add nsw i64 %id, -2
  %m = call i64 @llvm.abs.i64(i64 %l, i1 true)
  %last = add i64 %n, -1
  %at = call i64 @llvm.smin.i64(i64 %m, i64 %last))",
     [](i64 i, i64 n) { return std::min(std::abs(i - 2), n - 1); }},
    {"mirror on the right", R"(
  %r = add nsw i64 %id, 2
  %beyond = icmp sge i64 %r, %n
  %twice = shl i64 %n, 1
  %most = add i64 %twice, -2
  %back = sub nsw i64 %most, %r
  %m = select i1 %beyond, i64 %back, i64 %r
  %at = call i64 @llvm.smax.i64(i64 %m, i64 0))",
     [](i64 i, i64 n) { return std::max<i64>(i + 2 >= n ? 2 * n - 2 - (i + 2) : i + 2, 0); }},
    {"saturating difference", R"(
  %at = call i64 @llvm.usub.sat.i64(i64 %id, i64 3))",
     [](i64 i, i64) { return i < 3 ? 0 : i - 3; }},
    {"condition as a number", R"(
  %last = add i64 %n, -1
  %more = icmp ult i64 %id, %last
  %one = zext i1 %more to i64
  %at = add i64 %id, %one)",
     [](i64 i, i64 n) { return i < n - 1 ? i + 1 : i; }},
    {"wrap by equality", R"(
  %last = add i64 %n, -1
  %is = icmp eq i64 %id, %last
  %r = add nuw i64 %id, 1
  %at = select i1 %is, i64 0, i64 %r)",
     [](i64 i, i64 n) { return i == n - 1 ? 0 : i + 1; }},
    {"wrap by a sum", R"(
  %r = add nsw i64 %id, 1
  %beyond = icmp sge i64 %r, %n
  %back = sub nsw i64 %r, %n
  %at = select i1 %beyond, i64 %back, i64 %r)",
     [](i64 i, i64 n) { return i + 1 >= n ? i + 1 - n : i + 1; }},
    {"negative index", R"(
  %l = add i64 %id, -1
  %w = add i64 %l, %n
  %at = call i64 @llvm.umin.i64(i64 %l, i64 %w))",
     [](i64 i, i64 n) { return i == 0 ? n - 1 : i - 1; }},
    {"range by one comparison", R"(
  %l = add i64 %id, -1
  %some = add i64 %n, -2
  %inner = icmp ult i64 %l, %some
  %at = select i1 %inner, i64 %l, i64 0)",
     [](i64 i, i64 n) { return u64(i - 1) < u64(n - 2) ? std::min(i - 1, n - 1) : 0; }},
    {"two conditions", R"(
  %low = icmp slt i64 %id, 2
  %last = add i64 %n, -3
  %high = icmp sgt i64 %id, %last
  %edge = or i1 %low, %high
  %r = add nsw i64 %id, 1
  %at = select i1 %edge, i64 0, i64 %r)",
     [](i64 i, i64 n) { return i < 2 || i > n - 3 ? 0 : i + 1; }},
    {"from the end", R"(
  %last = add i64 %n, -1
  %y = sub nsw i64 %last, %id
  %l = add nsw i64 %y, -2
  %at = call i64 @llvm.smax.i64(i64 %l, i64 0))",
     [](i64 i, i64 n) { return std::max<i64>(n - 1 - i - 2, 0); }},
    {"every other element", R"(
  %d = shl nsw i64 %id, 1
  %l = add nsw i64 %d, -3
  %m = call i64 @llvm.smax.i64(i64 %l, i64 0)
  %last = add i64 %n, -1
  %at = call i64 @llvm.smin.i64(i64 %m, i64 %last))",
     [](i64 i, i64 n) { return std::clamp<i64>(2 * i - 3, 0, n - 1); }},
    {"remainder", R"(
  %r = add nsw i64 %id, 5
  %at = srem i64 %r, %n)",
     [](i64 i, i64 n) { return (i + 5) % n; }},
    {"remainder of an unsigned int", R"(
  %x32 = trunc i64 %id to i32
  %n32 = trunc i64 %n to i32
  %m = add i32 %n32, -1
  %s = add i32 %x32, %m
  %r = urem i32 %s, %n32
  %at = zext i32 %r to i64)",
     [](i64 i, i64 n) { return (i + n - 1) % n; }},
    {"remainder as in Python", R"(
  %l = add nsw i64 %id, -3
  %zero = icmp eq i64 %n, 0
  %by = call i64 @llvm.smax.i64(i64 %n, i64 1)
  %r = srem i64 %l, %by
  %negative = icmp slt i64 %r, 0
  %more = select i1 %negative, i64 %by, i64 0
  %s = add nsw i64 %r, %more
  %at = select i1 %zero, i64 0, i64 %s)",
     [](i64 i, i64 n) { return ((i - 3) % n + n) % n; }},
    {"invariant choice of the unusual side", R"(
  %none = icmp eq i64 %k, 0
  %l = add nsw i64 %id, -1
  %c = call i64 @llvm.smax.i64(i64 %l, i64 0)
  %at = select i1 %none, i64 0, i64 %c)",
     [](i64, i64) { return i64{0}; }},
    {"row and column", R"(
  %row = udiv i64 %id, 20
  %column = urem i64 %id, 20
  %c = call i64 @llvm.usub.sat.i64(i64 %column, i64 1)
  %start = mul i64 %row, 20
  %at = add i64 %start, %c)",
     [](i64 i, i64) { return i / 20 * 20 + std::max<i64>(i % 20 - 1, 0); }},
    {"sum of unsigned ints", R"(
  %x32 = trunc i64 %id to i32
  %n32 = trunc i64 %n to i32
  %y = mul i32 %n32, -3
  %three = mul i32 %n32, 3
  %s = add i32 %y, %x32
  %t = add i32 %s, %three
  %at = zext i32 %t to i64)",
     [](i64 i, i64) { return i; }},
};

void check_access(const access &each, const formed_kernel &kernel, std::size_t n, const geometry &work, bool in_parts) {
  std::vector<std::int32_t> in(n), out(n, -1), wanted(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::int32_t>(7 * i + 1);
  for (std::size_t i = 0; i < n; ++i) wanted[i] = in[static_cast<std::size_t>(each.at(i64(i), i64(n)))];
  const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(n), nullptr, nullptr};
  if (in_parts) {
    const std::size_t cut = n / 3, second = n - n / 4;
    kernel.run(work, arguments, 0, cut);
    kernel.run(work, arguments, cut, second);
    kernel.run(work, arguments, second, n);
  } else {
    kernel.run(work, arguments);
  }
  ASSERT_EQ(out, wanted) << each.name << ", " << n << " elements, groups of " << work.local[0];
}

TEST(border_pieces, ranges) {
  for (const access &each : accesses)
    for (const std::uint32_t width : widths) {
      SCOPED_TRACE("width " + std::to_string(width));
      const formed_kernel kernel(reading(each.body), specialisation_of(range_of(1)),
                                 formed_kernel::optimisation::standard, {.width = width});
      for (const std::size_t n : sizes)
        for (const bool in_parts : {false, true}) check_access(each, kernel, n, range_of(n), in_parts);
    }
}

TEST(border_pieces, groups) {
  for (const access &each : accesses)
    for (const std::uint32_t width : {0U, 1U, 16U})
      for (const std::size_t local : {16, 128}) {
        SCOPED_TRACE("width " + std::to_string(width));
        const auto work = [&](std::size_t count) { return groups_of({count * local, 1, 1}, {local, 1, 1}, 1); };
        const formed_kernel kernel(reading(each.body), specialisation_of(work(1)),
                                   formed_kernel::optimisation::standard, {.width = width});
        for (const std::size_t count : {1, 2, 5}) check_access(each, kernel, count * local, work(count), false);
      }
}

TEST(border_pieces, every_processor) {
  for (const auto &processor : x86_levels())
    for (const access &each : accesses)
      for (const bool grouped : {false, true}) {
        const geometry work = grouped ? groups_of({160, 1, 1}, {32, 1, 1}, 1) : range_of(160);
        const formed_kernel kernel(reading(each.body), specialisation_of(work), formed_kernel::optimisation::standard,
                                   {.target = *processor});
        check_access(each, kernel, 160, work, !grouped);
      }
}

TEST(border_pieces, inner_accesses_are_contiguous) {
  for (const access &each : accesses) {
    if (std::string(each.name) == "every other element" || std::string(each.name) == "from the end") continue;
    for (const bool grouped : {false, true}) {
      const geometry work = grouped ? groups_of({256, 1, 1}, {16, 1, 1}, 1) : range_of(256);
      const formed_kernel kernel(reading(each.body), specialisation_of(work), formed_kernel::optimisation::standard,
                                 {.width = 16});
      EXPECT_TRUE(contains(kernel.optimised(), "load <16 x i32>")) << each.name << (grouped ? " in groups" : "");
    }
  }
}

/// A comparison of x = stride · id + k with b, in 32 or 64 bits, that selects between `id` and another index.
std::string comparing(const std::string &predicate, unsigned bits, i64 stride, const std::string &other) {
  const std::string type = "i" + std::to_string(bits);
  std::string body;
  for (const char *each : {"id", "k", "b"})
    body += std::string("  %") + each + ".x = " + (bits == 64 ? "add i64 %" : "trunc i64 %") + each +
            (bits == 64 ? ", 0\n" : " to " + type + "\n");
  body += "  %times = mul " + type + " %id.x, " + std::to_string(stride) + "\n  %sum = add " + type +
          " %times, %k.x\n  %holds = icmp " + predicate + " " + type + " %sum, %b.x\n" + other +
          "  %at = select i1 %holds, i64 %id, i64 %other\n";
  return reading(body);
}

bool holds(const std::string &predicate, unsigned bits, i64 x, i64 b) {
  if (bits == 32) x = std::int32_t(x), b = std::int32_t(b);
  u64 ux = u64(x), ub = u64(b);
  if (bits == 32) ux = std::uint32_t(x), ub = std::uint32_t(b);
  if (predicate == "eq") return ux == ub;
  if (predicate == "ne") return ux != ub;
  if (predicate == "slt") return x < b;
  if (predicate == "sle") return x <= b;
  if (predicate == "sgt") return x > b;
  if (predicate == "sge") return x >= b;
  if (predicate == "ult") return ux < ub;
  if (predicate == "ule") return ux <= ub;
  if (predicate == "ugt") return ux > ub;
  return ux >= ub;
}

void check_comparisons(unsigned bits, i64 stride, bool same_stride) {
  constexpr std::size_t n = 90;
  const i64 most = bits == 32 ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<i64>::max();
  const i64 least = bits == 32 ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<i64>::min();
  std::vector<std::int32_t> in(n + 1);
  for (std::size_t i = 0; i <= n; ++i) in[i] = static_cast<std::int32_t>(3 * i);
  for (const char *predicate : {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}) {
    const std::string text =
        comparing(predicate, bits, stride, same_stride ? "  %other = add i64 %id, 1\n" : "  %other = add i64 0, 0\n");
    for (const bool grouped : {false, true}) {
      const geometry work = grouped ? groups_of({n, 1, 1}, {45, 1, 1}, 1) : range_of(n);
      const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard, {.width = 8});
      for (const i64 k : {i64{0}, i64{-1}, i64{5}, i64{-40}, most, most - 20, least, least + 20})
        for (const i64 b : {i64{0}, i64{1}, i64{-1}, i64{-10}, i64{44}, i64{45}, i64{88}, i64{300}, most, most - 3,
                            least, least + 9}) {
          std::vector<std::int32_t> out(n, -1), wanted(n);
          for (std::size_t i = 0; i < n; ++i) {
            const i64 x = i64(u64(stride) * i + u64(k));
            wanted[i] = holds(predicate, bits, x, b) ? in[i] : same_stride ? in[i + 1] : in[0];
          }
          const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(n),
                                     reinterpret_cast<const void *>(k), reinterpret_cast<const void *>(b)};
          kernel.run(work, arguments);
          ASSERT_EQ(out, wanted) << predicate << " of " << bits << " bits, stride " << stride << ", k " << k << ", b "
                                 << b << (grouped ? ", grouped" : "");
        }
    }
  }
}

TEST(border_pieces, comparisons_of_ints) {
  for (const i64 stride : {1, -1, 2, -3})
    for (const bool same_stride : {false, true}) check_comparisons(32, stride, same_stride);
}
TEST(border_pieces, comparisons_of_longs) {
  for (const i64 stride : {1, -1, 7})
    for (const bool same_stride : {false, true}) check_comparisons(64, stride, same_stride);
}

/// out[id] = the sum over j of in[clamp(id + step · j - k)], for j from 0 while j <= b, of ints.
std::string window(int step) {
  return reading(R"(
  %n32 = trunc i64 %n to i32
  %last = add i32 %n32, -1
  %k32 = trunc i64 %k to i32
  %b32 = trunc i64 %b to i32
  %id32 = trunc i64 %id to i32
  %to = getelementptr i32, ptr %out, i64 %id
  %some = icmp sge i32 %b32, 0
  br i1 %some, label %loop, label %done
loop:
  %j = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %total, %loop ]
  %times = mul nsw i32 %j, )" +
                 std::to_string(step) + R"(
  %far = add nsw i32 %id32, %times
  %near = sub nsw i32 %far, %k32
  %low = call i32 @llvm.smax.i32(i32 %near, i32 0)
  %c = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %c64 = sext i32 %c to i64
  %from = getelementptr i32, ptr %in, i64 %c64
  %x1 = load i32, ptr %from
  %total = add i32 %sum, %x1
  %next = add nuw nsw i32 %j, 1
  %more = icmp sle i32 %next, %b32
  br i1 %more, label %loop, label %done
done:
  %all = phi i32 [ 0, %0 ], [ %total, %loop ]
  store i32 %all, ptr %to
  ret void
}
define void @unused(ptr %in, ptr %out, i64 %id) {
  %at = add i64 0, 0)");
}

TEST(border_pieces, windows) {
  for (const int step : {1, 2, -1})
    for (const std::uint32_t width : widths)
      for (const bool grouped : {false, true}) {
        const auto work_of = [&](std::size_t n) { return grouped ? groups_of({n, 1, 1}, {20, 1, 1}, 1) : range_of(n); };
        const formed_kernel kernel(window(step), specialisation_of(work_of(20)), formed_kernel::optimisation::standard,
                                   {.width = width});
        for (const std::size_t n : {1, 7, 40, 100, 260}) {
          if (grouped && n % 20 != 0) continue;
          const geometry work = work_of(n);
          for (const i64 k : {0, 1, 3, 30, -2})
            for (const i64 b : {-1, 0, 1, 6, 70}) {
              std::vector<std::int32_t> in(n), out(n, -1), wanted(n, 0);
              for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::int32_t>(i * i);
              for (std::size_t i = 0; i < n; ++i)
                for (i64 j = 0; j <= b; ++j)
                  wanted[i] += in[static_cast<std::size_t>(std::clamp<i64>(i64(i) + step * j - k, 0, i64(n) - 1))];
              const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(n),
                                         reinterpret_cast<const void *>(k), reinterpret_cast<const void *>(b)};
              kernel.run(work, arguments);
              ASSERT_EQ(out, wanted) << "step " << step << ", width " << width << ", " << n << " elements, k " << k
                                     << ", b " << b << (grouped ? ", grouped" : "");
            }
        }
      }
}

/// Different formulas for the first work-items, the last ones and the others; and neighbours that only some have.
constexpr const char *branching = R"(
  %last = sub i64 %n, %k
  %to = getelementptr i32, ptr %out, i64 %id
  %own = getelementptr i32, ptr %in, i64 %id
  %low = icmp slt i64 %id, %k
  br i1 %low, label %left, label %others
left:
  %c1 = load i32, ptr %own
  %d1 = mul i32 %c1, 3
  store i32 %d1, ptr %to
  ret void
others:
  %high = icmp sge i64 %id, %last
  br i1 %high, label %right, label %inner
right:
  %c2 = load i32, ptr %own
  %d2 = sub i32 0, %c2
  store i32 %d2, ptr %to
  ret void
inner:
  %before = sub i64 %id, %k
  %after = add i64 %id, %k
  %p1 = getelementptr i32, ptr %in, i64 %before
  %p2 = getelementptr i32, ptr %in, i64 %after
  %x1 = load i32, ptr %p1
  %x2 = load i32, ptr %p2
  %not.first = icmp ne i64 %id, %b
  br i1 %not.first, label %more, label %join
more:
  %c3 = load i32, ptr %own
  br label %join
join:
  %mine = phi i32 [ 1000, %inner ], [ %c3, %more ]
  %s = add i32 %x1, %x2
  %t = add i32 %s, %mine
  store i32 %t, ptr %to
  ret void
}
define void @unused(ptr %in, ptr %out, i64 %id) {
  %at = add i64 0, 0)";

TEST(border_pieces, branches) {
  for (const std::uint32_t width : widths)
    for (const std::size_t n : {4, 20, 64, 100, 300})
      for (const bool grouped : {false, true}) {
        const geometry work = grouped ? groups_of({n, 1, 1}, {n / 2, 1, 1}, 1) : range_of(n);
        const formed_kernel kernel(reading(branching), specialisation_of(work), formed_kernel::optimisation::standard,
                                   {.width = width});
        for (const i64 k : {0, 1, 2, 17, 400})
          for (const i64 b : {0, 3, 18, 99}) {
            std::vector<std::int32_t> in(n), out(n, -1), wanted(n);
            for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::int32_t>(i * 5 + 2);
            for (std::size_t i = 0; i < n; ++i) {
              const auto x = i64(i);
              if (x < k)
                wanted[i] = in[i] * 3;
              else if (x >= i64(n) - k)
                wanted[i] = -in[i];
              else
                wanted[i] = in[i - std::size_t(k)] + in[i + std::size_t(k)] + (x != b ? in[i] : 1000);
            }
            const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(n),
                                       reinterpret_cast<const void *>(k), reinterpret_cast<const void *>(b)};
            kernel.run(work, arguments);
            ASSERT_EQ(out, wanted) << "width " << width << ", " << n << " elements, k " << k << ", b " << b
                                   << (grouped ? ", grouped" : "");
          }
      }
}

TEST(border_pieces, other_kernels_do_not_change) {
  // A bound of the ids is no border; neither are bits of ids.
  const std::string bounded = reading(R"(
  %to = getelementptr i32, ptr %out, i64 %id
  %own = getelementptr i32, ptr %in, i64 %id
  %some = icmp ult i64 %id, %n
  br i1 %some, label %do, label %done
do:
  %odd = and i64 %id, 1
  %is.odd = icmp ne i64 %odd, 0
  %c = load i32, ptr %own
  %d = select i1 %is.odd, i32 %c, i32 5
  store i32 %d, ptr %to
  br label %done
done:
  ret void
}
define void @unused(ptr %in, ptr %out, i64 %id) {
  %at = add i64 0, 0)");
  for (const bool grouped : {false, true}) {
    const geometry work = grouped ? groups_of({256, 1, 1}, {16, 1, 1}, 1) : range_of(256);
    const formed_kernel kernel(bounded, specialisation_of(work));
    EXPECT_FALSE(contains(kernel.optimised(), "inner:")) << kernel.optimised();
    EXPECT_FALSE(contains(kernel.optimised(), "piece:")) << kernel.optimised();
  }
}

}  // namespace
}  // namespace dpep::test
