// Partitions of keys by two bounds, with Highway's compressing stores.
//
// The namespace of Highway is renamed for each instruction set, as in sorts.cpp.
#include "array/blocks/partitions.hpp"

#include "array/blocks/keys.hpp"

#define HWY_COMPILE_ONLY_STATIC
#define HWY_DISABLE_PCLMUL_AES  // x86-64-v2 to -v4 do not include these instructions
#define DPEP_JOINED(first, second) first##second
#define DPEP_NAMESPACE(isa) DPEP_JOINED(highway_, isa)
#define hwy DPEP_NAMESPACE(DPEP_ISA)

#include <hwy/highway.h>

namespace dpep::array::blocks::DPEP_ISA {
namespace {

namespace vectors = hwy::HWY_NAMESPACE;

template <class K> part_counts count(std::size_t n, const void *keys, std::uint64_t low, std::uint64_t high) noexcept {
  const K *const k = static_cast<const K *>(keys);
  const K first = K(low), last = K(high);
  std::size_t before = 0, behind = 0;
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < n; ++i) {
    before += k[i] < first;
    behind += k[i] > last;
  }
  return {before, n - before - behind};
}

template <class K>
part_counts divide(std::size_t n, void *keys, std::uint64_t low, std::uint64_t high, void *between,
                   void *behind) noexcept {
  K *const k = static_cast<K *>(keys), *const inside = static_cast<K *>(between),
           *const after = static_cast<K *>(behind);
  const K first = K(low), last = K(high);
  const vectors::ScalableTag<K> tag;
  const std::size_t lanes = vectors::Lanes(tag);
  const auto first_of_all = vectors::Set(tag, first), last_of_all = vectors::Set(tag, last);
  std::size_t i = 0, front = 0, middle = 0, back = 0;
  for (; i + lanes <= n; i += lanes) {  // the vector is read before anything is written to its place
    const auto v = vectors::LoadU(tag, k + i);
    const auto is_before = vectors::Lt(v, first_of_all), is_behind = vectors::Gt(v, last_of_all);
    front += vectors::CompressStore(v, is_before, tag, k + front);
    back += vectors::CompressStore(v, is_behind, tag, after + back);
    middle += vectors::CompressStore(v, vectors::Not(vectors::Or(is_before, is_behind)), tag, inside + middle);
  }
  for (; i < n; ++i) {
    const K x = k[i];
    if (x < first)
      k[front++] = x;
    else if (x > last)
      after[back++] = x;
    else
      inside[middle++] = x;
  }
  return {front, middle};
}

part_counts divide_pairs(std::size_t n, const key_list &list, std::uint64_t low, std::uint64_t high,
                         const key_list &between, const key_list &behind) noexcept {
  const vectors::ScalableTag<std::uint64_t> tag;
  const vectors::ScalableTag<std::int64_t> position_tag;
  const std::size_t lanes = vectors::Lanes(tag);
  const auto first = vectors::Set(tag, low), last = vectors::Set(tag, high);
  std::size_t i = 0, front = 0, middle = 0, back = 0;
  const auto store = [&](auto v, auto positions, auto mask, const key_list &to, std::size_t at) {
    vectors::CompressStore(positions, vectors::RebindMask(position_tag, mask), position_tag, to.positions + at);
    return vectors::CompressStore(v, mask, tag, to.keys + at);
  };
  for (; i + lanes <= n; i += lanes) {
    const auto v = vectors::LoadU(tag, list.keys + i);
    const auto positions = vectors::LoadU(position_tag, list.positions + i);
    const auto is_before = vectors::Lt(v, first), is_behind = vectors::Gt(v, last);
    front += store(v, positions, is_before, list, front);
    back += store(v, positions, is_behind, behind, back);
    middle += store(v, positions, vectors::Not(vectors::Or(is_before, is_behind)), between, middle);
  }
  for (; i < n; ++i) {
    const std::uint64_t key = list.keys[i];
    const bool is_before = key<low, is_behind = key> high;
    const key_list &to = is_before ? list : is_behind ? behind : between;
    const std::size_t at = is_before ? front++ : is_behind ? back++ : middle++;
    to.positions[at] = list.positions[i];
    to.keys[at] = key;
  }
  return {front, middle};
}

part_counts divide_positions(std::size_t n, const std::uint64_t *keys, std::int64_t first, std::uint64_t low,
                             std::uint64_t high, std::int64_t *const *lists) noexcept {
  const vectors::ScalableTag<std::uint64_t> tag;
  const vectors::ScalableTag<std::int64_t> position_tag;
  const std::size_t lanes = vectors::Lanes(tag);
  const auto first_key = vectors::Set(tag, low), last_key = vectors::Set(tag, high);
  const auto step = vectors::Set(position_tag, std::int64_t(lanes));
  auto positions = vectors::Iota(position_tag, first);
  std::size_t i = 0, front = 0, middle = 0, back = 0;
  for (; i + lanes <= n; i += lanes, positions = vectors::Add(positions, step)) {
    const auto v = vectors::LoadU(tag, keys + i);
    const auto is_before = vectors::RebindMask(position_tag, vectors::Lt(v, first_key));
    const auto is_behind = vectors::RebindMask(position_tag, vectors::Gt(v, last_key));
    front += vectors::CompressStore(positions, is_before, position_tag, lists[0] + front);
    back += vectors::CompressStore(positions, is_behind, position_tag, lists[2] + back);
    const auto is_between = vectors::Not(vectors::Or(is_before, is_behind));
    middle += vectors::CompressStore(positions, is_between, position_tag, lists[1] + middle);
  }
  for (; i < n; ++i) {
    const std::int64_t position = first + std::int64_t(i);
    if (keys[i] < low)
      lists[0][front++] = position;
    else if (keys[i] > high)
      lists[2][back++] = position;
    else
      lists[1][middle++] = position;
  }
  return {front, middle};
}

template <class T> void wide_keys(std::size_t n, const void *elements, std::uint64_t *keys, bool descending) noexcept {
  const T *const x = static_cast<const T *>(elements);
  const std::uint64_t flips = descending ? ~std::uint64_t{0} : 0;
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<T, elements::complex<double>>)
      keys[i] = key_of_complex(x[i]).first ^ flips;
    else
      keys[i] = std::uint64_t(whole_key_of(x[i])) ^ flips;
  }
}
void second_keys(std::size_t n, const void *elements, std::uint64_t *keys, bool descending) noexcept {
  const auto *const z = static_cast<const elements::complex<double> *>(elements);
  const std::uint64_t flips = descending ? ~std::uint64_t{0} : 0;
  for (std::size_t i = 0; i < n; ++i) keys[i] = key_of_complex(z[i]).second ^ flips;
}

constexpr partition_kernels make() {
  partition_kernels all{};
  all.count[1] = count<std::uint16_t>, all.divide[1] = divide<std::uint16_t>;
  all.count[2] = count<std::uint32_t>, all.divide[2] = divide<std::uint32_t>;
  all.count[3] = count<std::uint64_t>, all.divide[3] = divide<std::uint64_t>;
  all.divide_pairs = divide_pairs;
  all.divide_positions = divide_positions;
  all.second_keys = second_keys;
  each_type([&]<dtype t> { all.wide_keys[std::size_t(t)] = wide_keys<element<t>>; });
  return all;
}
constexpr partition_kernels table = make();

}  // namespace

const partition_kernels partitions = table;

}  // namespace dpep::array::blocks::DPEP_ISA
