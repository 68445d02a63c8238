// Reductions and accumulations: dtypes, axes, statistics, against loops on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// For each reduction of the array of this shape: calls with the axes and, for each result, its elements in order.
std::vector<std::vector<double>> groups(const std::vector<double> &values, const shape_t &shape,
                                        const std::vector<int> &axes) {
  std::vector<std::vector<double>> result;
  shape_t kept;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (std::ranges::find(axes, int(i)) == axes.end()) kept.push_back(shape[i]);
  result.resize(std::size_t(count_of(kept)));
  for (std::size_t at = 0; at < values.size(); ++at) {
    std::size_t rest = at, group = 0, stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      const std::size_t place = rest % std::size_t(shape[axis]);
      rest /= std::size_t(shape[axis]);
      if (std::ranges::find(axes, int(axis)) != axes.end()) continue;
      group += place * stride;
      stride *= std::size_t(shape[axis]);
    }
    result[group].push_back(values[at]);
  }
  return result;
}

double expected(reduction how, const std::vector<double> &x, double correction) {
  long double sum = 0, product = 1, squares = 0, exponentials = 0;
  std::size_t low = 0, high = 0;
  double nonzero = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x[i], product *= x[i], squares += std::pow(x[i], 2), exponentials += std::exp((long double)(x[i]));
    if (x[i] < x[low]) low = i;
    if (x[i] > x[high]) high = i;
    nonzero += x[i] != 0;
  }
  const auto n = static_cast<long double>(x.size());
  long double distances = 0;
  for (const double v : x) distances += (v - sum / n) * (v - sum / n);
  const long double variance = n > correction ? distances / (n - correction) : std::nanl("");
  switch (how) {
  case reduction::sum:
    return double(sum);
  case reduction::prod:
    return double(product);
  case reduction::max:
    return x[high];
  case reduction::min:
    return x[low];
  case reduction::argmax:
    return double(high);
  case reduction::argmin:
    return double(low);
  case reduction::any:
    return nonzero > 0;
  case reduction::all:
    return nonzero == double(n);
  case reduction::count_nonzero:
    return nonzero;
  case reduction::logsumexp:
    return double(std::log(exponentials));
  case reduction::hypot:
    return double(std::sqrt(squares));
  case reduction::mean:
    return double(sum / n);
  case reduction::variance:
    return double(variance);
  case reduction::deviation:
    break;
  }
  return double(std::sqrt(variance));
}

class every_reduction : public ::testing::TestWithParam<int> {};

