// Permutations and samples without replacement: NumPy's. In a loop each step depends on the last; executors that have
// another way (executor::draw_targets, executor::exchange) compute large ones.
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <unordered_set>

#include <dpep/array_random.hpp>

#include "array/api/word_reader.hpp"
#include "array/base/errors.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {

namespace {

/// An array of int64 with the elements of host memory.
template <class T> ndarray copied(const T *elements, extents shape, const placement &where) {
  constexpr std::int64_t item = sizeof(T);
  constexpr dtype type = item == 4 ? dtype::uint32 : dtype::int64;
  std::int64_t strides[] = {item, item};
  if (shape.size() == 2) strides[0] = item * shape[1];
  return from_host({const_cast<T *>(elements), type, shape, {strides, shape.size()}}, dtype::int64, where);
}

template <class T = std::int64_t> std::unique_ptr<T[]> numbers_below(std::int64_t count) {
  auto made = std::make_unique_for_overwrite<T[]>(std::size_t(count));
  std::iota(made.get(), made.get() + count, T{0});
  return made;
}

bool are_permuted_by_executor(std::int64_t count, const placement &where) {
  return count >= executor_of(where.queue).least_permutation() && count < std::int64_t{1} << 31;
}

/// A number of words that suffices for a permutation almost certainly: those for an element i are accepted with the
/// probability (i + 1) / (mask + 1).
std::int64_t words_for(std::int64_t count) {
  double mean = 0;
  for (std::uint64_t last = std::uint64_t(count - 1); last > 0;) {
    const std::uint64_t values = std::bit_ceil(last + 1), first = values / 2;  // the elements with the same mask
    mean += double(values) * std::log((double(last) + 1.5) / (double(first) + 0.5));
    last = first - 1;
  }
  return std::int64_t(mean + 8 * std::sqrt(2 * double(count)) + 256);
}

ndarray empty_list(std::int64_t count, dtype type, const placement &where) {
  return make_empty(where.queue, type, layout::contiguous(std::array{count}), where.kind);
}
/// The last numbers below `size` after exchanges with targets.
ndarray exchanged(const ndarray &targets, std::int64_t size, const placement &where) {
  const ndarray made = empty_list(targets.size(), dtype::int64, where);
  executor_of(where.queue)
      .exchange(implementation_of(targets, "permutation"), size, implementation_of(made, "permutation"));
  return made;
}

/// The permutation by the executor, and the number of words of 32 bits that it takes; 0 if it could not be computed.
std::pair<ndarray, std::int64_t> permuted(const philox_state &state, std::int64_t count, const placement &where) {
  const placement scratch{where.queue, usm_kind::device};
  std::array<std::int64_t, 3> report{};
  const std::int64_t words_count = words_for(count), reports = report.size(), step = sizeof report[0];
  const ndarray targets = empty_list(count, dtype::uint32, scratch);
  const ndarray result = full(std::array{reports}, scalar::of(std::int64_t{0}), dtype::int64, scratch);
  {
    random_generator ahead(state);
    const ndarray words = ahead.words(std::array{words_count}, dtype::uint32, scratch);
    executor_of(where.queue)
        .draw_targets(implementation_of(words, "permutation"), implementation_of(targets, "permutation"),
                      implementation_of(result, "permutation"));
  }
  const ndarray made = exchanged(targets, count, where);
  copy_to_host(result, {report.data(), dtype::int64, {&reports, 1}, {&step, 1}});
  return {made, report[1] == 0 && report[2] == 0 ? report[0] : 0};
}

}  // namespace

ndarray random_generator::permutation(std::int64_t count, const placement &where) {
  if (are_permuted_by_executor(count, where)) {
    const std::lock_guard lock(mutex_);
    if (const auto [made, words] = permuted(state_, count, where); words) {
      take_halves(std::uint64_t(words));
      return made;
    }
  }
  const auto by_loop = [&]<class T>(const std::unique_ptr<T[]> &numbers) {
    {
      const std::lock_guard lock(mutex_);
      word_reader(*this).shuffle(numbers.get(), count, 1, true);
    }
    return copied(numbers.get(), {&count, 1}, where);
  };
  // Small numbers, of which caches have more.
  return count >> 32 ? by_loop(numbers_below(count)) : by_loop(numbers_below<std::uint32_t>(count));
}

ndarray random_generator::permutations(std::int64_t rows, std::int64_t count, const placement &where) {
  if (rows > 0 && are_permuted_by_executor(count, where)) {
    std::vector<ndarray> made;
    for (std::int64_t r = 0; r < rows; ++r) made.push_back(permutation(count, where));
    return stack(made, 0);
  }
  const auto numbers = std::make_unique_for_overwrite<std::int64_t[]>(std::size_t(rows * count));
  {
    const std::lock_guard lock(mutex_);
    word_reader words(*this);
    for (std::int64_t r = 0; r < rows; ++r) {
      std::iota(numbers.get() + r * count, numbers.get() + (r + 1) * count, std::int64_t{0});
      words.shuffle(numbers.get() + r * count, count, 1, true);
    }
  }
  const std::int64_t shape[] = {rows, count};
  return copied(numbers.get(), shape, where);
}

ndarray random_generator::sample(std::int64_t size, std::int64_t count, bool shuffle, const placement &where) {
  if (count > size) refuse(refusal::value, "choice: cannot take {} different ones of {} elements", count, size);
  const std::lock_guard lock(mutex_);
  word_reader words(*this);
  // NumPy's choice of the method, too: the end of a shuffled range for a large share of it, else Floyd's method.
  if (size > 10000 && count > size / (shuffle ? 50 : 20)) {
    const std::int64_t first = size - count;
    if (are_permuted_by_executor(size, where)) {
      const auto targets = std::make_unique_for_overwrite<std::uint32_t[]>(std::size_t(count));
      targets[0] = 0;  // of element 0, which is not exchanged
      for (std::int64_t i = size - 1; i >= std::max<std::int64_t>(first, 1); --i)
        targets[std::size_t(i - first)] = std::uint32_t(words.integer(std::uint64_t(i)));
      const std::int64_t step = sizeof targets[0];
      const host_view host{targets.get(), dtype::uint32, {&count, 1}, {&step, 1}};
      return exchanged(from_host(host, dtype::uint32, {where.queue, usm_kind::device}), size, where);
    }
    const auto numbers = numbers_below(size);
    words.shuffle(numbers.get(), size, std::max<std::int64_t>(first, 1), false);
    return copied(numbers.get() + (size - count), {&count, 1}, where);
  }
  const auto chosen = std::make_unique_for_overwrite<std::int64_t[]>(std::size_t(count));
  std::unordered_set<std::int64_t> known;
  known.reserve(std::size_t(count));
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t last = size - count + k;
    const auto drawn = std::int64_t(words.integer(std::uint64_t(last)));
    chosen[std::size_t(k)] = known.insert(drawn).second ? drawn : last;
    if (chosen[std::size_t(k)] == last) known.insert(last);
  }
  if (shuffle) words.shuffle(chosen.get(), count, 1, false);
  return copied(chosen.get(), {&count, 1}, where);
}

}  // namespace dpep::array
