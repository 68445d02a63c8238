// Loops of the random functions.
//
// Words of NumPy's sequence are made block by block. Distributions are computed in two steps: one vectorised attempt
// for each element, then more attempts, one by one, for the elements that it rejected.
#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>

#include "array/blocks/random.hpp"
#include "array/blocks/types.hpp"
#include "device/random/functions.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

using namespace device::random;

/// Elements of an operand. Steps are 0 or the element's size.
template <class T> struct operand {
  const T *at;
  std::int64_t step;
  operand(const void *at, std::int64_t step)
      : at(static_cast<const T *>(at)), step(step / static_cast<std::int64_t>(sizeof(T))) {}
  T operator[](std::size_t i) const { return at[static_cast<std::int64_t>(i) * step]; }
};

/// Whether the elements of the first operand, indices, are consecutive, and the other operands are one element each.
/// Each index is compared: those of a tile whose axes are exchanged have the same ends as consecutive ones.
bool is_range(std::size_t count, const void *const *operands, const std::int64_t *steps, std::size_t inputs) {
  if (!std::all_of(steps + 1, steps + inputs, [&](std::int64_t step) { return count == 1 || step == 0; })) return false;
  const operand<std::uint64_t> index(operands[0], steps[0]);
  if (index.step != 1 || index[count - 1] - index[0] != count - 1) return count == 1;
  const std::uint64_t *const at = index.at, first = *at;
  std::uint64_t differences = 0;
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) differences |= (at[i] - i) ^ first;
  return differences == 0;
}

// -- NumPy's sequence

template <class T> const T &one(const void *at) { return *static_cast<const T *>(at); }

sequence sequence_of(const void *const *operands) {
  const auto word = [&](int k) { return one<std::uint64_t>(operands[k]); };
  return {{word(2), word(3)}, {word(4), word(5), word(6), word(7)}};
}

/// Calls `use(words, count)` with the words from a position on, in parts.
template <class F> void each_part(const sequence &s, std::uint64_t position, std::size_t count, F use) {
  constexpr std::size_t blocks = 128;
  alignas(64) std::uint64_t words[4 * blocks];
  while (count) {
    const std::size_t skipped = position % 4, part = std::min(count, 4 * blocks - skipped);
    const std::size_t needed = (skipped + part + 3) / 4;
    // Not vectorised: vectors have no product of 128 bits, so that each factor would be moved to a scalar register.
#pragma clang loop vectorize(disable) interleave_count(2)
    for (std::size_t k = 0; k < needed; ++k) {
      const auto [a, b, c, d] = block_of(s, position / 4 + k);
      std::uint64_t *const to = words + 4 * k;
      to[0] = a, to[1] = b, to[2] = c, to[3] = d;
    }
    use(words + skipped, part);
    position += part, count -= part;
  }
}

template <class T, T (*convert)(std::uint64_t)>
void words_loop(std::size_t count, const void *const *operands, const std::int64_t *steps, void *results) noexcept {
  if (!count) return;
  auto *to = static_cast<T *>(results);
  const sequence s = sequence_of(operands);
  const auto first = one<std::uint64_t>(operands[1]);
  const operand<std::uint64_t> index(operands[0], steps[0]);
  if (!is_range(count, operands, steps, 8)) {
    for (std::size_t i = 0; i < count; ++i) to[i] = convert(word_of(s, first + index[i]));
    return;
  }
  each_part(s, first + index[0], count, [&](const std::uint64_t *words, std::size_t n) {
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < n; ++i) to[i] = convert(words[i]);
    to += n;
  });
}

