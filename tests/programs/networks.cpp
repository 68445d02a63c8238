// Networks and learning: convolution layers, batch normalisation, losses, layers in half precision, clusters.
#include <algorithm>
#include <array>
#include <cmath>

#include "data.hpp"

namespace programs {
namespace {

constexpr sycl::specialization_id<int> kernel_width(3);
constexpr sycl::specialization_id<float> slope(0.0f);

std::size_t round_up(std::size_t n, std::size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

/// Filters all channels of an image, without padding; negative results are multiplied by a slope.
void convolve(sycl::queue &q, sycl::buffer<float, 3> &in, sycl::buffer<float> &weights, sycl::buffer<float, 3> &out,
              int width, float leak) {
  q.submit([&](sycl::handler &h) {
    h.set_specialization_constant<kernel_width>(width);
    h.set_specialization_constant<slope>(leak);
    sycl::accessor image{in, h, sycl::read_only};
    sycl::accessor weight{weights, h, sycl::read_only};
    sycl::accessor result{out, h, sycl::write_only, sycl::no_init};
    const sycl::range<3> to = out.get_range();
    const std::size_t channels = in.get_range()[0];
    const sycl::nd_range<3> all({to[0], round_up(to[1], 4), round_up(to[2], 8)}, {1, 4, 8});
    h.parallel_for(all, [=](sycl::nd_item<3> item, sycl::kernel_handler constants) {
      const std::size_t filter = item.get_global_id(0), y = item.get_global_id(1), x = item.get_global_id(2);
      if (y >= to[1] || x >= to[2]) return;
      const auto k = std::size_t(constants.get_specialization_constant<kernel_width>());
      float sum = 0;
      for (std::size_t c = 0; c < channels; c++)
        for (std::size_t dy = 0; dy < k; dy++)
          for (std::size_t dx = 0; dx < k; dx++)
            sum += image[c][y + dy][x + dx] * weight[((filter * channels + c) * k + dy) * k + dx];
      result[item.get_global_id()] = sum < 0 ? sum * constants.get_specialization_constant<slope>() : sum;
    });
  });
}

std::vector<float> signed_fractions(std::size_t count, std::uint64_t seed) {
  std::vector<float> all = fractions(count, seed);
  for (float &x : all) x -= 0.5f;
  return all;
}

}  // namespace

TEST(networks, convolution_layers_and_pooling) {
  constexpr std::size_t height = 33, width = 45, channels = 3, filters = 6, deep = 5;
  const std::vector<float> image = signed_fractions(channels * height * width, 31);
  std::vector<float> first = signed_fractions(filters * channels * 5 * 5, 32);
  std::vector<float> second = signed_fractions(deep * filters * 3 * 3, 33);
  constexpr std::size_t out_height = (height - 6) / 2, out_width = (width - 6) / 2;
  std::vector<float> result(deep * out_height * out_width), expected;
  {
    sycl::queue q;
    sycl::buffer<float, 3> in(image.data(), {channels, height, width});
    sycl::buffer<float, 3> middle({filters, height - 4, width - 4}), last({deep, height - 6, width - 6});
    sycl::buffer<float, 3> pooled(result.data(), {deep, out_height, out_width});
    sycl::buffer first_weights(first), second_weights(second);
    convolve(q, in, first_weights, middle, 5, 0.1f);
    convolve(q, middle, second_weights, last, 3, 0);
    q.submit([&](sycl::handler &h) {
      sycl::accessor from{last, h, sycl::read_only};
      sycl::accessor to{pooled, h, sycl::write_only};
      h.parallel_for(pooled.get_range(), [=](sycl::item<3> item) {
        const auto [c, y, x] = std::array{item[0], 2 * item[1], 2 * item[2]};
        to[item] =
            sycl::max(sycl::max(from[c][y][x], from[c][y][x + 1]), sycl::max(from[c][y + 1][x], from[c][y + 1][x + 1]));
      });
    });
  }
  const auto convolved = [](const std::vector<float> &from, std::size_t count, std::size_t h, std::size_t w,
                            const std::vector<float> &weight, std::size_t outputs, std::size_t k, float leak) {
    std::vector<float> to;
    for (std::size_t f = 0; f < outputs; f++)
      for (std::size_t y = 0; y + k <= h; y++)
        for (std::size_t x = 0; x + k <= w; x++) {
          float sum = 0;
          for (std::size_t c = 0; c < count; c++)
            for (std::size_t d = 0; d < k * k; d++)
              sum += from[(c * h + y + d / k) * w + x + d % k] * weight[(f * count + c) * k * k + d];
          to.push_back(sum < 0 ? sum * leak : sum);
        }
    return to;
  };
  const std::vector<float> middle = convolved(image, channels, height, width, first, filters, 5, 0.1f);
  const std::vector<float> last = convolved(middle, filters, height - 4, width - 4, second, deep, 3, 0);
  for (std::size_t c = 0; c < deep; c++)
    for (std::size_t y = 0; y < out_height; y++)
      for (std::size_t x = 0; x < out_width; x++) {
        const float *at = &last[(c * (height - 6) + 2 * y) * (width - 6) + 2 * x];
        expected.push_back(std::max({at[0], at[1], at[width - 6], at[width - 5]}));
      }
  expect_near(result, expected, 1e-4f);
}

TEST(networks, batch_normalisation_and_cross_entropy) {
  constexpr std::size_t rows = 203, classes = 10;
  const std::vector<float> scores = signed_fractions(rows * classes, 34);
  const std::vector<std::uint32_t> label = integers(rows, classes, 35);
  std::vector<float> gradient(scores.size()), expected(scores.size());
  std::vector<float> sums(classes), squares(classes);
  float loss = 0;
  double expected_loss = 0;
  {
    sycl::queue q;
    sycl::buffer<float, 2> x(scores.data(), {rows, classes}), gradients(gradient.data(), {rows, classes});
    sycl::buffer<float, 2> normal({rows, classes});
    sycl::buffer<std::uint32_t> labels(label);
    sycl::buffer<float> total(&loss, 1);
    for (std::size_t c = 0; c < classes; c++) {
      sycl::buffer<float> sum(&sums[c], 1), square(&squares[c], 1);
      q.submit([&](sycl::handler &h) {
        sycl::accessor in(x, h, sycl::read_only);
        h.parallel_for(sycl::nd_range<1>(round_up(rows, 32), 32), sycl::reduction(sum, h, sycl::plus<>()),
                       sycl::reduction(square, h, sycl::plus<>()), [=](sycl::nd_item<1> item, auto &s, auto &s2) {
                         const std::size_t i = item.get_global_id(0);
                         if (i >= rows) return;
                         s += in[i][c];
                         s2 += in[i][c] * in[i][c];
                       });
      });
      q.submit([&](sycl::handler &h) {
        sycl::accessor in(x, h, sycl::read_only);
        sycl::accessor s(sum, h, sycl::read_only);
        sycl::accessor s2(square, h, sycl::read_only);
        sycl::accessor out(normal, h, sycl::write_only);
        h.parallel_for(rows, [=](sycl::id<1> i) {
          const float mean = s[0] / rows;
          out[i][c] = (in[i][c] - mean) * sycl::rsqrt(s2[0] / rows - mean * mean + 1e-5f);
        });
      });
    }
    // A work-group for each row, of 16 work-items, of which 10 have a class.
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(normal, h, sycl::read_only);
      sycl::accessor right(labels, h, sycl::read_only);
      sycl::accessor out(gradients, h, sycl::write_only);
      h.parallel_for(sycl::nd_range<2>({rows, 16}, {1, 16}), sycl::reduction(total, h, sycl::plus<float>()),
                     [=](sycl::nd_item<2> item, auto &all) {
                       const auto group = item.get_group();
                       const std::size_t row = item.get_global_id(0), c = item.get_local_id(1);
                       const float score = c < classes ? in[row][c] : -INFINITY;
                       const float largest = sycl::reduce_over_group(group, score, sycl::maximum<>());
                       const float weight = sycl::exp(score - largest);
                       const float sum = sycl::reduce_over_group(group, weight, 0.0f, sycl::plus<>());
                       if (c < classes) out[row][c] = (weight / sum - float(c == right[row])) / rows;
                       if (c == right[row]) all += (sycl::log(sum) - score + largest) / rows;
                     });
    });
  }
  std::vector<double> normal(scores.size());
  for (std::size_t c = 0; c < classes; c++) {
    double sum = 0, square = 0;
    for (std::size_t i = 0; i < rows; i++) sum += scores[i * classes + c];
    for (std::size_t i = 0; i < rows; i++) square += std::pow(scores[i * classes + c] - sum / rows, 2);
    for (std::size_t i = 0; i < rows; i++)
      normal[i * classes + c] = (scores[i * classes + c] - sum / rows) / std::sqrt(square / rows + 1e-5);
  }
  for (std::size_t i = 0; i < rows; i++) {
    double sum = 0;
    for (std::size_t c = 0; c < classes; c++) sum += std::exp(normal[i * classes + c]);
    for (std::size_t c = 0; c < classes; c++)
      expected[i * classes + c] = float((std::exp(normal[i * classes + c]) / sum - double(c == label[i])) / rows);
    expected_loss += (std::log(sum) - normal[i * classes + label[i]]) / rows;
  }
  EXPECT_NEAR(loss, expected_loss, 1e-4);
  expect_near(gradient, expected, 1e-6f);
}

