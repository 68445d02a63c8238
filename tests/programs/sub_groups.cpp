// Work of sub-groups and groups: Fourier transforms in registers, selection, lines of sight, structure of text.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>

#include "data.hpp"

namespace programs {
namespace {

constexpr std::size_t lanes = 32;
using complex = sycl::float2;

complex times(complex a, complex b) { return {a.x() * b.x() - a.y() * b.y(), a.x() * b.y() + a.y() * b.x()}; }
complex root_of_unity(std::size_t k, std::size_t n) {
  float c;
  const float s = sycl::sincos(-2 * std::numbers::pi_v<float> * float(k % n) / float(n), &c);
  return {c, s};
}

/// Fourier transforms of rows with 128 values: a sub-group for each row, four values in each work-item.
class transform_rows {
public:
  static constexpr std::size_t length = 4 * lanes, rows_in_group = 3;

  transform_rows(sycl::buffer<complex, 2> &values, sycl::handler &h)
      : values_(values, h), rows_(values.get_range()[0]) {}

  [[sycl::reqd_sub_group_size(lanes)]] void operator()(sycl::nd_item<2> item) const {
    const sycl::sub_group sg = item.get_sub_group();
    const std::size_t row = item.get_global_id(0), lane = sg.get_local_linear_id();
    // Work-items beyond the last row take part in exchanges too.
    std::array<complex, 4> x{};
    if (row < rows_)
      for (std::size_t k = 0; k < 4; k++) x[k] = values_[row][lane + k * lanes];
    const complex a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = x[1] - x[3], turned(d.y(), -d.x());
    x = {a + c, b + turned, a - c, b - turned};
    std::size_t reversed = 0;
    for (std::size_t bit = 0; bit < 5; bit++) reversed |= (lane >> bit & 1) << (4 - bit);
    for (std::size_t k = 0; k < 4; k++) {
      x[k] = times(x[k], root_of_unity(lane * k, length));
      for (std::size_t half = lanes / 2; half > 0; half /= 2) {
        const complex other = sycl::permute_group_by_xor(sg, x[k], half);
        x[k] = lane & half ? times(other - x[k], root_of_unity(lane % half, 2 * half)) : x[k] + other;
      }
      if (row < rows_) values_[row][4 * reversed + k] = x[k];
    }
  }

private:
  sycl::accessor<complex, 2> values_;
  std::size_t rows_;
};

/// Sorts one value of each work-item of a sub-group, the largest first.
float sorted_in_sub_group(const sycl::sub_group &sg, float value) {
  const std::size_t lane = sg.get_local_id()[0];
  for (std::size_t size = 2; size <= lanes; size *= 2)
    for (std::size_t step = size / 2; step > 0; step /= 2) {
      const float other = sycl::permute_group_by_xor(sg, value, step);
      value = ((lane & size) == 0) == ((lane & step) == 0) ? sycl::fmax(value, other) : sycl::fmin(value, other);
    }
  return value;
}

}  // namespace

TEST(sub_groups, fourier_transforms_of_rows_in_registers) {
  constexpr std::size_t rows = 19, n = transform_rows::length, in_group = transform_rows::rows_in_group;
  const std::vector<float> real = fractions(rows * n, 91), imaginary = fractions(rows * n, 92);
  std::vector<complex> values(rows * n);
  for (std::size_t i = 0; i < rows * n; i++) values[i] = {real[i], imaginary[i]};
  {
    sycl::queue q;
    sycl::buffer<complex, 2> buffer(values.data(), {rows, n});
    q.submit([&](sycl::handler &h) {
      const sycl::nd_range<2> all{{(rows + in_group - 1) / in_group * in_group, lanes}, {in_group, lanes}};
      h.parallel_for(all, transform_rows(buffer, h));
    });
  }
  for (std::size_t row = 0; row < rows; row++)
    for (std::size_t k = 0; k < n; k += 5) {
      std::complex<double> sum = 0;
      for (std::size_t i = 0; i < n; i++)
        sum += std::complex<double>(real[row * n + i], imaginary[row * n + i]) *
               std::polar(1.0, -2 * std::numbers::pi * double(i * k % n) / n);
      ASSERT_NEAR(values[row * n + k].x(), sum.real(), 1e-4) << row << ' ' << k;
      ASSERT_NEAR(values[row * n + k].y(), sum.imag(), 1e-4) << row << ' ' << k;
    }
}

TEST(sub_groups, largest_values_of_rows) {
  constexpr std::size_t rows = 37, columns = 1003, local = 4 * lanes;
  const std::vector<float> values = fractions(rows * columns, 93);
  std::vector<float> best(rows * lanes);
  {
    sycl::queue q;
    sycl::buffer<float, 2> in(values.data(), {rows, columns}), out(best.data(), {rows, lanes});
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(in, h, sycl::read_only);
      sycl::accessor to(out, h, sycl::write_only, sycl::no_init);
      const std::size_t groups = (rows * lanes + local - 1) / local;
      h.parallel_for(
          sycl::nd_range<1>(groups * local, local), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(lanes)]] {
            const sycl::sub_group sg = item.get_sub_group();
            const std::size_t row = item.get_group_linear_id() * sg.get_group_linear_range() + sg.get_group_linear_id();
            if (row >= rows) return;
            const std::size_t lane = sg.get_local_linear_id();
            float kept = -INFINITY;
            for (std::size_t first = 0; first < columns; first += lanes) {
              const float fresh = first + lane < columns ? from[row][first + lane] : -INFINITY;
              const float least = sycl::group_broadcast(sg, kept, lanes - 1);
              if (!sycl::any_of_group(sg, fresh > least)) continue;
              // Both are sorted, the fresh ones in the opposite order: the larger of each pair stay.
              const float sorted = sorted_in_sub_group(sg, fresh);
              kept = sycl::fmax(kept, sycl::select_from_group(sg, sorted, lanes - 1 - lane));
              kept = sorted_in_sub_group(sg, kept);
            }
            to[row][lane] = kept;
          });
    });
  }
  for (std::size_t row = 0; row < rows; row++) {
    std::vector<float> sorted(values.begin() + std::ptrdiff_t(row * columns),
                              values.begin() + std::ptrdiff_t((row + 1) * columns));
    std::ranges::sort(sorted, std::greater<>());
    for (std::size_t i = 0; i < lanes; i++) ASSERT_EQ(best[row * lanes + i], sorted[i]) << row << ' ' << i;
  }
}

