// The kernels with work-groups, in SYCL, or with PEER the same results by loops over the groups.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace kinds {

constexpr int tile_size = 16, steps_of_heat = 4, kept_size = tile_size - 2 * steps_of_heat;
constexpr int bin_count = 64, group_of_bins = 1024, row_group = 256;

#ifdef PEER

inline void heat_steps(const float *u, float *out, int height, int width) {
#pragma omp parallel for
  for (int top = 0; top < height; top += kept_size)
    for (int left = 0; left < width; left += kept_size) {
      float now[tile_size][tile_size] = {}, after[tile_size][tile_size] = {};
      for (int ty = 0; ty < tile_size; ty++)
        for (int tx = 0; tx < tile_size; tx++) {
          const int y = top + ty - steps_of_heat, x = left + tx - steps_of_heat;
          if (y >= 0 && y < height && x >= 0 && x < width) now[ty][tx] = u[y * width + x];
        }
      for (int step = 1; step <= steps_of_heat; step++) {
        for (int ty = step; ty < tile_size - step; ty++)
          for (int tx = step; tx < tile_size - step; tx++) {
            const float around = now[ty - 1][tx] + now[ty + 1][tx] + now[ty][tx - 1] + now[ty][tx + 1];
            after[ty][tx] = now[ty][tx] + 0.1f * (around - 4 * now[ty][tx]);
          }
        for (int ty = step; ty < tile_size - step; ty++)
          for (int tx = step; tx < tile_size - step; tx++) now[ty][tx] = after[ty][tx];
      }
      for (int ty = steps_of_heat; ty < tile_size - steps_of_heat; ty++)
        for (int tx = steps_of_heat; tx < tile_size - steps_of_heat; tx++) {
          const int y = top + ty - steps_of_heat, x = left + tx - steps_of_heat;
          if (y < height && x < width) out[y * width + x] = now[ty][tx];
        }
    }
}

inline void warp_sums(const float *x, float *sums, int n, int group) {
#pragma omp parallel for
  for (int g = 0; g < n / group; g++) {
    float total = 0;
    for (int warp = 0; warp < group; warp += 32) {
      float tree[32];
      for (int lane = 0; lane < 32; lane++) tree[lane] = x[g * group + warp + lane];
      for (int step = 16; step > 0; step /= 2)
        for (int lane = 0; lane < step; lane++) tree[lane] += tree[lane + step];
      total += tree[0];
    }
    sums[g] = total;
  }
}

inline void sub_group_shares(const float *x, float *shares, int n) {
  constexpr int size = 16;
#pragma omp parallel for
  for (int first = 0; first < n; first += size) {
    float total = 0;
    for (int lane = 0; lane < size; lane++) shares[first + lane] = total += x[first + lane];
    for (int lane = 0; lane < size; lane++) shares[first + lane] /= total;
  }
}

inline void local_bins(const float *x, int *counts, int *largest, int n) {
#pragma omp parallel for
  for (int g = 0; g < n / group_of_bins; g++) {
    int bins[bin_count] = {}, tops[bin_count] = {};
    for (int k = 0; k < group_of_bins; k++) {
      const float value = x[g * group_of_bins + k];
      const int which = int(value * bin_count);
      bins[which]++;
      tops[which] = std::max(tops[which], int(value * 1000000));
    }
    for (int k = 0; k < bin_count; k++) counts[g * bin_count + k] = bins[k], largest[g * bin_count + k] = tops[k];
  }
}

inline void compacted(const float *x, float *kept, int *counts, int n) {
#pragma omp parallel for
  for (int g = 0; g < n / group_of_bins; g++) {
    int positions[group_of_bins], before[group_of_bins];
    for (int k = 0; k < group_of_bins; k++) positions[k] = x[g * group_of_bins + k] > 0.5f;
    for (int step = 1; step < group_of_bins; step *= 2) {
      for (int k = step; k < group_of_bins; k++) before[k] = positions[k - step];
      for (int k = step; k < group_of_bins; k++) positions[k] += before[k];
    }
    for (int k = 0; k < group_of_bins; k++)
      if (x[g * group_of_bins + k] > 0.5f) kept[g * group_of_bins + positions[k] - 1] = x[g * group_of_bins + k];
    counts[g] = positions[group_of_bins - 1];
  }
}

