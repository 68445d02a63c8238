// Sorts of numbers in memory: arrays over the memory, and the executor's sort.
#include <dpep/memory_sorting.hpp>

#include <dpep/array_functions.hpp>
#include <dpep/memory.hpp>

#include "array/executor.hpp"
#include "array/graph/array_object.hpp"

namespace dpep::memory_sorting {
namespace {

ndarray array_over(const queue &where, dtype type, void *memory, std::size_t count) {
  const std::shared_ptr<void> owner(memory, [](void *) {});  // the caller keeps the memory
  const std::optional<allocation> found = find_allocation(memory);
  const std::int64_t shape[] = {static_cast<std::int64_t>(count)};
  return array::view_of_memory(memory, count * size_of(type), 0, shape, {}, type,
                               {where, found ? found->kind : usm_kind::device}, owner);
}

/// Sorts the numbers in place, or writes their positions.
event sort_into(const queue &where, dtype type, void *numbers, std::int64_t *positions, std::size_t count,
                bool descending, dependencies after) {
  event::wait(after);
  if (!count) return {};
  const ndarray values = array_over(where, type, numbers, count);
  const ndarray order = positions ? array_over(where, dtype::int64, positions, count) : values;
  array::array_object &from = array::implementation_of(values, "sort"), &to = array::implementation_of(order, "sort");
  array::executor_of(where).sort(from, positions ? nullptr : &to, positions ? &to : nullptr, descending);
  order.wait();
  return {};
}

}  // namespace

event sort(const queue &where, dtype type, void *numbers, std::size_t count, bool descending, dependencies after) {
  return sort_into(where, type, numbers, nullptr, count, descending, after);
}
event sort_positions(const queue &where, dtype type, const void *numbers, std::int64_t *positions, std::size_t count,
                     bool descending, dependencies after) {
  return sort_into(where, type, const_cast<void *>(numbers), positions, count, descending, after);
}

}  // namespace dpep::memory_sorting