template <class T, T (*convert)(std::uint32_t)>
void halves_loop(std::size_t count, const void *const *operands, const std::int64_t *steps, void *results) noexcept {
  if (!count) return;
  auto *to = static_cast<T *>(results);
  const sequence s = sequence_of(operands);
  const auto first = one<std::uint64_t>(operands[1]), pending = one<std::uint64_t>(operands[8]);
  const operand<std::uint64_t> index(operands[0], steps[0]);
  if (!is_range(count, operands, steps, 9)) {
    for (std::size_t i = 0; i < count; ++i) to[i] = convert(half_of(s, index[i], first, pending));
    return;
  }
  if (pending && index[0] == 0) {
    *to++ = convert(static_cast<std::uint32_t>(pending));
    --count;
  }
  const std::uint64_t start = pending && index[0] == 0 ? first : first + index[0] - (pending ? 1 : 0);
  std::size_t skipped = start % 2;
  each_part(s, start / 2, (skipped + count + 1) / 2, [&](const std::uint64_t *words, std::size_t n) {
    const std::size_t halves = std::min(2 * n - skipped, count);
    const auto *from = reinterpret_cast<const std::uint32_t *>(words) + skipped;
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < halves; ++i) to[i] = convert(from[i]);
    to += halves, count -= halves, skipped = 0;
  });
}

std::uint64_t same_word(std::uint64_t word) { return word; }
std::uint32_t same_half(std::uint32_t half) { return half; }

constexpr native_loop words64_loop = words_loop<std::uint64_t, same_word>;
constexpr native_loop words32_loop = halves_loop<std::uint32_t, same_half>;
constexpr native_loop uniform_float64_loop = words_loop<double, unit_of_word>;
constexpr native_loop uniform_float32_loop = halves_loop<float, unit_of_half>;

// -- Functions of words

template <auto f, class R, class T, class... P> struct words_function {
  static void loop(std::size_t count, const void *const *operands, const std::int64_t *steps, void *results) noexcept {
    run(count, operands, steps, static_cast<R *>(results), std::index_sequence_for<P...>());
  }

private:
  template <std::size_t... k>
  static void run(std::size_t count, const void *const *operands, const std::int64_t *steps, R *to,
                  std::index_sequence<k...>) {
    const operand<T> words(operands[0], steps[0]);
    if (count && words.step == 1 && ((steps[k + 1] == 0) && ...)) {
      const T *const from = words.at;
      const auto with = [&](P... numbers) {
        DPEP_VECTOR_LOOP
        for (std::size_t i = 0; i < count; ++i) to[i] = f(from[i], numbers...);
      };
      return with(one<P>(operands[k + 1])...);
    }
    for (std::size_t i = 0; i < count; ++i) to[i] = f(words[i], operand<P>(operands[k + 1], steps[k + 1])[i]...);
  }
};
template <auto f> struct words_function_of;
template <class R, class T, class... P, R (*f)(T, P...)> struct words_function_of<f> : words_function<f, R, T, P...> {};

constexpr native_loop bounded_word64_loop = words_function_of<bounded_word64>::loop;
constexpr native_loop is_rejected64_loop = words_function_of<is_rejected64>::loop;
constexpr native_loop bounded_word32_loop = words_function_of<bounded_word32>::loop;
constexpr native_loop is_rejected32_loop = words_function_of<is_rejected32>::loop;

constexpr native_loop accepted_word64_loop = words_function_of<accepted_word64>::loop;
constexpr native_loop accepted_word32_loop = words_function_of<accepted_word32>::loop;

// -- Distributions

/// Pairs of elements: `of` returns the numbers of elements 2 n - 1 and 2 n.
template <device::pair<double> (*of)(std::uint64_t, std::uint64_t), double (*single)(std::uint64_t, std::uint64_t)>
void pairs_loop(std::size_t count, const void *const *operands, const std::int64_t *steps, void *results) noexcept {
  auto *to = static_cast<double *>(results);
  const operand<std::uint64_t> element(operands[0], steps[0]), keys(operands[1], steps[1]);
  if (!count) return;
  if (!is_range(count, operands, steps, 2)) {
    for (std::size_t i = 0; i < count; ++i) to[i] = single(element[i], keys[i]);
    return;
  }
  const std::uint64_t first = element[0], key = keys[0];
  std::uint64_t pair = pair_of(first);
  if (first % 2 == 0) {
    *to++ = of(pair++, key).low;
    --count;
  }
  const std::size_t pairs = count / 2;
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto [one, two] = of(pair + i, key);
    to[2 * i] = one;
    to[2 * i + 1] = two;
  }
  if (count % 2) to[count - 1] = of(pair + pairs, key).high;
}

