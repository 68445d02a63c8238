// The hand-written library's device: the host.
#include <cstdlib>
#include <new>

#include "library.hpp"

const char *bench::start_device(const char *) { return "OpenMP"; }

void *bench::allocate_memory(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  void *const memory = std::aligned_alloc(page, (bytes + page - 1) / page * page);
  if (!memory) throw std::bad_alloc();
  return memory;
}
