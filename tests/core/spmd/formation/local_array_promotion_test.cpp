// Promotion of local arrays whose slot i is written by work-item i, in loops: results at every width against plain
// loops, and whether the array is promoted.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::size_t items = 64, groups = 3;

// In each iteration, numbered from the count down to 1, the work-items publish v and compute v.next from what others
// published.
constexpr const char *loop_kernel = R"(
define spir_kernel void @kernel(ptr %arguments) {
entry:
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.rounds = getelementptr ptr, ptr %arguments, i64 2
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %rounds = load i64, ptr %a.rounds
  %memory = call ptr @__dpep_local_memory()
  START
  %a.second = getelementptr ptr, ptr %arguments, i64 4
  %until.second = load i64, ptr %a.second
  %second = getelementptr i8, ptr %memory, i64 %until.second
  ME
  %g = call i64 @__dpep_group_id(i32 DIMENSION)
  %first.of.group = mul i64 %g, 64
  %i = add i64 %first.of.group, %me
  %p = getelementptr T, ptr %in, i64 %i
  %first = load T, ptr %p
  %mine = getelementptr T, ptr %local, i64 %me
  %q = getelementptr T, ptr %out, i64 %i
  br label %round
round:
  %r = phi i64 [ %rounds, %entry ], [ %r.next, %met ]
  %v = phi T [ %first, %entry ], [ %v.next, %met ]
  PUBLISH
  call void @__dpep_group_barrier()
  BODY
met:
  %v.next = VALUE
  call void @__dpep_group_barrier()
  %r.next = sub i64 %r, 1
  %more = icmp ne i64 %r.next, 0
  br i1 %more, label %round, label %done
done:
  LAST
  store T %last, ptr %q
  ret void
}
)";

using word = std::uint64_t;  // wraps around, as the kernels' integers do

struct scheme {
  const char *name, *publish, *body, *value, *last;
  /// The next value of a work-item. The local memory contains the published values of its group.
  std::function<word(std::size_t me, std::size_t iteration, word own, const std::vector<word> &)> next;
  std::function<void(std::size_t me, word own, std::vector<word> &)> publishes =
      [](std::size_t me, word own, std::vector<word> &local) { local[me] = own; };
  std::function<word(std::size_t me, word own, const std::vector<word> &)> at_end =
      [](std::size_t, word own, const std::vector<word> &) { return own; };
  bool is_promoted = true;
};

constexpr const char *plain = "store T %v, ptr %mine", *ends = "%last = add T %v.next, 0";
constexpr const char *exchange = R"(%other = xor i64 %me, %r
  %theirs = getelementptr T, ptr %local, i64 %other
  %w = load T, ptr %theirs
  %three = mul T %v, 3
  %sum = sub T %three, %w
  br label %met)";

word after_exchange(std::size_t me, std::size_t r, word own, const std::vector<word> &l) { return own * 3 - l[me ^ r]; }

