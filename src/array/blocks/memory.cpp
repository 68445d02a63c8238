// Moving elements: strided copies, stores past the caches, repeated elements, ramps.
#include <cstring>

#include "array/blocks/types.hpp"
#include "device/elements/casts.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class T> void copy_elements(std::size_t rows, std::size_t columns, strided to, strided from) {
  for (std::size_t r = 0; r < rows; ++r) {
    char *const target = static_cast<char *>(to.data) + std::int64_t(r) * to.row_stride;
    const char *const source = static_cast<const char *>(from.data) + std::int64_t(r) * from.row_stride;
    for (std::size_t c = 0; c < columns; ++c)
      std::memcpy(target + std::int64_t(c) * to.column_stride, source + std::int64_t(c) * from.column_stride,
                  sizeof(T));
  }
}

void stream_bytes(void *to, const void *from, std::size_t bytes) noexcept { std::memcpy(to, from, bytes); }

template <class T> void fill_with(void *to, const void *element, std::size_t count) noexcept {
  T value;
  std::memcpy(&value, element, sizeof(T));
  T *const target = static_cast<T *>(to);
  for (std::size_t i = 0; i < count; ++i) target[i] = value;
}
void fill_elements(void *to, const void *element, std::size_t element_bytes, std::size_t count) noexcept {
  switch (element_bytes) {
  case 1:
    return fill_with<raw<1>>(to, element, count);
  case 2:
    return fill_with<raw<2>>(to, element, count);
  case 4:
    return fill_with<raw<4>>(to, element, count);
  case 8:
    return fill_with<raw<8>>(to, element, count);
  default:
    return fill_with<raw<16>>(to, element, count);
  }
}

template <class T>
void ramp_of(void *to, const numbers &start, const numbers &step, std::uint64_t first, std::size_t count) noexcept {
  T *const target = static_cast<T *>(to);
  if constexpr (elements::integral<T>) {
    const std::uint64_t from = start.integer + first * step.integer, by = step.integer;
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < count; ++i) target[i] = elements::cast<T>(from + i * by);
  } else {
    // positions are exact in double precision up to 2^53
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < count; ++i) {
      const double position = double(std::int64_t(first + i));
      if constexpr (elements::is_complex<T>)
        target[i] = {elements::cast<elements::real_of<T>>(start.real + position * step.real),
                     elements::cast<elements::real_of<T>>(start.imaginary + position * step.imaginary)};
      else
        target[i] = elements::cast<T>(start.real + position * step.real);
    }
  }
}

constexpr memory_kernels make() {
  memory_kernels all{{copy_elements<raw<1>>, copy_elements<raw<2>>, copy_elements<raw<4>>, copy_elements<raw<8>>,
                      copy_elements<raw<16>>},
                     stream_bytes,
                     fill_elements,
                     {}};
  each_type([&]<dtype t> { all.iota[std::size_t(t)] = ramp_of<element<t>>; });
  return all;
}
constexpr memory_kernels table = make();

}  // namespace

const memory_kernels memory = table;

}  // namespace dpep::array::blocks::DPEP_ISA
