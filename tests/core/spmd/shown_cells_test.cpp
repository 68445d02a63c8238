// Values that work-items show each other through local memory, round by round: against plain loops over the rounds, at
// every width, where the array is left out and where it must not be.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::size_t items = 64, groups = 3;

// Each round, numbered from the count of rounds down to 1, the work-items show v and make v.next of what they see.
constexpr const char *rounds = R"(
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
  SHOW
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
  const char *name, *show, *body, *value, *last;
  /// Of one group: what was stored to local memory before the first barrier is there already.
  std::function<word(std::size_t me, std::size_t round, word own, const std::vector<word> &)> next;
  std::function<void(std::size_t me, word own, std::vector<word> &)> shows =
      [](std::size_t me, word own, std::vector<word> &local) { local[me] = own; };
  std::function<word(std::size_t me, word own, const std::vector<word> &)> at_end =
      [](std::size_t, word own, const std::vector<word> &) { return own; };
  bool is_left_out = true;
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
      {"the next one", plain, R"(%some = icmp ult i64 %me, %r
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
      {"the next one, if there is one", plain, R"(%theirs = getelementptr T, ptr %mine, i64 1
  %w = load T, ptr %theirs
  %three = mul T %w, 3
  %sum = add T %three, %v
  %is = icmp ult i64 %me, 63
  br label %met)",
       "select i1 %is, T %sum, T %v", ends,
       [](std::size_t me, std::size_t, word own, array l) { return me < 63 ? 3 * l[me + 1] + own : own; }},
      {"some before", plain, R"(%some = icmp uge i64 %me, %r
  br i1 %some, label %do, label %met
do:
  %n = sub i64 %me, %r
  %theirs = getelementptr T, ptr %local, i64 %n
  %w = load T, ptr %theirs
  %sum = add T %w, %v
  br label %met)",
       "phi T [ %sum, %do ], [ %v, %round ]", ends,
       [](std::size_t me, std::size_t r, word own, array l) { return me >= r ? l[me - r] + own : own; }},
      {"round about", plain, R"(%n = add i64 %me, 1
  %around = and i64 %n, 63
  %theirs = getelementptr T, ptr %local, i64 %around
  %w = load T, ptr %theirs
  %sum = sub T %v, %w
  br label %met)",
       "phi T [ %sum, %round ]", ends,
       [](std::size_t me, std::size_t, word own, array l) { return own - l[(me + 1) % items]; }},
      {"those behind, in two ways", plain, R"(%some = icmp ult i64 %me, %r
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
      {"those behind, until a sum is odd", plain, R"(%some = icmp ult i64 %me, %r
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
      {"without all showing theirs", R"(%shows = icmp ult i64 %me, 8
  br i1 %shows, label %show, label %shown
show:
  store T %v, ptr %mine
  br label %shown
shown:)",
       R"(%seven = and i64 %me, 7
  %theirs = getelementptr T, ptr %local, i64 %seven
  %w = load T, ptr %theirs
  %three = mul T %v, 3
  %sum = sub T %three, %w
  br label %met)",
       "phi T [ %sum, %shown ]", ends,
       [](std::size_t me, std::size_t, word own, array l) { return own * 3 - l[me & 7]; },
       [](std::size_t me, word own, std::vector<word> &l) {
         if (me < 8) l[me] = own;
       },
       [](std::size_t, word own, array) { return own; }, false},
      {"something else than shown", R"(%plus = add T %v, 1
  store T %plus, ptr %mine)",
       exchange, "phi T [ %sum, %round ]", ends, after_exchange,
       [](std::size_t me, word own, std::vector<word> &l) { l[me] = own + 1; },
       [](std::size_t, word own, array) { return own; }, false},
      {"elsewhere", R"(%turned = sub i64 63, %me
  %there = getelementptr T, ptr %local, i64 %turned
  store T %v, ptr %there)",
       exchange, "phi T [ %sum, %round ]", ends, after_exchange,
       [](std::size_t me, word own, std::vector<word> &l) { l[63 - me] = own; },
       [](std::size_t, word own, array) { return own; }, false},
      {"in one array, and something else in another", R"(store T %v, ptr %mine
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
      {"what was shown, when there is something newer", plain, exchange, "phi T [ %sum, %round ]",
       R"(%old = load T, ptr %mine
  %last = sub T %v.next, %old)",
       after_exchange, [](std::size_t me, word own, std::vector<word> &l) { l[me] = own; },
       [](std::size_t me, word own, array l) { return own - l[me]; }, false},
      {"shown once more in the end", plain, exchange, "phi T [ %sum, %round ]", R"(store T %v.next, ptr %mine
  call void @__dpep_group_barrier()
  %turned = sub i64 63, %me
  %there = getelementptr T, ptr %local, i64 %turned
  %theirs.last = load T, ptr %there
  %last = sub T %v.next, %theirs.last)",
       after_exchange},
  };
  return all;
}

void put(std::string &text, const std::string &word, const std::string &by) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size())
    text.replace(at, word.size(), by);
}