constexpr native_loop uniform_loop = pairs_loop<uniform_pair, uniform>;

/// Normal numbers: `each` elements have one block. `use(first, n)` computes those of n blocks from an element on, of at
/// most `blocks_at_once`.
constexpr std::size_t blocks_at_once = 256;
template <unsigned each, class T, T (*single)(std::uint64_t, std::uint64_t), class F>
void normal_blocks(std::size_t count, const void *const *operands, const std::int64_t *steps, T *to, F use) {
  const operand<std::uint64_t> element(operands[0], steps[0]), keys(operands[1], steps[1]);
  if (!count) return;
  if (!is_range(count, operands, steps, 2)) {
    for (std::size_t i = 0; i < count; ++i) to[i] = single(element[i], keys[i]);
    return;
  }
  std::uint64_t next = element[0];
  const std::uint64_t key = keys[0];
  for (; count && next % each != 1; --count) *to++ = single(next++, key);
  while (count >= each) {
    const std::size_t blocks = std::min(count / each, blocks_at_once), made = each * blocks;
    use(next, key, blocks, to);
    to += made, next += made, count -= made;
  }
  for (; count; --count) *to++ = single(next++, key);
}

void normal_loop(std::size_t count, const void *const *operands, const std::int64_t *steps, void *results) noexcept {
  const auto use = [](std::uint64_t first, std::uint64_t key, std::size_t pairs, double *to) {
    bool accepted[2 * blocks_at_once];
    const std::uint64_t pair = pair_of(first);
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < pairs; ++i) {
      const auto [a, b, c, d] = block_of(pair + i, key, 0);
      const auto one = quick_normal(a, b), two = quick_normal(c, d);
      to[2 * i] = one.value, to[2 * i + 1] = two.value;
      accepted[2 * i] = one.accepted, accepted[2 * i + 1] = two.accepted;
    }
    const bool *const end = accepted + 2 * pairs;
    for (const bool *at = accepted;; ++at) {
      at = static_cast<const bool *>(std::memchr(at, false, std::size_t(end - at)));
      if (!at) break;
      const auto i = std::size_t(at - accepted);
      to[i] = normal(first + i, key);
    }
  };
  normal_blocks<2, double, normal>(count, operands, steps, static_cast<double *>(results), use);
}

void normal_float32_loop(std::size_t count, const void *const *operands, const std::int64_t *steps,
                         void *results) noexcept {
  const auto use = [](std::uint64_t first, std::uint64_t key, std::size_t blocks, float *to) {
    const std::uint64_t number = four_of(first);
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < blocks; ++i) {
      const auto [a, b, c, d] = normals_float32(number + i, key);
      to[4 * i] = a, to[4 * i + 1] = b, to[4 * i + 2] = c, to[4 * i + 3] = d;
    }
  };
  normal_blocks<4, float, normal_float32>(count, operands, steps, static_cast<float *>(results), use);
}

template <class D>
concept has_quick = requires(const D &d, four_words words) { d.quick(words); };

/// The numbers of up to `most` elements with the same parameters.
constexpr std::size_t most = 512;
template <class D, class T>
void draw_equal_part(const D &of, const std::uint64_t *given, std::uint64_t key, std::size_t count, T *to) {
  std::uint64_t elements[most];  // a copy: the results may overwrite them
  bool accepted[most];
  std::copy_n(given, count, elements);
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) {
    const four_words words = block_of(elements[i], key, 0);
    outcome<T> made;
    if constexpr (has_quick<D>)
      made = of.quick(words);
    else
      made = of.attempt(words);
    to[i] = made.value;
    accepted[i] = made.accepted;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!accepted[i]) to[i] = first_accepted(of, elements[i], key, has_quick<D> ? 0 : 1);
}

