// Free lists of threads for short-lived objects.
#include "array/graph/object_memory.hpp"

#include <array>
#include <cstdint>
#include <new>
#include <utility>

namespace dpep::array {

namespace {

/// Free lists of a thread by block size, in steps of 64 bytes. The first word of a block points to the next.
struct block_lists {
  static constexpr std::size_t step = 64, sizes = 8, max_blocks = 64;
  std::array<void *, sizes> first{};
  std::array<std::uint32_t, sizes> count{};
};
// The initial-exec model needs no call for an access. Few bytes, because static thread-local storage is limited.
thread_local constinit block_lists lists [[gnu::tls_model("initial-exec")]];
thread_local constinit bool thread_exits [[gnu::tls_model("initial-exec")]] = false;

// Frees a thread's blocks at its exit. Not a destructor of `lists`, which must stay usable while other thread-local
// destructors release arrays.
struct block_releaser {
  ~block_releaser() {
    thread_exits = true;
    for (void *&head : lists.first)
      while (head) ::operator delete(std::exchange(head, *static_cast<void **>(head)));
  }
};
thread_local block_releaser releaser;

constexpr std::size_t index_of(std::size_t bytes) noexcept { return (bytes - 1) / block_lists::step; }

}  // namespace

void *allocate_object(std::size_t bytes) {
  const std::size_t i = index_of(bytes);
  if (i < block_lists::sizes) {
    if (void *block = lists.first[i]) {
      lists.first[i] = *static_cast<void **>(block);
      --lists.count[i];
      return block;
    }
    bytes = (i + 1) * block_lists::step;
  }
  return ::operator new(bytes);
}

void free_object(void *block, std::size_t bytes) noexcept {
  const std::size_t i = index_of(bytes);
  if (i >= block_lists::sizes || lists.count[i] == block_lists::max_blocks || thread_exits)
    return ::operator delete(block);
  if (lists.count[i] == 0) static_cast<void>(&releaser);  // constructed with the thread's first block
  *static_cast<void **>(block) = lists.first[i];
  lists.first[i] = block;
  ++lists.count[i];
}

}  // namespace dpep::array
