// The programs of vectors as hand-written loops: sums and extrema that others do not wait for share a pass.
#include "loops.hpp"

extern "C" {

static inline double on_line(double x, double noise) { return 2 * x + 1 + 0.1 * noise; }

/// A line through points, and its coefficient of determination: passes for the means, the line, and the residuals.
void linear_fit(const double *x, const double *noise, double *slope, double *offset, double *r2, count n) {
  double sx = 0, sy = 0, xx = 0, xy = 0, yy = 0, residuals = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sx, sy) if (n > few)
  for (count i = 0; i < n; i++) {
    sx += x[i];
    sy += on_line(x[i], noise[i]);
  }
  const double mx = sx / double(n), my = sy / double(n);
#pragma omp parallel for simd schedule(static) reduction(+ : xx, xy, yy) if (n > few)
  for (count i = 0; i < n; i++) {
    const double dx = x[i] - mx, dy = on_line(x[i], noise[i]) - my;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const double a = xy / xx, b = my - a * mx;
#pragma omp parallel for simd schedule(static) reduction(+ : residuals) if (n > few)
  for (count i = 0; i < n; i++) {
    const double residual = on_line(x[i], noise[i]) - (a * x[i] + b);
    residuals += residual * residual;
  }
  *slope = a;
  *offset = b;
  *r2 = 1 - residuals / yy;
}

/// Horner's rule with nine coefficients.
void polynomial(const double *x, double *p, count n) {
#pragma omp parallel for simd schedule(static) if (n > few)
  for (count i = 0; i < n; i++) {
    const double t = x[i];
    double v = 0.1;
    v = v * t + 0.3;
    v = v * t - 0.4;
    v = v * t + 0.5;
    v = v * t - 0.6;
    v = v * t + 0.7;
    v = v * t - 0.8;
    v = v * t + 0.9;
    p[i] = v * t - 1.0;
  }
}

/// (2 x + 1)² less its mean, by the largest magnitude.
void in_place(const double *x, double *y, count n) {
  double sum = 0, largest = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum) if (n > few)
  for (count i = 0; i < n; i++) sum += (2 * x[i] + 1) * (2 * x[i] + 1);
  const double mean = sum / double(n);
#pragma omp parallel for simd schedule(static) reduction(max : largest) if (n > few)
  for (count i = 0; i < n; i++) {
    const double size = std::fabs((2 * x[i] + 1) * (2 * x[i] + 1) - mean);
    largest = size > largest ? size : largest;
  }
  const double scale = 1 / largest;
#pragma omp parallel for simd schedule(static) if (n > few)
  for (count i = 0; i < n; i++) y[i] = ((2 * x[i] + 1) * (2 * x[i] + 1) - mean) * scale;
}

/// Three steps of Adam.
void adam(const double *w, const double *g, double *result, count n) {
  const double m1 = 1 / (1 - 0.9), m2 = 1 / (1 - std::pow(0.9, 2)), m3 = 1 / (1 - std::pow(0.9, 3));
  const double v1 = 1 / (1 - 0.999), v2 = 1 / (1 - std::pow(0.999, 2)), v3 = 1 / (1 - std::pow(0.999, 3));
#pragma omp parallel for simd schedule(static) if (n > few / 4)
  for (count i = 0; i < n; i++) {
    double m = 0, v = 0, t = w[i];
    const double a = g[i];
    const auto step = [&](double m_factor, double v_factor) {
      m = 0.9 * m + 0.1 * a;
      v = 0.999 * v + 0.001 * a * a;
      t -= 0.01 * (m * m_factor) / (std::sqrt(v * v_factor) + 1e-8);
    };
    step(m1, v1);
    step(m2, v2);
    step(m3, v3);
    result[i] = t;
  }
}

