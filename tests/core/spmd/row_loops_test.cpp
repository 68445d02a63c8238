// Loops in which a work-group reads rows of small elements are done row by row: which are, and that all are right.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::size_t size = 128, groups = 3, rounds = 40;

// Counts in local memory how often the group sees which number, in parts that a test may replace.
struct counting {
  std::string type = "i8";
  std::string before;  // the loop
  std::string index = "  %row = mul i64 %k, 128\n  %at = add i64 %row, %me\n";
  std::string further;  // in the loop, once %number is known
  std::string more = "  %more = icmp ult i64 %k1, %end\n";
  std::string behind = "  %extra = add i32 0, 0\n";  // the loop

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
)" + (behind.find("%sum") == std::string::npos ? "" : "  %sum = phi i32 [ 0, %entry ], [ %sum1, %loop ]\n") +
           index + "  %p = getelementptr " + type + ", ptr %in, i64 %at\n  %number = load " + type + R"(, ptr %p
)" + (type == "float" ? "  %wide = fptoui float %number to i64\n" : "  %wide = zext " + type + " %number to i64\n") +
           R"(
  %bin = and i64 %wide, 127
  %counter = getelementptr i32, ptr %local, i64 %bin
  %old = atomicrmw add ptr %counter, i32 1 monotonic
)" + further +
           R"(
  %k1 = add i64 %k, 1
)" + more + R"(
  br i1 %more, label %loop, label %done
done:
)" + behind +
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

/// Whether there are more cuts than the two at barriers.
bool by_rows(const counting &what) {
  const formed_kernel kernel(what.text(), specialisation_of(work()));
  return !contains(kernel.report().remarks, "barriers cut the kernel into 3 parts");
}

std::uint32_t number(std::size_t place) { return static_cast<std::uint32_t>(place * 7919 + place / 13) % 128; }

template <class Element, class Index, class Extra>
void check_counts(const counting &what, Index index, Extra extra, std::size_t all_rounds = rounds) {
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
    const formed_kernel kernel(what.text(), specialisation_of(work()), formed_kernel::optimisation::standard,
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

TEST(RowLoops, AreDoneRowByRow) {
  counting bytes, shorts, backwards;
  shorts.type = "i16";
  backwards.index = "  %left = sub i64 39, %k\n  %row = mul i64 %left, 128\n  %at = add i64 %row, %me\n";
  for (const counting &each : {bytes, shorts, backwards}) EXPECT_TRUE(by_rows(each)) << each.text();
  check_counts<std::uint8_t>(bytes, in_rows, nothing);
  check_counts<std::uint16_t>(shorts, in_rows, nothing);
  check_counts<std::uint8_t>(backwards, in_rows, nothing);
}

// The id may be on its way to the address when the loop begins, and each round may do things only for some.
TEST(RowLoops, UseWhatIsMadeFromIds) {
  counting each;
  each.further = R"(  %odd = and i64 %me, 1
  %place = shl i64 %me, 2
  %is.odd = icmp ne i64 %odd, 0
  %step = select i1 %is.odd, i32 3, i32 0
  %again = getelementptr i8, ptr %local, i64 %place
  %added = atomicrmw add ptr %again, i32 %step monotonic
)";
  EXPECT_TRUE(by_rows(each));
  check_counts<std::uint8_t>(each, in_rows,
                             [](std::size_t, std::size_t me) { return me % 2 ? 3u * unsigned(rounds) : 0u; });
}

TEST(RowLoops, AreNotThoseWhereWorkItemsKeepSomething) {
  counting sums;
  sums.further = "  %narrow = trunc i64 %wide to i32\n  %sum1 = add i32 %sum, %narrow\n";
  sums.behind = "  %extra = add i32 %sum, %sum1\n";
  EXPECT_FALSE(by_rows(sums));
  const auto all = [](std::size_t group, std::size_t me) {
    std::uint32_t sum = 0;
    for (std::size_t k = 0; k < rounds; ++k)
      sum += (k + 1 < rounds ? 2 : 1) * number(group * size * rounds + in_rows(k, me));
    return sum;
  };
  check_counts<std::uint8_t>(sums, in_rows, all);

  counting last;  // what the last round leaves
  last.behind = "  %extra = trunc i64 %wide to i32\n";
  EXPECT_FALSE(by_rows(last));
  check_counts<std::uint8_t>(last, in_rows, [](std::size_t group, std::size_t me) {
    return number(group * size * rounds + in_rows(rounds - 1, me));
  });

  counting taken;  // along into the loop
  taken.before = "  %p0 = getelementptr i8, ptr %in, i64 %me\n  %own = load i8, ptr %p0\n";
  taken.further = R"(  %own.wide = zext i8 %own to i32
  %place = getelementptr i32, ptr %local, i64 %me
  %added = atomicrmw add ptr %place, i32 %own.wide monotonic
)";
  EXPECT_FALSE(by_rows(taken));
  check_counts<std::uint8_t>(taken, in_rows, [](std::size_t group, std::size_t me) {
    return unsigned(rounds) * number(group * size * rounds + me);
  });
}

TEST(RowLoops, AreNotThoseWithoutRowsOfSmallElements) {
  counting large, own_row, few;
  large.type = "float";
  own_row.index = "  %row = mul i64 %me, 40\n  %at = add i64 %row, %k\n";
  few.more = "  %more = icmp ult i64 %k1, 5\n";
  for (const counting &each : {large, own_row, few}) EXPECT_FALSE(by_rows(each)) << each.text();
  check_counts<float>(large, in_rows, nothing);
  check_counts<std::uint8_t>(own_row, [](std::size_t k, std::size_t me) { return me * rounds + k; }, nothing);
  check_counts<std::uint8_t>(few, in_rows, nothing, 5);
}

// Work-items that leave at different times can't go round together.
TEST(RowLoops, AreNotThoseThatPart) {
  counting apart;
  apart.before = "  %third = urem i64 %me, 3\n  %own.end = sub i64 %end, %third\n";
  apart.more = "  %more = icmp ult i64 %k1, %own.end\n";
  apart.behind = "  %gone = trunc i64 %k1 to i32\n  %extra = add i32 %gone, 0\n";
  EXPECT_FALSE(by_rows(apart));
}

}  // namespace
}  // namespace dpep::test
