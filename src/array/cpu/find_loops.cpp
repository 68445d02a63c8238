// Runs of element calls: finding them, and calling what they were compiled to.
#include "array/cpu/find_loops.hpp"

#include <cstring>

#include "array/cpu/row_loops.hpp"
#include "array/cpu/short_sums.hpp"
#include "array/cpu/loop_builder.hpp"

namespace dpep::array {
namespace {

using namespace runs;

std::optional<fused_call> find_run(const cell_code &code, std::span<const int> levels, std::size_t first) {
  if (std::optional<fused_call> sums = find_row_sums(code, levels, first)) return sums;
  if (std::optional<fused_call> rows = find_row_run(code, levels, first)) return rows;
  const call &c = code.calls[first];
  if (!joins(c)) return {};
  run_maker run(code, first);
  for (std::size_t next = first; next < code.calls.size() && levels[next] == levels[first] && joins(code.calls[next]) &&
                                 same_walks(code, c, code.calls[next]) && run.add(code.calls[next]);)
    ++next;
  if (run.size() < 2) return {};
  return run.finish(c.count, std::span(code.walks).subspan(c.first_walk, c.walks));
}

}  // namespace

void find_runs(cell_code &code, std::span<const int> levels) {
  code.fused_at.assign(code.calls.size(), 0);
  for (std::size_t c = 0; c < code.calls.size();) {
    std::optional<fused_call> f = find_run(code, levels, c);
    const std::size_t calls = f ? f->count : 1;
    if (f) {
      code.fused.push_back(std::move(*f));
      code.fused_at[c] = std::uint16_t(code.fused.size());
    }
    c += calls;
  }
}

fused_call make_alone(const call &c, std::span<const walk> walks) {
  fused_call f;
  f.elements = c.count;
  f.by_elements = true;
  f.addresses.assign(c.from.begin(), c.from.begin() + c.inputs);
  f.addresses.push_back(c.to);
  element_run::operation made{c.code, c.type};
  made.function = ref<const user_function>::share(c.function);
  made.count = c.inputs;
  for (std::uint8_t k = 0; k < c.inputs; ++k) {
    f.description.inputs.push_back({c.types[k], c.forms[k]});
    made.operands[k] = k;
  }
  f.description.operations.push_back(std::move(made));
  f.description.results.push_back(c.inputs);
  for (const walk &w : walks) {
    f.walks.push_back(w.count);
    for (std::uint8_t k = 0; k < c.inputs; ++k) f.strides.push_back(w.strides[k + 1u]);
    f.strides.push_back(w.strides[0]);
  }
  return f;
}

void do_fused(const fused_call &f, backend::work_function function, std::byte *const *bases) {
  struct {
    std::int64_t count;
    std::array<std::byte *, fused_call::most_addresses> at;  // of rows: addresses, then distances
  } arguments;
  arguments.count = f.elements;
  const std::size_t n = f.addresses.size();
  for (std::size_t k = 0; k < n; ++k) arguments.at[k] = bases[f.addresses[k].base] + f.addresses[k].offset;
  geometry items{};
  std::size_t end = 1;
  if (f.by_elements) items.global[0] = end = std::size_t(f.elements);
  if (f.description.row) {
    std::memcpy(arguments.at.data() + n, f.strides.data(), n * sizeof(std::int64_t));
    return function(&arguments, &items, 0, end, nullptr, 0);
  }
  const auto go = [&](auto &&self, std::size_t depth) -> void {
    if (depth == 0) return function(&arguments, &items, 0, end, nullptr, 0);
    const std::int64_t *const strides = f.strides.data() + (depth - 1) * n;
    const auto before = arguments.at;
    for (std::int64_t i = 0; i < f.walks[depth - 1]; ++i) {
      self(self, depth - 1);
      for (std::size_t k = 0; k < n; ++k) arguments.at[k] += strides[k];
    }
    arguments.at = before;
  };
  go(go, f.walks.size());
}

}  // namespace dpep::array
