// A thread's block grows to the largest that it was asked for, and is let go with the thread.
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
  static thread_local block mine;
  if (mine.bytes < bytes) [[unlikely]] {
    std::free(mine.memory);
    // in steps of 4 KiB, so that kernels of similar needs share a block
    mine.bytes = (bytes + 4095) & ~std::size_t{4095};
    mine.memory = static_cast<std::byte *>(std::aligned_alloc(4096, mine.bytes));
    if (!mine.memory) mine.bytes = 0;
  }
  return mine.memory;
}

}  // namespace dpep::backend::cpu
