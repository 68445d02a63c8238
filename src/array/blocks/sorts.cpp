// Sorting: elements as unsigned keys in the same order, and Highway's vectorised quicksort of the keys.
//
// The namespace of Highway is renamed for each instruction set: its inline functions would otherwise be merged by the
// linker. Nothing of its library is linked; the two functions that its header declares are defined here.
#include "array/blocks/keys.hpp"

#define HWY_COMPILE_ONLY_STATIC
#define HWY_DISABLE_PCLMUL_AES  // x86-64-v2 to -v4 do not include these instructions
#define DPEP_JOINED(first, second) first##second
#define DPEP_NAMESPACE(isa) DPEP_JOINED(highway_, isa)
#define hwy DPEP_NAMESPACE(DPEP_ISA)

#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/traits128-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>

namespace hwy {
void Abort(const char *, int, const char *, ...) { __builtin_trap(); }  // failed assertions
/// The seed of the random choice of pivots: a constant, so that run times are reproducible.
void Sorter::Fill24Bytes(const void *, std::size_t, void *bytes) {
  constexpr std::uint64_t seed[] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb};
  __builtin_memcpy(bytes, seed, sizeof seed);
}
}  // namespace hwy

namespace dpep::array::blocks::DPEP_ISA {
namespace {

namespace vectors = hwy::HWY_NAMESPACE;

template <class T> void sort(std::size_t count, void *keys) {
  using order = vectors::detail::OrderAscending<T>;
  vectors::Sort(vectors::SortTag<T>(), vectors::detail::SharedTraits<vectors::detail::TraitsLane<order>>(),
                static_cast<T *>(keys), count, static_cast<T *>(nullptr));
}
void sort_pairs(std::size_t count, void *keys) {
  using order = vectors::detail::OrderAscending128;
  vectors::Sort(vectors::SortTag<std::uint64_t>(), vectors::detail::SharedTraits<vectors::detail::Traits128<order>>(),
                static_cast<std::uint64_t *>(keys), 2 * count, static_cast<std::uint64_t *>(nullptr));
}

/// The element of a key; NaN for the largest key of floating-point types.
template <class T> [[gnu::always_inline]] inline T element_of(bits_of<T> key) {
  using U = bits_of<T>;
  constexpr U sign = U(U(1) << (8 * sizeof(T) - 1));
  if constexpr (elements::integer<T>)
    return T(U(key ^ (std::is_signed_v<T> ? sign : U(0))));
  else
    return __builtin_bit_cast(T, key & sign ? U(key & U(~sign)) : U(~key));
}

template <class T> void encode(std::size_t count, const void *from, void *keys, bool descending) {
  using U = bits_of<T>;
  const T *const x = static_cast<const T *>(from);
  U *const to = static_cast<U *>(keys);
  const U flips = descending ? U(~U(0)) : U(0);
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) to[i] = U(key_of<T, false>(x[i]) ^ flips);
}
template <class T> void decode(std::size_t count, const void *keys, void *results, bool descending) {
  using U = bits_of<T>;
  const U *const from = static_cast<const U *>(keys);
  T *const to = static_cast<T *>(results);
  const U flips = descending ? U(~U(0)) : U(0);
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) to[i] = element_of<T>(U(from[i] ^ flips));
}

template <class T> [[gnu::always_inline]] inline std::uint64_t wide_key(T x, std::uint64_t flips) {
  if constexpr (!elements::is_complex<T>) {
    constexpr std::uint64_t used = ~std::uint64_t{0} >> (64 - 8 * sizeof(T));
    return key_of<T, true>(x) ^ (flips & used);
  } else {
    if constexpr (sizeof(T) == 8)
      return whole_key_of(x) ^ flips;
    else
      return key_of_complex(x).first ^ flips;
  }
}

/// Keys with the positions first, first + 1, … in their lower half, which are of 64 bits or pairs of 64-bit words.
template <class T, bool paired>
void tag(std::size_t count, const void *from, void *keys, std::uint64_t first, bool descending) {
  const T *const x = static_cast<const T *>(from);
  auto *const to = static_cast<std::uint64_t *>(keys);
  const std::uint64_t flips = descending ? ~std::uint64_t{0} : 0;
  if constexpr (paired) {
    for (std::size_t i = 0; i < count; ++i) {
      to[2 * i] = first + i;
      to[2 * i + 1] = wide_key(x[i], flips);
    }
  } else {
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < count; ++i) to[i] = wide_key(x[i], flips) << 32 | (first + i);
  }
}
/// Sorts the positions of numbers with equal first parts by their second ones.
void sort_ties(std::size_t count, const void *numbers, void *keys, bool descending) {
  const auto *const z = static_cast<const elements::complex<double> *>(numbers);
  auto *const pairs = static_cast<std::uint64_t *>(keys);
  const std::uint64_t flips = descending ? ~std::uint64_t{0} : 0;
  for (std::size_t begin = 0, end; begin < count; begin = end) {
    end = begin + 1;
    while (end < count && pairs[2 * end + 1] == pairs[2 * begin + 1]) ++end;
    if (end - begin < 2) continue;
    for (std::size_t i = begin; i < end; ++i) pairs[2 * i + 1] = key_of_complex(z[pairs[2 * i]]).second ^ flips;
    sort_pairs(end - begin, pairs + 2 * begin);
  }
}
void positions(std::size_t count, const void *keys, std::int64_t *results) {
  const auto *const from = static_cast<const std::uint64_t *>(keys);
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) results[i] = std::int64_t(from[i] & 0xffffffff);
}
void positions_of_pairs(std::size_t count, const void *keys, std::int64_t *results) {
  const auto *const from = static_cast<const std::uint64_t *>(keys);
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) results[i] = std::int64_t(from[2 * i]);
}

constexpr sort_kernels make() {
  sort_kernels all{};
  all.sort[1] = sort<std::uint16_t>;
  all.sort[2] = sort<std::uint32_t>;
  all.sort[3] = sort<std::uint64_t>;
  all.sort[4] = sort_pairs;
  all.sort_ties = sort_ties;
  all.positions[0] = positions;
  all.positions[1] = positions_of_pairs;
  each_type([&]<dtype t> {
    using T = element<t>;
    if constexpr (!elements::is_complex<T> && sizeof(T) > 1) {
      all.encode[std::size_t(t)] = encode<T>;
      all.decode[std::size_t(t)] = decode<T>;
    }
    if constexpr (sizeof(T) <= 4) all.tag[0][std::size_t(t)] = tag<T, false>;
    all.tag[1][std::size_t(t)] = tag<T, true>;
  });
  return all;
}
constexpr sort_kernels table = make();

}  // namespace

const sort_kernels sorts = table;

}  // namespace dpep::array::blocks::DPEP_ISA
