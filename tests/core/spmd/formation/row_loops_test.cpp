// Loops in which a work-group reads rows of small elements are split at each iteration: which ones, and their results.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::size_t size = 128, groups = 3, rounds = 40;

// A histogram of the numbers that the group reads, in local memory. Tests replace parts of its text.
struct histogram {
  std::string type = "i8";
  std::string before;  // before the loop
  std::string index = "  %row = mul i64 %k, 128\n  %at = add i64 %row, %me\n";
  std::string body;  // in the loop, after %number
  std::string more = "  %more = icmp ult i64 %k1, %end\n";
  std::string after = "  %extra = add i32 0, 0\n";  // after the loop

  std::string text() const {
    return R"(
define spir_kernel void @kernel(ptr %arguments) {
entry:
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.end = getelementptr ptr, ptr %arguments, i64 2
  %all = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %end = load i64, ptr %a.end
  %local = call ptr @__dpep_local_memory()
  %me = call i64 @__dpep_local_id(i32 0)
  %group = call i64 @__dpep_group_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %start = mul i64 %group, 5120
  %in = getelementptr )" +
           type + R"(, ptr %all, i64 %start
  %mine = getelementptr i32, ptr %local, i64 %me
  store i32 0, ptr %mine
  call void @__dpep_group_barrier()
)" + before +
           R"(
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
)" + (after.find("%sum") == std::string::npos ? "" : "  %sum = phi i32 [ 0, %entry ], [ %sum1, %loop ]\n") +
           index + "  %p = getelementptr " + type + ", ptr %in, i64 %at\n  %number = load " + type + R"(, ptr %p
)" + (type == "float" ? "  %wide = fptoui float %number to i64\n" : "  %wide = zext " + type + " %number to i64\n") +
           R"(
  %bin = and i64 %wide, 127
  %counter = getelementptr i32, ptr %local, i64 %bin
  %old = atomicrmw add ptr %counter, i32 1 monotonic
)" + body +
           R"(
  %k1 = add i64 %k, 1
)" + more + R"(
  br i1 %more, label %loop, label %done
done:
)" + after +
           R"(
  call void @__dpep_group_barrier()
  %q = getelementptr i32, ptr %out, i64 %i
  %count = load i32, ptr %mine
  %result = add i32 %count, %extra
  store i32 %result, ptr %q
  ret void
}
)";
  }
};

geometry work() { return groups_of({groups * size, 1, 1}, {size, 1, 1}, 1); }

/// Whether the kernel is split in more places than at its two barriers.
bool is_split_by_rows(const histogram &kernel_text) {
  const formed_kernel kernel(kernel_text.text(), specialisation_of(work()));
  return !contains(kernel.report().remarks, "barriers split the kernel into 3 regions");
}

std::uint32_t number(std::size_t place) { return static_cast<std::uint32_t>(place * 7919 + place / 13) % 128; }

template <class Element, class Index, class Extra>
void check_counts(const histogram &kernel_text, Index index, Extra extra, std::size_t all_rounds = rounds) {
  std::vector<Element> in(groups * size * rounds);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<Element>(number(i));
  std::vector<std::uint32_t> wanted(groups * size);
  for (std::size_t group = 0; group < groups; ++group)
    for (std::size_t me = 0; me < size; ++me) {
      for (std::size_t k = 0; k < all_rounds; ++k)
        ++wanted[group * size + number(group * size * rounds + index(k, me))];
      wanted[group * size + me] += extra(group, me);
    }
  for (const unsigned lanes : {0U, 1U, 4U, 64U}) {
    const formed_kernel kernel(kernel_text.text(), specialisation_of(work()), formed_kernel::optimisation::standard,
                               {.width = lanes});
    std::vector<std::uint32_t> out(groups * size);
    const struct {
      const Element *in;
      std::uint32_t *out;
      std::size_t end;
    } arguments{in.data(), out.data(), all_rounds};
    kernel.run(work(), &arguments, size * sizeof(std::uint32_t));
    EXPECT_EQ(out, wanted) << lanes << " lanes";
  }
}

std::size_t in_rows(std::size_t k, std::size_t me) { return k * size + me; }
std::uint32_t nothing(std::size_t, std::size_t) { return 0; }

