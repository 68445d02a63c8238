// The KDE of gpu_bench.cpp in hand-written CUDA C++: nvcc -O3 -arch=native hand_kde.cu -o hand_kde && ./hand_kde
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

template <class T> __device__ T exp_of(T x);
template <> __device__ float exp_of(float x) { return expf(x); }
template <> __device__ double exp_of(double x) { return exp(x); }

template <class T> __global__ void kde(const T *samples, const T *points, T *density, int n, T exponent, T scale) {
  constexpr int d = 7, m = 17;
  __shared__ T partial[256];
  T sums[m] = {};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    T x[d];
    for (int k = 0; k < d; k++) x[k] = samples[size_t(i) * d + k];
    for (int j = 0; j < m; j++) {
      T sum = 0;
      for (int k = 0; k < d; k++) {
        const T difference = x[k] - points[j * d + k];
        sum += difference * difference;
      }
      sums[j] += exp_of(sum * exponent);
    }
  }
  for (int j = 0; j < m; j++) {
    partial[threadIdx.x] = sums[j];
    __syncthreads();
    for (int w = 128; w; w >>= 1) {
      if (threadIdx.x < w) partial[threadIdx.x] += partial[threadIdx.x + w];
      __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(density + j, partial[0] * scale);
    __syncthreads();
  }
}

template <class T> void run(const char *name) {
  constexpr int n = 1'000'000, d = 7, m = 17;
  std::mt19937 random(0);
  std::uniform_real_distribution<T> uniform(0, 1);
  std::vector<T> x(n * d), y(m * d);
  for (T &v : x) v = uniform(random);
  for (T &v : y) v = uniform(random);
  T *samples, *points, *density;
  cudaMalloc(&samples, x.size() * sizeof(T)), cudaMalloc(&points, y.size() * sizeof(T)),
      cudaMalloc(&density, m * sizeof(T));
  cudaMemcpy(samples, x.data(), x.size() * sizeof(T), cudaMemcpyDefault);
  cudaMemcpy(points, y.data(), y.size() * sizeof(T), cudaMemcpyDefault);
  std::vector<double> times;
  for (int i = 0; i < 33; i++) {
    const auto start = std::chrono::steady_clock::now();
    cudaMemsetAsync(density, 0, m * sizeof(T));
    kde<<<528, 256>>>(samples, points, density, n, T(-0.5 / (0.05 * 0.05)), T(1));
    cudaDeviceSynchronize();
    if (i >= 3)
      times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  std::printf("kde %s by hand: %.4f ms\n", name, times[times.size() / 2]);
}

int main() {
  run<float>("float32");
  run<double>("float64");
}
