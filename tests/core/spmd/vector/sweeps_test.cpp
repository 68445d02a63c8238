// Sweeps that update every other element in place from its neighbours: several vectors are loaded before one is stored.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// u[i + 1] = (u[i] + u[i + 2] - f[i]) / 4 where i has the parity of the argument.
constexpr const char *relaxed = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a1 = getelementptr ptr, ptr %arguments, i64 1
  %a2 = getelementptr ptr, ptr %arguments, i64 2
  %u = load ptr, ptr %arguments
  %f = load ptr, ptr %a1
  %parity = load i64, ptr %a2
  %i = call i64 @__dpep_global_id(i32 0)
  %odd = and i64 %i, 1
  %mine = icmp eq i64 %odd, %parity
  br i1 %mine, label %some, label %done
some:
  %p = getelementptr TYPE, ptr %u, i64 %i
  %at = getelementptr TYPE, ptr %p, i64 1
  %q = getelementptr TYPE, ptr %p, i64 2
  %before = load TYPE, ptr %p
  %after = load TYPE, ptr %q
  %g = getelementptr TYPE, ptr %f, i64 %i
  %known = load TYPE, ptr %g
  %around = fadd TYPE %before, %after
  %rest = fsub TYPE %around, %known
  %new = fmul TYPE %rest, 0.25
  store TYPE %new, ptr %at
  br label %done
done:
  ret void
}
)";

template <class T> formed_kernel expect_relaxed(const std::string &type, std::uint32_t width) {
  const formed_kernel kernel(replaced(relaxed, "TYPE", type), specialisation_of(range_of(1000)),
                             formed_kernel::optimisation::standard, {.width = width});
  for (const std::size_t items : {1, 2, 7, 8, 15, 31, 32, 33, 63, 64, 65, 127, 129, 300})
    for (const std::size_t parity : {0, 1}) {
      SCOPED_TRACE(std::to_string(items) + " items, parity " + std::to_string(parity));
      std::vector<T> u(items + 2), f(items), wanted;
      for (std::size_t i = 0; i < u.size(); ++i) u[i] = static_cast<T>(i * 7 % 13);
      for (std::size_t i = 0; i < f.size(); ++i) f[i] = static_cast<T>(i % 5);
      wanted = u;
      for (std::size_t i = parity; i < items; i += 2) wanted[i + 1] = (u[i] + u[i + 2] - f[i]) / 4;
      const void *arguments[] = {u.data(), f.data(), reinterpret_cast<const void *>(parity)};
      kernel.run(range_of(items), arguments);
      EXPECT_EQ(u, wanted);  // quarters: no rounding
    }
  return kernel;
}

TEST(sweeps, have_the_right_results) {
  for (const std::uint32_t width : {0U, 1U, 4U, 16U}) {
    expect_relaxed<double>("double", width);
    expect_relaxed<float>("float", width);
  }
}

TEST(sweeps, load_several_vectors_before_they_store) {
  const formed_kernel kernel = expect_relaxed<double>("double", 0);
  if (kernel.report().vector_width < 2) GTEST_SKIP() << "there are no vectors on this machine";
  const std::string lanes = std::to_string(4 * kernel.report().vector_width);
  EXPECT_TRUE(contains(kernel.optimised(), ("<" + lanes + " x double>").c_str())) << kernel.optimised();
}

// Pairs of neighbours are put in order: a round of an odd-even transposition sort.
TEST(sweeps, of_pairs_have_the_right_results) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a1 = getelementptr ptr, ptr %arguments, i64 1
  %a = load ptr, ptr %arguments
  %parity = load i64, ptr %a1
  %i = call i64 @__dpep_global_id(i32 0)
  %odd = and i64 %i, 1
  %mine = icmp eq i64 %odd, %parity
  br i1 %mine, label %some, label %done
some:
  %p = getelementptr i32, ptr %a, i64 %i
  %q = getelementptr i32, ptr %p, i64 1
  %x = load i32, ptr %p
  %y = load i32, ptr %q
  %wrong = icmp sgt i32 %x, %y
  br i1 %wrong, label %swap, label %done
swap:
  store i32 %y, ptr %p
  store i32 %x, ptr %q
  br label %done
done:
  ret void
}
)";
  for (const std::uint32_t width : {0U, 1U, 8U, 64U}) {
    const formed_kernel kernel(text, specialisation_of(range_of(1000)), formed_kernel::optimisation::standard,
                               {.width = width});
    for (const std::size_t items : {1, 5, 16, 63, 64, 129, 200}) {
      std::vector<std::int32_t> a(items + 1), wanted;
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::int32_t>(i * 37 % 101);
      wanted = a;
      std::ranges::sort(wanted);
      for (std::size_t round = 0; round <= a.size(); ++round) {
        const void *arguments[] = {a.data(), reinterpret_cast<const void *>(round % 2)};
        kernel.run(range_of(items), arguments);
      }
      EXPECT_EQ(a, wanted) << items << " items, width " << width;
    }
  }
}

}  // namespace
}  // namespace dpep::test
