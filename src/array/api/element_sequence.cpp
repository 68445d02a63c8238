// The elements of an array one after the other, each as an array of its own.
#include <algorithm>
#include <cstring>

#include <dpep/array_functions.hpp>
#include <dpep/array_indexing.hpp>

#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

constexpr std::int64_t elements_in_block = 256;  // copied at once; one element keeps so many in memory

bool is_readable(array_object &a) { return !a.pending() && is_host_accessible(a.queue) && idle(a.queue); }

}  // namespace

ndarray element_sequence::operator[](std::int64_t i) {
  const index at{index::kind::integer, i};
  auto &source = implementation_of(x_, "iteration");
  if (!is_readable(source)) {
    block_ = {};
    source.compute();  // once, not for each element
    return copy(view(x_, {&at, 1}));
  }
  if (!block_ || i < first_ || i >= first_ + block_.size()) {
    first_ = i;
    const index part{index::kind::slice, i, std::min(elements_in_block, x_.size() - i), 1};
    block_ = copy(view(x_, {&part, 1}));
  }
  auto &block = implementation_of(block_, "iteration");
  const auto bytes = std::int64_t(size_of(source.type));
  // Statements between the elements may have written to the array, or to an element that was returned.
  if (!is_readable(block) || std::memcmp(source.first() + i * source.layout.strides[0] * bytes,
                                         block.first() + (i - first_) * bytes, std::size_t(bytes)) != 0)
    return copy(view(x_, {&at, 1}));
  const index inside{index::kind::integer, i - first_};
  return view(block_, {&inside, 1});
}

}  // namespace dpep::array
