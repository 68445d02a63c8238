// Random numbers: nodes of random functions.
#include <dpep/array_random.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include <dpep/array_indexing.hpp>
#include <dpep/array_opcodes.hpp>

#include "array/api/random_functions.hpp"
#include "array/api/random_words.hpp"
#include "array/api/word_reader.hpp"
#include "array/base/errors.hpp"
#include "array/base/scalars.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

layout checked_layout(extents shape, std::initializer_list<dtype> types, const placement &where,
                      const char *operation) {
  for (const dtype t : types) check_supported(t, where.queue.get_device(), operation);
  return layout::contiguous(shape);
}

ref<node> word(std::uint64_t x) { return number_node(scalar::of(x), dtype::uint64); }

ref<node> function_node(random_function f, std::initializer_list<ref<node>> inputs) {
  return user_node(element_function_of(f), {inputs.begin(), inputs.size()});
}

ref<node> binary_node(opcode code, ref<node> x, const scalar &number, dtype result) {
  const dtype type = x->type;
  const ref<node> inputs[] = {std::move(x), number_node(number, type)};
  return element_node(code, {2, {type, type}, result}, inputs);
}
ref<node> binary_node(opcode code, ref<node> x, std::uint64_t number) {
  const dtype type = x->type;
  return binary_node(code, std::move(x), scalar::of(number), type);
}

constexpr std::int64_t most_small = 1024;

/// The numbers of a function of the index `first` + i and of other numbers, if they are so few that a loop on this
/// thread costs less than recording it, and the queue allows it. Else an empty handle.
ndarray small_numbers(random_function f, const layout &l, std::uint64_t first, std::span<const std::uint64_t> others,
                      const placement &where) {
  if (l.size > most_small || l.size == 0 || !executor_of(where.queue).runs_inline() || !idle(where.queue)) return {};
  std::array<std::uint64_t, most_small> index;
  for (std::int64_t i = 0; i < l.size; ++i) index[std::size_t(i)] = first + std::uint64_t(i);
  std::array<const void *, max_inputs> operands{index.data()};
  std::array<std::int64_t, max_inputs> steps{sizeof(std::uint64_t)};
  for (std::size_t k = 0; k < others.size(); ++k) operands[k + 1] = &others[k];
  const user_function &function = *element_function_of(f);
  const ndarray made = make_empty(where.queue, function.to, l, where.kind);
  function.native(std::size_t(l.size), operands.data(), steps.data(), static_cast<array_object *>(made.get())->first());
  return made;
}

/// The view of the first `count` elements of an array with one axis, in a shape.
ndarray first_elements(const ndarray &x, std::int64_t count, extents shape) {
  const index first{index::kind::slice, 0, count, 1};
  return reshape(x.size() == count ? x : view(x, {&first, 1}), shape);
}

}  // namespace

philox_state random_generator::state() const noexcept {
  const std::lock_guard lock(mutex_);
  return state_;
}

void random_generator::set_state(const philox_state &state) noexcept {
  const std::lock_guard lock(mutex_);
  state_ = state;
}

void random_generator::advance(const std::array<std::uint64_t, 4> &blocks) noexcept {
  const std::lock_guard lock(mutex_);
  state_.counter = sum_of(state_.counter, blocks);
  state_.buffer_position = 4;
  state_.has_half = false, state_.half = 0;
}

random_generator::part random_generator::next_words() const noexcept {
  const bool in_buffer = state_.buffer_position < 4;
  return {in_buffer ? std::uint64_t(state_.buffer_position) : 0,
          in_buffer ? state_.counter : sum_of(state_.counter, {1, 0, 0, 0}), state_.key, 0};
}

random_generator::part random_generator::next_halves() const noexcept {
  part next = next_words();
  next.first *= 2;
  if (state_.has_half) next.pending = std::uint64_t{1} << 32 | state_.half;
  return next;
}

void random_generator::take_words(std::uint64_t count) noexcept {
  if (count == 0) return;
  const std::uint64_t used = std::uint64_t(state_.buffer_position) + count;  // of the words from the buffer's first on
  const std::uint64_t block = (used - 1) / 4;
  state_.buffer_position = int((used - 1) % 4 + 1);
  if (block == 0) return;
  state_.counter = sum_of(state_.counter, {block, 0, 0, 0});
  state_.buffer = philox_block(state_.key, state_.counter);
}

