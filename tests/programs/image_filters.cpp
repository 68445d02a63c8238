// Filters of images: Sobel's operator, a separable blur, a median, histogram equalisation, background subtraction and
// a Bayer demosaic.
#include <algorithm>
#include <cmath>

#include "data.hpp"

namespace programs {
namespace {

constexpr int width = 160, height = 96;

int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

std::vector<std::uint8_t> picture(std::uint64_t seed) {
  random_numbers r(seed);
  std::vector<std::uint8_t> all(width * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      all[std::size_t(y * width + x)] = static_cast<std::uint8_t>((x * 3 + y * 2 + int(r.below(40))) % 256);
  return all;
}

}  // namespace

TEST(image_filters, sobel_on_a_sampled_image) {
  std::vector<sycl::float4> texels;
  for (const std::uint8_t p : picture(1)) texels.push_back(sycl::float4(float(p) / 255));
  std::vector<float> result(width * height);
  {
    sycl::queue q;
    const sycl::image_sampler edge{sycl::addressing_mode::clamp_to_edge, sycl::coordinate_mode::unnormalized,
                                   sycl::filtering_mode::nearest};
    sycl::sampled_image<2> image(texels.data(), sycl::image_format::r32g32b32a32_sfloat, edge,
                                 sycl::range<2>(width, height));
    sycl::buffer<float, 2> out(result.data(), {height, width});
    q.submit([&](sycl::handler &h) {
      auto in = image.get_access<sycl::float4>(h);
      sycl::accessor to(out, h, sycl::write_only, sycl::no_init);
      h.parallel_for(out.get_range(), [=](sycl::item<2> i) {
        const auto at = [&](int dx, int dy) {
          return in.read(sycl::float2(float(i[1]) + 0.5f + float(dx), float(i[0]) + 0.5f + float(dy))).x();
        };
        const float gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
        const float gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
        to[i] = sycl::hypot(gx, gy);
      });
    });
  }
  std::vector<float> expected;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const auto at = [&](int dx, int dy) {
        return float(texels[std::size_t(clamped(y + dy, height) * width + clamped(x + dx, width))].x());
      };
      expected.push_back(std::hypot(at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1),
                                    at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1)));
    }
  expect_near(result, expected, 1e-5f);
}

TEST(image_filters, separable_blur_with_tiles_in_local_memory) {
  constexpr int radius = 4, tile = 32;
  const std::vector<float> in = fractions(width * height, 3);
  float weight[2 * radius + 1], total = 0;
  for (int k = -radius; k <= radius; k++) total += weight[k + radius] = std::exp(-float(k * k) / 8);
  for (float &w : weight) w /= total;
  std::vector<float> result(in.size());
  {
    sycl::queue q;
    sycl::buffer<float, 2> source(in.data(), {height, width}), middle(sycl::range<2>(height, width)),
        target(result.data(), {height, width});
    sycl::buffer<float> weights(weight, std::size(weight));
    // Along rows, with a halo in local memory; then along columns.
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(source, h, sycl::read_only);
      sycl::accessor w(weights, h, sycl::read_only);
      sycl::accessor to(middle, h, sycl::write_only, sycl::no_init);
      sycl::local_accessor<float, 1> row(tile + 2 * radius, h);
      h.parallel_for(sycl::nd_range<2>({height, width}, {1, tile}), [=](sycl::nd_item<2> i) {
        const int y = int(i.get_global_id(0)), x0 = int(i.get_group(1)) * tile, l = int(i.get_local_id(1));
        for (int k = l; k < tile + 2 * radius; k += tile) row[k] = from[y][clamped(x0 + k - radius, width)];
        sycl::group_barrier(i.get_group());
        float sum = 0;
        for (int k = 0; k <= 2 * radius; k++) sum += w[k] * row[l + k];
        to[y][x0 + l] = sum;
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(middle, h, sycl::read_only);
      sycl::accessor w(weights, h, sycl::read_only);
      sycl::accessor to(target, h, sycl::write_only, sycl::no_init);
      h.parallel_for(middle.get_range(), [=](sycl::item<2> i) {
        float sum = 0;
        for (int k = -radius; k <= radius; k++) sum += w[k + radius] * from[clamped(int(i[0]) + k, height)][i[1]];
        to[i] = sum;
      });
    });
  }
  std::vector<float> rows(in.size()), expected(in.size());
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int k = -radius; k <= radius; k++)
        rows[std::size_t(y * width + x)] += weight[k + radius] * in[std::size_t(y * width + clamped(x + k, width))];
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int k = -radius; k <= radius; k++)
        expected[std::size_t(y * width + x)] +=
            weight[k + radius] * rows[std::size_t(clamped(y + k, height) * width + x)];
  expect_near(result, expected, 1e-5f);
}