TEST_P(every_reduction, over_every_set_of_axes) {
  const auto how = static_cast<reduction>(GetParam());
  const shape_t shape{3, 40, 5};
  std::vector<double> values(600);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = double((i * 7919) % 601) / 300.0 - 0.9 + (i % 3 == 0);
  for (std::size_t i = 40; i < 80; ++i) values[i] = 0;
  const ndarray x = array_of<double>(values, shape);
  for (int set = 1; set < 8; ++set) {
    std::vector<int> axes;
    for (int axis = 0; axis < 3; ++axis)
      if (set >> axis & 1) axes.push_back(axis);
    const auto parts = groups(values, shape, axes);
    for (const bool keep : {false, true}) {
      const ndarray r = reduce(how, x, {.axes = axes, .keep_dimensions = keep, .correction = 1});
      ASSERT_EQ(r.dimensions(), keep ? 3 : 3 - int(axes.size()));
      const auto got = values_of<double>(astype(r, dtype::float64));
      ASSERT_EQ(got.size(), parts.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        const double want = expected(how, parts[i], 1);
        if (std::isnan(want))
          EXPECT_TRUE(std::isnan(got[i]));
        else
          EXPECT_NEAR(got[i], want, 1e-12 * std::max(1.0, std::abs(want))) << "result " << i << ", axes " << set;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(reductions, every_reduction, ::testing::Range(0, 14),
                         [](const auto &which) { return std::string(name_of(static_cast<reduction>(which.param))); });

TEST(reductions, have_the_standards_dtypes) {
  const auto type = [](reduction how, dtype in, std::optional<dtype> asked = {}) {
    return reduce(how, full(shape_t{3}, scalar::of(std::int64_t{1}), in, here()), {.type = asked}).type();
  };
  using enum dtype;
  EXPECT_EQ(type(reduction::sum, int8), int64);
  EXPECT_EQ(type(reduction::sum, uint16), uint64);
  EXPECT_EQ(type(reduction::sum, boolean), int64);
  EXPECT_EQ(type(reduction::prod, float16), float16);
  EXPECT_EQ(type(reduction::sum, complex64), complex64);
  EXPECT_EQ(type(reduction::sum, int8, float32), float32);
  EXPECT_EQ(type(reduction::max, uint8), uint8);
  EXPECT_EQ(type(reduction::argmax, float32), int64);
  EXPECT_EQ(type(reduction::any, complex128), boolean);
  EXPECT_EQ(type(reduction::count_nonzero, int8), int64);
  EXPECT_EQ(type(reduction::mean, int8), float64);
  EXPECT_EQ(type(reduction::mean, complex64), complex64);
  EXPECT_EQ(type(reduction::variance, complex64), float32);
  EXPECT_EQ(type(reduction::logsumexp, int32), float64);
  refused(refusal::value, [&] { type(reduction::logsumexp, complex64); });
  EXPECT_EQ(values_of<bool>(reduce(reduction::sum, array_of<std::int32_t>({1, -1, 2}), {.type = boolean}))[0], true);
  EXPECT_EQ(values_of<bool>(reduce(reduction::sum, array_of<std::int32_t>({1, -1}), {.type = boolean}))[0], true);
  EXPECT_EQ(values_of<bool>(reduce(reduction::prod, array_of<std::int32_t>({1, 0}), {.type = boolean}))[0], false);
}

TEST(reductions, of_empty_arrays_are_the_identity_or_refused) {
  const ndarray none = empty(shape_t{2, 0}, dtype::float64, here());
  const reduce_options along{.axes = std::vector{1}};
  EXPECT_EQ(values_of<double>(reduce(reduction::sum, none, along)), (std::vector<double>{0, 0}));
  EXPECT_EQ(values_of<double>(reduce(reduction::prod, none, along)), (std::vector<double>{1, 1}));
  EXPECT_EQ(values_of<bool>(reduce(reduction::all, none)), (std::vector<bool>{true}));
  EXPECT_EQ(values_of<double>(reduce(reduction::logsumexp, none))[0], -infinity);
  EXPECT_TRUE(std::isnan(values_of<double>(reduce(reduction::mean, none))[0]));
  EXPECT_NE(refused(refusal::value, [&] { reduce(reduction::max, none); }).find("(2, 0)"), std::string::npos);
  EXPECT_EQ(reduce(reduction::max, none, {.axes = std::vector{0}}).size(), 0);
}

TEST(reductions, over_no_axes_are_the_elements) {
  const ndarray x = array_of<std::int8_t>({3, 0, -2});
  const reduce_options none{.axes = std::vector<int>{}};
  EXPECT_EQ(values_of<std::int64_t>(reduce(reduction::sum, x, none)), (std::vector<std::int64_t>{3, 0, -2}));
  EXPECT_EQ(values_of<std::int64_t>(reduce(reduction::argmax, x, none)), (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_EQ(values_of<std::int64_t>(reduce(reduction::count_nonzero, x, none)), (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_EQ(values_of<double>(reduce(reduction::hypot, x, none)), (std::vector<double>{3, 0, 2}));
  EXPECT_EQ(values_of<double>(reduce(reduction::mean, array_of<double>({4}, {})))[0], 4.0);
  EXPECT_EQ(values_of<double>(reduce(reduction::variance, array_of<double>({4}, {})))[0], 0.0);
}

TEST(reductions, keep_the_axes_of_length_one_that_are_not_reduced) {
  const ndarray x = counting<double>({6, 1});
  const auto shape = [&](int axis, bool keep) {
    return shape_of(reduce(reduction::sum, x, {.axes = std::vector{axis}, .keep_dimensions = keep}));
  };
  EXPECT_EQ(shape(0, false), (shape_t{1}));
  EXPECT_EQ(shape(0, true), (shape_t{1, 1}));
  EXPECT_EQ(shape(1, false), (shape_t{6}));
  EXPECT_EQ(values_of<double>(reduce(reduction::sum, x, {.axes = std::vector{0}})), (std::vector<double>{15}));
}

TEST(reductions, refuse_invalid_arguments) {
  const ndarray x = counting<double>({3, 4});
  refused(refusal::axis, [&] { reduce(reduction::sum, x, {.axes = std::vector{2}}); });
  refused(refusal::value, [&] { reduce(reduction::sum, x, {.axes = std::vector{0, -2}}); });
  const ndarray out = empty(shape_t{4}, dtype::float64, here());
  const auto into = [&] { reduce(reduction::sum, x, {.axes = std::vector{1}, .out = &out}); };
  EXPECT_NE(refused(refusal::value, into).find("(3,)"), std::string::npos);
  EXPECT_EQ(reduce(reduction::sum, x, {.axes = std::vector{0}, .out = &out}), out);
  EXPECT_EQ(values_of<double>(out), (std::vector<double>{12, 15, 18, 21}));
}

TEST(reductions, of_halves_do_not_overflow_in_between) {
  const ndarray x = full(shape_t{1000}, scalar::of(1000.0), dtype::float16, here());
  EXPECT_EQ(double(values_of<_Float16>(reduce(reduction::mean, x))[0]), 1000.0);
  EXPECT_EQ(double(values_of<_Float16>(reduce(reduction::deviation, x))[0]), 0.0);
}

TEST(reductions, of_complex_numbers) {
  const ndarray z = array_of<std::complex<double>>({{1, 2}, {3, -4}, {-1, 0}});
  EXPECT_EQ(values_of<std::complex<double>>(reduce(reduction::mean, z))[0], (std::complex<double>(1, -2.0 / 3)));
  const double re = (0 + 4 + 4) / 3.0, im = (64.0 + 100.0 + 4.0) / 9 / 3;
  EXPECT_NEAR(values_of<double>(reduce(reduction::variance, z))[0], re + im, 1e-14);
}

// --- accumulations -------------------------------------------------------------------------------------------------

double combined(accumulation how, double a, double b) {
  switch (how) {
  case accumulation::sum:
    return a + b;
  case accumulation::prod:
    return a * b;
  case accumulation::logsumexp:
    return std::max(a, b) == -infinity ? -infinity : std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
  case accumulation::max:
    return std::max(a, b);
  case accumulation::min:
    break;
  }
  return std::min(a, b);
}

class every_accumulation : public ::testing::TestWithParam<int> {};

TEST_P(every_accumulation, along_every_axis_of_every_kind_of_length) {
  const auto how = static_cast<accumulation>(GetParam());
  // inner lengths of one, few and many; rows that are split into chunks
  for (const shape_t &shape : {shape_t{7}, {200000}, {3, 100000}, {2, 300, 5}, {2, 30, 100}, {4, 2500}, {5, 1}}) {
    std::vector<double> values(std::size_t(count_of(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 + double((i * 7919) % 601 - 300.0) / 3e5;
    const ndarray x = array_of<double>(values, shape);
    for (int axis = 0; axis < int(shape.size()); ++axis)
      for (const bool initial : {false, true}) {
        const ndarray r = accumulate(how, x, {.axis = axis, .include_initial = initial});
        const auto got = values_of<double>(r);
        std::int64_t inner = 1;
        for (std::size_t i = std::size_t(axis) + 1; i < shape.size(); ++i) inner *= shape[i];
        const std::int64_t n = shape[std::size_t(axis)], rows = n + initial;
        ASSERT_EQ(r.shape()[std::size_t(axis)], rows);
        for (std::int64_t outer = 0; outer < x.size() / (n * inner); ++outer)
          for (std::int64_t k = 0; k < inner; ++k) {
            double state = how == accumulation::prod  ? 1
                           : how == accumulation::sum ? 0
                           : how == accumulation::min ? infinity
                                                      : -infinity;
            if (initial) ASSERT_EQ(got[std::size_t(outer * rows * inner + k)], state);
            for (std::int64_t i = 0; i < n; ++i) {
              state = combined(how, state, values[std::size_t((outer * n + i) * inner + k)]);
              ASSERT_NEAR(got[std::size_t((outer * rows + i + initial) * inner + k)], state, 1e-10 * std::abs(state))
                  << "element " << i << " of " << n << ", column " << k;
            }
          }
      }
  }
}

INSTANTIATE_TEST_SUITE_P(accumulations, every_accumulation, ::testing::Range(0, 5), [](const auto &which) {
  return std::string(name_of(static_cast<accumulation>(which.param)));
});

TEST(accumulations, dtypes_and_places) {
  const ndarray x = array_of<std::int8_t>({100, 100, -50});
  EXPECT_EQ(values_of<std::int64_t>(accumulate(accumulation::sum, x, {})), (std::vector<std::int64_t>{100, 200, 150}));
  EXPECT_EQ(values_of<std::int8_t>(accumulate(accumulation::max, x, {})), (std::vector<std::int8_t>{100, 100, 100}));
  EXPECT_EQ(values_of<float>(accumulate(accumulation::sum, x, {.type = dtype::float32})),
            (std::vector<float>{100, 200, 150}));
  EXPECT_EQ(values_of<bool>(accumulate(accumulation::sum, x, {.type = dtype::boolean})), std::vector<bool>(3, true));
  refused(refusal::value, [] { accumulate(accumulation::logsumexp, array_of<std::complex<float>>({{1, 1}}), {}); });
  const ndarray y = counting<double>({4}, 1);
  accumulate(accumulation::prod, y, {.out = &y});  // in place
  EXPECT_EQ(values_of<double>(y), (std::vector<double>{1, 2, 6, 24}));
  EXPECT_EQ(shape_of(accumulate(accumulation::sum, array_of<double>({2}, {}), {})), shape_t{});
  const std::vector<int> all{0};
  EXPECT_EQ(values_of<double>(accumulate(accumulation::sum, flip(counting<double>({4}), all), {})),
            (std::vector<double>{3, 5, 6, 6}));
}

TEST(accumulations, are_the_same_every_time) {
  std::vector<float> values(1000003);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(float(i));
  const ndarray x = array_of<float>(values);
  const auto first = values_of<float>(accumulate(accumulation::sum, x, {}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(values_of<float>(accumulate(accumulation::sum, x, {})), first);
}

}  // namespace
}  // namespace dpep::array
