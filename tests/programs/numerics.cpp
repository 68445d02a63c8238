// Numerical programs: Fourier transform, matrix products, conjugate gradients, attention, normalisation, Monte Carlo.
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "data.hpp"

namespace programs {

TEST(numerics, fourier_transform_by_radix_two) {
  constexpr std::size_t n = 1024;
  const std::vector<float> real = fractions(n, 1);
  std::vector<sycl::float2> values(n);
  for (std::size_t i = 0; i < n; i++) values[i] = {real[i], 0};
  {
    sycl::queue q;
    sycl::buffer<sycl::float2> a(values.data(), n), b(n);
    // Stockham's algorithm, which needs no bit reversal.
    std::size_t pass = 0;
    for (std::size_t half = n / 2, stride = 1; half >= 1; half /= 2, stride *= 2, pass++)
      q.submit([&](sycl::handler &h) {
        sycl::accessor x(pass % 2 ? b : a, h, sycl::read_only);
        sycl::accessor y(pass % 2 ? a : b, h, sycl::write_only);
        h.parallel_for(n / 2, [=](sycl::id<1> id) {
          const std::size_t p = id[0] / stride, k = id[0] % stride;
          const float angle = -std::numbers::pi_v<float> * float(p) / float(half);
          const sycl::float2 u = x[k + stride * p], v = x[k + stride * (p + half)], d = u - v;
          const float c = sycl::cos(angle), s = sycl::sin(angle);
          y[k + stride * 2 * p] = u + v;
          y[k + stride * (2 * p + 1)] = sycl::float2(d.x() * c - d.y() * s, d.x() * s + d.y() * c);
        });
      });
    if (pass % 2)
      q.submit([&](sycl::handler &h) {
        sycl::accessor from(b, h, sycl::read_only);
        sycl::accessor to(a, h, sycl::write_only);
        h.copy(from, to);
      });
  }
  for (std::size_t k = 0; k < n; k += 61) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < n; i++)
      sum += double(real[i]) * std::polar(1.0, -2 * std::numbers::pi * double(i * k % n) / n);
    ASSERT_NEAR(values[k].x(), sum.real(), 1e-3) << k;
    ASSERT_NEAR(values[k].y(), sum.imag(), 1e-3) << k;
  }
}

TEST(numerics, tiled_matrix_product) {
  constexpr std::size_t n = 96, tile = 16;
  const std::vector<float> a = fractions(n * n, 1), b = fractions(n * n, 2);
  std::vector<float> c(n * n), expected(n * n);
  {
    sycl::queue q;
    sycl::buffer<float, 2> left(a.data(), {n, n}), right(b.data(), {n, n}), product(c.data(), {n, n});
    q.submit([&](sycl::handler &h) {
      sycl::accessor l(left, h, sycl::read_only);
      sycl::accessor r(right, h, sycl::read_only);
      sycl::accessor p(product, h, sycl::write_only);
      sycl::local_accessor<float, 2> lt({tile, tile}, h), rt({tile, tile}, h);
      h.parallel_for(sycl::nd_range<2>({n, n}, {tile, tile}), [=](sycl::nd_item<2> item) {
        const std::size_t i = item.get_global_id(0), j = item.get_global_id(1);
        const std::size_t li = item.get_local_id(0), lj = item.get_local_id(1);
        float sum = 0;
        for (std::size_t k = 0; k < n; k += tile) {
          lt[li][lj] = l[i][k + lj];
          rt[li][lj] = r[k + li][j];
          sycl::group_barrier(item.get_group());
          for (std::size_t m = 0; m < tile; m++) sum += lt[li][m] * rt[m][lj];
          sycl::group_barrier(item.get_group());
        }
        p[i][j] = sum;
      });
    });
  }
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t k = 0; k < n; k++)
      for (std::size_t j = 0; j < n; j++) expected[i * n + j] += a[i * n + k] * b[k * n + j];
  expect_near(c, expected, 1e-3f);
}

TEST(numerics, conjugate_gradients) {
  constexpr std::size_t n = 2000;  // the second difference plus the identity
  sycl::queue q{sycl::property::queue::in_order()};
  const std::vector<float> b = fractions(n, 4);
  auto *x = sycl::malloc_shared<float>(4 * n, q), *r = x + n, *p = x + 2 * n, *ap = x + 3 * n;
  auto *dot = sycl::malloc_shared<float>(1, q);
  const auto product = [&](const float *u, const float *v) {
    q.parallel_for(n, sycl::reduction(dot, sycl::plus<float>(), sycl::property::reduction::initialize_to_identity()),
                   [=](sycl::id<1> i, auto &sum) { sum += u[i] * v[i]; });
    q.wait();
    return *dot;
  };
  q.fill(x, 0.0f, n);
  q.copy(b.data(), r, n);
  q.copy(b.data(), p, n);
  float rr = product(r, r);
  int steps = 0;
  for (; rr > 1e-8f && steps < 200; steps++) {
    q.parallel_for(n, [=](sycl::id<1> id) {
      const std::size_t i = id[0];
      ap[i] = 3 * p[i] - (i ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0);
    });
    const float alpha = rr / product(p, ap);
    q.parallel_for(n, [=](sycl::id<1> i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    });
    const float fresh = product(r, r), beta = fresh / rr;
    q.parallel_for(n, [=](sycl::id<1> i) { p[i] = r[i] + beta * p[i]; });
    rr = fresh;
  }
  q.wait();
  EXPECT_LT(steps, 60);
  for (std::size_t i = 0; i < n; i++)
    ASSERT_NEAR(3 * x[i] - (i ? x[i - 1] : 0) - (i + 1 < n ? x[i + 1] : 0), b[i], 1e-3f) << i;
  sycl::free(x, q);
  sycl::free(dot, q);
}