/// Where the array is in local memory: what is computed is known before the rounds, and kept for them.
struct place {
  const char *name, *start;
  std::size_t bytes;  // before the array
};
constexpr place at_start{"at the start", "%local = getelementptr i8, ptr %memory, i64 0", 0};
constexpr place behind{"behind another array", "%local = getelementptr i8, ptr %memory, i64 64", 64};
constexpr place told{"where an argument says", R"(%a.before = getelementptr ptr, ptr %arguments, i64 3
  %before = load i64, ptr %a.before
  %local = getelementptr i8, ptr %memory, i64 %before)",
                     128};
constexpr place further{"some way behind what an argument says", R"(%a.before = getelementptr ptr, ptr %arguments, i64 3
  %before = load i64, ptr %a.before
  %array = getelementptr i8, ptr %memory, i64 %before
  %local = getelementptr i8, ptr %array, i64 64)",
                        192};

std::string kernel_of(const scheme &s, const std::string &type, bool plane, const place &where) {
  std::string text = rounds;
  put(text, "START", where.start);
  put(text, "ME\n",
      plane ? R"(%x = call i64 @__dpep_local_id(i32 0)
  %y = call i64 @__dpep_local_id(i32 1)
  %row = mul i64 %y, 8
  %me = add i64 %row, %x
)"
            : "%me = call i64 @__dpep_local_id(i32 0)\n");
  put(text, "DIMENSION", plane ? "1" : "0");
  put(text, "SHOW", s.show);
  put(text, "BODY", s.body);
  put(text, "VALUE", s.value);
  put(text, "LAST", s.last);
  put(text, "T ", type + " ");
  put(text, "T,", type + ",");
  return text;
}

template <typename T> std::vector<T> wanted_of(const scheme &s, const std::vector<T> &in, std::size_t count) {
  std::vector<T> out(in.size());
  for (std::size_t g = 0; g < groups; ++g) {
    std::vector<word> v(in.begin() + g * items, in.begin() + (g + 1) * items), local(items + 8, 0);
    const auto as_stored = [](word x) { return static_cast<word>(static_cast<T>(x)); };
    for (std::size_t r = count; r > 0; --r) {
      for (std::size_t i = 0; i < items; ++i) s.shows(i, v[i], local);
      for (auto &x : local) x = as_stored(x);
      for (std::size_t i = 0; i < items; ++i) v[i] = as_stored(s.next(i, r, v[i], local));
    }
    const bool again = std::string(s.name) == "shown once more in the end";
    for (std::size_t i = 0; i < items; ++i)
      out[g * items + i] = static_cast<T>(again ? v[i] - v[items - 1 - i] : s.at_end(i, v[i], local));
  }
  return out;
}

template <typename T> void check(const char *type, const std::vector<unsigned> &widths, const place &where = at_start) {
  std::vector<T> in(groups * items);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * 37 % 101);
  for (const scheme &s : schemes())
    for (const bool plane : {false, true}) {
      const geometry work =
          plane ? groups_of({8, 8 * groups, 1}, {8, 8, 1}, 2) : groups_of({items * groups, 1, 1}, {items, 1, 1}, 1);
      const std::string text = kernel_of(s, type, plane, where);
      for (const unsigned lanes : widths) {
        for (const auto how : {formed_kernel::optimisation::standard, formed_kernel::optimisation::after}) {
          if (how == formed_kernel::optimisation::after && lanes != 0) continue;
          const formed_kernel kernel(text, specialisation_of(work), how, {.width = lanes});
          for (const std::uint64_t count : {1, 2, 9, 33, 60}) {
            SCOPED_TRACE(std::string(s.name) + " of " + type + ", width " + std::to_string(lanes) + ", " +
                         std::to_string(count) + " rounds" + (plane ? ", in a plane, " : ", ") + where.name);
            std::vector<T> out(in.size());
            const std::uint64_t second = where.bytes + (items + 8) * sizeof(T);
            const std::uint64_t before = where.bytes - (&where == &further ? 64 : 0);
            const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(count),
                                       reinterpret_cast<const void *>(before), reinterpret_cast<const void *>(second)};
            kernel.run(work, arguments, second + items * sizeof(T));
            ASSERT_EQ(out, wanted_of(s, in, count)) << kernel.formed();
          }
          // Without optimising before, the cell may still be several values.
          if (how == formed_kernel::optimisation::standard) {
            // Else its start is only an argument, and what scratch memory is computed from.
            std::size_t uses = 0;
            for (std::size_t at = 0; (at = kernel.optimised().find("ptr %local,", at)) != std::string::npos; ++at)
              ++uses;
            const bool local = uses > 2;
            EXPECT_EQ(local, !s.is_left_out) << s.name << "\n" << kernel.optimised();
          }
        }
      }
    }
}

TEST(ShownCells, OfInts) { check<std::int32_t>("i32", {0, 1, 4, 16, 64}); }
TEST(ShownCells, OfShorts) { check<std::int16_t>("i16", {0}); }
TEST(ShownCells, OfLongs) { check<std::int64_t>("i64", {0}); }
TEST(ShownCells, BehindAnotherArray) { check<std::int32_t>("i32", {0, 4}, behind); }
TEST(ShownCells, WhereAnArgumentSays) { check<std::int32_t>("i32", {0, 4}, told); }
TEST(ShownCells, SomeWayBehindWhatAnArgumentSays) { check<std::int64_t>("i64", {0}, further); }

}  // namespace
}  // namespace dpep::test
