// Gathers of elements of 8 and 16 bits, on all vector instructions that the processor has.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// if (index[i] % 3 != 0) out[i] = table[index[i]] * 3 + 1, and more arithmetic, so that it is worth vectors.
constexpr const char *lookup = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.index = getelementptr ptr, ptr %arguments, i64 1
  %a.out = getelementptr ptr, ptr %arguments, i64 2
  %table = load ptr, ptr %arguments
  %index = load ptr, ptr %a.index
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_global_id(i32 0)
  %p = getelementptr INDEX, ptr %index, i64 %i
  %x = load INDEX, ptr %p
  %third = srem INDEX %x, 3
  %some = icmp ne INDEX %third, 0
  br i1 %some, label %look, label %done
look:
  EXTENDED
  %q = getelementptr ELEMENT, ptr %table, i64 %at
  %y = load ELEMENT, ptr %q
  %wide = sext ELEMENT %y to i32
  %a = mul i32 %wide, 3
  %b = add i32 %a, 1
  %c = xor i32 %b, 85
  %d = mul i32 %c, %b
  %e = sub i32 %d, %a
  %f = mul i32 %e, %c
  %target = getelementptr i32, ptr %out, i64 %i
  store i32 %f, ptr %target
  br label %done
done:
  ret void
}
)";

std::string kernel_of(const std::string &index, const std::string &element) {
  const bool narrow = index == "i32";
  std::string text = replaced(lookup, "EXTENDED", narrow ? "%at = sext i32 %x to i64" : "%at = add i64 %x, 0");
  return replaced(replaced(text, "INDEX", index), "ELEMENT", element);
}

template <class Index, class Element> void check(const std::string &index_type, const std::string &element_type) {
  for (const auto &level : x86_levels()) {
    constexpr std::size_t items = 147, size = 64;
    const formed_kernel kernel(kernel_of(index_type, element_type), specialisation_of(range_of(items)),
                               formed_kernel::optimisation::standard, {.target = *level, .width = 16});
    alignas(64) Element memory[3 * size];
    for (std::size_t k = 0; k < 3 * size; ++k) memory[k] = static_cast<Element>(k * 7919 % 251 - 100);
    for (std::size_t first = 0; first < 5; ++first) {
      const Element *table = memory + size + first;
      std::vector<Index> index(items);
      std::vector<std::int32_t> out(items), wanted(items);
      for (std::size_t i = 0; i < items; ++i) {
        index[i] = static_cast<Index>(i * 31 % (2 * size - 8)) - static_cast<Index>(size);
        const auto a = static_cast<std::uint32_t>(table[index[i]] * 3), b = a + 1, c = b ^ 85U;
        if (index[i] % 3 != 0) wanted[i] = static_cast<std::int32_t>((c * b - a) * c);
      }
      const void *arguments[] = {table, index.data(), out.data()};
      kernel.run(range_of(items), arguments);
      EXPECT_EQ(out, wanted) << first;
    }
    if (!contains(kernel.optimised(), "+avx512f")) continue;
    EXPECT_TRUE(contains(kernel.optimised(), "masked.gather.v16i32"));
    EXPECT_FALSE(contains(kernel.optimised(), ("masked.gather.v16" + element_type).c_str()));
  }
}

TEST(small_gathers, of_bytes_by_narrow_indices) { check<std::int32_t, std::int8_t>("i32", "i8"); }
TEST(small_gathers, of_bytes_by_wide_indices) { check<std::int64_t, std::int8_t>("i64", "i8"); }
TEST(small_gathers, of_16_bits_by_narrow_indices) { check<std::int32_t, std::int16_t>("i32", "i16"); }
TEST(small_gathers, of_16_bits_by_wide_indices) { check<std::int64_t, std::int16_t>("i64", "i16"); }

}  // namespace
}  // namespace dpep::test
