// The programs of statistics and learning as hand-written loops: one pass where one is enough, rows and blocks that
// stay in the first-level cache between passes, OpenMP over blocks, and libmvec's exp, log and tanh in vectors.
#include "loops.hpp"

extern "C" {

/// Gaussian kernel density at m points of n samples, bandwidth 0.2.
void density(const double *points, const double *data, double *density, count m, count n) {
  constexpr count block = 2048;
  constexpr double h = 0.2, factor = -0.5 / (h * h);
  std::fill_n(density, m, 0.0);
#pragma omp parallel for schedule(static) reduction(+ : density[ : m]) if (m * n > few / 4)
  for (count start = 0; start < n; start += block) {
    const count end = std::min(start + block, n);
    for (count i = 0; i < m; i++) {
      const double p = points[i];
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (count j = start; j < end; j++) {
        const double d = p - data[j];
        sum += std::exp(factor * d * d);
      }
      density[i] += sum;
    }
  }
  for (count i = 0; i < m; i++) density[i] /= double(n) * h * 2.5066282746310002;
}

/// e^x / sum(e^x) of each row.
void softmax(const double *x, double *y, count rows, count columns) {
#pragma omp parallel for schedule(static) if (rows * columns > few)
  for (count i = 0; i < rows; i++) {
    const double *a = x + i * columns;
    double *b = y + i * columns, largest = a[0], sum = 0;
#pragma omp simd reduction(max : largest)
    for (count j = 0; j < columns; j++) largest = a[j] > largest ? a[j] : largest;
#pragma omp simd reduction(+ : sum)
    for (count j = 0; j < columns; j++) sum += b[j] = std::exp(a[j] - largest);
    const double scale = 1 / sum;
#pragma omp simd
    for (count j = 0; j < columns; j++) b[j] *= scale;
  }
}

/// (x - mean) / sqrt(variance + 1e-5) * 1.5 + 0.25 of each row.
void layer_norm(const double *x, double *y, count rows, count columns) {
#pragma omp parallel for schedule(static) if (rows * columns > few)
  for (count i = 0; i < rows; i++) {
    const double *a = x + i * columns;
    double *b = y + i * columns, sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (count j = 0; j < columns; j++) sum += a[j];
    const double mean = sum / double(columns);
#pragma omp simd reduction(+ : squares)
    for (count j = 0; j < columns; j++) squares += (a[j] - mean) * (a[j] - mean);
    const double scale = 1.5 / std::sqrt(squares / double(columns) + 1e-5);
#pragma omp simd
    for (count j = 0; j < columns; j++) b[j] = (a[j] - mean) * scale + 0.25;
  }
}

/// (x - mean) / deviation of ten columns. The passes work on eight rows at once: ten vectors without a rest.
void standardise(const double *x, double *z, count rows) {
  constexpr count columns = 10, period = 8 * columns, block = 16;
  const count groups = rows / 8, rest = groups * period, n = rows * columns;
  double mean[period], scale[period];
  for (int pass = 0; pass < 2; pass++) {
    double sums[period] = {};
    if (pass == 0) std::fill_n(mean, period, 0.0);
#pragma omp parallel for schedule(static) reduction(+ : sums) if (n > few)
    for (count start = 0; start < groups; start += block) {
      const count end = std::min(start + block, groups);
      for (count g = start; g < end; g++)
#pragma omp simd
        for (count t = 0; t < period; t++) {
          const double d = x[g * period + t] - mean[t];
          sums[t] += pass == 0 ? d : d * d;
        }
    }
    for (count t = rest; t < n; t++) {
      const double d = x[t] - mean[t % columns];
      sums[t % columns] += pass == 0 ? d : d * d;
    }
    for (count j = 0; j < columns; j++) {
      double sum = 0;
      for (count t = j; t < period; t += columns) sum += sums[t];
      for (count t = j; t < period; t += columns)
        (pass == 0 ? mean : scale)[t] = pass == 0 ? sum / double(rows) : 1 / std::sqrt(sum / double(rows));
    }
  }
#pragma omp parallel for schedule(static) if (n > few)
  for (count g = 0; g < groups; g++)
#pragma omp simd
    for (count t = 0; t < period; t++) z[g * period + t] = (x[g * period + t] - mean[t]) * scale[t];
  for (count t = rest; t < n; t++) z[t] = (x[t] - mean[t % columns]) * scale[t % columns];
}

/// (x - mean) / deviation of a vector, and how many are further than 3 from 0.
void z_scores(const double *x, double *z, count *outliers, count n) {
  double sum = 0, squares = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum) if (n > few)
  for (count i = 0; i < n; i++) sum += x[i];
  const double mean = sum / double(n);
#pragma omp parallel for simd schedule(static) reduction(+ : squares) if (n > few)
  for (count i = 0; i < n; i++) squares += (x[i] - mean) * (x[i] - mean);
  const double scale = 1 / std::sqrt(squares / double(n));
  count found = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : found) if (n > few)
  for (count i = 0; i < n; i++) {
    z[i] = (x[i] - mean) * scale;
    found += std::fabs(z[i]) > 3;
  }
  *outliers = found;
}

/// Euclidean distances of all pairs of points in three dimensions. The second points are transposed first.
void pairwise(const double *x, const double *y, double *d, count n, count m) {
  double *t = scratch<double>(3 * m);
  for (count j = 0; j < m; j++)
    for (count c = 0; c < 3; c++) t[c * m + j] = y[3 * j + c];
#pragma omp parallel for schedule(static) if (n * m > few)
  for (count i = 0; i < n; i++) {
    const double a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2];
#pragma omp simd
    for (count j = 0; j < m; j++) {
      const double p = a - t[j], q = b - t[m + j], r = c - t[2 * m + j];
      d[i * m + j] = std::sqrt(p * p + q * q + r * r);
    }
  }
}

