// Reductions of segments, and accumulations, by associative functions.
#include "array/blocks/folds.hpp"

#include <iterator>

#include "array/blocks/binary_functions.hpp"
#include "array/blocks/extreme_values.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

/// Long segments are reduced in this many independent chains, short ones in order.
template <class T> constexpr std::int64_t separate = 16 * lanes<T>;

template <class Op> constexpr bool is_arithmetic = Op::code == opcode::add || Op::code == opcode::multiply;

template <class Op, class T> T folded(const T *x, std::int64_t count) {
  constexpr std::int64_t few = 16;
  if constexpr (elements::any_float<T> && (Op::code == opcode::maximum || Op::code == opcode::minimum)) {
    if (count > few) return extreme_of_block<T, Op::code == opcode::maximum>(std::size_t(count), x, origin::memory);
  }
  if constexpr (is_arithmetic<Op> && elements::real_float<T>) {  // few in order, which rounds more than pairs do
    constexpr bool is_sum = Op::code == opcode::add;
    if (count > few)
      return combine_block<std::conditional_t<is_sum, plus, times>>(std::size_t(count), x, origin::memory,
                                                                    T(is_sum ? 0 : 1))
          .values[0];
  }
  if (count < 2 * separate<T>) {
    T value = x[0];
    for (std::int64_t i = 1; i < count; ++i) value = Op::of(value, x[i]);
    return value;
  }
  T partial[separate<T>];
  __builtin_memcpy(partial, x, sizeof partial);
  std::int64_t i = separate<T>;
  for (; i + separate<T> <= count; i += separate<T>) {
#pragma clang loop vectorize(assume_safety) unroll(disable)
    for (std::int64_t k = 0; k < separate<T>; ++k) partial[k] = Op::of(partial[k], x[i + k]);
  }
  for (std::int64_t k = 0; i < count; ++i, ++k) partial[k] = Op::of(partial[k], x[i]);
  for (std::int64_t step = separate<T> / 2; step > 0; step /= 2) {
    DPEP_VECTOR_LOOP
    for (std::int64_t k = 0; k < step; ++k) partial[k] = Op::of(partial[k], partial[k + step]);
  }
  return partial[0];
}

template <class Op, class T>
void segments(std::size_t count, const segment *given, const void *elements, void *results) noexcept {
  const T *const x = static_cast<const T *>(elements);
  T *const to = static_cast<T *>(results);
  for (std::size_t i = 0; i < count; ++i) to[i] = folded<Op>(x + given[i].first, given[i].count);
}

template <class Op, class T> void accumulate(std::size_t count, const void *input, void *results, void *state) {
  const T *const x = static_cast<const T *>(input);
  T *const to = static_cast<T *>(results);
  T value = *static_cast<T *>(state);
  for (std::size_t i = 0; i < count; ++i) to[i] = value = Op::of(value, x[i]);
  *static_cast<T *>(state) = value;
}

/// Whether the operation has a signature of this dtype only.
template <class Op, class T> constexpr bool has() {
  constexpr bool integers = elements::integer<T>, bools = std::is_same_v<T, bool>;
  switch (Op::code) {
  case opcode::add:  // others have reducers
  case opcode::multiply:
    return integers || elements::real_float<T>;
  case opcode::bitwise_and:
  case opcode::bitwise_or:
  case opcode::bitwise_xor:
    return integers || bools;
  case opcode::logical_and:
  case opcode::logical_or:
  case opcode::logical_xor:
    return bools;
  case opcode::gcd:
  case opcode::lcm:
    return integers;
  case opcode::logaddexp2:
    return elements::any_float<T>;
  default:
    return true;
  }
}

template <class Op> constexpr fold_kernels kernels_of() {
  fold_kernels all{Op::code, {}};
  each_type([&]<dtype t> {
    using T = element<t>;
    if constexpr (has<Op, T>()) all.of[std::size_t(t)] = {segments<Op, T>, accumulate<Op, T>};
  });
  return all;
}

constexpr fold_kernels table[] = {
    kernels_of<add>(),         kernels_of<multiply>(),    kernels_of<maximum>(),     kernels_of<minimum>(),
    kernels_of<fmax>(),        kernels_of<fmin>(),        kernels_of<bitwise_and>(), kernels_of<bitwise_or>(),
    kernels_of<bitwise_xor>(), kernels_of<logical_and>(), kernels_of<logical_or>(),  kernels_of<logical_xor>(),
    kernels_of<gcd>(),         kernels_of<lcm>(),         kernels_of<logaddexp2>(),
};

}  // namespace

const fold_list folds = {table, std::size(table)};

}  // namespace dpep::array::blocks::DPEP_ISA