TEST(networks, layer_of_halves_with_vectors) {
  constexpr std::size_t batch = 19, inputs = 64, outputs = 75;
  std::vector<sycl::half> x, weight, result(batch * outputs);
  for (const float f : signed_fractions(batch * inputs, 36)) x.push_back(sycl::half(f));
  for (const float f : signed_fractions(outputs * inputs, 37)) weight.push_back(sycl::half(f));
  const sycl::marray<float, 3> gelu(0.7978845608f, 0.044715f, 0.5f);
  const auto activated = [gelu](float v) {
    return gelu[2] * v * (1 + sycl::tanh(gelu[0] * (v + gelu[1] * v * v * v)));
  };
  {
    sycl::queue q;
    sycl::buffer<sycl::half, 1> in(x), weights(weight);
    sycl::buffer<sycl::half, 2> out(result.data(), {batch, outputs});
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(in, h, sycl::read_only);
      sycl::accessor w(weights, h, sycl::read_only);
      sycl::accessor y(out, h, sycl::write_only);
      h.parallel_for(out.get_range(), [=](sycl::id<2> id) {
        sycl::float4 sum(0);
        for (std::size_t k = 0; k < inputs / 4; k++) {
          sycl::half4 u, v;
          u.load(id[0] * inputs / 4 + k, a.get_multi_ptr<sycl::access::decorated::no>());
          v.load(id[1] * inputs / 4 + k, w.get_multi_ptr<sycl::access::decorated::no>());
          sum += u.convert<float>() * v.convert<float, sycl::rounding_mode::rte>();
        }
        const sycl::float2 pair = sum.lo() + sum.hi();
        y[id] = sycl::half(activated(pair.x() + pair.y()));
      });
    });
  }
  for (std::size_t b = 0; b < batch; b++)
    for (std::size_t o = 0; o < outputs; o++) {
      double sum = 0;
      for (std::size_t k = 0; k < inputs; k++) sum += double(float(x[b * inputs + k])) * float(weight[o * inputs + k]);
      const double expected = 0.5 * sum * (1 + std::tanh(0.7978845608 * (sum + 0.044715 * sum * sum * sum)));
      ASSERT_NEAR(float(result[b * outputs + o]), expected, 2e-3) << b << ' ' << o;
    }
}