inline void softmax_row(const float *in, float *out, int rows, int n) {
#pragma omp parallel for
  for (int row = 0; row < rows; row++) {
    const float *x = in + row * n;
    float *y = out + row * n;
    float largest = x[0], total = 0;
    for (int k = 0; k < n; k++) largest = std::max(largest, x[k]);
    for (int k = 0; k < n; k++) total += y[k] = std::exp(x[k] - largest);
    for (int k = 0; k < n; k++) y[k] /= total;
  }
}

inline void trapezoids(double low, double high, double *result, int n) {
  double total = 0;
  const double width = (high - low) / n;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < n; i++) {
    const double a = low + i * width, b = a + width;
    total += 0.5 * width * (4 / (1 + a * a) + 4 / (1 + b * b));
  }
  *result += total;
}

#else

sycl::queue &queue();

inline void heat_steps(const float *u, float *out, int height, int width) {
  const int rows = (height + kept_size - 1) / kept_size, columns = (width + kept_size - 1) / kept_size;
  queue().submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 2> now({tile_size, tile_size}, h), after({tile_size, tile_size}, h);
    const sycl::range<2> group(tile_size, tile_size), all(rows * tile_size, columns * tile_size);
    h.parallel_for(sycl::nd_range<2>(all, group), [=](sycl::nd_item<2> item) {
      const int ty = item.get_local_id(0), tx = item.get_local_id(1);
      const int y = int(item.get_group(0)) * kept_size + ty - steps_of_heat;
      const int x = int(item.get_group(1)) * kept_size + tx - steps_of_heat;
      const bool inside = y >= 0 && y < height && x >= 0 && x < width;
      now[ty][tx] = inside ? u[y * width + x] : 0;
      sycl::group_barrier(item.get_group());
      for (int step = 1; step <= steps_of_heat; step++) {
        if (step <= tx && tx < tile_size - step && step <= ty && ty < tile_size - step) {
          const float around = now[ty - 1][tx] + now[ty + 1][tx] + now[ty][tx - 1] + now[ty][tx + 1];
          after[ty][tx] = now[ty][tx] + 0.1f * (around - 4 * now[ty][tx]);
        }
        sycl::group_barrier(item.get_group());
        now[ty][tx] = after[ty][tx];
        sycl::group_barrier(item.get_group());
      }
      if (steps_of_heat <= tx && tx < tile_size - steps_of_heat && steps_of_heat <= ty &&
          ty < tile_size - steps_of_heat && inside)
        out[y * width + x] = now[ty][tx];
    });
  });
}

inline void warp_sums(const float *x, float *sums, int n, int size) {
  queue().submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> tile(size, h), of_warps(size / 32, h);
    h.parallel_for(sycl::nd_range<1>(n, size), [=](sycl::nd_item<1> item) {
      const int me = item.get_local_id(0), lane = me % 32, warp = me / 32;
      tile[me] = x[item.get_global_id(0)];
      for (int step = 16; step > 0; step /= 2) {
        sycl::group_barrier(item.get_group());
        if (lane < step) tile[me] += tile[me + step];
      }
      if (lane == 0) of_warps[warp] = tile[me];
      sycl::group_barrier(item.get_group());
      if (me == 0) {
        float total = 0;
        for (int k = 0; k < int(item.get_local_range(0)) / 32; k++) total += of_warps[k];
        sums[item.get_group(0)] = total;
      }
    });
  });
}

inline void sub_group_shares(const float *x, float *shares, int n) {
  queue().parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
    const sycl::sub_group group = item.get_sub_group();
    const int i = item.get_global_id(0), lane = group.get_local_linear_id(), size = group.get_local_linear_range();
    float total = x[i];
    for (int step = 1; step < size; step *= 2) {
      const float before = sycl::shift_group_right(group, total, step);
      if (lane >= step) total += before;
    }
    shares[i] = total / sycl::group_broadcast(group, total, size - 1);
  });
}