const std::vector<scheme> &schemes() {
  using array = const std::vector<word> &;
  static const std::vector<scheme> all{
      {"exchange", plain, exchange, "phi T [ %sum, %round ]", ends, after_exchange},
      {"the next work-item, for some", plain, R"(%some = icmp ult i64 %me, %r
  br i1 %some, label %do, label %met
do:
  %n = add i64 %me, 1
  %theirs = getelementptr T, ptr %local, i64 %n
  %w = load T, ptr %theirs
  %three = mul T %w, 3
  %sum = add T %three, %v
  br label %met)",
       "phi T [ %sum, %do ], [ %v, %round ]", ends,
       [](std::size_t me, std::size_t r, word own, array l) { return me < r ? 3 * l[me + 1] + own : own; }},
      {"the next work-item, if there is one", plain, R"(%theirs = getelementptr T, ptr %mine, i64 1
  %w = load T, ptr %theirs
  %three = mul T %w, 3
  %sum = add T %three, %v
  %is = icmp ult i64 %me, 63
  br label %met)",
       "select i1 %is, T %sum, T %v", ends,
       [](std::size_t me, std::size_t, word own, array l) { return me < 63 ? 3 * l[me + 1] + own : own; }},
      {"an earlier work-item", plain, R"(%some = icmp uge i64 %me, %r
  br i1 %some, label %do, label %met
do:
  %n = sub i64 %me, %r
  %theirs = getelementptr T, ptr %local, i64 %n
  %w = load T, ptr %theirs
  %sum = add T %w, %v
  br label %met)",
       "phi T [ %sum, %do ], [ %v, %round ]", ends,
       [](std::size_t me, std::size_t r, word own, array l) { return me >= r ? l[me - r] + own : own; }},
      {"the next work-item, cyclically", plain, R"(%n = add i64 %me, 1
  %around = and i64 %n, 63
  %theirs = getelementptr T, ptr %local, i64 %around
  %w = load T, ptr %theirs
  %sum = sub T %v, %w
  br label %met)",
       "phi T [ %sum, %round ]", ends,
       [](std::size_t me, std::size_t, word own, array l) { return own - l[(me + 1) % items]; }},
      {"later work-items, on two paths", plain, R"(%some = icmp ult i64 %me, %r
  br i1 %some, label %do, label %met
do:
  %low = and i64 %me, 1
  %odd = icmp eq i64 %low, 0
  br i1 %odd, label %one, label %two
one:
  %n1 = add i64 %me, 1
  %theirs1 = getelementptr T, ptr %local, i64 %n1
  %w1 = load T, ptr %theirs1
  %sum1 = add T %w1, %v
  br label %met
two:
  %n2 = add i64 %me, 2
  %theirs2 = getelementptr T, ptr %local, i64 %n2
  %w2 = load T, ptr %theirs2
  %sum2 = sub T %v, %w2
  br label %met)",
       "phi T [ %sum1, %one ], [ %sum2, %two ], [ %v, %round ]", ends,
       [](std::size_t me, std::size_t r, word own, array l) {
         return me >= r ? own : me % 2 == 0 ? own + l[me + 1] : own - l[me + 2];
       }},
      {"later work-items, in a loop", plain, R"(%some = icmp ult i64 %me, %r
  br i1 %some, label %do, label %met
do:
  %k = phi i64 [ 1, %round ], [ %k.next, %on ]
  %sum = phi T [ %v, %round ], [ %sum.next, %on ]
  %n = add i64 %me, %k
  %theirs = getelementptr T, ptr %local, i64 %n
  %w = load T, ptr %theirs
  %sum.next = add T %sum, %w
  %bit = and T %sum.next, 1
  %odd = icmp ne T %bit, 0
  br i1 %odd, label %met, label %on
on:
  %k.next = add i64 %k, 1
  %again = icmp ult i64 %k.next, 4
  br i1 %again, label %do, label %met)",
       "phi T [ %v, %round ], [ %sum.next, %do ], [ %sum.next, %on ]", ends,
       [](std::size_t me, std::size_t r, word own, array l) {
         for (std::size_t k = 1; k < 4 && me < r; ++k)
           if ((own += l[me + k]) & 1) break;
         return own;
       }},
      {"only some publish", R"(%publishes = icmp ult i64 %me, 8
  br i1 %publishes, label %publish, label %published
publish:
  store T %v, ptr %mine
  br label %published
published:)",
       R"(%seven = and i64 %me, 7
  %theirs = getelementptr T, ptr %local, i64 %seven
  %w = load T, ptr %theirs
  %three = mul T %v, 3
  %sum = sub T %three, %w
  br label %met)",
       "phi T [ %sum, %published ]", ends,
       [](std::size_t me, std::size_t, word own, array l) { return own * 3 - l[me & 7]; },
       [](std::size_t me, word own, std::vector<word> &l) {
         if (me < 8) l[me] = own;
       },
       [](std::size_t, word own, array) { return own; }, false},
      {"another value is published", R"(%plus = add T %v, 1
  store T %plus, ptr %mine)",
       exchange, "phi T [ %sum, %round ]", ends, after_exchange,
       [](std::size_t me, word own, std::vector<word> &l) { l[me] = own + 1; },
       [](std::size_t, word own, array) { return own; }, false},
      {"to slots of other work-items", R"(%turned = sub i64 63, %me
  %there = getelementptr T, ptr %local, i64 %turned
  store T %v, ptr %there)",
       exchange, "phi T [ %sum, %round ]", ends, after_exchange,
       [](std::size_t me, word own, std::vector<word> &l) { l[63 - me] = own; },
       [](std::size_t, word own, array) { return own; }, false},
      {"two arrays", R"(store T %v, ptr %mine
  %plus = add T %v, 5
  %mine.too = getelementptr T, ptr %second, i64 %me
  store T %plus, ptr %mine.too)",
       R"(%other = xor i64 %me, %r
  %theirs = getelementptr T, ptr %local, i64 %other
  %w = load T, ptr %theirs
  %next = add i64 %me, 1
  %around = and i64 %next, 63
  %theirs.too = getelementptr T, ptr %second, i64 %around
  %w.too = load T, ptr %theirs.too
  %three = mul T %w.too, 3
  %sum = sub T %three, %w
  br label %met)",
       "phi T [ %sum, %round ]", ends,
       [](std::size_t me, std::size_t r, word, array l) { return (l[(me + 1) % items] + 5) * 3 - l[me ^ r]; },
       [](std::size_t me, word own, std::vector<word> &l) { l[me] = own; },
       [](std::size_t, word own, array) { return own; }, false},
      {"an old published value is read", plain, exchange, "phi T [ %sum, %round ]",
       R"(%old = load T, ptr %mine
  %last = sub T %v.next, %old)",
       after_exchange, [](std::size_t me, word own, std::vector<word> &l) { l[me] = own; },
       [](std::size_t me, word own, array l) { return own - l[me]; }, false},
      {"published again at the end", plain, exchange, "phi T [ %sum, %round ]", R"(store T %v.next, ptr %mine
  call void @__dpep_group_barrier()
  %turned = sub i64 63, %me
  %there = getelementptr T, ptr %local, i64 %turned
  %theirs.last = load T, ptr %there
  %last = sub T %v.next, %theirs.last)",
       after_exchange},
  };
  return all;
}

