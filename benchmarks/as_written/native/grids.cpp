// The programs of grids as hand-written loops: each round is one pass over two arrays that take turns, and all rounds
// are one parallel region.
#include "loops.hpp"

extern "C" {

/// Twenty explicit steps of the heat equation; the border stays.
void heat(const double *start, double *u, count h, count w) {
  double *other = scratch<double>(h * w);
  const double *begin = start;
#pragma omp parallel if (h * w > 2 * few)
  for (count step = 0; step < 20; step++) {
    const double *from = step == 0 ? begin : step % 2 ? other : u;
    double *to = step % 2 ? u : other;
#pragma omp for schedule(static)
    for (count i = 0; i < h; i++) {
      const double *a = from + i * w;
      double *b = to + i * w;
      if (i == 0 || i == h - 1) {
        std::copy_n(a, w, b);
        continue;
      }
      b[0] = a[0];
      b[w - 1] = a[w - 1];
#pragma omp simd
      for (count j = 1; j < w - 1; j++) b[j] = a[j] + 0.1 * (a[j - w] + a[j + w] + a[j - 1] + a[j + 1] - 4 * a[j]);
    }
  }
}

/// Twenty steps of the wave equation; the border is zero after each step.
void wave(const double *start, double *u, count h, count w) {
  double *first = scratch<double, 0>(h * w), *second = scratch<double, 1>(h * w);
#pragma omp parallel if (h * w > 2 * few)
  for (count step = 0; step < 20; step++) {
    double *const turns[3] = {first, second,
                              u};  // step 19 writes turns[19 % 3], which has to be u: the order is turned
    const auto at = [&](count s) -> double * { return turns[(s + 1) % 3]; };
    const double *before = step < 2 ? start : at(step - 2), *from = step < 1 ? start : at(step - 1);
    double *to = at(step);
#pragma omp for schedule(static)
    for (count i = 0; i < h; i++) {
      const double *a = from + i * w, *o = before + i * w;
      double *b = to + i * w;
      if (i == 0 || i == h - 1) {
        std::fill_n(b, w, 0.0);
        continue;
      }
      b[0] = b[w - 1] = 0;
#pragma omp simd
      for (count j = 1; j < w - 1; j++)
        b[j] = 2 * a[j] - o[j] + 0.1 * (a[j - w] + a[j + w] + a[j - 1] + a[j + 1] - 4 * a[j]);
    }
  }
}

/// Ten rounds of Conway's game of life on a torus: sums of three rows, then of three of these.
void life(const std::int32_t *start, std::int32_t *alive, count h, count w) {
  std::int32_t *other = scratch<std::int32_t>(h * w);
#pragma omp parallel if (h * w > few)
  {
    const std::unique_ptr<std::int32_t[]> three(new std::int32_t[w + 2]);
    std::int32_t *s = three.get();
    for (count round = 0; round < 10; round++) {
      const std::int32_t *from = round == 0 ? start : round % 2 ? other : alive;
      std::int32_t *to = round % 2 ? alive : other;
#pragma omp for schedule(static)
      for (count i = 0; i < h; i++) {
        const std::int32_t *b = from + i * w, *a = i ? b - w : from + (h - 1) * w, *c = i < h - 1 ? b + w : from;
        std::int32_t *d = to + i * w;
#pragma omp simd
        for (count j = 0; j < w; j++) s[j + 1] = a[j] + b[j] + c[j];
        s[0] = s[w];
        s[w + 1] = s[1];
#pragma omp simd
        for (count j = 0; j < w; j++) {
          const std::int32_t neighbours = s[j] + s[j + 1] + s[j + 2] - b[j];
          d[j] = (neighbours == 3) | ((neighbours == 2) & b[j]);
        }
      }
    }
  }
}

/// Ten rounds of an Ising model on a torus: spins turn where that lowers the energy. The energy is that of the last
/// round; those of the others are not read.
void ising(const double *start, double *spins, double *energy, count h, count w) {
  double *other = scratch<double>(h * w), sum = 0;
#pragma omp parallel reduction(+ : sum) if (h * w > few)
  for (count round = 0; round < 10; round++) {
    const double *from = round == 0 ? start : round % 2 ? other : spins;
    double *to = round % 2 ? spins : other;
#pragma omp for schedule(static)
    for (count i = 0; i < h; i++) {
      const double *b = from + i * w, *a = i ? b - w : from + (h - 1) * w, *c = i < h - 1 ? b + w : from;
      double *d = to + i * w, part = 0;
      const auto turn = [&](count j, count left, count right) {
        const double product = b[j] * (a[j] + c[j] + b[left] + b[right]);
        d[j] = product < 0 ? -b[j] : b[j];
        return std::fabs(product);
      };
      part += turn(0, w - 1, 1 % w);
#pragma omp simd reduction(+ : part)
      for (count j = 1; j < w - 1; j++) part += turn(j, j - 1, j + 1);
      if (w > 1) part += turn(w - 1, w - 2, 0);
      if (round == 9) sum += part;
    }
  }
  *energy = -0.5 * sum;
}

/// Five relaxations in place of the points with odd rows and columns. They read none of each other, so that each row
/// stays in the first-level cache for all five.
void relaxation(const double *start, double *u, count n) {
#pragma omp parallel if (n * n > few)
  {
#pragma omp for schedule(static)
    for (count i = 0; i < n; i++) std::copy_n(start + i * n, n, u + i * n);
#pragma omp for schedule(static)
    for (count i = 1; i < n - 1; i += 2) {
      double *b = u + i * n;
      for (int round = 0; round < 5; round++)
#pragma omp simd
        for (count j = 1; j < n - 1; j += 2) b[j] = 0.25 * (b[j - n] + b[j + n] + b[j - 1] + b[j + 1]);
    }
  }
}

/// Means of nine neighbours.
void blur(const double *image, double *blurred, count h, count w) {
#pragma omp parallel for schedule(static) if (h * w > few)
  for (count i = 0; i < h - 2; i++) {
    const double *a = image + i * w, *b = a + w, *c = b + w;
    double *d = blurred + i * (w - 2);
#pragma omp simd
    for (count j = 0; j < w - 2; j++)
      d[j] = (a[j] + a[j + 1] + a[j + 2] + b[j] + b[j + 1] + b[j + 2] + c[j] + c[j + 1] + c[j + 2]) * (1.0 / 9);
  }
}

/// Lengths of gradients, and where they are above their mean by more than their deviation.
void edges(const double *image, bool *edge, double *strength, count h, count w) {
  const count rows = h - 2, columns = w - 2, n = rows * columns;
  double sum = 0, squares = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (n > few)
  for (count i = 0; i < rows; i++) {
    const double *a = image + i * w + 1, *b = a + w, *c = b + w;
    double *s = strength + i * columns;
#pragma omp simd reduction(+ : sum)
    for (count j = 0; j < columns; j++) {
      const double x = b[j + 1] - b[j - 1], y = c[j] - a[j];
      sum += s[j] = std::sqrt(x * x + y * y);
    }
  }
  const double mean = sum / double(n);
#pragma omp parallel for simd schedule(static) reduction(+ : squares) if (n > few)
  for (count i = 0; i < n; i++) squares += (strength[i] - mean) * (strength[i] - mean);
  const double threshold = mean + std::sqrt(squares / double(n));
#pragma omp parallel for simd schedule(static) if (n > few)
  for (count i = 0; i < n; i++) edge[i] = strength[i] > threshold;
}

/// Twenty rounds of the Mandelbrot set's iteration: how many were inside. All rounds of a point are in registers.
void mandelbrot(const double *cr, const double *ci, count *k, count n) {
#pragma omp parallel for simd schedule(static) if (n > few / 16)
  for (count i = 0; i < n; i++) {
    double zr = 0, zi = 0, inside = 0;
#pragma GCC unroll 20
    for (int round = 0; round < 20; round++) {
      const double zr2 = zr * zr, zi2 = zi * zi;
      const bool in = zr2 + zi2 <= 4.0;
      zi = in ? 2 * zr * zi + ci[i] : zi;
      zr = in ? zr2 - zi2 + cr[i] : zr;
      inside += in ? 1.0 : 0.0;
    }
    k[i] = count(inside);
  }
}
}
