// Gathers: elements of memory at given offsets.
#include <cstring>

#include "array/blocks/gathers.hpp"
#include "array/blocks/types.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

/// One row, whose results are contiguous. Offsets vary along it, the base address does not.
template <class T> void gather_contiguous(std::size_t count, char *to, const char *offsets, const char *from) {
  T *const target = reinterpret_cast<T *>(to);
  const auto *const offset = reinterpret_cast<const std::int64_t *>(offsets);
  const T *const source = reinterpret_cast<const T *>(from);
  for (std::size_t i = 0; i < count; ++i) target[i] = source[offset[i]];
}

/// One row of adjacent elements from one offset on.
template <class T> void copy_row(std::size_t count, char *to, const char *from) {
  if (count * sizeof(T) >= 256) {
    std::memcpy(to, from, count * sizeof(T));
    return;
  }
  T *const target = reinterpret_cast<T *>(to);
  const T *const source = reinterpret_cast<const T *>(from);
  for (std::size_t i = 0; i < count; ++i) target[i] = source[i];
}

template <class T>
void gather(std::size_t rows, std::size_t columns, strided to, strided offsets, strided from) noexcept {
  constexpr std::int64_t size = sizeof(T), index = sizeof(std::int64_t);
  const bool contiguous = to.column_stride == size || columns == 1;
  const bool by_offset = contiguous && from.column_stride == 0 && offsets.column_stride == index;
  const bool by_row = contiguous && from.column_stride == size && offsets.column_stride == 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const auto row = std::int64_t(r);
    char *target = static_cast<char *>(to.data) + row * to.row_stride;
    const char *offset = static_cast<const char *>(offsets.data) + row * offsets.row_stride;
    const char *source = static_cast<const char *>(from.data) + row * from.row_stride;
    if (by_offset) {
      gather_contiguous<T>(columns, target, offset, source);
      continue;
    }
    if (by_row) {
      copy_row<T>(columns, target, source + *reinterpret_cast<const std::int64_t *>(offset) * size);
      continue;
    }
    for (std::size_t c = 0; c < columns; ++c) {
      *reinterpret_cast<T *>(target) =
          *reinterpret_cast<const T *>(source + *reinterpret_cast<const std::int64_t *>(offset) * size);
      target += to.column_stride, offset += offsets.column_stride, source += from.column_stride;
    }
  }
}

}  // namespace

constexpr gather_kernels gather_table = {
    {gather<raw<1>>, gather<raw<2>>, gather<raw<4>>, gather<raw<8>>, gather<raw<16>>}};
const gather_kernels gathers = gather_table;

}  // namespace dpep::array::blocks::DPEP_ISA
