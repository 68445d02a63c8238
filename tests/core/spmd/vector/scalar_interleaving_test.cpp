// Loops dominated by table lookups: several work-items are interleaved as scalars, without vectors.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::size_t words = 48;  // too many for the loop to be unrolled

// out[i] = a checksum of 48 words by four tables of 256 entries; `more` computes %sum.next from %next.
std::string checksum(const std::string &more) {
  std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.table = getelementptr ptr, ptr %arguments, i64 1
  %a.out = getelementptr ptr, ptr %arguments, i64 2
  %in = load ptr, ptr %arguments
  %table = load ptr, ptr %a.table
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_global_id(i32 0)
  %start = mul i64 %i, 48
  %message = getelementptr i32, ptr %in, i64 %start
  br label %loop
loop:
  %w = phi i64 [ 0, %0 ], [ %w.next, %end ]
  %sum = phi i32 [ -1, %0 ], [ %sum.next, %end ]
  %p = getelementptr i32, ptr %message, i64 %w
  %word = load i32, ptr %p
  %mixed = xor i32 %word, %sum)";
  std::string all;
  for (int t = 0; t < 4; ++t) {
    const std::string n = std::to_string(t);
    text += "\n  %shifted" + n + " = lshr i32 %mixed, " + std::to_string(8 * t) + "\n  %byte" + n +
            " = and i32 %shifted" + n + ", 255\n  %wide" + n + " = zext i32 %byte" + n + " to i64\n  %entry" + n +
            " = add i64 %wide" + n + ", " + std::to_string(256 * t) + "\n  %q" + n +
            " = getelementptr i32, ptr %table, i64 %entry" + n + "\n  %found" + n + " = load i32, ptr %q" + n;
  }
  return text + R"(
  %x = xor i32 %found0, %found1
  %y = xor i32 %found2, %found3
  %next = xor i32 %x, %y
)" + more +
         R"(
end:
  %w.next = add nuw nsw i64 %w, 1
  %again = icmp ult i64 %w.next, 48
  br i1 %again, label %loop, label %done
done:
  %o = getelementptr i32, ptr %out, i64 %i
  store i32 %sum.next, ptr %o
  ret void
}
)";
}

const std::string nothing_more = "  %sum.next = add i32 %next, 0\n  br label %end";

void check(const formed_kernel &kernel, std::size_t items, std::uint32_t (*more)(std::uint32_t)) {
  const geometry work = range_of(items);
  std::vector<std::uint32_t> in(items * words), table(1024), out(items), wanted(items);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint32_t>(i * 2654435761U);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::uint32_t>((i + 7) * 2246822519U);
  for (std::size_t i = 0; i < items; ++i) {
    std::uint32_t sum = ~0U;
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint32_t mixed = in[i * words + w] ^ sum;
      sum = more(table[mixed & 255] ^ table[256 + (mixed >> 8 & 255)] ^ table[512 + (mixed >> 16 & 255)] ^
                 table[768 + (mixed >> 24)]);
    }
    wanted[i] = sum;
  }
  const void *arguments[] = {in.data(), table.data(), out.data()};
  kernel.run(work, arguments);
  EXPECT_EQ(out, wanted) << items;
}

jit::specialisation flat() { return specialisation_of(range_of(1)); }

TEST(scalar_interleaving, processes_several_work_items_without_vectors) {
  const formed_kernel kernel(checksum(nothing_more), flat());
  EXPECT_FALSE(contains(kernel.optimised(), "gather"));
  EXPECT_TRUE(contains(kernel.report().remarks, "each iteration processes 4 work-items without vectors"))
      << kernel.report().remarks;
  for (const std::size_t items : {1, 3, 4, 5, 16, 103}) check(kernel, items, [](std::uint32_t sum) { return sum; });
}

TEST(scalar_interleaving, is_not_used_with_a_given_width) {
  for (const std::uint32_t lanes : {1U, 8U, 32U}) {
    const formed_kernel kernel(checksum(nothing_more), flat(), formed_kernel::optimisation::standard, {.width = lanes});
    check(kernel, 103, [](std::uint32_t sum) { return sum; });
  }
}

TEST(scalar_interleaving, is_not_used_with_divergent_branches) {
  const formed_kernel kernel(checksum(R"(
  %odd = trunc i32 %next to i1
  br i1 %odd, label %once, label %join
once:
  %product = mul i32 %next, %word
  %divided = udiv i32 %product, 3
  br label %join
join:
  %sum.next = phi i32 [ %next, %loop ], [ %next, %once ]
  br label %end)"),
                             flat());
  check(kernel, 103, [](std::uint32_t sum) { return sum; });
}

}  // namespace
}  // namespace dpep::test