void random_generator::take_halves(std::uint64_t count) noexcept {
  if (count == 0) return;
  if (state_.has_half) state_.has_half = false, --count;
  if (count == 0) return;
  take_words((count + 1) / 2);
  const std::uint64_t last = state_.buffer[std::size_t(state_.buffer_position - 1)];
  state_.has_half = count % 2 != 0;
  state_.half = std::uint32_t(last >> 32);
}

namespace {

template <class Part> ref<node> words_node(random_function f, const Part &p, extents_list shape) {
  const ref<node> index = row_major_node(std::move(shape), 0);
  return function_node(f, {index, word(p.first), word(p.key[0]), word(p.key[1]), word(p.counter[0]), word(p.counter[1]),
                           word(p.counter[2]), word(p.counter[3])});
}
template <class Part> ref<node> halves_node(random_function f, const Part &p, extents_list shape) {
  const ref<node> index = row_major_node(std::move(shape), 0);
  return function_node(f, {index, word(p.first), word(p.key[0]), word(p.key[1]), word(p.counter[0]), word(p.counter[1]),
                           word(p.counter[2]), word(p.counter[3]), word(p.pending)});
}

template <class Part> ndarray words_array(random_function f, const Part &p, const layout &l, const placement &where) {
  const std::uint64_t others[] = {p.first, p.key[0], p.key[1], p.counter[0], p.counter[1], p.counter[2], p.counter[3]};
  if (ndarray made = small_numbers(f, l, 0, others, where)) return made;
  return defer(where.queue, words_node(f, p, l.shape), where.kind);
}
template <class Part> ndarray halves_array(random_function f, const Part &p, const layout &l, const placement &where) {
  const std::uint64_t others[] = {p.first,      p.key[0],     p.key[1],     p.counter[0],
                                  p.counter[1], p.counter[2], p.counter[3], p.pending};
  if (ndarray made = small_numbers(f, l, 0, others, where)) return made;
  return defer(where.queue, halves_node(f, p, l.shape), where.kind);
}

}  // namespace

ndarray random_generator::random(extents shape, dtype type, const placement &where) {
  const layout l = checked_layout(shape, {type}, where, "random");
  const std::lock_guard lock(mutex_);
  const bool is_float32 = type == dtype::float32;
  const random_function f = is_float32 ? random_function::uniform_float32 : random_function::uniform_float64;
  const ndarray made = is_float32 ? halves_array(f, next_halves(), l, where) : words_array(f, next_words(), l, where);
  is_float32 ? take_halves(std::uint64_t(l.size)) : take_words(std::uint64_t(l.size));
  return made;
}

ndarray random_generator::words(extents shape, dtype type, const placement &where) {
  const layout l = checked_layout(shape, {type}, where, "random_raw");
  const std::lock_guard lock(mutex_);
  const bool half = type == dtype::uint32;
  const ndarray made = half ? halves_array(random_function::words32, next_halves(), l, where)
                            : words_array(random_function::words64, next_words(), l, where);
  half ? take_halves(std::uint64_t(l.size)) : take_words(std::uint64_t(l.size));
  return made;
}

namespace {

/// Integers by Lemire's method from words of 8, 16, 32 or 64 bits: NumPy's, which has rejections.
struct bounded_integers {
  int bits;
  std::uint64_t count;      // of the integers; 0 for 2^bits
  std::uint64_t threshold;  // products whose lower part is less are rejected: 2^bits modulo count

  bounded_integers(int bits, std::uint64_t range) : bits(bits) {
    const std::uint64_t last = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    count = range == last ? 0 : range + 1;
    threshold = count ? (last - count + 1) % count : 0;
  }
  /// Words without their rejected ones are expected to be that share of all.
  double rejected() const { return std::ldexp(double(threshold), -bits); }