/// exp(-2 distance²) of all pairs of points in five dimensions, and the sums of its rows.
void gram(const double *x, double *gram, double *row_sums, count n) {
  double *t = scratch<double>(5 * n);
  for (count j = 0; j < n; j++)
    for (count c = 0; c < 5; c++) t[c * n + j] = x[5 * j + c];
#pragma omp parallel for schedule(static) if (n * n > few)
  for (count i = 0; i < n; i++) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (count j = 0; j < n; j++) {
      double d2 = 0;
      for (count c = 0; c < 5; c++) d2 += (t[c * n + i] - t[c * n + j]) * (t[c * n + i] - t[c * n + j]);
      sum += gram[i * n + j] = std::exp(-2 * d2);
    }
    row_sums[i] = sum;
  }
}

/// European call and put prices; the normal distribution by an approximation with tanh.
static inline double normal(double x) { return 0.5 + 0.5 * std::tanh(0.7978845608 * x * (1 + 0.044715 * x * x)); }
void black_scholes(const double *price, const double *strike, const double *time, double *call, double *put, count n) {
  constexpr double rate = 0.02, volatility = 0.3, drift = rate + 0.5 * volatility * volatility;
#pragma omp parallel for simd schedule(static) if (n > few / 16)
  for (count i = 0; i < n; i++) {
    const double deviation = volatility * std::sqrt(time[i]);
    const double d1 = (std::log(price[i] / strike[i]) + drift * time[i]) / deviation;
    const double discounted = strike[i] * std::exp(-rate * time[i]);
    const double value = price[i] * normal(d1) - discounted * normal(d1 - deviation);
    call[i] = value;
    put[i] = value - price[i] + discounted;
  }
}

/// One step of Lloyd's algorithm in four dimensions with eight centres: the nearest centre of each point, and the means
/// of the points of each centre. One pass: each block of points is transposed, then both are computed from it.
void kmeans(const double *x, const double *centres, double *moved, count *nearest, count n) {
  constexpr count dimensions = 4, clusters = 8, block = 256;
  double sums[clusters * dimensions] = {}, counts[clusters] = {};
#pragma omp parallel for schedule(static) reduction(+ : sums, counts) if (n > few / 16)
  for (count start = 0; start < n; start += block) {
    const count size = std::min(block, n - start);
    double t[dimensions][block];
    count *near = nearest + start;
    for (count i = 0; i < size; i++)
      for (count j = 0; j < dimensions; j++) t[j][i] = x[(start + i) * dimensions + j];
#pragma omp simd
    for (count i = 0; i < size; i++) {
      double smallest = huge;
      count found = 0;
#pragma GCC unroll 8
      for (count c = 0; c < clusters; c++) {
        double d2 = 0;
#pragma GCC unroll 4
        for (count j = 0; j < dimensions; j++) {
          const double d = t[j][i] - centres[c * dimensions + j];
          d2 += d * d;
        }
        found = d2 < smallest ? c : found;
        smallest = d2 < smallest ? d2 : smallest;
      }
      near[i] = found;
    }
    for (count c = 0; c < clusters; c++) {
      double members = 0, s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : members, s0, s1, s2, s3)
      for (count i = 0; i < size; i++) {
        const bool member = near[i] == c;
        members += member ? 1 : 0;
        s0 += member ? t[0][i] : 0;
        s1 += member ? t[1][i] : 0;
        s2 += member ? t[2][i] : 0;
        s3 += member ? t[3][i] : 0;
      }
      counts[c] += members;
      double *sum = sums + c * dimensions;
      sum[0] += s0, sum[1] += s1, sum[2] += s2, sum[3] += s3;
    }
  }
  for (count c = 0; c < clusters; c++)
    for (count j = 0; j < dimensions; j++)
      moved[c * dimensions + j] = sums[c * dimensions + j] / std::max(counts[c], 1.0);
}

/// Five steps of gradient descent of a logistic regression with twenty features: one pass over x in each.
void logistic(const double *x, const double *labels, const double *start, double *w, count n) {
  constexpr count features = 20, block = 128, steps = 5;
  std::copy_n(start, features, w);
  for (count step = 0; step < steps; step++) {
    double gradient[features] = {};
#pragma omp parallel for schedule(static) reduction(+ : gradient) if (n > few / 16)
    for (count first = 0; first < n; first += block) {
      const count size = std::min(block, n - first);
      const double *a = x + first * features;
      double error[block], sums[features] = {};
      const count whole = size / 4 * 4;
      for (count i = 0; i < whole; i += 4) {  // four rows, whose sums are added up in one transposed vector
        four score[4] = {};
        for (count r = 0; r < 4; r++)
          for (count j = 0; j < features; j += 4) score[r] += load(a + (i + r) * features + j) * load(w + j);
        transpose(score[0], score[1], score[2], score[3]);
        store(error + i, score[0] + score[1] + score[2] + score[3]);
      }
      for (count i = whole; i < size; i++) {
        error[i] = 0;
        for (count j = 0; j < features; j++) error[i] += a[i * features + j] * w[j];
      }
#pragma omp simd
      for (count i = 0; i < size; i++) error[i] = 1 / (1 + std::exp(-error[i])) - labels[first + i];
      for (count i = 0; i < size; i++)
#pragma omp simd
        for (count j = 0; j < features; j++) sums[j] += a[i * features + j] * error[i];
      for (count j = 0; j < features; j++) gradient[j] += sums[j];
    }
    for (count j = 0; j < features; j++) w[j] -= 0.1 * gradient[j] / double(n);
  }
}
}
