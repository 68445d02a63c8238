// The table of filters that each instruction set provides. Not in kernels.hpp, since only filters use it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dpep/dtype.hpp>

namespace dpep::array::blocks {

/// What a filter computes from elements x at `distances`, y at `opposites`, and weights w.
enum class filter_form : std::uint8_t {
  sum,                 // sum of x * w
  sum_of_pairs,        // x * w of the first tap, plus the sum of (x + y) * w
  sum_of_differences,  // x * w of the first tap, plus the sum of (x - y) * w
  least,
  greatest,
  least_weighted,  // least x + w
  greatest_weighted,
  rank,
};
inline constexpr std::size_t filter_forms = 8;

/// A step of a sorting network: the smaller one of two elements moves to `low`.
struct exchange {
  std::int32_t low, high;
};
struct filter_plan {
  const std::int64_t *distances, *opposites;
  const void *weights;
  std::int64_t taps, rank;
  const exchange *exchanges;  // rank: steps that move the element of that rank to its place
  std::int64_t exchange_count;
};

/// Bytes of scratch memory that filters by rank need for each tap.
inline constexpr std::size_t filter_scratch = 128;
/// to[i] = the filter's value of the elements from + i + distances[k].
using filter_function = void (*)(std::size_t count, const void *from, void *to, const filter_plan &,
                                 void *scratch) noexcept;
/// Missing for float16 and complex numbers. Sums and weights are of float32 and float64 only.
struct filter_kernels {
  filter_function functions[filter_forms][dtype_count];
};

namespace v2 {
extern const filter_kernels filters;
}
namespace v3 {
extern const filter_kernels filters;
}
namespace v4 {
extern const filter_kernels filters;
}

}  // namespace dpep::array::blocks
