// where and clip.
#include "array/blocks/types.hpp"
#include "device/elements/comparison.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class T> void where(std::size_t count, const void *const *inputs, void *result) {
  const bool *const condition = static_cast<const bool *>(inputs[0]);
  const T *const a = static_cast<const T *>(inputs[1]), *const b = static_cast<const T *>(inputs[2]);
  T *const to = static_cast<T *>(result);
  each_element<T, bool>(count, [=](std::size_t i) __attribute__((always_inline)) {
    const T x = a[i], y = b[i];  // both are loaded, so that no load is conditional
    to[i] = condition[i] ? x : y;
  });
}

/// Of 16 bytes: a vector for each element, since loops over structures are not vectorised.
template <> void where<raw<16>>(std::size_t count, const void *const *inputs, void *result) {
  using words = std::uint64_t __attribute__((vector_size(16), aligned(8), may_alias));
  const bool *const condition = static_cast<const bool *>(inputs[0]);
  const words *const a = static_cast<const words *>(inputs[1]), *const b = static_cast<const words *>(inputs[2]);
  words *const to = static_cast<words *>(result);
  for (std::size_t i = 0; i < count; ++i) {
    const words x = a[i], y = b[i], taken = words{} - std::uint64_t(condition[i]);
    to[i] = (x & taken) | (y & ~taken);
  }
}

template <class T> void clip(std::size_t count, const void *const *inputs, void *result) {
  const T *const x = static_cast<const T *>(inputs[0]);
  const T *const low = static_cast<const T *>(inputs[1]), *const high = static_cast<const T *>(inputs[2]);
  T *const to = static_cast<T *>(result);
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) to[i] = elements::clip(x[i], low[i], high[i]);
}

constexpr select_kernels make() {
  select_kernels all{{where<raw<1>>, where<raw<2>>, where<raw<4>>, where<raw<8>>, where<raw<16>>}, {}};
  each_type([&]<dtype t> { all.clip[std::size_t(t)] = clip<element<t>>; });
  return all;
}
constexpr select_kernels table = make();

}  // namespace

const select_kernels selects = table;

}  // namespace dpep::array::blocks::DPEP_ISA
