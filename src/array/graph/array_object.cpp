// Array objects, and the properties of arrays.
#include "array/graph/array_object.hpp"

#include "array/base/errors.hpp"

namespace dpep::array {

array_object::array_object(const dpep::queue &q, dtype type, dpep::array::layout l, usm_kind kind, ref<node> n)
    : queue(q), type(type), layout(std::move(l)), kind(kind), pending_(true), producer_(std::move(n)), writable(true) {}

array_object::array_object(array_object &of, dtype type, dpep::array::layout l)
    : queue(of.queue),
      type(type),
      layout(std::move(l)),
      kind(of.kind),
      pending_(true),
      base_(ref<array_object>::share(&of)),
      writable(of.writable.load(std::memory_order_relaxed)) {}

array_object::~array_object() {
  if (pending()) evaluator::of(queue).forget(*this);
}

array_object &implementation_of(const ndarray &a, const char *operation) {
  if (!a) refuse(refusal::type, "{}: expected an array, got an empty handle", operation);
  return *static_cast<array_object *>(a.get());
}

ndarray make_array(const queue &q, dtype type, layout l, ref<storage> memory, bool writable) {
  return ndarray(ref<object>(make_object<array_object>(q, type, std::move(l), std::move(memory), writable)));
}

}  // namespace dpep::array

namespace dpep {
namespace {

array::array_object &object_of(const ndarray &a) noexcept { return *static_cast<array::array_object *>(a.get()); }

}  // namespace

dtype ndarray::type() const noexcept { return object_of(*this).type; }
std::span<const std::int64_t> ndarray::shape() const noexcept { return object_of(*this).layout.shape; }
std::span<const std::int64_t> ndarray::strides() const noexcept { return object_of(*this).layout.strides; }
std::int64_t ndarray::size() const noexcept { return object_of(*this).layout.size; }
usm_kind ndarray::memory_kind() const noexcept { return object_of(*this).kind; }
const queue &ndarray::get_queue() const noexcept { return object_of(*this).queue; }
bool ndarray::writable() const noexcept { return object_of(*this).writable.load(std::memory_order_relaxed); }
void ndarray::set_writable(bool yes) const { array::implementation_of(*this, "set_writable").writable.store(yes); }
bool ndarray::row_major() const noexcept { return object_of(*this).layout.row_major; }
bool ndarray::column_major() const noexcept { return object_of(*this).layout.column_major; }

}  // namespace dpep