TEST(image_filters, median_of_nine) {
  const std::vector<std::uint8_t> in = picture(5);
  std::vector<std::uint8_t> result(in.size());
  {
    sycl::queue q;
    sycl::buffer<std::uint8_t, 2> source(in.data(), {height, width}), target(result.data(), {height, width});
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(source, h, sycl::read_only);
      sycl::accessor to(target, h, sycl::write_only);
      h.parallel_for(target.get_range(), [=](sycl::item<2> i) {
        std::uint8_t v[9];
        for (int k = 0; k < 9; k++)
          v[k] = from[clamped(int(i[0]) + k / 3 - 1, height)][clamped(int(i[1]) + k % 3 - 1, width)];
        for (int k = 1; k < 9; k++)  // insertion sort
          for (int m = k; m > 0 && v[m] < v[m - 1]; m--) std::swap(v[m], v[m - 1]);
        to[i] = v[4];
      });
    });
  }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      std::vector<std::uint8_t> v;
      for (int k = 0; k < 9; k++)
        v.push_back(in[std::size_t(clamped(y + k / 3 - 1, height) * width + clamped(x + k % 3 - 1, width))]);
      std::nth_element(v.begin(), v.begin() + 4, v.end());
      ASSERT_EQ(result[std::size_t(y * width + x)], v[4]) << x << " " << y;
    }
}

