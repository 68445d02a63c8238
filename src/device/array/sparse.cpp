// Products of sparse matrices in compressed rows with dense ones.
//
// Adjacent work-items, `lanes` of them, sum the products of a row with a column of the dense matrix, in an order that
// depends on sizes only. Groups of lanes follow each other along the rows of the result, so that those of one lane read
// and write adjacent elements of dense rows.
#include <dpep/device_builtins.hpp>

#include "device/array/types.hpp"
#include "device/elements/ring.hpp"

// As variables of one function, arguments become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

using elements::ring;

/// Without x, the sums of rows. `local` has an element for each work-item; `lanes` is a power of two that divides the
/// size of the work-group.
template <class T, class I>
void multiply_rows(const I *starts, const I *indices, const T *values, const T *x, T *y, std::int64_t rows,
                   std::int64_t width, std::uint32_t lanes, bool sums, typename ring<T>::wide *local) {
  using number = ring<T>;
  const auto item = std::uint32_t(__dpep_local_id(0)), group = std::uint32_t(__dpep_local_size(0));
  const std::uint32_t lane = item % lanes;
  const std::int64_t element = std::int64_t(__dpep_group_id(0)) * (group / lanes) + item / lanes;
  const bool exists = element < rows * width;
  const std::int64_t row = exists ? element / width : 0, column = exists ? element % width : 0;
  const std::int64_t first = exists ? starts[row] : 0, last = exists ? starts[row + 1] : 0;
  auto sum = number::zero();
  if (sums) {
#pragma nounroll
    for (std::int64_t k = first + lane; k < last; k += lanes) sum = number::sum(sum, number::load(values[k]));
  } else {
#pragma nounroll
    for (std::int64_t k = first + lane; k < last; k += lanes)
      number::add_product(sum, number::load(values[k]), number::load(x[std::int64_t(indices[k]) * width + column]));
  }
  if (lanes > 1) {
    local[item] = sum;
#pragma nounroll
    for (std::uint32_t distance = lanes / 2; distance > 0; distance /= 2) {
      __dpep_group_barrier();
      if (lane < distance) local[item] = number::sum(local[item], local[item + distance]);
    }
    sum = local[item];
  }
  if (exists && lane == 0) y[element] = number::result(sum);
}

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

#define DPEP_SPARSE_PRODUCT(name, type, index_name, index)                                                             \
  DPEP_EXPORT void dpep_sparse_multiply_##name##_##index_name(                                                         \
      const void *starts, const void *indices, const void *values, const void *x, void *y, std::int64_t rows,          \
      std::int64_t width, std::int64_t lanes, bool sums, void *local) {                                                \
    using namespace dpep::array::gpu;                                                                                  \
    multiply_rows<type, index>(static_cast<const index *>(starts), static_cast<const index *>(indices),                \
                               static_cast<const type *>(values), static_cast<const type *>(x),                        \
                               static_cast<type *>(y), rows, width, std::uint32_t(lanes), sums,                        \
                               static_cast<dpep::elements::ring<type>::wide *>(local));                                \
  }
#define DPEP_SPARSE_PRODUCTS(name, type)                                                                               \
  DPEP_SPARSE_PRODUCT(name, type, int32, std::int32_t) DPEP_SPARSE_PRODUCT(name, type, int64, std::int64_t)
DPEP_SPARSE_PRODUCTS(bool, bool)
DPEP_SPARSE_PRODUCTS(int32, std::int32_t)
DPEP_SPARSE_PRODUCTS(int64, std::int64_t)
DPEP_SPARSE_PRODUCTS(float32, float)
DPEP_SPARSE_PRODUCTS(float64, double)
DPEP_SPARSE_PRODUCTS(complex64, dpep::elements::complex<float>)
DPEP_SPARSE_PRODUCTS(complex128, dpep::elements::complex<double>)
