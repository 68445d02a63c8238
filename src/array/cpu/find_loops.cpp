// Finding loops in cell code, and calling compiled loops.
#include "array/cpu/find_loops.hpp"

#include <algorithm>
#include <cstring>

#include "array/cpu/loop_builder.hpp"
#include "array/cpu/row_loops.hpp"
#include "array/cpu/short_sums.hpp"

namespace dpep::array {
namespace {

using namespace loop_building;

std::optional<loop_call> find_loop(const cell_code &code, std::span<const int> levels, std::size_t first) {
  if (std::optional<loop_call> sums = find_short_sum(code, levels, first)) return sums;
  if (std::optional<loop_call> rows = find_row_loop(code, levels, first)) return rows;
  const call &c = code.calls[first];
  if (!can_join(c)) return {};
  loop_builder builder(code, first);
  for (std::size_t next = first; next < code.calls.size() && levels[next] == levels[first] &&
                                 can_join(code.calls[next]) && same_walks(code, c, code.calls[next]) &&
                                 builder.add(code.calls[next]);)
    ++next;
  if (builder.size() < 2) return {};
  return builder.build(c.count, std::span(code.walks).subspan(c.first_walk, c.walks));
}

}  // namespace

void find_loops(cell_code &code, std::span<const int> levels) {
  code.loop_call_at.assign(code.calls.size(), 0);
  for (std::size_t c = 0; c < code.calls.size();) {
    std::optional<loop_call> f = find_loop(code, levels, c);
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

void call_native_loop(const loop_call &f, native_loop function, std::byte *const *bases) {
  std::array<std::byte *, max_inputs + 1> at;  // operands, then the result
  std::array<std::int64_t, max_inputs> steps;
  const std::size_t n = f.addresses.size(), inputs = n - 1;
  for (std::size_t k = 0; k < n; ++k) at[k] = bases[f.addresses[k].base] + f.addresses[k].offset;
  for (std::size_t k = 0; k < inputs; ++k) {
    const auto &[type, form] = f.description.inputs[k];
    steps[k] = form == blocks::form::one ? 0 : std::int64_t(size_of(type));
  }
  const auto call_all = [&](auto &&self, std::size_t depth) -> void {
    if (depth == 0) {
      std::array<const void *, max_inputs> operands;
      std::ranges::copy(at.begin(), at.begin() + std::ptrdiff_t(inputs), operands.begin());
      return function(std::size_t(f.elements), operands.data(), steps.data(), at[inputs]);
    }
    const std::int64_t *const strides = f.strides.data() + (depth - 1) * n;
    const auto before = at;
    for (std::int64_t i = 0; i < f.walks[depth - 1]; ++i) {
      self(self, depth - 1);
      for (std::size_t k = 0; k < n; ++k) at[k] += strides[k];
    }
    at = before;
  };
  call_all(call_all, f.walks.size());
}

void call_compiled_loop(const loop_call &f, backend::work_function function, std::byte *const *bases) {
  struct {
    std::int64_t count;
    std::array<std::byte *, loop_call::max_addresses> at;  // loops over rows: addresses, then distances
  } arguments;
  arguments.count = f.elements;
  const std::size_t n = f.addresses.size();
  for (std::size_t k = 0; k < n; ++k) arguments.at[k] = bases[f.addresses[k].base] + f.addresses[k].offset;
  geometry items{};
  std::size_t end = 1;
  if (f.item_per_element) items.global[0] = end = std::size_t(f.elements);
  if (f.description.row_length) {
    std::memcpy(arguments.at.data() + n, f.strides.data(), n * sizeof(std::int64_t));
    return function(&arguments, &items, 0, end, nullptr, 0);
  }
  const auto call_all = [&](auto &&self, std::size_t depth) -> void {
    if (depth == 0) return function(&arguments, &items, 0, end, nullptr, 0);
    const std::int64_t *const strides = f.strides.data() + (depth - 1) * n;
    const auto before = arguments.at;
    for (std::int64_t i = 0; i < f.walks[depth - 1]; ++i) {
      self(self, depth - 1);
      for (std::size_t k = 0; k < n; ++k) arguments.at[k] += strides[k];
    }
    arguments.at = before;
  };
  call_all(call_all, f.walks.size());
}

}  // namespace dpep::array
