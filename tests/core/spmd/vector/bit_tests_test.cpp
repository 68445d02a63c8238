// Bit tests of ids, `(id & bits) == 0`, with bits below and above the vector width, at every width.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// out[id] = 1 if an id (of type I, computed from the local id by ID) has none of the first bits, plus 2 if it has some
// of the second, plus 4 if exactly one of these holds.
constexpr const char *bit_tests_kernel = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.first = getelementptr ptr, ptr %arguments, i64 1
  %a.second = getelementptr ptr, ptr %arguments, i64 2
  %out = load ptr, ptr %arguments
  %first = load I, ptr %a.first
  %second = load I, ptr %a.second
  %me = call i64 @__dpep_local_id(i32 0)
  ID
  %own.first = and I %id, %first
  %own.second = and I %second, %id
  %none = icmp eq I %own.first, 0
  %some = icmp ne I %own.second, 0
  %one = xor i1 %none, %some
  %p = getelementptr i32, ptr %out, i64 %me
  %x = select i1 %none, i32 1, i32 0
  %y = select i1 %some, i32 2, i32 0
  %z = select i1 %one, i32 4, i32 0
  %xy = or i32 %x, %y
  %xyz = or i32 %xy, %z
  store i32 %xyz, ptr %p
  ret void
}
)";

std::string kernel_with(const std::string &type, const std::string &id) {
  const std::string text = replaced(bit_tests_kernel, "ID", id);
  return replaced(replaced(text, "I ", type + " "), "I,", type + ",");
}

constexpr std::uint64_t bits[] = {0, 1, 2, 5, 8, 15, 16, 24, 32, 33, 64, 70, 128, ~std::uint64_t{0}};

void check(const std::string &text, std::uint64_t more, std::size_t size) {
  for (const unsigned lanes : {0U, 1U, 4U, 8U, 16U, 32U, 64U}) {
    const geometry work = groups_of({size, 1, 1}, {size, 1, 1}, 1);
    const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard, {.width = lanes});
    for (const std::uint64_t first : bits)
      for (const std::uint64_t second : bits) {
        std::vector<std::int32_t> out(size, -1), wanted(size);
        for (std::size_t i = 0; i < size; ++i) {
          const bool none = ((i + more) & first) == 0, some = ((i + more) & second) != 0;
          wanted[i] = (none ? 1 : 0) | (some ? 2 : 0) | (none != some ? 4 : 0);
        }
        const void *arguments[] = {out.data(), reinterpret_cast<const void *>(first),
                                   reinterpret_cast<const void *>(second)};
        kernel.run(work, arguments);
        ASSERT_EQ(out, wanted) << "width " << lanes << ", " << size << " items, bits " << first << " and " << second;
      }
  }
}

TEST(bit_tests, work_for_longs) {
  for (const std::size_t size : {256U, 75U}) check(kernel_with("i64", "%id = add i64 %me, 0"), 0, size);
}

TEST(bit_tests, work_for_ints) {
  for (const std::size_t size : {256U, 75U}) check(kernel_with("i32", "%id = trunc i64 %me to i32"), 0, size);
}

// The first id of a vector is not a multiple of the number of lanes, so an id is not `first | lane`.
TEST(bit_tests, work_for_ids_with_an_offset) {
  for (const std::uint64_t more : {1U, 8U, 64U})
    check(kernel_with("i64", "%id = add i64 %me, " + std::to_string(more)), more, 128);
}

TEST(bit_tests, use_no_vector_comparisons_with_mask_registers) {
  const geometry work = groups_of({256, 1, 1}, {256, 1, 1}, 1);
  const formed_kernel kernel(kernel_with("i32", "%id = trunc i64 %me to i32"), specialisation_of(work),
                             formed_kernel::optimisation::standard, {.width = 16});
  if (!contains(kernel.optimised(), "+avx512bw")) GTEST_SKIP() << "the processor has no mask registers";
  const std::string &code = kernel.optimised();
  const std::size_t loop = code.find("vector.items:");
  ASSERT_NE(loop, std::string::npos);
  EXPECT_EQ(code.substr(loop).find("icmp eq <16 x i32>"), std::string::npos) << code;
  EXPECT_EQ(code.substr(loop).find("icmp ne <16 x i32>"), std::string::npos) << code;
}

}  // namespace
}  // namespace dpep::test
