// What queues keep of their memory, by size.
#include "runtime/ordered_memory.hpp"

#include <exception>

#include "runtime/context.hpp"
#include "runtime/guard_zones.hpp"

namespace dpep::runtime {
namespace {

// Of the device's memory; more is not kept from others.
constexpr std::uint64_t largest_part = 8;

}  // namespace

ordered_memory::ordered_memory(const dpep::context &where, const device &on)
    : keeps_context_(where), context_(implementation_of(where)), pool_(context_.pool(usm_kind::device, on)) {
  context_.add_ordered(*this);
}

ordered_memory::~ordered_memory() {
  context_.remove_ordered(*this);
  for (const auto &[size, blocks] : kept_) recycle(blocks);
}

void *ordered_memory::take(std::size_t bytes) {
  const std::size_t size = memory_pool::size_of(bytes);
  pool_slot found;
  {
    const std::lock_guard lock(mutex_);
    // as in the pool: what is larger by a quarter would be wasted
    auto here = kept_.lower_bound(size);
    while (here != kept_.end() && here->second.empty()) ++here;
    if (here == kept_.end() ||
        (here->first != size && (size <= memory_pool::largest_class || here->first > size + size / 4)))
      return nullptr;
    found = here->second.back();
    here->second.pop_back();
    bytes_ -= here->first;
    // classes are few and come again; sizes of large blocks are not
    if (here->second.empty() && here->first > memory_pool::largest_class) kept_.erase(here);
  }
  context_.retain();  // as dpep::allocate
  return pool_.reuse(found, bytes);
}

bool ordered_memory::give(void *pointer) noexcept try {
  if (memory_is_guarded()) return false;  // earlier work could still write where the next allocation's zone is
  const auto found = find_slot(pointer);
  if (!found || found->where->pool.load(std::memory_order_acquire) != &pool_) return false;
  {
    const std::lock_guard lock(mutex_);
    const std::size_t size = found->where->slot_bytes;
    if (bytes_ + size > pool_.target.info().global_mem_size / largest_part) return false;
    kept_[size].push_back(*found);
    bytes_ += size;
    pool_.retire(*found);
  }
  context_.release();
  return true;
} catch (const std::exception &) {
  return false;
}

void ordered_memory::collect(std::vector<pool_slot> &all) {
  const std::lock_guard lock(mutex_);
  std::size_t count = all.size();
  for (const auto &[size, blocks] : kept_) count += blocks.size();
  all.reserve(count);  // all or nothing, where there is no memory
  for (const auto &[size, blocks] : kept_) all.insert(all.end(), blocks.begin(), blocks.end());
  kept_.clear();
  bytes_ = 0;
}

void recycle(const std::vector<pool_slot> &slots) noexcept {
  for (const pool_slot &s : slots) s.where->pool.load(std::memory_order_acquire)->recycle(s);
}

}  // namespace dpep::runtime