template <class T>
using local_atomic = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                                      sycl::access::address_space::local_space>;

inline void local_bins(const float *x, int *counts, int *largest, int n) {
  queue().submit([&](sycl::handler &h) {
    sycl::local_accessor<int, 1> bins(bin_count, h), tops(bin_count, h);
    h.parallel_for(sycl::nd_range<1>(n, group_of_bins), [=](sycl::nd_item<1> item) {
      const int me = item.get_local_id(0);
      if (me < bin_count) bins[me] = 0, tops[me] = 0;
      sycl::group_barrier(item.get_group());
      const float value = x[item.get_global_id(0)];
      const int which = int(value * bin_count);
      local_atomic<int>(bins[which]).fetch_add(1);
      local_atomic<int>(tops[which]).fetch_max(int(value * 1000000));
      sycl::group_barrier(item.get_group());
      if (me < bin_count) {
        counts[item.get_group(0) * bin_count + me] = bins[me];
        largest[item.get_group(0) * bin_count + me] = tops[me];
      }
    });
  });
}

inline void compacted(const float *x, float *kept, int *counts, int n) {
  queue().submit([&](sycl::handler &h) {
    sycl::local_accessor<int, 1> positions(group_of_bins, h);
    h.parallel_for(sycl::nd_range<1>(n, group_of_bins), [=](sycl::nd_item<1> item) {
      const int me = item.get_local_id(0);
      const float value = x[item.get_global_id(0)];
      const int flag = value > 0.5f;
      positions[me] = flag;
      for (int step = 1; step < group_of_bins; step *= 2) {
        sycl::group_barrier(item.get_group());
        const int before = me >= step ? positions[me - step] : 0;
        sycl::group_barrier(item.get_group());
        positions[me] += before;
      }
      if (flag) kept[item.get_group(0) * group_of_bins + positions[me] - 1] = value;
      if (me == group_of_bins - 1) counts[item.get_group(0)] = positions[me];
    });
  });
}

inline void softmax_row(const float *in, float *out, int rows, int n) {
  queue().submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> tree(row_group, h);
    h.parallel_for(sycl::nd_range<1>(rows * row_group, row_group), [=](sycl::nd_item<1> item) {
      const int me = item.get_local_id(0);
      const float *x = in + item.get_group(0) * n;
      float *y = out + item.get_group(0) * n;
      float largest = x[me];
      for (int k = me; k < n; k += row_group) largest = sycl::max(largest, x[k]);
      tree[me] = largest;
      for (int step = row_group / 2; step > 0; step /= 2) {
        sycl::group_barrier(item.get_group());
        if (me < step) tree[me] = sycl::max(tree[me], tree[me + step]);
      }
      sycl::group_barrier(item.get_group());
      largest = tree[0];
      sycl::group_barrier(item.get_group());
      float total = 0;
      for (int k = me; k < n; k += row_group) total += y[k] = sycl::exp(x[k] - largest);
      tree[me] = total;
      for (int step = row_group / 2; step > 0; step /= 2) {
        sycl::group_barrier(item.get_group());
        if (me < step) tree[me] += tree[me + step];
      }
      sycl::group_barrier(item.get_group());
      for (int k = me; k < n; k += row_group) y[k] /= tree[0];
    });
  });
}

inline void trapezoids(double low, double high, double *result, int n) {
  const double width = (high - low) / n;
  queue().parallel_for(sycl::nd_range<1>(n, 256), sycl::reduction(result, sycl::plus<double>()),
                       [=](sycl::nd_item<1> item, auto &total) {
                         const double a = low + double(item.get_global_id(0)) * width, b = a + width;
                         total += 0.5 * width * (4 / (1 + a * a) + 4 / (1 + b * b));
                       });
}

#endif

}  // namespace kinds