template <class D, class T, class... P> struct distribution {
  static void loop(std::size_t count, const void *const *operands, const std::int64_t *steps, void *results) noexcept {
    run(count, operands, steps, static_cast<T *>(results), std::index_sequence_for<P...>());
  }

private:
  template <std::size_t... k>
  static void run(std::size_t count, const void *const *operands, const std::int64_t *steps, T *to,
                  std::index_sequence<k...>) {
    if (!count) return;
    const operand<std::uint64_t> element(operands[0], steps[0]), keys(operands[1], steps[1]);
    if (element.step == 1 && keys.step == 0 && ((steps[k + 2] == 0) && ...)) {
      const auto use = [&](const auto &method) {
        for (std::size_t i = 0; i < count; i += most)
          draw_equal_part(method, element.at + i, keys[0], std::min(most, count - i), to + i);
      };
      return D::choose(use, one<P>(operands[k + 2])...);
    }
    for (std::size_t i = 0; i < count; i += most) {
      const std::size_t n = std::min(most, count - i);
      std::tuple<std::array<P, most>...> parameters;
      (copy_part(operand<P>(operands[k + 2], steps[k + 2]), i, n, std::get<k>(parameters).data()), ...);
      std::uint64_t elements[most], key[most];
      copy_part(element, i, n, elements);
      copy_part(keys, i, n, key);
      draw_part(elements, key, n, std::get<k>(parameters).data()..., to + i);
    }
  }

  template <class N> static void copy_part(const operand<N> &from, std::size_t first, std::size_t count, N *to) {
    for (std::size_t i = 0; i < count; ++i) to[i] = from[first + i];
  }

  /// Elements with parameters of their own.
  static void draw_part(const std::uint64_t *elements, const std::uint64_t *keys, std::size_t count,
                        const P *...parameters, T *to) {
    bool accepted[most];
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < count; ++i) {
      const four_words words = block_of(elements[i], keys[i], 0);
      const auto attempt = [&](const auto &method) {
        const outcome<T> made = method.attempt(words);
        to[i] = made.value;
        accepted[i] = made.accepted;
      };
      D::choose(attempt, parameters[i]...);
    }
    for (std::size_t i = 0; i < count; ++i)
      if (!accepted[i])
        D::choose([&](const auto &method) { to[i] = first_accepted(method, elements[i], keys[i], 1); },
                  parameters[i]...);
  }
};

constexpr native_loop bounded_loop = distribution<bounded_distribution, std::uint64_t, std::uint64_t>::loop;
constexpr native_loop gamma_loop = distribution<gamma_distribution, double, double>::loop;
constexpr native_loop wald_loop = distribution<wald_distribution, double, double, double>::loop;
constexpr native_loop vonmises_loop = distribution<vonmises_distribution, double, double>::loop;
constexpr native_loop poisson_loop = distribution<poisson_distribution, std::int64_t, double>::loop;
constexpr native_loop binomial_loop = distribution<binomial_distribution, std::int64_t, std::int64_t, double>::loop;
constexpr native_loop hypergeometric_loop =
    distribution<hypergeometric_distribution, std::int64_t, std::int64_t, std::int64_t, std::int64_t>::loop;
constexpr native_loop logseries_loop = distribution<logseries_distribution, std::int64_t, double>::loop;
constexpr native_loop zipf_loop = distribution<zipf_distribution, std::int64_t, double>::loop;

}  // namespace

const random_loops random_numbers{{
#define DPEP_RANDOM_FUNCTION(name, ...) name##_loop,
#include <dpep/array_random_functions.def>
}};

}  // namespace dpep::array::blocks::DPEP_ISA
