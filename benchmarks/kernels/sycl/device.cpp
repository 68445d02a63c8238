// The SYCL library's device: the default one, with memory that the host can access.
#include <new>

#include "launch.hpp"

sycl::queue &bench::queue() {
  static sycl::queue queue;
  return queue;
}

const char *bench::start_device(const char *) {
  static const std::string name = queue().get_device().get_info<sycl::info::device::name>();
  return name.c_str();
}

void *bench::allocate_memory(std::size_t bytes) {
  void *const memory = sycl::malloc_shared(bytes, queue());
  if (!memory) throw std::bad_alloc();
  return memory;
}
