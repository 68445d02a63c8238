// The expressions of run.py as hand-written C++: one pass where one is enough, OpenMP over the outer loop, `omp simd`
// in the inner one. Compiled by run.py with g++ -O3 -march=native -ffast-math -fopenmp; transcendental functions are
// libmvec's.
#include <cmath>
#include <cstdint>

using count = std::int64_t;

extern "C" {

/// e^x / sum(e^x) of each row.
void softmax(const double *x, double *y, count rows, count columns) {
#pragma omp parallel for schedule(static)
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

/// (x - mean) / sqrt(variance + 1e-5) * gain + bias of each row.
void layer_norm(const double *x, const double *gain, const double *bias, double *y, count rows, count columns) {
#pragma omp parallel for schedule(static)
  for (count i = 0; i < rows; i++) {
    const double *a = x + i * columns;
    double *b = y + i * columns, sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (count j = 0; j < columns; j++) sum += a[j];
    const double mean = sum / double(columns);
#pragma omp simd reduction(+ : squares)
    for (count j = 0; j < columns; j++) squares += (a[j] - mean) * (a[j] - mean);
    const double scale = 1 / std::sqrt(squares / double(columns) + 1e-5);
#pragma omp simd
    for (count j = 0; j < columns; j++) b[j] = (a[j] - mean) * scale * gain[j] + bias[j];
  }
}

/// (x - mean) / deviation of each column; at most 64 columns.
void standardise(const double *x, double *y, count rows, count columns) {
  double sum[64] = {}, squares[64] = {};
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (count i = 0; i < rows; i++)
    for (count j = 0; j < columns; j++) sum[j] += x[i * columns + j];
  for (count j = 0; j < columns; j++) sum[j] /= double(rows);
#pragma omp parallel for schedule(static) reduction(+ : squares)
  for (count i = 0; i < rows; i++)
    for (count j = 0; j < columns; j++) {
      const double d = x[i * columns + j] - sum[j];
      squares[j] += d * d;
    }
  for (count j = 0; j < columns; j++) squares[j] = 1 / std::sqrt(squares[j] / double(rows));
#pragma omp parallel for schedule(static)
  for (count i = 0; i < rows; i++)
    for (count j = 0; j < columns; j++) y[i * columns + j] = (x[i * columns + j] - sum[j]) * squares[j];
}

/// Euclidean distances of all pairs of points in three dimensions.
void pairwise(const double *x, const double *y, double *d, count n, count m) {
#pragma omp parallel for schedule(static)
  for (count i = 0; i < n; i++) {
    const double a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2];
#pragma omp simd
    for (count j = 0; j < m; j++) {
      const double p = a - y[3 * j], q = b - y[3 * j + 1], r = c - y[3 * j + 2];
      d[i * m + j] = std::sqrt(p * p + q * q + r * r);
    }
  }
}

/// European call prices; the normal distribution by an approximation with tanh.
static inline double normal(double x) { return 0.5 + 0.5 * std::tanh(0.7978845608 * x * (1 + 0.044715 * x * x)); }
void black_scholes(const double *price, const double *strike, const double *time, double *call, double rate,
                   double volatility, count n) {
#pragma omp parallel for simd schedule(static)
  for (count i = 0; i < n; i++) {
    const double deviation = volatility * std::sqrt(time[i]);
    const double d1 = (std::log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * time[i]) / deviation;
    const double d2 = d1 - deviation;
    call[i] = price[i] * normal(d1) - strike[i] * std::exp(-rate * time[i]) * normal(d2);
  }
}

/// Horner's rule with ten coefficients: twenty operations.
void polynomial(const double *x, double *y, count n) {
#pragma omp parallel for simd schedule(static)
  for (count i = 0; i < n; i++) {
    const double t = x[i];
    double p = t * 0.1 + 0.2;
    p = p * t + 0.3;
    p = p * t + 0.4;
    p = p * t + 0.5;
    p = p * t + 0.6;
    p = p * t + 0.7;
    p = p * t + 0.8;
    p = p * t + 0.9;
    p = p * t + 1.0;
    y[i] = p;
  }
}

/// Mean, variance and skewness.
void moments(const double *x, double *result, count n) {
  double sum = 0, second = 0, third = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
  for (count i = 0; i < n; i++) sum += x[i];
  const double mean = sum / double(n);
#pragma omp parallel for simd schedule(static) reduction(+ : second, third)
  for (count i = 0; i < n; i++) {
    const double d = x[i] - mean, s = d * d;
    second += s;
    third += s * d;
  }
  result[0] = mean;
  result[1] = second / double(n);
  result[2] = third / double(n) / std::pow(second / double(n), 1.5);
}
}
