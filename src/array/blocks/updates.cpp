// Updates of elements at offsets, in order, by functions of two operands.
#include "array/blocks/updates.hpp"

#include <iterator>

#include "array/blocks/binary_functions.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class Op, class T>
void update(std::size_t count, const std::int64_t *offsets, const void *values, std::size_t step, void *x) noexcept {
  const T *const y = static_cast<const T *>(values);
  T *const to = static_cast<T *>(x);
  if (step) {
    for (std::size_t i = 0; i < count; ++i) to[offsets[i]] = Op::of(to[offsets[i]], y[i]);
  } else {
    const T one = *y;
    for (std::size_t i = 0; i < count; ++i) to[offsets[i]] = Op::of(to[offsets[i]], one);
  }
}

/// Whether the operation has a signature of this dtype only.
template <class Op, class T> constexpr bool has() {
  constexpr bool integers = elements::integer<T>, bools = std::is_same_v<T, bool>;
  switch (Op::code) {
  case opcode::add:
  case opcode::subtract:
  case opcode::multiply:
    return !bools;
  case opcode::divide:
    return !bools && !integers;
  case opcode::bitwise_and:
  case opcode::bitwise_or:
  case opcode::bitwise_xor:
    return integers || bools;
  case opcode::logical_and:
  case opcode::logical_or:
  case opcode::logical_xor:
    return bools;
  default:
    return true;
  }
}

template <class Op> constexpr update_kernels kernels_of() {
  update_kernels all{Op::code, {}};
  each_type([&]<dtype t> {
    using T = element<t>;
    if constexpr (has<Op, T>()) all.of[std::size_t(t)] = update<Op, T>;
  });
  return all;
}

constexpr update_kernels table[] = {
    kernels_of<add>(),         kernels_of<subtract>(),    kernels_of<multiply>(),    kernels_of<divide>(),
    kernels_of<maximum>(),     kernels_of<minimum>(),     kernels_of<fmax>(),        kernels_of<fmin>(),
    kernels_of<bitwise_and>(), kernels_of<bitwise_or>(),  kernels_of<bitwise_xor>(), kernels_of<logical_and>(),
    kernels_of<logical_or>(),  kernels_of<logical_xor>(),
};

index_limits limits(std::size_t count, const std::int64_t *indices) noexcept {
  std::int64_t least = indices[0], greatest = indices[0];
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) {
    least = indices[i] < least ? indices[i] : least;
    greatest = indices[i] > greatest ? indices[i] : greatest;
  }
  return {least, greatest};
}

void make_offsets(std::size_t count, const std::int64_t *indices, std::int64_t length, std::int64_t stride,
                  std::int64_t *offsets) noexcept {
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) offsets[i] = (indices[i] < 0 ? indices[i] + length : indices[i]) * stride;
}

}  // namespace

const update_list updates = {table, std::size(table), limits, make_offsets};

}  // namespace dpep::array::blocks::DPEP_ISA