TEST(sub_groups, lines_of_sight_over_a_terrain) {
  constexpr std::size_t directions = 29, length = 777, local = 100;
  const std::vector<float> heights = fractions(directions * length, 94);
  std::vector<unsigned char> visible(heights.size()), expected(heights.size());
  std::vector<int> counts(directions), expected_counts(directions);
  const auto angle = [](float height, std::size_t distance) { return (height - 2) / float(distance + 1) * 64; };
  {
    sycl::queue q;
    sycl::buffer<float, 2> terrain(heights.data(), sycl::range(directions, length));
    sycl::buffer<unsigned char, 2> seen(visible.data(), sycl::range(directions, length));
    sycl::buffer<int> totals(counts.begin(), counts.end());
    totals.set_final_data(counts.begin());
    q.submit([&](sycl::handler &h) {
      sycl::accessor t(terrain, h, sycl::read_only);
      sycl::accessor s(seen, h, sycl::write_only);
      sycl::accessor n(totals, h, sycl::write_only);
      h.parallel_for(sycl::nd_range<1>(directions * local, local), [=](sycl::nd_item<1> item) {
        const sycl::group<1> group = item.get_group();
        const std::size_t row = group.get_group_id(0), l = group.get_local_id(0);
        float highest = -INFINITY;  // of all parts before
        int count = 0;
        for (std::size_t first = 0; first < length; first += local) {
          const bool there = first + l < length;
          const float own = there ? angle(t[row][first + l], first + l) : -INFINITY;
          const float before = sycl::exclusive_scan_over_group(group, own, highest, sycl::maximum<float>());
          if (there) s[row][first + l] = own > before;
          count += sycl::reduce_over_group(group, int(there && own > before), sycl::plus<>());
          highest = sycl::group_broadcast(group, sycl::fmax(before, own), local - 1);
        }
        if (sycl::all_of_group(group, count > 0) && group.leader()) n[row] = count;
      });
    });
  }
  for (std::size_t row = 0; row < directions; row++) {
    float highest = -INFINITY;
    for (std::size_t i = 0; i < length; i++) {
      const float own = angle(heights[row * length + i], i);
      expected_counts[row] += expected[row * length + i] = own > highest;
      highest = std::max(highest, own);
    }
  }
  EXPECT_EQ(visible, expected);
  EXPECT_EQ(counts, expected_counts);
}

