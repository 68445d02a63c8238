// The programs of particles and vectors as hand-written loops: all steps of a number that need no other number are one
// pass, in registers.
#include "loops.hpp"

extern "C" {

/// Three steps of n bodies: all pairs, with the accelerations of a body in registers.
void nbody(const double *start, const double *speed, double *p, count n) {
  double *v = scratch<double, 0>(3 * n), *next = scratch<double, 1>(3 * n);
  std::copy_n(start, 3 * n, p);
  std::copy_n(speed, 3 * n, v);
#pragma omp parallel if (n * n > few / 4)
  for (int step = 0; step < 3; step++) {
#pragma omp for schedule(static)
    for (count i = 0; i < n; i++) {
      const double *x = p, *y = p + n, *z = p + 2 * n, x0 = x[i], y0 = y[i], z0 = z[i];
      double ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
      for (count j = 0; j < n; j++) {
        const double dx = x[j] - x0, dy = y[j] - y0, dz = z[j] - z0;
        const double r2 = dx * dx + dy * dy + dz * dz + 0.01, inverse = 1 / (r2 * std::sqrt(r2));
        ax += dx * inverse;
        ay += dy * inverse;
        az += dz * inverse;
      }
      const double a[3] = {ax, ay, az};
      for (count c = 0; c < 3; c++) {
        v[c * n + i] += 0.001 * a[c];
        next[c * n + i] = p[c * n + i] + 0.001 * v[c * n + i];
      }
    }
#pragma omp single
    std::copy_n(next, 3 * n, p);
  }
}

/// Newton's iteration for cube roots, until the largest step is small: the step, the new numbers and the largest step
/// in one pass.
void newton(const double *a, double *x, count n) {
  for (int round = 0; round < 50; round++) {
    double largest = 0;
#pragma omp parallel for simd schedule(static) reduction(max : largest) if (n > few / 4)
    for (count i = 0; i < n; i++) {
      const double t = round == 0 ? a[i] + 1 : x[i];
      const double step = (t * t * t - a[i]) / (3 * t * t), size = std::fabs(step);
      x[i] = t - step;
      largest = size > largest ? size : largest;
    }
    if (largest < 1e-12) break;
  }
}

/// One step of Runge and Kutta's method for n Lorenz systems.
void lorenz(const double *x0, const double *y0, const double *z0, double *x4, double *y4, double *z4, count n) {
  constexpr double s = 10, b = 8.0 / 3, p = 28, h = 0.005;
#pragma omp parallel for simd schedule(static) if (n > few / 4)
  for (count i = 0; i < n; i++) {
    const double X = x0[i], Y = y0[i], Z = z0[i];
    double x = X, y = Y, z = Z, sx = 0, sy = 0, sz = 0;
    const auto stage = [&](double weight, double next) {
      const double kx = s * (y - x), ky = x * (p - z) - y, kz = x * y - b * z;
      sx += weight * kx, sy += weight * ky, sz += weight * kz;
      x = X + next * kx, y = Y + next * ky, z = Z + next * kz;
    };
    stage(1, h / 2);
    stage(2, h / 2);
    stage(2, h);
    stage(1, 0);
    x4[i] = X + h / 6 * sx;
    y4[i] = Y + h / 6 * sy;
    z4[i] = Z + h / 6 * sz;
  }
}

/// Normalised cross products of n pairs of vectors, each a column of three rows.
void cross_products(const double *a, const double *b, double *unit, count n) {
#pragma omp parallel for simd schedule(static) if (n > few / 4)
  for (count i = 0; i < n; i++) {
    const double ax = a[i], ay = a[n + i], az = a[2 * n + i], bx = b[i], by = b[n + i], bz = b[2 * n + i];
    const double cx = ay * bz - az * by, cy = az * bx - ax * bz, cz = ax * by - ay * bx;
    const double scale = 1 / std::sqrt(cx * cx + cy * cy + cz * cz);
    unit[i] = cx * scale;
    unit[n + i] = cy * scale;
    unit[2 * n + i] = cz * scale;
  }
}

/// Ten Verlet steps of pendulums, and their energies.
void verlet(const double *angle, const double *speed, double *angles, double *energy, count n) {
#pragma omp parallel for schedule(static) if (n > few / 16)
  for (count start = 0; start < n; start += 256) {
    const count size = std::min<count>(256, n - start);
    double v[256], *a = angles + start;
    std::copy_n(angle + start, size, a);
    std::copy_n(speed + start, size, v);
#pragma omp simd
    for (count i = 0; i < size; i++) v[i] += 0.005 * -9.81 * std::sin(a[i]);
    for (int step = 0; step < 9; step++)  // the second half of a step and the first of the next
#pragma omp simd
      for (count i = 0; i < size; i++) {
        a[i] += 0.01 * v[i];
        v[i] += 0.01 * -9.81 * std::sin(a[i]);
      }
#pragma omp simd
    for (count i = 0; i < size; i++) {
      a[i] += 0.01 * v[i];
      v[i] += 0.005 * -9.81 * std::sin(a[i]);
      energy[start + i] = 0.5 * v[i] * v[i] + 9.81 * (1 - std::cos(a[i]));
    }
  }
}

/// Ten steps of an epidemic's model, and the largest share of the infected.
void epidemic(const double *s0, const double *i0, double *s1, double *i1, double *r1, double *peak, count n) {
  double largest = -huge;
#pragma omp parallel for simd schedule(static) reduction(max : largest) if (n > few / 4)
  for (count j = 0; j < n; j++) {
    double s = s0[j], i = i0[j], r = 1 - s - i;
#pragma GCC unroll 10
    for (int step = 0; step < 10; step++) {
      const double infected = 0.3 * s * i, recovered = 0.1 * i;
      s -= infected;
      i += infected - recovered;
      r += recovered;
    }
    s1[j] = s;
    i1[j] = i;
    r1[j] = r;
    largest = i > largest ? i : largest;
  }
  *peak = largest;
}

/// Distances on a sphere by haversines, and the largest.
void great_circle(const double *lat1, const double *lon1, const double *lat2, const double *lon2, double *d,
                  double *farthest, count n) {
  double largest = 0;
#pragma omp parallel for simd schedule(static) reduction(max : largest) if (n > few / 16)
  for (count i = 0; i < n; i++) {
    const double s1 = std::sin((lat2[i] - lat1[i]) * 0.5), s2 = std::sin((lon2[i] - lon1[i]) * 0.5);
    const double h = s1 * s1 + std::cos(lat1[i]) * std::cos(lat2[i]) * s2 * s2;
    const double distance = 2 * 6371 * std::asin(std::sqrt(h));
    d[i] = distance;
    largest = distance > largest ? distance : largest;
  }
  *farthest = largest;
}
}
