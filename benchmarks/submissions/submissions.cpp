// The time that the calling thread takes to submit a prepared kernel to an in-order queue, and the time that a launch
// and the wait for it take together; in microseconds.
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
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < batch * batches; ++k)
    q.parallel_for(sycl::range<1>(1024), [=](sycl::id<1> i) { x[i] += 1.0f; }).wait();
  const std::chrono::duration<double, std::micro> waited = std::chrono::steady_clock::now() - begin;
  std::printf("%.4f %.4f\n", spent / batch / batches, waited.count() / batch / batches);
  sycl::free(x, q);
}
