// Accesses permuted by a xor within a block of memory (`a[local_id ^ distance]`): correct at every width and for every
// element type, without gathers and scatters.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// Compares and exchanges keys between work-items whose ids differ by a xor with the distance, the fourth argument. Each
// copies the other's key to `out`; then the lower work-item of each pair writes both keys to `sorted`, in order.
constexpr const char *exchange = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.sorted = getelementptr ptr, ptr %arguments, i64 2
  %a.distance = getelementptr ptr, ptr %arguments, i64 3
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %sorted = load ptr, ptr %a.sorted
  %distance = load i32, ptr %a.distance
  %keys = call ptr @__dpep_local_memory()
  %me64 = call i64 @__dpep_local_id(i32 0)
  %me = trunc i64 %me64 to i32
  %i = call i64 @__dpep_global_id(i32 0)
  %p = getelementptr T, ptr %in, i64 %i
  %own = load T, ptr %p
  %partner = xor i32 %me, %distance
  %partner64 = zext i32 %partner to i64
  %mine = getelementptr T, ptr %keys, i64 %me64
  %others = getelementptr T, ptr %keys, i64 %partner64
  store T %own, ptr %others
  call void @__dpep_group_barrier()
  %received = load T, ptr %mine
  %o = getelementptr T, ptr %out, i64 %i
  store T %received, ptr %o
  call void @__dpep_group_barrier()
  store T %own, ptr %mine
  call void @__dpep_group_barrier()
  %first = icmp ult i32 %me, %partner
  br i1 %first, label %sort, label %done
sort:
  %a = load T, ptr %mine
  %b = load T, ptr %others
  %wrong = COMPARE T %a, %b
  %low = select i1 %wrong, T %b, T %a
  %high = select i1 %wrong, T %a, T %b
  store T %low, ptr %mine
  store T %high, ptr %others
  br label %done
done:
  call void @__dpep_group_barrier()
  %last = load T, ptr %mine
  %s = getelementptr T, ptr %sorted, i64 %i
  store T %last, ptr %s
  ret void
}
)";

// out[i] = keys[(me + 1) ^ distance]: the permuted blocks are not aligned with the vectors.
constexpr const char *unaligned = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.distance = getelementptr ptr, ptr %arguments, i64 3
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %distance = load i64, ptr %a.distance
  %me = call i64 @__dpep_local_id(i32 0)
  %next = add i64 %me, 1
  %partner = xor i64 %next, %distance
  %p = getelementptr i32, ptr %in, i64 %partner
  %value = load i32, ptr %p
  %o = getelementptr i32, ptr %out, i64 %me
  store i32 %value, ptr %o
  ret void
}
)";

// out[i] = in[5 * (63 - (me ^ distance)) + 2]
constexpr const char *strided = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.distance = getelementptr ptr, ptr %arguments, i64 3
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %distance = load i64, ptr %a.distance
  %me = call i64 @__dpep_local_id(i32 0)
  %partner = xor i64 %distance, %me
  %back = sub i64 63, %partner
  %scaled = mul i64 %back, 5
  %place = add i64 %scaled, 2
  %p = getelementptr i32, ptr %in, i64 %place
  %value = load i32, ptr %p
  %o = getelementptr i32, ptr %out, i64 %me
  store i32 %value, ptr %o
  ret void
}
)";

std::string of_type(std::string text, const std::string &type, const std::string &compare) {
  text = replaced(replaced(std::move(text), "T ", type + " "), "T,", type + ",");
  return replaced(std::move(text), "COMPARE", compare);
}

const std::vector<unsigned> widths{0, 1, 2, 4, 8, 16, 32, 64};  // 0: as the JIT chooses

template <typename T>
void exchanges(const char *type, const char *compare, const std::vector<unsigned> &at_widths = {0, 4, 64}) {
  const std::string text = of_type(exchange, type, compare);
  for (const unsigned lanes : at_widths) {
    for (const auto &[size, distances] :
         {std::pair<std::size_t, std::vector<std::uint64_t>>{128, {1, 2, 3, 7, 8, 15, 16, 21, 32, 48, 64, 100, 127}},
          {96, {1, 9, 31}},
          {20, {1, 2, 3}}}) {
      constexpr std::size_t groups = 2;
      const geometry work = groups_of({groups * size, 1, 1}, {size, 1, 1}, 1);
      const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard,
                                 {.width = lanes});
      for (const std::uint64_t distance : distances) {
        SCOPED_TRACE(std::string(type) + ", width " + std::to_string(lanes) + ", " + std::to_string(distance) +
                     " apart in groups of " + std::to_string(size));
        std::vector<T> in(groups * size), out(in.size()), sorted(in.size()), wanted(in.size()), in_order(in.size());
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * 73 % 101);
        for (std::size_t i = 0; i < in.size(); ++i) {
          const std::size_t start = i / size * size, other = start + ((i - start) ^ distance);
          wanted[i] = in[other];
          in_order[i] = i < other ? std::min(in[i], in[other]) : std::max(in[i], in[other]);
        }
        const void *arguments[] = {in.data(), out.data(), sorted.data(), reinterpret_cast<const void *>(distance)};
        kernel.run(work, arguments, size * sizeof(T));
        EXPECT_EQ(out, wanted);
        EXPECT_EQ(sorted, in_order);
      }
      if (lanes == 0 && size == 128) {
        EXPECT_FALSE(contains(kernel.optimised(), "gather"));
        EXPECT_FALSE(contains(kernel.optimised(), "scatter"));
      }
    }
  }
}

TEST(permuted_access, exchanges_bytes) { exchanges<std::uint8_t>("i8", "icmp ugt"); }
TEST(permuted_access, exchanges_shorts) { exchanges<std::int16_t>("i16", "icmp sgt"); }
TEST(permuted_access, exchanges_ints) { exchanges<std::int32_t>("i32", "icmp sgt", widths); }
TEST(permuted_access, exchanges_longs) { exchanges<std::int64_t>("i64", "icmp sgt"); }
TEST(permuted_access, exchanges_floats) { exchanges<float>("float", "fcmp ogt"); }
TEST(permuted_access, exchanges_doubles) { exchanges<double>("double", "fcmp ogt"); }

void reads_from(const char *text, std::size_t (*index)(std::uint64_t id, std::uint64_t distance)) {
  constexpr std::size_t size = 64;
  const geometry work = groups_of({size, 1, 1}, {size, 1, 1}, 1);
  std::vector<std::int32_t> in(5 * 64 + 64);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i * i % 1009);
  for (const unsigned lanes : widths) {
    const formed_kernel kernel(text, specialisation_of(work), formed_kernel::optimisation::standard, {.width = lanes});
    for (std::uint64_t distance : {0, 1, 5, 16, 31, 40, 63}) {
      std::vector<std::int32_t> out(size), wanted(size);
      for (std::size_t i = 0; i < size; ++i) wanted[i] = in[index(i, distance)];
      const void *arguments[] = {in.data(), out.data(), nullptr, reinterpret_cast<const void *>(distance)};
      kernel.run(work, arguments);
      EXPECT_EQ(out, wanted) << "width " << lanes << ", " << distance;
    }
  }
}

TEST(permuted_access, handles_blocks_not_aligned_with_vectors) {
  reads_from(unaligned, [](std::uint64_t id, std::uint64_t distance) -> std::size_t { return (id + 1) ^ distance; });
}

TEST(permuted_access, handles_scaled_and_reversed_indices) {
  reads_from(strided,
             [](std::uint64_t id, std::uint64_t distance) -> std::size_t { return 5 * (63 - (id ^ distance)) + 2; });
}

}  // namespace
}  // namespace dpep::test