/// The array's location in local memory, computed before the loop.
struct location {
  const char *name, *start;
  std::size_t bytes;  // before the array
};
constexpr location at_start{"at the start", "%local = getelementptr i8, ptr %memory, i64 0", 0};
constexpr location after_array{"after another array", "%local = getelementptr i8, ptr %memory, i64 64", 64};
constexpr location at_argument{"at an offset from an argument", R"(%a.before = getelementptr ptr, ptr %arguments, i64 3
  %before = load i64, ptr %a.before
  %local = getelementptr i8, ptr %memory, i64 %before)",
                               128};
constexpr location after_argument{"after an offset from an argument",
                                  R"(%a.before = getelementptr ptr, ptr %arguments, i64 3
  %before = load i64, ptr %a.before
  %array = getelementptr i8, ptr %memory, i64 %before
  %local = getelementptr i8, ptr %array, i64 64)",
                                  192};

std::string kernel_of(const scheme &s, const std::string &type, bool two_dimensional, const location &where) {
  std::string text = loop_kernel;
  text = replaced(text, "START", where.start);
  text = replaced(text, "ME\n",
                  two_dimensional ? R"(%x = call i64 @__dpep_local_id(i32 0)
  %y = call i64 @__dpep_local_id(i32 1)
  %row = mul i64 %y, 8
  %me = add i64 %row, %x
)"
                                  : "%me = call i64 @__dpep_local_id(i32 0)\n");
  text = replaced(text, "DIMENSION", two_dimensional ? "1" : "0");
  text = replaced(text, "PUBLISH", s.publish);
  text = replaced(text, "BODY", s.body);
  text = replaced(text, "VALUE", s.value);
  text = replaced(text, "LAST", s.last);
  text = replaced(text, "T ", type + " ");
  text = replaced(text, "T,", type + ",");
  return text;
}

