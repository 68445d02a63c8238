// The other translation unit of translation_units_test.cpp, free_function_kernels_test.cpp and device_global_test.cpp.
#include "external_function.hpp"
#include "free_function_kernel.hpp"

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<2>))
void iota(int start, int *out) {
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
  const int id = static_cast<int>(item.get_global_linear_id());
  out[id] = start + id;
}

void declared_in_a_header(int *out) {
  const std::size_t id = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
  out[id] = static_cast<int>(id * id);
}

void count_in_other_unit(sycl::queue &q) {
  q.single_task([] { counted_in_both_units += 5; }).wait();
}

double cube(double x) { return x * x * x; }

extern SYCL_EXTERNAL int successor(int x) { return x + 1; }
int SYCL_EXTERNAL predecessor(int x) { return x - 1; }
int twice(int x) { return 2 * x; }

void rotate_in_group(const sycl::nd_item<1> &item, int *values) {
  const std::size_t n = item.get_local_range(0), first = item.get_group(0) * n, me = item.get_local_id(0);
  const int next = values[first + (me + 1) % n];
  sycl::group_barrier(item.get_group());
  values[first + me] = next;
}

namespace {

struct kernel {
  int *p;
  void operator()() const { p[0] = 222; }
};

void run(sycl::queue &q, int *p) {
  q.single_task([=] { p[1] = 2; });
  q.single_task(kernel{p}).wait();
  q.parallel_for<class shared_name>(1, [=](sycl::id<1>) { p[2] = 22; }).wait();
  q.single_task<named_in_other_unit>([] {}).wait();
}

}  // namespace

int run_kernel_of_other_unit(sycl::queue &q, int *p) {
  run(q, p);
  q.wait();
  return p[0] + p[1] + p[2];
}