  ref<node> integers(const ref<node> &words) const {
    if (count == 0) return words;
    if (bits == 64) return function_node(random_function::bounded_word64, {words, word(count)});
    if (bits == 32)
      return function_node(random_function::bounded_word32, {words, number_node(scalar::of(count), dtype::uint32)});
    return binary_node(opcode::bitwise_right_shift, product(words), std::uint64_t(bits));
  }
  /// The integers as int64, -1 for rejected words; only from words of 32 and 64 bits, and of at most 2^63 integers.
  ref<node> accepted(const ref<node> &words) const {
    const dtype t = bits == 64 ? dtype::uint64 : dtype::uint32;
    return function_node(bits == 64 ? random_function::accepted_word64 : random_function::accepted_word32,
                         {words, number_node(scalar::of(count), t), number_node(scalar::of(threshold), t)});
  }
  ref<node> rejections(const ref<node> &words) const {
    const auto number = [](std::uint64_t x, dtype t) { return number_node(scalar::of(x), t); };
    if (bits == 64) return function_node(random_function::is_rejected64, {words, word(count), word(threshold)});
    if (bits == 32)
      return function_node(random_function::is_rejected32,
                           {words, number(count, dtype::uint32), number(threshold, dtype::uint32)});
    ref<node> lower = binary_node(opcode::bitwise_and, product(words), (std::uint64_t{1} << bits) - 1);
    return binary_node(opcode::less, std::move(lower), scalar::of(threshold), dtype::boolean);
  }

private:
  ref<node> product(const ref<node> &words) const {
    return binary_node(opcode::multiply, cast_node(words, dtype::uint32), count);
  }
};

std::int64_t count_of(const ndarray &truths) { return item(reduce(reduction::count_nonzero, truths)).integer; }
/// The position after the n-th true element.
std::int64_t position_after(const ndarray &truths, std::int64_t n) {
  const index last{index::kind::integer, n - 1};
  return item(view(nonzero(truths)[0], {&last, 1})).integer + 1;
}
const scalar zero = scalar::of(std::int64_t{0});

constexpr std::int64_t few_rejections = 64;

/// The first `count` of an array's numbers without the few rejected ones, as the parts between these, and the position
/// after the last of them. `rejected` has as many true elements as `rejections`.
std::pair<ndarray, std::int64_t> without_rejected(const ndarray &numbers, const ndarray &rejected,
                                                  std::int64_t rejections, std::int64_t count) {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(rejections));
  const std::int64_t step = sizeof(std::int64_t);
  copy_to_host(nonzero(rejected)[0], {positions.data(), dtype::int64, {&rejections, 1}, {&step, 1}});
  std::vector<ndarray> parts;
  std::int64_t begin = 0, left = count;
  positions.push_back(numbers.size());
  for (const std::int64_t position : positions) {
    const std::int64_t taken = std::min(position - begin, left);
    const index part{index::kind::slice, begin, taken, 1};
    if (taken > 0) parts.push_back(view(numbers, {&part, 1}));
    left -= taken;
    if (left == 0) return {concat(parts, 0), begin + taken};
    begin = position + 1;
  }
  throw std::logic_error("without_rejected: too few numbers");
}

/// The number of words of which `count` are accepted almost certainly.
std::int64_t needed_words(std::int64_t count, double rejected) {
  const double n = double(count);
  if (n * rejected < 0.5) return count;
  return std::int64_t(std::ceil((n + 6 * std::sqrt(n * rejected) + 16) / (1 - rejected)));
}

/// Integers by the executor, and the number of words that they take.
std::pair<ndarray, std::int64_t> drawn_integers(integer_draws draws, const layout &l, dtype type, std::int64_t words,
                                                const placement &where) {
  const std::int64_t one = 1, step = sizeof(std::int64_t);
  for (draws.words = words;; draws.words += draws.words / 4 + 64) {
    const ndarray made = make_empty(where.queue, type, l, where.kind);
    const ndarray report =
        full(std::array{one}, scalar::of(std::int64_t{0}), dtype::int64, {where.queue, usm_kind::device});
    executor_of(where.queue)
        .draw_integers(draws, implementation_of(made, "integers"), implementation_of(report, "integers"));
    std::int64_t taken = 0;
    copy_to_host(report, {&taken, dtype::int64, {&one, 1}, {&step, 1}});
    if (taken > 0) return {made, taken};
  }
}

}  // namespace