TEST(numerics, attention_by_online_softmax) {
  constexpr std::size_t length = 64, width = 32;
  const std::vector<float> query = fractions(length * width, 1), key = fractions(length * width, 2),
                           value = fractions(length * width, 3);
  std::vector<float> result(length * width), expected(length * width);
  const float scale = 1 / std::sqrt(float(width));
  {
    sycl::queue q;
    sycl::buffer<float, 2> qs(query.data(), {length, width}), ks(key.data(), {length, width}),
        vs(value.data(), {length, width}), out(result.data(), {length, width});
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(qs, h, sycl::read_only);
      sycl::accessor k(ks, h, sycl::read_only);
      sycl::accessor v(vs, h, sycl::read_only);
      sycl::accessor o(out, h, sycl::write_only);
      // A work-group for each query; a work-item for each component.
      h.parallel_for(sycl::nd_range<2>({length, width}, {1, width}), [=](sycl::nd_item<2> item) {
        const std::size_t i = item.get_global_id(0), c = item.get_local_id(1);
        float largest = -INFINITY, total = 0, sum = 0;
        for (std::size_t j = 0; j <= i; j++) {  // causal
          const float score = scale * sycl::reduce_over_group(item.get_group(), a[i][c] * k[j][c], sycl::plus<float>());
          const float fresh = sycl::fmax(largest, score);
          const float old = sycl::exp(largest - fresh), weight = sycl::exp(score - fresh);
          total = total * old + weight;
          sum = sum * old + weight * v[j][c];
          largest = fresh;
        }
        o[i][c] = sum / total;
      });
    });
  }
  for (std::size_t i = 0; i < length; i++) {
    std::vector<float> weight(i + 1);
    float total = 0;
    for (std::size_t j = 0; j <= i; j++) {
      for (std::size_t c = 0; c < width; c++) weight[j] += query[i * width + c] * key[j * width + c];
      total += weight[j] = std::exp(weight[j] * scale);
    }
    for (std::size_t j = 0; j <= i; j++)
      for (std::size_t c = 0; c < width; c++) expected[i * width + c] += weight[j] / total * value[j * width + c];
  }
  expect_near(result, expected, 1e-5f);
}

TEST(numerics, layer_normalisation) {
  constexpr std::size_t rows = 50, width = 300, local = 64;
  const std::vector<float> in = fractions(rows * width, 5), gain = fractions(width, 6), bias = fractions(width, 7);
  std::vector<float> result(in.size()), expected;
  {
    sycl::queue q;
    sycl::buffer<float, 2> from(in.data(), {rows, width}), to(result.data(), {rows, width});
    sycl::buffer<float> gains(gain.data(), width), biases(bias.data(), width);
    q.submit([&](sycl::handler &h) {
      sycl::accessor x(from, h, sycl::read_only);
      sycl::accessor g(gains, h, sycl::read_only);
      sycl::accessor b(biases, h, sycl::read_only);
      sycl::accessor y(to, h, sycl::write_only);
      h.parallel_for(sycl::nd_range<2>({rows, local}, {1, local}), [=](sycl::nd_item<2> item) {
        const std::size_t row = item.get_global_id(0);
        float sum = 0, squares = 0;
        for (std::size_t i = item.get_local_id(1); i < width; i += local) {
          sum += x[row][i];
          squares += x[row][i] * x[row][i];
        }
        const float mean = sycl::reduce_over_group(item.get_group(), sum, sycl::plus<>()) / float(width);
        const float square = sycl::reduce_over_group(item.get_group(), squares, sycl::plus<>()) / float(width);
        const float scale = sycl::rsqrt(square - mean * mean + 1e-5f);
        for (std::size_t i = item.get_local_id(1); i < width; i += local)
          y[row][i] = (x[row][i] - mean) * scale * g[i] + b[i];
      });
    });
  }
  for (std::size_t row = 0; row < rows; row++) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < width; i++)
      sum += in[row * width + i], squares += double(in[row * width + i]) * in[row * width + i];
    const double mean = sum / width, scale = 1 / std::sqrt(squares / width - mean * mean + 1e-5);
    for (std::size_t i = 0; i < width; i++)
      expected.push_back(float((in[row * width + i] - mean) * scale * gain[i] + bias[i]));
  }
  expect_near(result, expected, 1e-4f);
}

