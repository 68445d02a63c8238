// The same kernel as in submissions.cpp, submitted to a CUDA stream. The third time is that of a launch whose kernel writes
// a word of the host's memory at its end, which the host reads until it changes: a bound for any wait.
#include <chrono>
#include <cstdio>

__global__ void increment(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0f;
}

__global__ void increment_and_signal(float *x, int n, unsigned *left, volatile unsigned *word, unsigned value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0f;
  __syncthreads();
  if (threadIdx.x) return;
  __threadfence_system();
  if (atomicInc(left, gridDim.x - 1) == gridDim.x - 1) *word = value;
}

int main() {
  constexpr int batch = 200, batches = 50;
  cudaStream_t stream;
  float *x;
  if (cudaStreamCreate(&stream) != cudaSuccess || cudaMalloc(&x, 1024 * sizeof(float)) != cudaSuccess) return 1;
  cudaMemset(x, 0, 1024 * sizeof(float));
  double spent = 0;
  for (int b = -5; b < batches; ++b) {
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < batch; ++k) increment<<<4, 256, 0, stream>>>(x, 1024);
    const auto end = std::chrono::steady_clock::now();
    if (b >= 0) spent += std::chrono::duration<double, std::micro>(end - begin).count();
    cudaStreamSynchronize(stream);
  }
  using clock = std::chrono::steady_clock;
  using microseconds = std::chrono::duration<double, std::micro>;
  auto begin = clock::now();
  for (int k = 0; k < batch * batches; ++k) {
    increment<<<4, 256, 0, stream>>>(x, 1024);
    cudaStreamSynchronize(stream);
  }
  const microseconds waited = clock::now() - begin;
  unsigned *left, *word, *device_word;
  cudaMalloc(&left, sizeof *left);
  cudaMemset(left, 0, sizeof *left);
  cudaHostAlloc(&word, sizeof *word, cudaHostAllocMapped);
  cudaHostGetDevicePointer(&device_word, word, 0);
  *word = 0;
  begin = clock::now();
  for (unsigned k = 1; k <= batch * batches; ++k) {
    increment_and_signal<<<4, 256, 0, stream>>>(x, 1024, left, device_word, k);
    while (*static_cast<volatile unsigned *>(word) != k) continue;
  }
  const microseconds signalled = clock::now() - begin;
  std::printf("%.4f %.4f %.4f\n", spent / batch / batches, waited.count() / batch / batches,
              signalled.count() / batch / batches);
  return cudaGetLastError() != cudaSuccess;
}