ndarray random_generator::integers(extents shape, std::int64_t least, std::uint64_t range, dtype type,
                                   const placement &where) {
  const layout l = checked_layout(shape, {type}, where, "integers");
  const auto finished = [&](ref<node> numbers) {
    if (type == dtype::boolean)
      return binary_node(opcode::not_equal, std::move(numbers), scalar::of(std::uint64_t{0}), dtype::boolean);
    // Unsigned sums wrap, so the least integer may be negative.
    numbers = cast_node(std::move(numbers), size_of(type) == 8 ? dtype::uint64 : dtype::uint32);
    numbers = binary_node(opcode::add, std::move(numbers),
                          size_of(type) == 8 ? std::uint64_t(least) : std::uint64_t(std::uint32_t(least)));
    return cast_node(std::move(numbers), type);
  };
  if (range == 0 || l.size == 0)
    return full(shape, type == dtype::uint64 ? scalar::of(static_cast<std::uint64_t>(least)) : scalar::of(least), type,
                where);
  const std::lock_guard lock(mutex_);

  // Small integers are parts of halves of words, of which the last is used partly; the others are whole.
  const int size = type == dtype::boolean ? 1 : int(8 * size_of(type));
  const int bits = size == 64 && range <= 0xffffffff ? 32 : size;
  const std::int64_t parts = bits < 32 ? 32 / bits : 1;  // of half a word
  const auto halves_of = [&](std::int64_t count) { return (count + parts - 1) / parts; };
  const auto words_of_size = [&](std::int64_t count) -> ref<node> {
    if (bits == 64) return words_node(random_function::words64, next_words(), layout::contiguous({&count, 1}).shape);
    const std::int64_t halves[] = {halves_of(count), 1};
    if (parts == 1) return halves_node(random_function::words32, next_halves(), layout::contiguous({&count, 1}).shape);
    // Each half as a row of its parts, the lowest first.
    ref<node> whole = halves_node(random_function::words32, next_halves(), layout::contiguous(extents(halves)).shape);
    ref<node> shift = iota_node(layout::contiguous({&parts, 1}).shape, 0, scalar::of(std::int64_t{0}),
                                scalar::of(std::int64_t(bits)), dtype::uint32);
    const ref<node> inputs[] = {std::move(whole), std::move(shift)};
    ref<node> shifted =
        element_node(opcode::bitwise_right_shift, {2, {dtype::uint32, dtype::uint32}, dtype::uint32}, inputs);
    return binary_node(opcode::bitwise_and, std::move(shifted), (std::uint64_t{1} << bits) - 1);
  };
  const auto take = [&](std::int64_t count) {
    bits == 64 ? take_words(std::uint64_t(count)) : take_halves(std::uint64_t(halves_of(count)));
  };
  if (l.size <= most_small && executor_of(where.queue).runs_inline() && idle(where.queue)) {
    const ndarray made = make_empty(where.queue, type, l, where.kind);
    auto *to = static_cast<std::byte *>(static_cast<array_object *>(made.get())->first());
    word_reader words(*this);
    for (std::int64_t i = 0; i < l.size; ++i, to += size_of(type)) {
      const std::uint64_t drawn = bits < 32 ? words.small_integer(std::uint32_t(range), bits) : words.integer(range);
      const std::uint64_t number = drawn + std::uint64_t(least);
      std::memcpy(to, &number, size_of(type));  // the lower bytes come first
    }
    return made;
  }
  const auto deferred = [&](ref<node> n) { return defer(where.queue, std::move(n), where.kind); };

  const bounded_integers method(bits, range);
  if (method.threshold == 0) {
    if (parts == 1) {
      auto words = bits == 64 ? words_node(random_function::words64, next_words(), l.shape)
                              : halves_node(random_function::words32, next_halves(), l.shape);
      take(l.size);
      return deferred(finished(method.integers(words)));
    }
    const ndarray all = deferred(finished(method.integers(words_of_size(l.size))));
    take(l.size);
    return first_elements(reshape(all, std::array{halves_of(l.size) * parts}), l.size, shape);
  }
  constexpr std::int64_t most_words = std::int64_t{1} << 30;
  if (bits >= 32 && executor_of(where.queue).draws_integers() && needed_words(l.size, method.rejected()) < most_words) {
    const part from = bits == 64 ? next_words() : next_halves();
    const auto [made, taken] = drawn_integers(
        {bits, from.first, from.pending, from.counter, from.key, method.count, method.threshold, std::uint64_t(least)},
        l, type, needed_words(l.size, method.rejected()), where);
    take(taken);
    return made;
  }
  const bool in_one_number = bits >= 32 && method.count <= std::uint64_t{1} << 63;
  for (std::int64_t count = needed_words(l.size, method.rejected());; count += count / 4 + 64) {
    const ref<node> words = words_of_size(count);
    if (in_one_number) {
      // One pass stores the integers, of which rejected ones are -1, and another counts those.
      const ndarray drawn = deferred(method.accepted(words));
      const operand pair[] = {{&drawn, nullptr}, {nullptr, &zero}};
      const std::int64_t rejections = (drawn.evaluate(), count_of(element(opcode::less, pair)));
      if (rejections == 0 && count == l.size) {
        take(count);
        return reshape(least == 0 && type == dtype::int64 ? drawn : deferred(finished(node_of(drawn))), shape);
      }
      if (count - rejections < l.size) continue;
      if (rejections > 0 && rejections <= few_rejections) {
        auto [numbers, after] = without_rejected(drawn, element(opcode::less, pair), rejections, l.size);
        take(after);
        numbers = reshape(numbers, shape);
        return least == 0 && type == dtype::int64 ? numbers : deferred(finished(node_of(numbers)));
      }
      const ndarray accepted = element(opcode::greater_equal, pair);
      take(position_after(accepted, l.size));
      const ndarray kept = first_elements(extract_elements(drawn, accepted), l.size, shape);
      return least == 0 && type == dtype::int64 ? kept : deferred(finished(node_of(kept)));
    }
    const std::array flat{halves_of(count) * parts};
    const ndarray rejected = first_elements(
        reshape(deferred(cast_node(method.rejections(words), dtype::boolean)), flat), count, {&count, 1});
    const ndarray numbers =
        first_elements(reshape(deferred(finished(method.integers(words))), flat), count, {&count, 1});
    const std::int64_t rejections = count_of(rejected);
    if (rejections == 0 && count == l.size) {
      take(count);
      return reshape(numbers, shape);
    }
    if (count - rejections < l.size) continue;
    const operand mask{&rejected, nullptr};
    const ndarray accepted = element(opcode::logical_not, {&mask, 1});
    take(position_after(accepted, l.size));
    return first_elements(extract_elements(numbers, accepted), l.size, shape);
  }
}

