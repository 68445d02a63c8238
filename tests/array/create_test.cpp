// New arrays: their values, dtypes and memory order.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;

TEST(create, full_casts_its_value) {
  EXPECT_EQ(values_of<std::int16_t>(full(shape_t{2, 2}, scalar::of(2.9), dtype::int16, here())),
            (std::vector<std::int16_t>(4, 2)));
  EXPECT_EQ(values_of<bool>(full(shape_t{2}, scalar::of(0.5), dtype::boolean, here())),
            (std::vector<bool>{true, true}));
  EXPECT_EQ(values_of<std::complex<float>>(full(shape_t{1}, scalar::of(3.0), dtype::complex64, here()))[0], 3.0f);
  EXPECT_EQ(values_of<std::uint64_t>(full(shape_t{1}, scalar::of(UINT64_MAX), dtype::uint64, here()))[0], UINT64_MAX);
  const auto many = values_of<float>(full(shape_t{300, 400}, scalar::of(1.5), dtype::float32, here()));
  EXPECT_EQ(many, std::vector<float>(120000, 1.5f));
  EXPECT_EQ(strides_of(full(shape_t{2, 3}, scalar::of(1.0), dtype::float32, here(), order::column_major)),
            (shape_t{1, 2}));
  EXPECT_EQ(full(shape_t{3, 0}, scalar::of(1.0), dtype::float32, here()).size(), 0);
}

TEST(create, values_that_do_not_fit_are_refused) {
  const auto make = [](scalar v, dtype t) { return [=] { full(shape_t{3}, v, t, here()); }; };
  EXPECT_EQ(refused(refusal::overflow, make(scalar::of(std::int64_t{300}), dtype::uint8)),
            "full: 300 is out of bounds for uint8");
  refused(refusal::overflow, make(scalar::of(std::int64_t{-1}), dtype::uint64));
  refused(refusal::overflow, make(scalar::of(UINT64_MAX), dtype::int64));
  refused(refusal::overflow, make(scalar::of(1e300), dtype::int64));
  refused(refusal::value, make(scalar::of(std::nan("")), dtype::int32));
  refused(refusal::type, make(scalar::of(std::complex<double>(1, 2)), dtype::float64));
}

TEST(create, ramps) {
  const auto one = scalar::of(std::int64_t{1});
  EXPECT_EQ(values_of<std::int32_t>(
                arange(scalar::of(std::int64_t{5}), scalar::of(std::int64_t{-2}), 4, dtype::int32, here())),
            (std::vector<std::int32_t>{5, 3, 1, -1}));
  EXPECT_EQ(values_of<bool>(arange(scalar::of(false), one, 2, dtype::boolean, here())),
            (std::vector<bool>{false, true}));
  const auto fine = values_of<double>(arange(scalar::of(0.5), scalar::of(0.1), 100000, dtype::float64, here()));
  for (std::size_t i = 0; i < fine.size(); i += 999) EXPECT_DOUBLE_EQ(fine[i], 0.5 + double(i) * 0.1);
  const auto single = values_of<float>(arange(scalar::of(0.0), scalar::of(0.1), 1000, dtype::float32, here()));
  for (std::size_t i = 0; i < single.size(); ++i) EXPECT_EQ(single[i], float(i) * 0.1F);  // rounded as NumPy's
  EXPECT_EQ(arange(scalar::of(0.0), one, 0, dtype::float32, here()).size(), 0);
  refused(refusal::value, [&] { arange(one, one, -1, dtype::int8, here()); });
}

TEST(create, ranges_follow_the_rules_of_numpy) {
  const auto whole = [](std::int64_t n) { return scalar::of(n); };
  const ndarray down = arange(whole(5), whole(-2), whole(-3), std::nullopt, here());
  EXPECT_EQ(values_of<std::int64_t>(down), (std::vector<std::int64_t>{5, 2, -1}));
  EXPECT_EQ(values_of<std::uint8_t>(arange(whole(9), whole(3), whole(-4), dtype::uint8, here())),
            (std::vector<std::uint8_t>{9, 5}));
  EXPECT_EQ(values_of<double>(arange(whole(0), scalar::of(1.1), scalar::of(0.5), std::nullopt, here())),
            (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(arange(whole(3), whole(0), whole(1), std::nullopt, here()).size(), 0);
  refused(refusal::zero_division, [&] { arange(whole(0), whole(3), whole(0), std::nullopt, here()); });
  refused(refusal::value, [&] { arange(whole(0), whole(3), whole(1), dtype::boolean, here()); });
  refused(refusal::value, [&] { linspace(whole(0), whole(1), -1, true, std::nullopt, here()); });
}

TEST(create, spaces_between_two_numbers) {
  const auto low = scalar::of(0.0), high = scalar::of(1.0);
  EXPECT_EQ(values_of<double>(linspace(low, high, 5, true, dtype::float64, here())),
            (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(values_of<double>(linspace(low, high, 4, false, dtype::float64, here())),
            (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(values_of<std::int64_t>(linspace(low, scalar::of(10.0), 4, true, dtype::int64, here())),
            (std::vector<std::int64_t>{0, 3, 6, 10}));
  EXPECT_EQ(values_of<double>(linspace(low, high, 1, true, dtype::float64, here())), (std::vector<double>{0}));
  EXPECT_EQ(values_of<std::complex<double>>(
                linspace(low, scalar::of(std::complex<double>(2, 4)), 3, true, dtype::complex128, here()))[1],
            std::complex<double>(1, 2));
  // the last element equals the end, for any rounding of the steps
  for (const int n : {7, 49, 1000, 99991})
    EXPECT_EQ(values_of<double>(linspace(scalar::of(0.1), scalar::of(0.7), n, true, dtype::float64, here())).back(),
              0.7);
}

TEST(create, diagonals_and_triangles) {
  for (const std::int64_t k : {-5, -1, 0, 1, 2, 9}) {
    const auto diagonal = values_of<std::int32_t>(eye(3, 4, k, dtype::int32, here()));
    const ndarray x = counting<std::int32_t>({2, 3, 4}, 1);
    const auto low = values_of<std::int32_t>(lower_triangle(x, k)), up = values_of<std::int32_t>(upper_triangle(x, k));
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < 4; ++j) {
        EXPECT_EQ(diagonal[std::size_t(i * 4 + j)], j - i == k);
        for (std::int64_t m = 0; m < 2; ++m) {
          const std::int64_t at = m * 12 + i * 4 + j;
          EXPECT_EQ(low[std::size_t(at)], j - i <= k ? at + 1 : 0);
          EXPECT_EQ(up[std::size_t(at)], j - i >= k ? at + 1 : 0);
        }
      }
  }
  EXPECT_EQ(strides_of(eye(3, 4, 0, dtype::float32, here(), order::column_major)), (shape_t{1, 3}));
  refused(refusal::value, [] { lower_triangle(counting<double>({3}), 0); });
}

}  // namespace
}  // namespace dpep::array