template <typename T> std::vector<T> wanted_of(const scheme &s, const std::vector<T> &in, std::size_t count) {
  std::vector<T> out(in.size());
  for (std::size_t g = 0; g < groups; ++g) {
    std::vector<word> v(in.begin() + g * items, in.begin() + (g + 1) * items), local(items + 8, 0);
    const auto as_stored = [](word x) { return static_cast<word>(static_cast<T>(x)); };
    for (std::size_t r = count; r > 0; --r) {
      for (std::size_t i = 0; i < items; ++i) s.publishes(i, v[i], local);
      for (auto &x : local) x = as_stored(x);
      for (std::size_t i = 0; i < items; ++i) v[i] = as_stored(s.next(i, r, v[i], local));
    }
    const bool again = std::string(s.name) == "published again at the end";
    for (std::size_t i = 0; i < items; ++i)
      out[g * items + i] = static_cast<T>(again ? v[i] - v[items - 1 - i] : s.at_end(i, v[i], local));
  }
  return out;
}

template <typename T>
void check(const char *type, const std::vector<unsigned> &widths, const location &where = at_start) {
  std::vector<T> in(groups * items);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * 37 % 101);
  for (const scheme &s : schemes())
    for (const bool two_dimensional : {false, true}) {
      const geometry work = two_dimensional ? groups_of({8, 8 * groups, 1}, {8, 8, 1}, 2)
                                            : groups_of({items * groups, 1, 1}, {items, 1, 1}, 1);
      const std::string text = kernel_of(s, type, two_dimensional, where);
      for (const unsigned lanes : widths) {
        for (const auto how : {formed_kernel::optimisation::standard, formed_kernel::optimisation::after}) {
          if (how == formed_kernel::optimisation::after && lanes != 0) continue;
          const formed_kernel kernel(text, specialisation_of(work), how, {.width = lanes});
          for (const std::uint64_t count : {1, 2, 9, 33, 60}) {
            SCOPED_TRACE(std::string(s.name) + " of " + type + ", width " + std::to_string(lanes) + ", " +
                         std::to_string(count) + " iterations" + (two_dimensional ? ", two-dimensional, " : ", ") +
                         where.name);
            std::vector<T> out(in.size());
            const std::uint64_t second = where.bytes + (items + 8) * sizeof(T);
            const std::uint64_t before = where.bytes - (&where == &after_argument ? 64 : 0);
            const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(count),
                                       reinterpret_cast<const void *>(before), reinterpret_cast<const void *>(second)};
            kernel.run(work, arguments, second + items * sizeof(T));
            ASSERT_EQ(out, wanted_of(s, in, count)) << kernel.formed();
          }
          // Without optimisation before formation, the value may have several spill slots.
          if (how == formed_kernel::optimisation::standard) {
            // If promoted, the base of local memory is used only as an argument and to compute the address of scratch
            // memory.
            const bool promoted = occurrences(kernel.optimised(), "ptr %local,") <= 2;
            EXPECT_EQ(promoted, s.is_promoted) << s.name << "\n" << kernel.optimised();
          }
        }
      }
    }
}

TEST(local_array_promotion, of_ints) { check<std::int32_t>("i32", {0, 1, 4, 16, 64}); }
TEST(local_array_promotion, of_shorts) { check<std::int16_t>("i16", {0}); }
TEST(local_array_promotion, of_longs) { check<std::int64_t>("i64", {0}); }
TEST(local_array_promotion, after_another_array) { check<std::int32_t>("i32", {0, 4}, after_array); }
TEST(local_array_promotion, at_an_offset_from_an_argument) { check<std::int32_t>("i32", {0, 4}, at_argument); }
TEST(local_array_promotion, after_an_offset_from_an_argument) { check<std::int64_t>("i64", {0}, after_argument); }

}  // namespace
}  // namespace dpep::test
