// Private arrays accessed at uniform indices only: LLVM hoists the addresses out of the loop over work-items, and still
// each work-item has an array of its own.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::uint32_t items = 48;

// Stores in[i] at an index given by an argument, and returns all elements of the array as digits of one number.
std::string kernel_with(const std::string &element, const std::string &address, const std::string &field = "") {
  std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %array = alloca [4 x )" +
                     element + R"(]
  store [4 x )" + element +
                     R"(] zeroinitializer, ptr %array
  %in = load ptr, ptr %arguments
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %out = load ptr, ptr %a.out
  %a.which = getelementptr ptr, ptr %arguments, i64 2
  %which = load i64, ptr %a.which
  %i = call i64 @__dpep_global_id(i32 0)
  %p.in = getelementptr i16, ptr %in, i64 %i
  %x = load i16, ptr %p.in
  %k = and i64 %which, 3
  )" + address + R"(
  store i16 %x, ptr %p
  %sum.0 = add i32 0, 0
)";
  for (int index = 0; index < 4; ++index) {
    const std::string n = std::to_string(index), next = std::to_string(index + 1);
    text += "%q" + n + " = getelementptr " + element + ", ptr %array, i64 " + n + field + "\n%y" + n +
            " = load i16, ptr %q" + n + "\n%z" + n + " = zext i16 %y" + n + " to i32\n%t" + n + " = mul i32 %sum." + n +
            ", 100\n%sum." + next + " = add i32 %t" + n + ", %z" + n + "\n";
  }
  return text + R"(
  %p.out = getelementptr i32, ptr %out, i64 %i
  store i32 %sum.4, ptr %p.out
  ret void
}
)";
}

void check(const std::string &text, const geometry &work) {
  for (const std::uint32_t lanes : {0U, 1U, 2U, 4U, 16U}) {
    SCOPED_TRACE(lanes);
    const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard, {.width = lanes});
    if (lanes != 1) EXPECT_GT(kernel.report().vector_width, 1u) << kernel.report().remarks;
    std::uint32_t factor = 1'000'000;
    for (std::uint64_t which = 0; which < 4; ++which, factor /= 100) {
      std::vector<std::uint16_t> in(items);
      std::vector<std::uint32_t> out(items), wanted(items);
      for (std::uint32_t i = 0; i < items; ++i) {
        in[i] = static_cast<std::uint16_t>((i * 7 + which) % 50 + 1);
        wanted[i] = in[i] * factor;
      }
      const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(which)};
      kernel.run(work, arguments);
      EXPECT_EQ(out, wanted) << which;
    }
  }
}

void check(const std::string &text) {
  for (const geometry &work :
       {range_of(items), groups_of({items, 1, 1}, {16, 1, 1}, 1), groups_of({items, 1, 1}, {12, 1, 1}, 1)}) {
    SCOPED_TRACE(work.local[0]);
    check(text, work);
  }
}

TEST(private_layout, separates_elements) { check(kernel_with("i16", "%p = getelementptr i16, ptr %array, i64 %k")); }

TEST(private_layout, separates_fields) {
  check(kernel_with("{i16, i32}", "%p = getelementptr {i16, i32}, ptr %array, i64 %k"));
}

// No address in the loop is that of the array itself.
TEST(private_layout, separates_fields_other_than_the_first) {
  check(kernel_with("{i32, i16}", "%p = getelementptr {i32, i16}, ptr %array, i64 %k, i32 1", ", i32 1"));
}

TEST(private_layout, separates_addresses_converted_to_integers) {
  check(kernel_with("i16", "%twice = mul i64 %k, 2\n%n = ptrtoint ptr %array to i64\n%m = add i64 %n, %twice\n"
                           "%p = inttoptr i64 %m to ptr"));
}

TEST(private_layout, separates_selected_arrays) {
  check(kernel_with("i16",
                    "%other = alloca [4 x i16]\n%none = icmp ugt i64 %which, 9\n"
                    "%base = select i1 %none, ptr %other, ptr %array\n%p = getelementptr i16, ptr %base, i64 %k"));
}

}  // namespace
}  // namespace dpep::test
