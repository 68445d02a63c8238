// Permutations and samples without replacement: NumPy's, by the calling thread, since each step depends on the last.
#include <memory>
#include <numeric>
#include <unordered_set>

#include <dpep/array_random.hpp>

#include "array/api/word_reader.hpp"
#include "array/base/errors.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {

namespace {

ndarray copied(const std::int64_t *elements, extents shape, const placement &where) {
  std::int64_t strides[] = {8, 8};
  if (shape.size() == 2) strides[0] = 8 * shape[1];
  const host_view host{const_cast<std::int64_t *>(elements), dtype::int64, shape, {strides, shape.size()}};
  return from_host(host, dtype::int64, where);
}

std::unique_ptr<std::int64_t[]> numbers_below(std::int64_t count) {
  auto made = std::make_unique_for_overwrite<std::int64_t[]>(std::size_t(count));
  std::iota(made.get(), made.get() + count, std::int64_t{0});
  return made;
}

}  // namespace

ndarray random_generator::permutation(std::int64_t count, const placement &where) {
  const auto numbers = numbers_below(count);
  {
    const std::lock_guard lock(mutex_);
    word_reader(*this).shuffle(numbers.get(), count, 1, &word_reader::masked_integer);
  }
  return copied(numbers.get(), {&count, 1}, where);
}

ndarray random_generator::permutations(std::int64_t rows, std::int64_t count, const placement &where) {
  const auto numbers = std::make_unique_for_overwrite<std::int64_t[]>(std::size_t(rows * count));
  {
    const std::lock_guard lock(mutex_);
    word_reader words(*this);
    for (std::int64_t r = 0; r < rows; ++r) {
      std::iota(numbers.get() + r * count, numbers.get() + (r + 1) * count, std::int64_t{0});
      words.shuffle(numbers.get() + r * count, count, 1, &word_reader::masked_integer);
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
    const auto numbers = numbers_below(size);
    words.shuffle(numbers.get(), size, std::max<std::int64_t>(size - count, 1), &word_reader::integer);
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
  if (shuffle) words.shuffle(chosen.get(), count, 1, &word_reader::integer);
  return copied(chosen.get(), {&count, 1}, where);
}

}  // namespace dpep::array
