// The same kernel as in submissions.cpp, submitted to a CUDA stream.
#include <chrono>
#include <cstdio>

__global__ void increment(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0f;
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
  std::printf("%.4f\n", spent / batch / batches);
  return cudaGetLastError() != cudaSuccess;
}
