// Reductions of values that a function of the index computes.
#pragma once

#include <optional>

#include <oneapi/dpl/detail/loaders.hpp>
#include <sycl/group_algorithms.hpp>

namespace oneapi::dpl::detail {

/// A value, or none: the result of operations without an identity.
template <class T> struct maybe {
  T value;
  bool any;
};
/// An operation on such values.
template <class T, class Op> struct maybe_combine {
  Op op;
  maybe<T> operator()(const maybe<T> &a, const maybe<T> &b) const {
    if (!a.any) return b;
    if (!b.any) return a;
    return {static_cast<T>(op(a.value, b.value)), true};
  }
};

/// load(first) op … op load(last - 1) of a commutative operation; at least one value. Numbers are summed in lanes, so
/// that LLVM can use vectors.
template <class T, class Load, class Op> T fold(const Load &load, std::size_t first, std::size_t last, const Op &op) {
  constexpr std::size_t lanes = std::is_arithmetic_v<T> ? 128 / sizeof(T) : 1;
  std::size_t i = first;
  if constexpr (lanes > 1) {
    if (last - first >= 2 * lanes) {
      T sums[lanes];
      for (std::size_t k = 0; k < lanes; ++k) sums[k] = static_cast<T>(load(i + k));
      for (i += lanes; i + lanes <= last; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) sums[k] = static_cast<T>(op(sums[k], static_cast<T>(load(i + k))));
      T all = sums[0];
      for (std::size_t k = 1; k < lanes; ++k) all = static_cast<T>(op(all, sums[k]));
      for (; i < last; ++i) all = static_cast<T>(op(all, static_cast<T>(load(i))));
      return all;
    }
  }
  T all = static_cast<T>(load(i));
  for (++i; i < last; ++i) all = static_cast<T>(op(all, static_cast<T>(load(i))));
  return all;
}

/// The sums of `ways` consecutive parts of `length` values each. A processor computes them side by side, where a single
/// sum would wait for each of its operations.
template <int ways, class T, class Load, class Op>
void fold_parts(const Load &load, std::size_t first, std::size_t length, const Op &op, T (&sums)[ways]) {
  for (int k = 0; k < ways; ++k) sums[k] = static_cast<T>(load(first + static_cast<std::size_t>(k) * length));
  for (std::size_t i = 1; i < length; ++i)
    for (int k = 0; k < ways; ++k)
      sums[k] = static_cast<T>(op(sums[k], static_cast<T>(load(first + static_cast<std::size_t>(k) * length + i))));
}
/// load(first) op … op load(last - 1) of an operation that need not be commutative.
template <class T, class Load, class Op>
T fold_in_order(const Load &load, std::size_t first, std::size_t last, const Op &op) {
  constexpr int ways = 8;
  constexpr std::size_t worthwhile = 256;
  if constexpr (std::is_arithmetic_v<T>) {
    if (last - first >= worthwhile) {
      const std::size_t length = (last - first) / ways;
      T sums[ways];
      fold_parts<ways>(load, first, length, op, sums);
      T all = sums[0];
      for (int k = 1; k < ways; ++k) all = static_cast<T>(op(all, sums[k]));
      for (std::size_t i = first + ways * length; i < last; ++i) all = static_cast<T>(op(all, static_cast<T>(load(i))));
      return all;
    }
  }
  T all = static_cast<T>(load(first));
  for (std::size_t i = first + 1; i < last; ++i) all = static_cast<T>(op(all, static_cast<T>(load(i))));
  return all;
}

/// Elements of a block of work: enough to hide its cost, few enough to stay in a core's second-level cache.
inline std::size_t block_length(const call &c, std::size_t n, std::size_t most) {
  const std::size_t even = (n + 4 * c.threads() - 1) / (4 * c.threads());
  return std::clamp<std::size_t>(even, 2048, most);
}
inline std::size_t blocks_of(std::size_t n, std::size_t length) { return (n + length - 1) / length; }

/// op(a, b) of values whose elements are in order. For an operation that depends on the order, this is less work.
template <class T, class Op> T combine_in_order(const Op &op, const T &a, const T &b) {
  if constexpr (requires { op.in_order(a, b); })
    return op.in_order(a, b);
  else
    return static_cast<T>(op(a, b));
}

/// reduce_values on GPUs; n is at least 1.
template <class T, class Load, class Op> T reduce_in_groups(call &c, std::size_t n, const Load &load, const Op &op) {
  // A work-item loads the elements of a strip before it adds them, which waits for memory once. The distances between
  // them are constants, parts of the instructions.
  constexpr std::uint32_t items = 256, strip = sizeof(T) <= 16 ? 16 : 4, groups_each = 6;  // on a compute unit
  constexpr std::size_t length = items * strip;
  const std::size_t most = c.threads() * groups_each, rounds = blocks_of(blocks_of(n, length), most);
  const std::size_t groups = blocks_of(blocks_of(n, length), rounds), whole = n / length;
  using value = maybe<T>;
  const maybe_combine<T, Op> add{op};
  value *const total = c.result<value>(), *const sums = groups > 1 ? c.scratch<value>(groups) : total;
  c.for_each_group(groups, items, [=](sycl::nd_item<1> item) {
    const auto local = static_cast<std::uint32_t>(item.get_local_id(0));
    value mine{T(), false};
    for (std::size_t tile = item.get_group(0); tile < whole; tile += groups) {
      const std::size_t first = tile * length + local;
      T loaded[strip];
#pragma unroll
      for (std::uint32_t k = 0; k < strip; ++k) loaded[k] = static_cast<T>(load(first + k * items));
#pragma unroll
      for (std::uint32_t distance = strip / 2; distance; distance /= 2)
#pragma unroll
        for (std::uint32_t k = 0; k < distance; ++k) loaded[k] = combine_in_order(op, loaded[k], loaded[k + distance]);
      mine = {mine.any ? combine_in_order(op, mine.value, loaded[0]) : loaded[0], true};
    }
    if (item.get_group(0) == groups - 1)
      for (std::size_t i = whole * length + local; i < n; i += items) mine = add(mine, {static_cast<T>(load(i)), true});
    mine = sycl::reduce_over_group(item.get_group(), mine, add);
    if (local == 0) sums[item.get_group(0)] = mine;
  });
  if (groups > 1)  // on the device, too, because the operation may read elements
    c.for_each_group(1, items, [=](sycl::nd_item<1> item) {
      value mine{T(), false};
      for (std::size_t g = item.get_local_id(0); g < groups; g += items) mine = add(mine, sums[g]);
      mine = sycl::reduce_over_group(item.get_group(), mine, add);
      if (item.get_local_id(0) == 0) *total = mine;
    });
  c.wait_for_host();
  return total->value;
}

/// load(0) op … op load(n - 1), of an associative and commutative operation.
template <class T, class Load, class Op>
std::optional<T> reduce_values(call &c, std::size_t n, const Load &load, const Op &op) {
  if (!n) return {};
  if (c.on_host()) {
    const std::size_t length = block_length(c, n, 1 << 16), blocks = blocks_of(n, length);
    T *const sums = c.scratch<T>(blocks);
    c.for_each_block(blocks, [=](std::size_t b) {
      const std::size_t first = b * length, last = n - first < length ? n : first + length;
      sums[b] = fold<T>(load, first, last, op);
    });
    c.wait_for_host();
    return fold<T>([=](std::size_t i) { return sums[i]; }, 0, blocks, op);
  }
  return reduce_in_groups<T>(c, n, load, op);
}

/// The first i < n for which holds(i), or n. Elements behind it may be tested, too.
template <class Holds> std::size_t find_first(call &c, std::size_t n, const Holds &holds) {
  if (!n) return 0;
  std::uint64_t *const found = c.scratch<std::uint64_t>(1);
  std::uint64_t at = n;
  const auto start = [&] {
    if (c.on_host())
      *found = at;
    else
      c.submit([&](sycl::queue &q, const std::vector<sycl::event> &after) {
        return q.memcpy(found, &at, sizeof at, after);
      });
  };
  start();
  using atomic = sycl::atomic_ref<std::uint64_t, sycl::memory_order::relaxed, sycl::memory_scope::device>;
  if (c.on_host()) {
    const std::size_t length = block_length(c, n, 1 << 14);
    c.for_each_block(blocks_of(n, length), [=](std::size_t b) {
      const std::size_t first = b * length, last = n - first < length ? n : first + length;
      if (atomic(*found).load() < first) return;
      constexpr std::size_t together = 64;  // tests whose results are combined without branches
      std::size_t i = first;
      for (; i + together <= last; i += together) {
        bool any = false;
        for (std::size_t k = 0; k < together; ++k) any |= static_cast<bool>(holds(i + k));
        if (any) break;
      }
      for (; i < last; ++i)
        if (holds(i)) {
          atomic(*found).fetch_min(i);
          return;
        }
    });
    c.fetch(found, &at);
    return at;
  }
  // Rounds of growing length, so that a match near the beginning costs a part of the reading only.
  for (std::size_t first = 0, length = 1 << 18; first < n; first += length, length *= 4) {
    c.for_each_index(std::min(length, n - first), [=](std::size_t i) {
      if (holds(first + i)) atomic(*found).fetch_min(first + i);
    });
    c.fetch(found, &at);
    if (at < n) break;
  }
  return at;
}

}  // namespace oneapi::dpl::detail
