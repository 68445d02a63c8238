// Fills memory: non-temporal copies, repeated elements, ramps.
#include <cstring>
#include <immintrin.h>

#include "array/blocks/types.hpp"
#include "device/elements/casts.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

/// Writes whole cache lines without reading them first. The fence is necessary because non-temporal stores are weakly
/// ordered: they could become visible after the store that signals completion.
void copy_nontemporal_bytes(void *to, const void *from, std::size_t bytes) noexcept {
  constexpr std::size_t line = 64;
  char *target = static_cast<char *>(to);
  const char *source = static_cast<const char *>(from);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(target) % line;
  if (bytes < before + line) {
    std::memcpy(target, source, bytes);
    return;
  }
  std::memcpy(target, source, before);
  target += before, source += before, bytes -= before;
  for (; bytes >= line; target += line, source += line, bytes -= line) {
    using vector = vector_of<double>;
    vector parts[line / sizeof(vector)];
    __builtin_memcpy(parts, source, line);
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < line / sizeof(vector); ++i)
      __builtin_nontemporal_store(parts[i], reinterpret_cast<vector *>(target) + i);
  }
  std::memcpy(target, source, bytes);
  _mm_sfence();
}

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
  if constexpr (elements::boolean<T>) {
    const std::uint64_t from = start.integer + first * step.integer;
    for (std::size_t i = 0; i < count; ++i) target[i] = from + i * step.integer != 0;
  } else if constexpr (elements::integer<T>) {
    using U = elements::wrapping<T>;
    const U from = U(start.integer + first * step.integer), by = U(step.integer);
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < count; ++i) target[i] = T(from + U(i) * by);
  } else {
    // positions are exact in double precision up to 2^53; only 32-bit integers are converted to doubles with vectors on
    // all instruction sets
    const double from = double(std::int64_t(first));
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < count; ++i) {
      const double position = from + double(std::int32_t(i));
      if constexpr (elements::is_complex<T>)
        target[i] = {elements::cast<elements::real_of<T>>(start.real + position * step.real),
                     elements::cast<elements::real_of<T>>(start.imaginary + position * step.imaginary)};
      else
        target[i] = elements::cast<T>(start.real + position * step.real);
    }
  }
}

constexpr memory_kernels make() {
  memory_kernels all{copy_nontemporal_bytes, fill_elements, {}};
  each_type([&]<dtype t> { all.iota[std::size_t(t)] = ramp_of<element<t>>; });
  return all;
}
constexpr memory_kernels table = make();

}  // namespace

const memory_kernels memory = table;

}  // namespace dpep::array::blocks::DPEP_ISA
