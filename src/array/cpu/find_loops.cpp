// Finding loops in cell code, and calling compiled loops.
#include "array/cpu/find_loops.hpp"

#include <algorithm>
#include <cstring>

#include "array/cpu/block_reductions.hpp"
#include "array/cpu/loop_builder.hpp"
#include "array/cpu/row_loops.hpp"

namespace dpep::array {
namespace {

using namespace loop_building;

std::int64_t elements_of(const cell_code &code, const call &c) {
  std::int64_t n = c.count;
  for (std::uint16_t w = 0; w < c.walks; ++w) n *= code.walks[std::size_t(c.first_walk + w)].count;
  return n;
}

/// The call with the walks of `like`, which has shorter blocks and as many elements. A call whose operands are all
/// tiles goes over several rows of them as one block; beside calls that access rows of memory, it goes row by row. The
/// walks are added to the code. Nothing if the call cannot be divided like that.
std::optional<call> divided(cell_code &code, call c, const call &like) {
  if (c.walks > like.walks) return {};
  const std::uint16_t merged = like.walks - c.walks;
  std::int64_t row = like.count;
  for (std::uint16_t w = 0; w < merged; ++w) row *= code.walks[std::size_t(like.first_walk + w)].count;
  if (row != c.count) return {};
  for (std::uint16_t w = 0; w < c.walks; ++w)
    if (code.walks[std::size_t(c.first_walk + w)].count != code.walks[std::size_t(like.first_walk + merged + w)].count)
      return {};
  if (merged == 0) return c;
  const auto first = std::uint16_t(code.walks.size());
  std::int64_t length = like.count;  // of a block
  for (std::uint16_t w = 0; w < merged; ++w) {
    walk over{code.walks[std::size_t(like.first_walk + w)].count, {}};
    over.strides[0] = length * std::int64_t(size_of(c.type));
    for (std::size_t k = 0; k < c.inputs; ++k)
      over.strides[k + 1] = c.forms[k] == blocks::form::one ? 0 : length * std::int64_t(size_of(c.types[k]));
    length *= over.count;
    code.walks.push_back(over);
  }
  for (std::uint16_t w = 0; w < c.walks; ++w) code.walks.push_back(walk(code.walks[std::size_t(c.first_walk + w)]));
  c.count = like.count;
  c.first_walk = first;
  c.walks = like.walks;
  return c;
}

/// The loop of the calls from `first` to `end` that can join, with the walks of `like`.
std::optional<loop_call> join_calls(cell_code &code, std::span<const int> levels, std::size_t first, std::size_t end,
                                    const call &like) {
  const std::size_t walks_before = code.walks.size();
  loop_builder builder(code, first);
  for (std::size_t next = first; next < end && levels[next] == levels[first] && can_join(code.calls[next]); ++next) {
    const std::optional<call> c = divided(code, code.calls[next], like);
    if (!c || !builder.add(*c)) break;
  }
  std::optional<loop_call> found;
  if (builder.size() >= 1)
    found = builder.build(like.count, std::span(code.walks).subspan(like.first_walk, like.walks));
  code.walks.resize(walks_before);
  // A block kernel is as fast as a loop of one operation, except of a division by a repeated row.
  if (found && found->count < 2 && !found->description.chunk) found.reset();
  return found;
}

std::optional<loop_call> find_loop(cell_code &code, std::span<const int> levels, std::size_t first) {
  if (std::optional<loop_call> rows = find_row_loop(code, levels, first)) return rows;
  const call own = code.calls[first];
  if (!can_join(own)) return {};
  std::optional<loop_call> found = join_calls(code, levels, first, code.calls.size(), own);
  // The calls that may join row by row, and the one with the shortest blocks. Other kinds of loops are left whole.
  std::size_t end = first, shortest = first;
  const auto may_join = [&](std::size_t next) {
    return levels[next] == levels[first] && can_join(code.calls[next]) &&
           elements_of(code, code.calls[next]) == elements_of(code, own) &&
           (next == first || !find_row_loop(code, levels, next));
  };
  for (; end < code.calls.size() && may_join(end); ++end)
    if (code.calls[end].count < code.calls[shortest].count) shortest = end;
  if (shortest == first) return found;
  std::optional<loop_call> by_rows = join_calls(code, levels, first, end, call(code.calls[shortest]));
  return by_rows && (!found || by_rows->count > found->count) ? std::move(by_rows) : std::move(found);
}

}  // namespace

void find_loops(cell_code &code, std::span<const int> levels, std::vector<loop_call> found) {
  code.loop_call_at.assign(code.calls.size(), 0);
  std::vector<int> levels_left(levels.begin(), levels.end());
  for (const loop_call &f : found)
    std::fill_n(levels_left.begin() + f.first, f.count, -1);  // other loops end before them
  std::size_t next_found = 0;
  for (std::size_t c = 0; c < code.calls.size();) {
    std::optional<loop_call> f;
    if (next_found < found.size() && found[next_found].first == c)
      f = std::move(found[next_found++]);
    else
      f = find_loop(code, levels_left, c);
    const std::size_t calls = f ? f->count : 1;
    if (f) {
      code.loop_calls.push_back(std::move(*f));
      code.loop_call_at[c] = std::uint16_t(code.loop_calls.size());
    }
    c += calls;
  }
}

loop_call user_function_loop(const call &c, std::span<const walk> walks) {
  loop_call f;
  f.elements = c.count;
  f.item_per_element = true;
  f.addresses.assign(c.from.begin(), c.from.begin() + c.inputs);
  f.addresses.push_back(c.to);
  element_loop::operation operation{c.code, c.type};
  operation.function = ref<const user_function>::share(c.function);
  operation.count = c.inputs;
  for (std::uint8_t k = 0; k < c.inputs; ++k) {
    f.description.inputs.push_back({c.types[k], c.forms[k]});
    operation.operands[k] = k;
  }
  f.description.operations.push_back(std::move(operation));
  f.description.results.push_back(c.inputs);
  for (const walk &w : walks) {
    f.walks.push_back(w.count);
    for (std::uint8_t k = 0; k < c.inputs; ++k) f.strides.push_back(w.strides[k + 1u]);
    f.strides.push_back(w.strides[0]);
  }
  return f;
}

namespace {

/// Calls `run` for each iteration of the loops around a compiled loop, of which `depth` are left, and moves the
/// addresses.
template <class F> void repeat(const loop_call &f, std::byte **at, std::size_t depth, const F &run) {
  if (depth == 0) return run();
  const std::size_t n = f.addresses.size();
  const std::int64_t *const strides = f.strides.data() + (depth - 1) * n;
  const std::int64_t count = f.walks[depth - 1];
  for (std::int64_t i = 0; i < count; ++i) {
    if (depth == 1)  // without the cost of a call
      run();
    else
      repeat(f, at, depth - 1, run);
    for (std::size_t k = 0; k < n; ++k) at[k] += strides[k];
  }
  for (std::size_t k = 0; k < n; ++k) at[k] -= strides[k] * count;
}

}  // namespace

void call_native_loop(const loop_call &f, native_loop function, std::byte *const *bases) {
  std::array<std::byte *, max_inputs + 1> at;  // operands, then the result
  std::array<std::int64_t, max_inputs> steps;
  const std::size_t n = f.addresses.size(), inputs = n - 1;
  for (std::size_t k = 0; k < n; ++k) at[k] = bases[f.addresses[k].base] + f.addresses[k].offset;
  for (std::size_t k = 0; k < inputs; ++k) {
    const element_loop::input &i = f.description.inputs[k];
    steps[k] = i.form == blocks::form::one ? 0 : std::int64_t(size_of(i.type));
  }
  repeat(f, at.data(), f.walks.size(), [&] {
    std::array<const void *, max_inputs> operands;
    std::ranges::copy(at.begin(), at.begin() + std::ptrdiff_t(inputs), operands.begin());
    function(std::size_t(f.elements), operands.data(), steps.data(), at[inputs]);
  });
}

void call_compiled_loop(const loop_call &f, backend::work_function function, std::byte *const *bases) {
  if (!f.reductions.empty()) return call_block_reduction(f, function, bases);
  struct {
    std::int64_t count;
    std::array<std::byte *, loop_call::max_addresses> at;  // then distances of rows, or strides
  } arguments;
  arguments.count = f.elements;
  const std::size_t n = f.addresses.size();
  for (std::size_t k = 0; k < n; ++k) arguments.at[k] = bases[f.addresses[k].base] + f.addresses[k].offset;
  geometry items{};
  std::size_t end = 1;
  if (f.item_per_element) items.global[0] = end = std::size_t(f.elements);
  if (f.description.row_length) {
    std::memcpy(arguments.at.data() + n, f.strides.data() + f.walks.size() * n, n * sizeof(std::int64_t));
  } else if (!f.description.short_axes.empty()) {
    std::memcpy(arguments.at.data() + n, f.strides.data(), f.strides.size() * sizeof(std::int64_t));
    return function(&arguments, &items, 0, end, nullptr, 0);
  }
  repeat(f, arguments.at.data(), f.walks.size(), [&] { function(&arguments, &items, 0, end, nullptr, 0); });
}

}  // namespace dpep::array
