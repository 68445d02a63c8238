// The time that the calling thread takes to submit a prepared kernel to an in-order queue, in microseconds.
#include <chrono>
#include <cstdio>

#include <sycl/sycl.hpp>

int main() {
  constexpr int batch = 200, batches = 50;
  sycl::queue q{sycl::property::queue::in_order()};
  float *const x = sycl::malloc_device<float>(1024, q);
  q.fill(x, 0.0f, 1024).wait();
  double spent = 0;
  for (int b = -5; b < batches; ++b) {
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < batch; ++k) q.parallel_for(sycl::range<1>(1024), [=](sycl::id<1> i) { x[i] += 1.0f; });
    const auto end = std::chrono::steady_clock::now();
    if (b >= 0) spent += std::chrono::duration<double, std::micro>(end - begin).count();
    q.wait();
  }
  std::printf("%.4f\n", spent / batch / batches);
  sycl::free(x, q);
}