TEST(numerics, monte_carlo_integration) {
  constexpr std::size_t items = 2048, samples = 200;
  double inside = 0;
  {
    sycl::queue q;
    sycl::buffer<double> total(&inside, 1);
    q.submit([&](sycl::handler &h) {
      h.parallel_for(items, sycl::reduction(total, h, sycl::plus<double>()), [=](sycl::id<1> id, auto &sum) {
        std::uint32_t state = std::uint32_t(id[0]) * 747796405u + 2891336453u;
        const auto next = [&] {  // xorshift
          state ^= state << 13;
          state ^= state >> 17;
          state ^= state << 5;
          return float(state >> 8) / float(1 << 24);
        };
        int count = 0;
        for (std::size_t s = 0; s < samples; s++) {
          const float x = next(), y = next();
          count += x * x + y * y < 1;
        }
        sum += count;
      });
    });
  }
  EXPECT_NEAR(4 * inside / double(items * samples), std::numbers::pi, 0.02);
}

TEST(numerics, black_scholes) {
  constexpr std::size_t n = 4000;
  const std::vector<float> spot = fractions(n, 1), strike = fractions(n, 2), years = fractions(n, 3);
  std::vector<float> call(n), put(n);
  constexpr float rate = 0.02f, volatility = 0.3f;
  {
    sycl::queue q;
    sycl::buffer<float> s(spot.data(), n), k(strike.data(), n), t(years.data(), n), c(call.data(), n), p(put.data(), n);
    q.submit([&](sycl::handler &h) {
      sycl::accessor as(s, h, sycl::read_only);
      sycl::accessor ak(k, h, sycl::read_only);
      sycl::accessor at(t, h, sycl::read_only);
      sycl::accessor ac(c, h, sycl::write_only);
      sycl::accessor ap(p, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> i) {
        const float S = 10 + 90 * as[i], K = 10 + 90 * ak[i], T = 0.1f + at[i];
        const float spread = volatility * sycl::sqrt(T);
        const float d1 = (sycl::log(S / K) + (rate + volatility * volatility / 2) * T) / spread, d2 = d1 - spread;
        const auto normal = [](float x) { return 0.5f * sycl::erfc(-x * std::numbers::sqrt2_v<float> / 2); };
        const float discounted = K * sycl::exp(-rate * T);
        ac[i] = S * normal(d1) - discounted * normal(d2);
        ap[i] = discounted * normal(-d2) - S * normal(-d1);
      });
    });
  }
  for (std::size_t i = 0; i < n; i++) {
    const double S = 10 + 90 * spot[i], K = 10 + 90 * strike[i], T = 0.1 + years[i];
    const double spread = volatility * std::sqrt(T),
                 d1 = (std::log(S / K) + (rate + volatility * volatility / 2) * T) / spread;
    const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
    ASSERT_NEAR(call[i], S * normal(d1) - K * std::exp(-rate * T) * normal(d1 - spread), 1e-3) << i;
    ASSERT_NEAR(call[i] - put[i], S - K * std::exp(-rate * T), 1e-3) << i;  // parity
  }
}

TEST(numerics, recursive_filter_along_rows_and_columns) {
  constexpr std::size_t n = 80;
  constexpr float a = 0.4f;
  const std::vector<float> in = fractions(n * n, 8);
  std::vector<float> result(n * n), expected = in;
  {
    sycl::queue q;
    sycl::buffer<float, 2> from(in.data(), {n, n}), to(result.data(), {n, n});
    q.submit([&](sycl::handler &h) {
      sycl::accessor x(from, h, sycl::read_only);
      sycl::accessor y(to, h, sycl::write_only);
      h.parallel_for(n, [=](sycl::id<1> row) {
        float state = x[row[0]][0];
        for (std::size_t i = 0; i < n; i++) y[row[0]][i] = state += a * (x[row[0]][i] - state);
      });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor y(to, h);
      h.parallel_for(n, [=](sycl::id<1> column) {
        float state = y[0][column[0]];
        for (std::size_t i = 0; i < n; i++) y[i][column[0]] = state += a * (y[i][column[0]] - state);
      });
    });
  }
  for (std::size_t row = 0; row < n; row++) {
    float state = expected[row * n];
    for (std::size_t i = 0; i < n; i++) expected[row * n + i] = state += a * (expected[row * n + i] - state);
  }
  for (std::size_t column = 0; column < n; column++) {
    float state = expected[column];
    for (std::size_t i = 0; i < n; i++) expected[i * n + column] = state += a * (expected[i * n + column] - state);
  }
  expect_near(result, expected, 1e-5f);
}

}  // namespace programs
