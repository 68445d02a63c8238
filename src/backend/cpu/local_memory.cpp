// The block of a thread grows to the largest size requested, and is freed when the thread ends.
#include "backend/cpu/local_memory.hpp"

#include <cstdlib>

namespace dpep::backend::cpu {
namespace {

struct block {
  std::byte *memory = nullptr;
  std::size_t bytes = 0;
  ~block() { std::free(memory); }
};

}  // namespace

std::byte *local_memory(std::size_t bytes) noexcept {
  static thread_local block own;
  if (own.bytes < bytes) [[unlikely]] {
    std::free(own.memory);
    // in steps of 4 KiB, so that kernels of similar sizes share a block
    own.bytes = (bytes + 4095) & ~std::size_t{4095};
    own.memory = static_cast<std::byte *>(std::aligned_alloc(4096, own.bytes));
    if (!own.memory) own.bytes = 0;
  }
  return own.memory;
}

}  // namespace dpep::backend::cpu
