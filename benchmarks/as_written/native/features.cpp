// The programs of features, classes and pixels as hand-written loops: blocks of rows that stay in the first-level cache
// between their passes, and accumulators for groups of rows where rows are short.
#include "loops.hpp"

extern "C" {

/// Mean cross entropy of ten classes, and its gradient: blocks of rows, whose exponentials are computed once.
void cross_entropy(const double *x, const count *labels, double *loss, double *gradient, count n) {
  constexpr count classes = 10, block = 64;
  const double weight = 1 / double(n);
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (n > few / 64)
  for (count start = 0; start < n; start += block) {
    const count rows = std::min(block, n - start);
    const double *a = x + start * classes;
    double *g = gradient + start * classes, total[block], part = 0;
    for (count i = 0; i < rows; i++) {
      double high = a[i * classes];
#pragma omp simd reduction(max : high)
      for (count j = 0; j < classes; j++) high = a[i * classes + j] > high ? a[i * classes + j] : high;
      for (count j = 0; j < classes; j++) g[i * classes + j] = a[i * classes + j] - high;
      part -= g[i * classes + labels[start + i]];
    }
#pragma omp simd
    for (count t = 0; t < rows * classes; t++) g[t] = std::exp(g[t]);
    for (count i = 0; i < rows; i++) {
      double e = 0;
#pragma omp simd reduction(+ : e)
      for (count j = 0; j < classes; j++) e += g[i * classes + j];
      total[i] = e;
    }
#pragma omp simd reduction(+ : part)
    for (count i = 0; i < rows; i++) part += std::log(total[i]);
    for (count i = 0; i < rows; i++) {
      const double scale = weight / total[i];
#pragma omp simd
      for (count j = 0; j < classes; j++) g[i * classes + j] *= scale;
      g[i * classes + labels[start + i]] -= weight;
    }
    sum += part;
  }
  *loss = sum * weight;
}

/// Cosines of the angles between rows of 64 numbers and one vector, and the first of the largest.
void cosines(const double *x, const double *q, double *similarity, count *best, count n) {
  constexpr count columns = 64;
  double square = 0;
  for (count j = 0; j < columns; j++) square += q[j] * q[j];
  const double length = std::sqrt(square);
#pragma omp parallel for schedule(static) if (n * columns > few)
  for (count i = 0; i < n; i++) {
    const double *a = x + i * columns;
    double product = 0, squares = 0;
#pragma omp simd reduction(+ : product, squares)
    for (count j = 0; j < columns; j++) {
      product += a[j] * q[j];
      squares += a[j] * a[j];
    }
    similarity[i] = product / (std::sqrt(squares) * length);
  }
  *best = std::max_element(similarity, similarity + n) - similarity;
}

/// Correlations of six columns: the means, then the products of differences to them in one pass.
void correlation(const double *x, double *correlation, count n) {
  constexpr count columns = 6, block = 256, pairs = columns * (columns + 1) / 2;
  double sums[columns] = {}, products[pairs] = {}, full[columns][columns];
  for (int pass = 0; pass < 2; pass++) {
    double mean[columns];
    for (count j = 0; j < columns; j++) mean[j] = pass ? sums[j] / double(n) : 0;
#pragma omp parallel for schedule(static) reduction(+ : sums, products) if (n * columns > few)
    for (count start = 0; start < n; start += block) {
      const count rows = std::min(block, n - start);
      double t[columns][block];
      for (count i = 0; i < rows; i++)
        for (count j = 0; j < columns; j++) t[j][i] = x[(start + i) * columns + j] - mean[j];
      for (count j = 0, pair = 0; j < columns; j++) {
        double sum = 0;
        if (pass == 0) {
#pragma omp simd reduction(+ : sum)
          for (count i = 0; i < rows; i++) sum += t[j][i];
          sums[j] += sum;
          continue;
        }
        for (count k = 0; k <= j; k++, pair++) {
          double product = 0;
#pragma omp simd reduction(+ : product)
          for (count i = 0; i < rows; i++) product += t[j][i] * t[k][i];
          products[pair] += product;
        }
      }
    }
  }
  for (count j = 0, pair = 0; j < columns; j++)
    for (count k = 0; k <= j; k++, pair++) full[j][k] = full[k][j] = products[pair];
  for (count j = 0; j < columns; j++)
    for (count k = 0; k < columns; k++) correlation[j * columns + k] = full[j][k] / std::sqrt(full[j][j] * full[k][k]);
}

/// Four columns and their squares, each by its largest magnitude.
void features(const double *x, double *y, count n) {
  constexpr count columns = 4;
  double largest[columns] = {}, scale[2 * columns];
#pragma omp parallel for schedule(static) reduction(max : largest) if (n * columns > few)
  for (count i = 0; i < n; i++)
    for (count j = 0; j < columns; j++) {
      const double size = std::fabs(x[i * columns + j]);
      largest[j] = size > largest[j] ? size : largest[j];
    }
  for (count j = 0; j < columns; j++) {
    scale[j] = 1 / largest[j];
    scale[columns + j] = scale[j] * scale[j];
  }
#pragma omp parallel for schedule(static) if (n * columns > few)
  for (count i = 0; i < n; i++)
    for (count j = 0; j < columns; j++) {
      const double v = x[i * columns + j];
      y[2 * i * columns + j] = v * scale[j];
      y[(2 * i + 1) * columns + j] = v * v * scale[columns + j];
    }
}

/// Softmax of the products of rows of eight numbers, and the entropy of each of its rows.
void attention(const double *q, const double *k, double *weights, double *entropy, count n) {
  constexpr count columns = 8;
  double *t = scratch<double>(columns * n);
  for (count j = 0; j < n; j++)
    for (count c = 0; c < columns; c++) t[c * n + j] = k[j * columns + c] / 2.8284271247461903;
#pragma omp parallel for schedule(static) if (n * n > few / 4)
  for (count i = 0; i < n; i++) {
    const double *a = q + i * columns;
    double *w = weights + i * n, largest = -huge, sum = 0, logs = 0;
#pragma omp simd reduction(max : largest)
    for (count j = 0; j < n; j++) {
      double s = 0;
#pragma GCC unroll 8
      for (count c = 0; c < columns; c++) s += a[c] * t[c * n + j];
      w[j] = s;
      largest = s > largest ? s : largest;
    }
#pragma omp simd reduction(+ : sum)
    for (count j = 0; j < n; j++) sum += w[j] = std::exp(w[j] - largest);
    const double scale = 1 / sum;
#pragma omp simd reduction(+ : logs)
    for (count j = 0; j < n; j++) {
      w[j] *= scale;
      logs += w[j] * std::log(w[j]);
    }
    entropy[i] = -logs;
  }
}

static inline float brightness(const float *p) { return 0.299F * p[0] + 0.587F * p[1] + 0.114F * p[2]; }

/// Grey values of pixels, stretched to 0 … 1: the grey values are computed in both passes.
void grey(const float *rgb, float *contrast, count n) {
  float low = float(huge), high = -low;
#pragma omp parallel for simd schedule(static) reduction(min : low) reduction(max : high) if (n > few)
  for (count i = 0; i < n; i++) {
    const float v = brightness(rgb + 3 * i);
    low = v < low ? v : low;
    high = v > high ? v : high;
  }
  const float scale = 1 / (high - low);
#pragma omp parallel for simd schedule(static) if (n > few)
  for (count i = 0; i < n; i++) contrast[i] = (brightness(rgb + 3 * i) - low) * scale;
}

/// Bytes of three channels, standardised. All passes work on 64 pixels at once: whole vectors of three channels.
void normalise_pixels(const std::uint8_t *rgb, float *y, count n) {
  constexpr count period = 3 * 64, block = 64;
  const count groups = 3 * n / period, rest = groups * period;
  double sums[period] = {}, squares[period] = {};
  float mean[period], scale[period];
#pragma omp parallel for schedule(static) reduction(+ : sums) if (n > few)
  for (count start = 0; start < groups; start += block) {
    const count end = std::min(start + block, groups);
    std::int32_t sum[period] = {};
    for (count g = start; g < end; g++)
#pragma omp simd
      for (count t = 0; t < period; t++) sum[t] += rgb[g * period + t];
    for (count t = 0; t < period; t++) sums[t] += sum[t];
  }
  for (count t = rest; t < 3 * n; t++) sums[t % 3] += rgb[t];
  for (count c = 0; c < 3; c++) {
    double sum = 0;
    for (count t = c; t < period; t += 3) sum += sums[t];
    for (count t = c; t < period; t += 3) mean[t] = float(sum / double(n));
  }
#pragma omp parallel for schedule(static) reduction(+ : squares) if (n > few)
  for (count start = 0; start < groups; start += block) {
    const count end = std::min(start + block, groups);
    float square[period] = {};
    for (count g = start; g < end; g++)
#pragma omp simd
      for (count t = 0; t < period; t++) {
        const float d = float(rgb[g * period + t]) - mean[t];
        square[t] += d * d;
      }
    for (count t = 0; t < period; t++) squares[t] += square[t];
  }
  for (count t = rest; t < 3 * n; t++) squares[t % 3] += (float(rgb[t]) - mean[t % 3]) * (float(rgb[t]) - mean[t % 3]);
  for (count c = 0; c < 3; c++) {
    double square = 0;
    for (count t = c; t < period; t += 3) square += squares[t];
    for (count t = c; t < period; t += 3) scale[t] = float(1 / std::sqrt(square / double(n)));
  }
#pragma omp parallel for schedule(static) if (n > few)
  for (count g = 0; g < groups; g++)
#pragma omp simd
    for (count t = 0; t < period; t++) y[g * period + t] = (float(rgb[g * period + t]) - mean[t]) * scale[t];
  for (count t = rest; t < 3 * n; t++) y[t] = (float(rgb[t]) - mean[t % 3]) * scale[t % 3];
}

/// Standardised channels of images, and zero where they are negative. Sums of each image are in float.
void batch_norm(const float *x, float *relu, count images, count channels, count pixels) {
  double *sums = scratch<double, 0>(channels), *squares = scratch<double, 1>(channels);
  const count planes = images * channels;
  const double n = double(images * pixels);
  std::fill_n(sums, channels, 0.0);
  std::fill_n(squares, channels, 0.0);
#pragma omp parallel for schedule(static) reduction(+ : sums[ : channels]) if (planes * pixels > few)
  for (count t = 0; t < planes; t++) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (count i = 0; i < pixels; i++) sum += x[t * pixels + i];
    sums[t % channels] += sum;
  }
#pragma omp parallel for schedule(static) reduction(+ : squares[ : channels]) if (planes * pixels > few)
  for (count t = 0; t < planes; t++) {
    const float mean = float(sums[t % channels] / n);
    float square = 0;
#pragma omp simd reduction(+ : square)
    for (count i = 0; i < pixels; i++) square += (x[t * pixels + i] - mean) * (x[t * pixels + i] - mean);
    squares[t % channels] += square;
  }
#pragma omp parallel for schedule(static) if (planes * pixels > few)
  for (count t = 0; t < planes; t++) {
    const float mean = float(sums[t % channels] / n), scale = float(1 / std::sqrt(squares[t % channels] / n + 1e-5));
#pragma omp simd
    for (count i = 0; i < pixels; i++) {
      const float v = (x[t * pixels + i] - mean) * scale;
      relu[t * pixels + i] = v > 0 ? v : 0;
    }
  }
}
}
