// A recursive filter of second order, forwards and backwards, along rows and along columns: a work-item for each.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::recursive_problem;

/// Filters `count` numbers that are `stride` apart.
static void filter(const float *in, float *out, int count, int stride) {
  float last = 0, one_before = 0;
  for (int i = 0; i < count; i++) {
    const float value = problem::a0 * in[i * stride] + problem::b1 * last + problem::b2 * one_before;
    out[i * stride] = value;
    one_before = last;
    last = value;
  }
  last = one_before = 0;
  for (int i = count - 1; i >= 0; i--) {
    const float value = problem::a0 * out[i * stride] + problem::b1 * last + problem::b2 * one_before;
    out[i * stride] = value;
    one_before = last;
    last = value;
  }
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  const float *image = to_device(q, p.image);
  float *by_rows = sycl::malloc_device<float>(p.image.size(), q);
  float *filtered = sycl::malloc_device<float>(p.image.size(), q);
  const int width = p.width, height = p.height;

  const auto run = [&] {
    q.parallel_for(sycl::nd_range<1>(height, problem::group_size), [=](sycl::nd_item<1> item) {
      const int row = item.get_global_id(0);
      filter(image + row * width, by_rows + row * width, width, 1);
    });
    q.parallel_for(sycl::nd_range<1>(width, problem::group_size), [=](sycl::nd_item<1> item) {
      const int column = item.get_global_id(0);
      filter(by_rows + column, filtered + column, height, width);
    });
  };
  programs::report(
      "recursive", run, [&] { q.wait(); }, [&] { return programs::checksum(to_host(q, filtered, p.image.size())); });
}
