// Fourier transforms on GPUs.
#include "array/gpu/fourier.hpp"

#include <algorithm>

#include <dpep/array_functions.hpp>

#include "array/gpu/fourier_library.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array::gpu {
namespace {

using std::int64_t;

/// Kernels transform many lines in parts along the first axis, so that they need less scratch memory.
constexpr int64_t largest_part = int64_t(1) << 28;  // bytes of the result

ndarray part_of(const ndarray &x, int64_t first, int64_t count) {
  const index along_first[] = {{index::kind::slice, first, count}};
  return view(x, along_first);
}

}  // namespace

event transform(const fourier_work &w) {
  evaluate_readers(implementation_of(w.y, "fft"));
  if (std::optional<event> done = transform_by_library(w)) return std::move(*done);
  const int64_t lines = w.axis > 0 ? w.y.shape()[0] : 1;
  const int64_t bytes = std::max(w.x.size(), w.y.size()) * int64_t(size_of(w.type));
  const int64_t each = std::max<int64_t>(lines * largest_part / std::max(bytes, largest_part), 1);
  event last;
  for (int64_t first = 0; first < lines; first += each) {
    fourier_work part = w;
    if (each < lines) {
      const int64_t count = std::min(each, lines - first);
      part.x = part_of(w.x, first, count);
      part.y = part_of(w.y, first, count);
    }
    last = transform_by_kernels(part);
  }
  return last;
}

}  // namespace dpep::array::gpu