TEST(image_filters, histogram_equalisation) {
  const std::vector<std::uint8_t> in = picture(7);
  std::vector<std::uint8_t> result(in.size());
  const std::size_t n = in.size();
  {
    sycl::queue q;
    sycl::buffer source(in);
    sycl::buffer target(result);
    sycl::buffer<std::uint32_t> bins(256);
    q.submit([&](sycl::handler &h) {
      sycl::accessor b(bins, h, sycl::write_only, sycl::no_init);
      h.fill(b, 0u);
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(source, h, sycl::read_only);
      sycl::accessor b(bins, h);
      sycl::local_accessor<std::uint32_t, 1> own(256, h);
      h.parallel_for(sycl::nd_range<1>(8 * 256, 256), [=](sycl::nd_item<1> i) {
        const std::size_t l = i.get_local_id(0);
        own[l] = 0;
        sycl::group_barrier(i.get_group());
        for (std::size_t k = i.get_global_id(0); k < n; k += i.get_global_range(0))
          sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(own[from[k]])++;
        sycl::group_barrier(i.get_group());
        sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device>(b[l]) += own[l];
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor b(bins, h);
      h.parallel_for(sycl::nd_range<1>(256, 256), [=](sycl::nd_item<1> i) {
        const auto l = i.get_local_id(0);
        const auto sum = sycl::inclusive_scan_over_group(i.get_group(), b[l], sycl::plus<std::uint32_t>());
        b[l] = sum * 255 / std::uint32_t(n);
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(source, h, sycl::read_only);
      sycl::accessor b(bins, h, sycl::read_only);
      sycl::accessor to(target, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) { to[i] = std::uint8_t(b[from[i]]); });
    });
  }
  std::vector<std::uint32_t> bins(256);
  for (const std::uint8_t p : in) bins[p]++;
  for (std::size_t i = 1; i < 256; i++) bins[i] += bins[i - 1];
  for (std::size_t i = 0; i < n; i++) ASSERT_EQ(result[i], bins[in[i]] * 255 / n) << i;
}

TEST(image_filters, background_subtraction_in_place) {
  constexpr float rate = 0.05f;
  std::vector<float> mean(width * height, 100), spread(width * height, 20), expected_mean = mean,
                                                                            expected_spread = spread;
  std::vector<std::uint8_t> mask(width * height), expected_mask = mask;
  sycl::queue q;
  for (int frame = 0; frame < 5; frame++) {
    const std::vector<std::uint8_t> in = picture(std::uint64_t(20 + frame));
    {
      sycl::buffer source(in);
      sycl::buffer means(mean);
      sycl::buffer spreads(spread);
      sycl::buffer masks(mask);
      q.submit([&](sycl::handler &h) {
        sycl::accessor from(source, h, sycl::read_only);
        sycl::accessor m(means, h);
        sycl::accessor s(spreads, h);
        sycl::accessor f(masks, h, sycl::write_only);
        h.parallel_for(in.size(), [=](sycl::id<1> i) {
          const float difference = float(from[i]) - m[i];
          f[i] = sycl::fabs(difference) > 2.5f * s[i] ? 255 : 0;
          m[i] += rate * difference;
          s[i] = sycl::fmax(4.0f, s[i] + rate * (sycl::fabs(difference) - s[i]));
        });
      });
    }
    for (std::size_t i = 0; i < in.size(); i++) {
      const float difference = float(in[i]) - expected_mean[i];
      expected_mask[i] = std::fabs(difference) > 2.5f * expected_spread[i] ? 255 : 0;
      expected_mean[i] += rate * difference;
      expected_spread[i] = std::fmax(4.0f, expected_spread[i] + rate * (std::fabs(difference) - expected_spread[i]));
    }
  }
  expect_near(mean, expected_mean, 1e-3f);
  expect_near(spread, expected_spread, 1e-3f);
  int differences = 0;
  for (std::size_t i = 0; i < mask.size(); i++) differences += mask[i] != expected_mask[i];
  EXPECT_LE(differences, 2);  // at the threshold, contraction of products may decide otherwise
}

TEST(image_filters, bayer_demosaic) {
  const std::vector<std::uint8_t> raw = picture(9);
  std::vector<std::uint8_t> result(raw.size() * 3), expected;
  const auto at = [](const auto &from, int x, int y) {
    // Reflected at the borders, which keeps the colour of a position.
    const int u = x < 0        ? -x
                  : x >= width ? 2 * width - 2 - x
                               : x,
              v = y < 0         ? -y
                  : y >= height ? 2 * height - 2 - y
                                : y;
    return int(from[std::size_t(v * width + u)]);
  };
  const auto pixel = [at](const auto &from, int x, int y, int channel) {  // RGGB, bilinear
    const bool red = x % 2 == 0 && y % 2 == 0, blue = x % 2 == 1 && y % 2 == 1;
    const int cross = (at(from, x - 1, y) + at(from, x + 1, y) + at(from, x, y - 1) + at(from, x, y + 1)) / 4;
    const int corners =
        (at(from, x - 1, y - 1) + at(from, x + 1, y - 1) + at(from, x - 1, y + 1) + at(from, x + 1, y + 1)) / 4;
    const int row = (at(from, x - 1, y) + at(from, x + 1, y)) / 2,
              column = (at(from, x, y - 1) + at(from, x, y + 1)) / 2;
    if (channel == 1) return red || blue ? cross : at(from, x, y);
    if (channel == 0) return red ? at(from, x, y) : blue ? corners : y % 2 == 0 ? row : column;
    return blue ? at(from, x, y) : red ? corners : y % 2 == 1 ? row : column;
  };
  {
    sycl::queue q;
    sycl::buffer source(raw);
    sycl::buffer target(result);
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(source, h, sycl::read_only);
      sycl::accessor to(target, h, sycl::write_only);
      h.parallel_for(sycl::nd_range<2>({height, width}, {8, 16}), [=](sycl::nd_item<2> i) {
        const int y = int(i.get_global_id(0)), x = int(i.get_global_id(1));
        for (int c = 0; c < 3; c++) to[std::size_t((y * width + x) * 3 + c)] = std::uint8_t(pixel(from, x, y, c));
      });
    });
  }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < 3; c++) expected.push_back(std::uint8_t(pixel(raw, x, y, c)));
  EXPECT_EQ(result, expected);
}

}  // namespace programs