/// Numbers within half the extrema, scaled to 0 … 1.
void clip(const double *x, double *scaled, count n) {
  double low = x[0], high = x[0];
#pragma omp parallel for simd schedule(static) reduction(min : low) reduction(max : high) if (n > few)
  for (count i = 0; i < n; i++) {
    low = x[i] < low ? x[i] : low;
    high = x[i] > high ? x[i] : high;
  }
  low /= 2;
  high /= 2;
  const double scale = 1 / (high - low);
#pragma omp parallel for simd schedule(static) if (n > few)
  for (count i = 0; i < n; i++) {
    const double t = x[i] > low ? x[i] : low;
    scaled[i] = ((t < high ? t : high) - low) * scale;
  }
}

/// Mean and deviation of the positive numbers.
void masked_mean(const double *x, double *mean, double *spread, count n) {
  double sum = 0, found = 0, squares = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum, found) if (n > few)
  for (count i = 0; i < n; i++) {
    sum += x[i] > 0 ? x[i] : 0;
    found += x[i] > 0 ? 1 : 0;
  }
  const double m = sum / found;
#pragma omp parallel for simd schedule(static) reduction(+ : squares) if (n > few)
  for (count i = 0; i < n; i++) squares += x[i] > 0 ? (x[i] - m) * (x[i] - m) : 0;
  *mean = m;
  *spread = std::sqrt(squares / found);
}

/// 2 table[index] - 1, and its sum.
void look_up(const double *table, const count *index, double *scaled, double *total, count n) {
  double sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum) if (n > few)
  for (count i = 0; i < n; i++) sum += scaled[i] = 2 * table[index[i]] - 1;
  *total = sum;
}

/// Differences to moving averages of 32 numbers. Each block starts with a sum of its own.
void moving_average(const double *x, double *deviation, count n) {
  constexpr count window = 32, block = 4096;
  const count results = n - window;
#pragma omp parallel for schedule(static) if (n > few)
  for (count start = 0; start < results; start += block) {
    const count end = std::min(start + block, results);
    double sum = 0;
    for (count i = start + 1; i <= start + window; i++) sum += x[i];
    for (count i = start; i < end; i++) {
      deviation[i] = x[i + window] - sum * (1.0 / window);
      sum += (i + 1 + window < n ? x[i + 1 + window] : 0) - x[i + 1];
    }
  }
}

/// Slopes between equidistant points of 0 … 1, and the area by trapezoids.
void differences(const double *y, double *slope, double *area, count n) {
  const double step = 1.0 / double(n - 1);
  double sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum) if (n > few)
  for (count i = 0; i < n - 1; i++) {
    const double dt = double(i + 1) * step - double(i) * step;
    slope[i] = (y[i + 1] - y[i]) / dt;
    sum += (y[i + 1] + y[i]) * dt;
  }
  *area = sum / 2;
}

/// Complex numbers turned by angles, and their mean square.
void rotation(const double *z, const double *t, double *turned, double *mean, count n) {
  constexpr count block = 256;
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (n > few / 16)
  for (count start = 0; start < n; start += block) {
    const count size = std::min(block, n - start);
    const double *angle = t + start, *a = z + 2 * start;
    double *b = turned + 2 * start, c[block], s[block], part = 0;
#pragma omp simd
    for (count i = 0; i < size; i++) c[i] = std::cos(angle[i]);
#pragma omp simd
    for (count i = 0; i < size; i++) s[i] = std::sin(angle[i]);
#pragma omp simd reduction(+ : part)
    for (count i = 0; i < size; i++) {
      const double re = a[2 * i] * c[i] - a[2 * i + 1] * s[i], im = a[2 * i] * s[i] + a[2 * i + 1] * c[i];
      b[2 * i] = re;
      b[2 * i + 1] = im;
      part += re * re + im * im;
    }
    sum += part;
  }
  *mean = sum / double(n);
}

/// A signal by Hann's window, and the ratio of their energies.
void windowed(const double *x, double *y, double *energy, count n) {
  double signal = 0, total = 0;
  const double step = 6.283185307179586 / double(n);
#pragma omp parallel for simd schedule(static) reduction(+ : signal, total) if (n > few / 8)
  for (count i = 0; i < n; i++) {
    const double window = 0.5 - 0.5 * std::cos(double(i) * step), v = x[i] * window;
    y[i] = v;
    signal += v * v;
    total += window * window;
  }
  *energy = signal / total;
}
}
