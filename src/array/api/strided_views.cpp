// Views of an array's memory beyond its own elements and axes.
#include <dpep/array_views.hpp>

#include "array/base/errors.hpp"
#include "array/base/layout.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

/// A distance of elements of one size in elements of another.
std::int64_t converted(std::int64_t elements, std::size_t from, std::size_t to, const char *what) {
  const std::int64_t bytes = elements * static_cast<std::int64_t>(from), size = static_cast<std::int64_t>(to);
  if (bytes % size)
    refuse(refusal::value, "view: {} of {} bytes is no multiple of the new elements' size {}", what, bytes, size);
  return bytes / size;
}

}  // namespace

ndarray strided_view(const ndarray &x, extents shape, extents strides) {
  array_object &a = implementation_of(x, "as_strided");
  if (shape.size() != strides.size())
    refuse(refusal::value, "as_strided: {} strides for a shape of {} axes", strides.size(), shape.size());
  static_cast<void>(layout::contiguous(shape));  // throws for an invalid shape
  layout l(extents_list(shape), extents_list(strides), a.layout.offset);
  const storage &memory = *a.memory();
  if (l.size) {
    const auto [first, last] = l.bounds();
    const auto count = static_cast<std::int64_t>(memory.bytes / size_of(a.type));
    if (first < 0 || last >= count)
      refuse(refusal::value, "as_strided: shape {} with strides {} has elements {} to {} of a memory of {} elements",
             text_of(shape), text_of(strides), first, last, count);
  }
  return make_view(a, std::move(l));
}

ndarray view_as(const ndarray &x, dtype type) {
  array_object &a = implementation_of(x, "view");
  check_supported(type, a.queue.get_device(), "view");
  if (type == a.type) return make_view(a, a.layout);
  static_cast<void>(a.memory());  // a pending array has no such view
  const std::size_t from = size_of(a.type), to = size_of(type);
  if (from == to) return make_view(a, type, a.layout);
  const std::size_t n = a.layout.shape.size();
  if (n == 0) refuse(refusal::value, "view: an array without axes keeps its size of elements, {} bytes", from);
  if (a.layout.strides[n - 1] != 1 && a.layout.shape[n - 1] != 1)
    refuse(refusal::value, "view: the last axis must be contiguous for a dtype of another size, got stride {}",
           a.layout.strides[n - 1]);
  extents_list shape(a.layout.shape), strides(n, 1);
  shape[n - 1] = converted(shape[n - 1], from, to, "the last axis");
  for (std::size_t i = 0; i + 1 < n; ++i) strides[i] = converted(a.layout.strides[i], from, to, "a stride");
  const std::int64_t offset = converted(a.layout.offset, from, to, "the first element's position");
  return make_view(a, type, layout(std::move(shape), std::move(strides), offset));
}

std::optional<ndarray> base_of_view(const ndarray &x) {
  array_object &a = implementation_of(x, "base");
  const auto count = static_cast<std::int64_t>(a.memory()->bytes / size_of(a.type));
  if (a.layout.size == 0 || (a.layout.size == count && (a.layout.row_major || a.layout.column_major))) return {};
  return make_view(a, layout(extents_list{count}, extents_list{1}, 0));
}

}  // namespace dpep::array
