// Casts of blocks.
#include "device/elements/casts.hpp"
#include "array/blocks/types.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class From, class To> void cast(std::size_t count, const void *const *inputs, void *result) {
  const From *const from = static_cast<const From *>(inputs[0]);
  To *const to = static_cast<To *>(result);
  each_element<From, To>(count,
                         [=](std::size_t i) __attribute__((always_inline)) { to[i] = elements::cast<To>(from[i]); });
}

/// Casts between integers truncate or keep bits, so they do not depend on signedness, except if a shorter integer is
/// extended or a float is involved.
template <dtype from, dtype to> constexpr element_function kernel() {
  using From = element<from>;
  using To = element<to>;
  using U = typename unsigned_equivalent<From>::type;
  using V = typename unsigned_equivalent<To>::type;
  if constexpr (from == to)
    return cast<raw<sizeof(From)>, raw<sizeof(From)>>;
  else if constexpr (elements::integer<From> && elements::integral<To> && sizeof(To) <= sizeof(From))
    return cast<U, V>;
  else if constexpr (elements::integral<From>)
    return cast<From, V>;
  else
    return cast<From, To>;
}

constexpr cast_kernels make() {
  cast_kernels all{};
  each_type([&]<dtype from> {
    each_type([&]<dtype to> { all.functions[std::size_t(from)][std::size_t(to)] = kernel<from, to>(); });
  });
  return all;
}

}  // namespace

constexpr cast_kernels table = make();
const cast_kernels casts = table;

}  // namespace dpep::array::blocks::DPEP_ISA