TEST(networks, clusters_of_points_by_k_means) {
  constexpr std::size_t n = 5003, k = 7, local = 96, rounds = 8;
  std::vector<sycl::int2> points(n), centres(k), expected;
  random_numbers r(38);
  for (sycl::int2 &p : points) p = {int(r.below(1000) + r.below(1000)), int(r.below(1000))};
  for (std::size_t c = 0; c < k; c++) centres[c] = points[c * 600];
  expected = centres;
  std::vector<int> member(n), expected_member(n);
  const auto nearest = [](const auto &all, sycl::int2 p) {
    int best = 0;
    for (int c = 1; c < int(k); c++) {
      const sycl::int2 d = all[std::size_t(c)] - p, e = all[std::size_t(best)] - p;
      if (d.x() * d.x() + d.y() * d.y() < e.x() * e.x() + e.y() * e.y()) best = c;
    }
    return best;
  };
  {
    sycl::queue q;
    sycl::buffer point_buffer(points), centre_buffer(centres);
    sycl::buffer member_buffer(member);
    sycl::buffer<int, 2> sums({k, 3});  // of both coordinates, and counts
    for (std::size_t round = 0; round < rounds; round++) {
      q.submit([&](sycl::handler &h) {
        sycl::accessor s(sums, h, sycl::write_only, sycl::no_init);
        h.fill(s, 0);
      });
      q.submit([&](sycl::handler &h) {
        sycl::accessor p(point_buffer, h, sycl::read_only);
        sycl::accessor all(centre_buffer, h, sycl::read_only);
        sycl::accessor m(member_buffer, h, sycl::write_only);
        sycl::accessor total(sums, h);
        sycl::local_accessor<int, 2> part({k, 3}, h);
        h.parallel_for(sycl::nd_range<1>(round_up(n, local), local), [=](sycl::nd_item<1> item) {
          const std::size_t i = item.get_global_id(), l = item.get_local_id();
          if (l < 3 * k) part[l / 3][l % 3] = 0;
          sycl::group_barrier(item.get_group());
          if (i < n) {
            const int c = nearest(all, p[i]);
            const int added[] = {p[i].x(), p[i].y(), 1};
            for (std::size_t d = 0; d < 3; d++)
              sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                               sycl::access::address_space::local_space>(part[std::size_t(c)][d]) += added[d];
            m[i] = c;
          }
          sycl::group_barrier(item.get_group());
          if (l < 3 * k)
            sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device,
                             sycl::access::address_space::global_space>(total[l / 3][l % 3])
                .fetch_add(part[l / 3][l % 3], sycl::memory_order::relaxed);
        });
      });
      q.submit([&](sycl::handler &h) {
        sycl::accessor total(sums, h, sycl::read_only);
        sycl::accessor c(centre_buffer, h);
        h.parallel_for(k, [=](sycl::id<1> i) {
          if (total[i][2]) c[i] = sycl::int2(total[i][0], total[i][1]) / total[i][2];
        });
      });
    }
  }
  for (std::size_t round = 0; round < rounds; round++) {
    std::array<std::array<int, 3>, k> sum{};
    for (std::size_t i = 0; i < n; i++) {
      auto &s = sum[std::size_t(expected_member[i] = nearest(expected, points[i]))];
      s = {s[0] + points[i].x(), s[1] + points[i].y(), s[2] + 1};
    }
    for (std::size_t c = 0; c < k; c++)
      if (sum[c][2]) expected[c] = {sum[c][0] / sum[c][2], sum[c][1] / sum[c][2]};
  }
  EXPECT_EQ(member, expected_member);
  for (std::size_t c = 0; c < k; c++) EXPECT_TRUE(sycl::all(centres[c] == expected[c])) << c;
}

}  // namespace programs
