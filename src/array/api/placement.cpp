// The common queue and kind of memory of arrays, and the errors for arrays without a common queue.
#include <dpep/array_functions.hpp>

#include "array/api/resolve.hpp"
#include "array/base/errors.hpp"

namespace dpep::array {
namespace {

std::string description_of(const queue &q) {
  return fmt::format("'{}' ({})", q.get_device().info().name, fmt::ptr(q.get()));
}

}  // namespace

void check_same_queue(const queue &a, const queue &b, const char *operation) {
  if (a == b) [[likely]]
    return;
  refuse(refusal::placement,
         "Execution placement can not be unambiguously inferred from input arguments. {}: the arrays are on different "
         "queues, of {} and {}; copy one of them with to_device",
         operation, description_of(a), description_of(b));
}

void check_out_queue(const queue &out, const queue &operands, const char *operation) {
  if (out == operands) [[likely]]
    return;
  refuse(refusal::placement,
         "Input and output allocation queues are not compatible: {}: `out` is on another queue than the operands",
         operation);
}

usm_kind common_kind(std::span<const ndarray> arrays) noexcept {
  usm_kind kind = arrays[0].memory_kind();
  for (const ndarray &a : arrays.subspan(1)) kind = coerced(kind, a.memory_kind());
  return kind;
}

placement common_placement(std::span<const ndarray> arrays, const char *operation) {
  if (arrays.empty()) refuse(refusal::type, "{}: expected at least one array, got none", operation);
  const queue &first = implementation_of(arrays[0], operation).queue;
  for (const ndarray &a : arrays.subspan(1)) check_same_queue(first, implementation_of(a, operation).queue, operation);
  return {arrays[0].get_queue(), common_kind(arrays)};
}

}  // namespace dpep::array