TEST(sub_groups, structure_of_a_text_with_quotes) {
  random_numbers r(95);
  std::string text;
  while (text.size() < 20'011) text += "{}[],:\"\"\\ab\n"[r.below(12)];
  const std::size_t n = text.size(), local = 128;
  std::vector<std::uint32_t> places, expected;
  const auto structural = [](char c) { return c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':'; };
  {
    sycl::queue q;
    sycl::buffer<char> in(text.data(), n);
    sycl::buffer<unsigned char> inside(n);
    sycl::buffer<std::uint32_t> out(n), count(1);
    const std::size_t groups = (n + local - 1) / local;
    sycl::buffer<unsigned char> parities(groups);
    q.submit([&](sycl::handler &h) {
      sycl::accessor t(in, h, sycl::read_only);
      sycl::accessor i(inside, h, sycl::write_only), p(parities, h, sycl::write_only);
      h.parallel_for(sycl::nd_range<1>(groups * local, local), [=](sycl::nd_item<1> item) {
        const std::size_t at = item.get_global_id(0);
        std::size_t escapes = 0;  // backslashes before this character
        while (at < n && escapes < at && t[at - 1 - escapes] == '\\') escapes++;
        const unsigned char quote = at < n && t[at] == '"' && escapes % 2 == 0;
        const auto before = sycl::inclusive_scan_over_group(item.get_group(), quote, sycl::bit_xor<unsigned char>());
        if (at < n) i[at] = before;
        if (item.get_local_id(0) == local - 1) p[item.get_group_linear_id()] = before;
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor p(parities, h);
      h.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) {
        const auto first = p.get_multi_ptr<sycl::access::decorated::yes>();
        sycl::joint_exclusive_scan(item.get_group(), first, first + groups, first, sycl::bit_xor<>());
      });
    });
    q.submit([&](sycl::handler &h) { h.fill(sycl::accessor(count, h, sycl::write_only), 0u); });
    q.submit([&](sycl::handler &h) {
      sycl::accessor t(in, h, sycl::read_only);
      sycl::accessor i(inside, h, sycl::read_only), p(parities, h, sycl::read_only);
      sycl::accessor o(out, h, sycl::write_only);
      sycl::accessor c(count, h, sycl::read_write);
      h.parallel_for(sycl::nd_range<1>(groups * local, local), [=](sycl::nd_item<1> item) {
        const std::size_t at = item.get_global_id(0);
        const bool found = at < n && structural(t[at]) && (i[at] ^ p[at / local]) == 0;
        // The sub-group's leader reserves places for all.
        const sycl::sub_group sg = item.get_sub_group();
        const std::uint32_t own = sycl::exclusive_scan_over_group(sg, std::uint32_t(found), sycl::plus<>());
        const std::uint32_t all = sycl::reduce_over_group(sg, std::uint32_t(found), sycl::plus<>());
        std::uint32_t base = 0;
        if (sg.leader() && all > 0)
          base =
              sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device>(c[0]).fetch_add(
                  all);
        base = sycl::group_broadcast(sg, base);
        if (found) o[base + own] = std::uint32_t(at);
      });
    });
    const sycl::host_accessor c(count, sycl::read_only), o(out, sycl::read_only);
    places.assign(o.begin(), o.begin() + c[0]);
  }
  std::ranges::sort(places);
  bool quoted = false;
  for (std::size_t i = 0, escapes = 0; i < n; i++) {
    if (text[i] == '"' && escapes % 2 == 0) quoted = !quoted;
    if (structural(text[i]) && !quoted) expected.push_back(std::uint32_t(i));
    escapes = text[i] == '\\' ? escapes + 1 : 0;
  }
  EXPECT_EQ(places, expected);
}

}  // namespace programs
