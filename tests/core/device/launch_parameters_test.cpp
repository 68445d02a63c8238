// The division of ids by the size of a launch's first dimension.
#include "backend/abi.hpp"

#include <random>

#include <gtest/gtest.h>

namespace {

using dpep::backend::abi::launch_parameters;

constexpr std::uint64_t end = std::uint64_t{1} << 31;  // of ids and sizes

void check_divisor(std::uint64_t size, std::mt19937_64 &random) {
  launch_parameters launch{};
  launch.global[0] = size;
  launch.set_row_divisor();
  ASSERT_LT(launch.row_factor, std::uint64_t{1} << 32) << size;
  const auto check_id = [&](std::uint64_t id) {
    if (id < end) ASSERT_EQ(id * launch.row_factor >> 31 >> launch.row_shift, id / size) << id << " / " << size;
  };
  for (const std::uint64_t row : {std::uint64_t{0}, std::uint64_t{1}, end / size / 2, end / size})
    for (const std::uint64_t distance : {0, 1, 2}) {
      check_id(row * size + distance);
      check_id(row * size - distance);
    }
  check_id(end - 1);
  for (int i = 0; i < 20; ++i) check_id(random() % end);
}

TEST(launch_parameters, rows_of_ids) {
  std::mt19937_64 random(1);
  for (std::uint64_t size = 1; size < 3000; ++size) check_divisor(size, random);
  for (int i = 0; i < 50000; ++i) check_divisor(1 + (random() >> (33 + random() % 31)) % (end - 1), random);
  for (std::uint64_t power = 1; power < end; power *= 2)
    for (const std::uint64_t size : {power - 1, power, power + 1})
      if (size && size < end) check_divisor(size, random);
  check_divisor(end - 1, random);
}

TEST(launch_parameters, launches_without_ids_or_with_larger_ones_have_no_divisor) {
  for (const std::uint64_t size : {std::uint64_t{0}, end, end * end}) {
    launch_parameters launch{};
    launch.global[0] = size;
    launch.set_row_divisor();
    EXPECT_EQ(launch.row_factor, 0) << size;
  }
}

}  // namespace
