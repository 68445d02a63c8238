// Random numbers: nodes of functions of the index, and their scaling.
#include <dpep/array_random.hpp>

#include <dpep/array_opcodes.hpp>

#include "array/base/errors.hpp"
#include "array/base/scalars.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/node.hpp"

namespace dpep::array {
namespace {

ref<node> apply(opcode code, ref<node> x, const scalar &number) {
  const dtype type = x->type;
  const ref<node> inputs[] = {std::move(x), number_node(number, type)};
  return element_node(code, {2, {type, type}, type}, inputs);
}

/// x * factor + offset, in two roundings.
ref<node> scaled(ref<node> x, double factor, double offset) {
  if (factor == 1 && offset == 0) return x;
  return apply(opcode::add, apply(opcode::multiply, std::move(x), scalar::of(factor)), scalar::of(offset));
}

layout checked_layout(extents shape, dtype type, const placement &where, const char *operation) {
  for (const dtype t : {dtype::float64, type}) check_supported(t, where.queue.get_device(), operation);
  return layout::contiguous(shape);
}

}  // namespace

void random_generator::seed(std::uint64_t seed) noexcept {
  const std::lock_guard lock(mutex_);
  key_ = seed, next_block_ = 0;
}

random_generator::blocks random_generator::take(std::int64_t numbers) noexcept {
  const std::lock_guard lock(mutex_);
  const blocks taken{next_block_, key_};
  next_block_ += static_cast<std::uint64_t>(numbers + 1) / 2;
  return taken;
}

ndarray random_generator::uniform(extents shape, double low, double high, const placement &where) {
  const layout l = checked_layout(shape, dtype::float64, where, "uniform");
  const auto [first, key] = take(l.size);
  auto numbers = random_node(index_function::uniform, l.shape, first, key);
  return defer(where.queue, scaled(std::move(numbers), high - low, low), where.kind);
}

ndarray random_generator::normal(extents shape, double mean, double deviation, const placement &where) {
  if (deviation < 0)
    refuse(refusal::value, "normal: scale must not be negative, got {}", text_of(scalar::of(deviation)));
  const layout l = checked_layout(shape, dtype::float64, where, "normal");
  const auto [first, key] = take(l.size);
  auto numbers = random_node(index_function::normal, l.shape, first, key);
  return defer(where.queue, scaled(std::move(numbers), deviation, mean), where.kind);
}

ndarray random_generator::integers(extents shape, std::int64_t least, std::uint64_t count, dtype type,
                                   const placement &where) {
  if (count == 0 || count > std::uint64_t{1} << 53)
    refuse(refusal::value, "randint: expected a range of 1 to 2**53 integers, got {}", count);
  const layout l = checked_layout(shape, type, where, "randint");
  const auto [first, key] = take(l.size);
  auto numbers = apply(opcode::multiply, random_node(index_function::uniform, l.shape, first, key),
                       scalar::of(static_cast<double>(count)));
  auto integers = apply(opcode::add, cast_node(std::move(numbers), dtype::int64), scalar::of(least));
  return defer(where.queue, cast_node(std::move(integers), type), where.kind);
}

}  // namespace dpep::array
