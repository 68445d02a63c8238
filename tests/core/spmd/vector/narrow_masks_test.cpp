// Accesses by the same part of each vector's lanes: they are plain accesses of that part, and reach no other element.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::size_t groups = 3, size = 64, items = groups * size;

/// The lanes `first` to `last` of each 32 work-items add the element that is `distance` further to their own one.
struct lanes_of_32 {
  std::uint64_t first, last;
  std::uint64_t distance = 1;
  bool is_run = true;  // of a size and at a place that is loaded and stored by itself
};

std::string text_of(const lanes_of_32 &lanes, const std::string &type) {
  const std::string add = type == "float" || type == "double" ? "fadd " : "add ";
  return R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a = load ptr, ptr %arguments
  %i = call i64 @__dpep_global_id(i32 0)
  %me = call i64 @__dpep_local_id(i32 0)
  %lane = and i64 %me, 31
  %from.first = icmp uge i64 %lane, )" +
         std::to_string(lanes.first) + R"(
  %to.last = icmp ule i64 %lane, )" +
         std::to_string(lanes.last) + R"(
  %active = and i1 %from.first, %to.last
  br i1 %active, label %some, label %done
some:
  %p = getelementptr )" +
         type + R"(, ptr %a, i64 %i
  %x = load )" +
         type + R"(, ptr %p
  %q = getelementptr )" +
         type + ", ptr %p, i64 " + std::to_string(lanes.distance) + R"(
  %y = load )" +
         type + R"(, ptr %q
  %sum = )" +
         add + type + R"( %x, %y
  store )" +
         type + R"( %sum, ptr %p
  br label %done
done:
  ret void
}
)";
}

template <class T> void expect(const lanes_of_32 &lanes, const std::string &type) {
  const std::string text = text_of(lanes, type);
  const geometry work = groups_of({items, 1, 1}, {size, 1, 1}, 1);
  const auto levels = x86_levels();
  for (const auto &level : levels)
    for (const std::uint32_t width : {0U, 16U, 32U, 64U}) {
      SCOPED_TRACE(type + ", lanes " + std::to_string(lanes.first) + " to " + std::to_string(lanes.last) + ", width " +
                   std::to_string(width));
      const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard, {*level, width});
      std::vector<T> a(items + 64), wanted;
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(i * 7 % 61);
      wanted = a;
      for (std::size_t i = 0; i < items; ++i)
        if (i % 32 >= lanes.first && i % 32 <= lanes.last) wanted[i] = static_cast<T>(a[i] + a[i + lanes.distance]);
      const void *arguments[] = {a.data()};
      kernel.run(work, arguments);
      EXPECT_EQ(a, wanted) << kernel.optimised();
      if (lanes.is_run && width == 32)
        EXPECT_FALSE(contains(kernel.optimised(), "call void @llvm.masked.store")) << kernel.optimised();
    }
}

TEST(narrow_masks, have_the_right_results) {
  constexpr lanes_of_32 all[] = {
      {0, 15, 32},        {0, 7, 32},         {0, 3, 32},        {0, 1, 32},        {8, 15, 32},
      {4, 7, 32},         {24, 31, 8},        {0, 2, 32, false}, {6, 9, 32, false}, {1, 15, 32, false},
      {0, 23, 32, false}, {2, 29, 32, false}, {5, 5, 32},
  };
  for (const lanes_of_32 &lanes : all) {
    expect<std::uint8_t>(lanes, "i8");
    expect<std::uint16_t>(lanes, "i16");
    expect<std::uint32_t>(lanes, "i32");
    expect<float>(lanes, "float");
    expect<std::uint64_t>(lanes, "i64");
    expect<double>(lanes, "double");
  }
}

}  // namespace
}  // namespace dpep::test