random_streams random_generator::streams(std::int64_t elements) noexcept {
  const std::lock_guard lock(mutex_);
  // Each element has the number of a block, so that other numbers of the sequence are not related.
  random_streams taken;
  taken.counter_ = sum_of(state_.counter, {1, 0, 0, 0});
  taken.first_ = taken.counter_[0];
  taken.key_ = state_.key;
  if (elements > 0) {
    state_.counter = sum_of(state_.counter, {std::uint64_t(elements), 0, 0, 0});
    state_.buffer_position = 4;
  }
  return taken;
}

ndarray random_streams::draw(std::string_view name, unsigned tag, extents shape, std::span<const operand> parameters,
                             const placement &where) const {
  const random_function f = stream_function(name);
  const user_function &function = *element_function_of(f);
  if (function.from.size() != parameters.size() + 2)
    refuse(refusal::type, "{}: expected {} parameters, got {}", name, function.from.size() - 2, parameters.size());
  for (const dtype t : function.from) check_supported(t, where.queue.get_device(), function.name.c_str());
  const layout l = checked_layout(shape, {function.to}, where, function.name.c_str());
  // A key of its own for each distribution and tag. Counters of words do not have this bit.
  const std::uint64_t purpose = std::uint64_t(f) << 32 | tag;
  const std::uint64_t key =
      philox_block(key_, {purpose, counter_[1], counter_[2], counter_[3] ^ std::uint64_t{1} << 63})[0];
  if (std::ranges::all_of(parameters, [](const operand &p) { return p.number; })) {
    std::array<std::uint64_t, max_inputs> others{key};  // all parameters have 8 bytes
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const dtype type = function.from[k + 2];
      write_element(&others[k + 1], type, converted(*parameters[k].number, type, function.name.c_str()));
    }
    if (ndarray made = small_numbers(f, l, first_, std::span(others).first(parameters.size() + 1), where)) return made;
  }
  std::array<ref<node>, max_inputs> inputs{row_major_node(l.shape, first_), word(key)};
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const operand &p = parameters[k];
    const dtype type = function.from[k + 2];
    if (p.number) {
      inputs[k + 2] = number_node(converted(*p.number, type, function.name.c_str()), type);
      continue;
    }
    check_same_queue(p.array->get_queue(), where.queue, function.name.c_str());
    inputs[k + 2] = node_of(p.array->shape().size() == shape.size() ? *p.array : broadcast_to(*p.array, shape));
  }
  if (l.size == 0) return make_empty(where.queue, function.to, l, where.kind);
  return defer(where.queue, user_node(element_function_of(f), {inputs.data(), parameters.size() + 2}), where.kind);
}

}  // namespace dpep::array