TEST(row_loops, are_split_by_rows) {
  histogram bytes, shorts, backwards;
  shorts.type = "i16";
  backwards.index = "  %left = sub i64 39, %k\n  %row = mul i64 %left, 128\n  %at = add i64 %row, %me\n";
  for (const histogram &each : {bytes, shorts, backwards}) EXPECT_TRUE(is_split_by_rows(each)) << each.text();
  check_counts<std::uint8_t>(bytes, in_rows, nothing);
  check_counts<std::uint16_t>(shorts, in_rows, nothing);
  check_counts<std::uint8_t>(backwards, in_rows, nothing);
}

// Values computed from ids before the loop are rematerialised, and the body may have branches.
TEST(row_loops, rematerialise_values_made_from_ids) {
  histogram each;
  each.body = R"(  %odd = and i64 %me, 1
  %place = shl i64 %me, 2
  %is.odd = icmp ne i64 %odd, 0
  %step = select i1 %is.odd, i32 3, i32 0
  %again = getelementptr i8, ptr %local, i64 %place
  %added = atomicrmw add ptr %again, i32 %step monotonic
)";
  EXPECT_TRUE(is_split_by_rows(each));
  check_counts<std::uint8_t>(each, in_rows,
                             [](std::size_t, std::size_t me) { return me % 2 ? 3u * unsigned(rounds) : 0u; });
}

TEST(row_loops, are_not_split_if_work_items_carry_values) {
  histogram sums;
  sums.body = "  %narrow = trunc i64 %wide to i32\n  %sum1 = add i32 %sum, %narrow\n";
  sums.after = "  %extra = add i32 %sum, %sum1\n";
  EXPECT_FALSE(is_split_by_rows(sums));
  const auto all = [](std::size_t group, std::size_t me) {
    std::uint32_t sum = 0;
    for (std::size_t k = 0; k < rounds; ++k)
      sum += (k + 1 < rounds ? 2 : 1) * number(group * size * rounds + in_rows(k, me));
    return sum;
  };
  check_counts<std::uint8_t>(sums, in_rows, all);

  histogram last;  // a value of the last iteration, used after the loop
  last.after = "  %extra = trunc i64 %wide to i32\n";
  EXPECT_FALSE(is_split_by_rows(last));
  check_counts<std::uint8_t>(last, in_rows, [](std::size_t group, std::size_t me) {
    return number(group * size * rounds + in_rows(rounds - 1, me));
  });

  histogram incoming;  // a value defined before the loop
  incoming.before = "  %p0 = getelementptr i8, ptr %in, i64 %me\n  %own = load i8, ptr %p0\n";
  incoming.body = R"(  %own.wide = zext i8 %own to i32
  %place = getelementptr i32, ptr %local, i64 %me
  %added = atomicrmw add ptr %place, i32 %own.wide monotonic
)";
  EXPECT_FALSE(is_split_by_rows(incoming));
  check_counts<std::uint8_t>(incoming, in_rows, [](std::size_t group, std::size_t me) {
    return unsigned(rounds) * number(group * size * rounds + me);
  });
}

TEST(row_loops, are_not_split_without_rows_of_small_elements) {
  histogram large, own_row, few;
  large.type = "float";
  own_row.index = "  %row = mul i64 %me, 40\n  %at = add i64 %row, %k\n";
  few.more = "  %more = icmp ult i64 %k1, 5\n";
  for (const histogram &each : {large, own_row, few}) EXPECT_FALSE(is_split_by_rows(each)) << each.text();
  check_counts<float>(large, in_rows, nothing);
  check_counts<std::uint8_t>(own_row, [](std::size_t k, std::size_t me) { return me * rounds + k; }, nothing);
  check_counts<std::uint8_t>(few, in_rows, nothing, 5);
}

TEST(row_loops, are_not_split_if_they_diverge) {
  histogram divergent;
  divergent.before = "  %third = urem i64 %me, 3\n  %own.end = sub i64 %end, %third\n";
  divergent.more = "  %more = icmp ult i64 %k1, %own.end\n";
  divergent.after = "  %gone = trunc i64 %k1 to i32\n  %extra = add i32 %gone, 0\n";
  EXPECT_FALSE(is_split_by_rows(divergent));
}

}  // namespace
}  // namespace dpep::test
