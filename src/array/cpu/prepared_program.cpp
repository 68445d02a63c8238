// Preparing programs, and the cache of those.
#include "array/cpu/prepared_program.hpp"

#include <algorithm>
#include <cstring>

#include "array/cpu/run_cells.hpp"
#include "array/fusion/program_cache.hpp"
#include "array/cpu/run_arguments.hpp"
#include "array/cpu/scratch_check.hpp"

namespace dpep::array {
namespace {

constexpr double short_nanoseconds = 25'000, tail_nanoseconds = 10'000;
constexpr std::size_t most_workspace_in_scratch = 64 * 1024;

void ask_for_compiled(const prepared_program &p) noexcept {
  for (const std::shared_ptr<fused_run> &run : p.runs) run->ask();
}

/// Of programs that take longer than their launch: the compiled form of their runs. Those that other programs have
/// are compiled now.
void find_compiled(prepared_program &p, backend::device &device) {
  for (lowered &l : p.passes)
    for (cell_code &variant : l.variants)
      for (fused_call &f : variant.fused) {
        f.run = fused_run::find(f.description, device);
        if (std::ranges::find(p.runs, f.run) == p.runs.end()) p.runs.push_back(f.run);
      }
  ask_for_compiled(p);
}

/// There are no block kernels for these: what does each of them by itself is compiled before it is needed.
void compile_user_functions(prepared_program &p, backend::device &device) {
  for (lowered &l : p.passes)
    for (cell_code &variant : l.variants)
      for (fused_call &f : variant.alone) {
        f.run = fused_run::find(f.description, device);
        f.run->compile();
      }
}

// Merging the states of all segments takes less time than another launch.
bool finishes_quickly(const lowered &l) {
  double nanoseconds = 0;
  for (const outer_reduction &o : l.outers) nanoseconds += double(o.results) * double(o.copies + 1);
  return nanoseconds < tail_nanoseconds;
}
bool is_quick(const lowered &l) { return l.plan.nanoseconds < tail_nanoseconds && finishes_quickly(l); }

std::shared_ptr<const prepared_program> make(const program &p, bool aliased, backend::device &device) {
  auto made = std::make_shared<prepared_program>();
  made->operands = p.memory.size();
  made->name = readable_name(p);
  made->functions = p.functions;
  for (const instruction &i : p.code)
    if (i.what == step::scalar) made->scalars.emplace_back(i.operand, i.type);
  const auto place = [&](std::int64_t bytes) {
    const auto at = std::int64_t(made->workspace_bytes);
    made->workspace_bytes += std::size_t((bytes + 63) & ~std::int64_t{63});
    return at;
  };
  for (pass &work : split(simplify(p), aliased)) {
    const lowered &l = made->passes.emplace_back(lower(plan(std::move(work), aliased)));
    if (checks_scratch()) check_scratch(l);
    std::vector<std::int64_t> states;
    for (std::size_t o = 0; o < l.outers.size(); ++o) {
      states.push_back(place(l.bases.states_of_chunk[o] * std::max<std::int64_t>(l.outers[o].copies, 1)));
      made->temporary_offsets.push_back(place(l.outers[o].results * std::int64_t(l.outers[o].reducer->result_bytes)));
    }
    made->states_offsets.push_back(std::move(states));
    made->scratch_bytes = std::max(made->scratch_bytes, scratch_bytes_of(l));
    made->nanoseconds += l.plan.nanoseconds;
  }
  compile_user_functions(*made, device);
  using stage = prepared_program::stage;
  if (made->nanoseconds < short_nanoseconds && made->workspace_bytes <= most_workspace_in_scratch) {
    made->stages.push_back({stage::kind::whole, 0, 1, true});
    return made;
  }
  find_compiled(*made, device);
  for (std::uint32_t k = 0; k < made->passes.size();) {
    const lowered &l = made->passes[k];
    stage segments{stage::kind::segments, k, k, std::size_t(l.plan.segments), l.plan.nanoseconds < short_nanoseconds};
    const std::int64_t blocks = finishing_blocks(l);
    std::uint32_t next = k + 1;
    if (l.plan.segments && finishes_quickly(l)) {
      while (next < made->passes.size() && is_quick(made->passes[next])) ++next;
      if (blocks)
        segments.next = next;
      else
        next = k + 1;
    }
    if (l.plan.segments) made->stages.push_back(segments);
    if (blocks && segments.next == k)
      made->stages.push_back({stage::kind::finishing, k, k, std::size_t(blocks), blocks <= 2});
    k = next;
  }
  if (made->workspace_bytes) made->counters_offset = place(std::int64_t(made->stages.size() * sizeof(std::uint64_t)));
  return made;
}

std::shared_ptr<const program_code> load(std::shared_ptr<const prepared_program> p, backend::device &device) {
  auto code = std::make_shared<program_code>();
  const std::size_t scratch =
      p->scratch_bytes + (p->stages.front().what == prepared_program::stage::kind::whole ? p->workspace_bytes : 0);
  for (const auto &stage : p->stages) {
    backend::code_object object;
    object.loaded = std::const_pointer_cast<prepared_program>(p);  // tasks keep what they run
    object.entry = reinterpret_cast<void *>(entry_of(stage.what));
    object.name = p->name;
    code->stages.push_back(device.load(object, {.grouped = true, .static_local_bytes = scratch}));
  }
  code->program = std::move(p);
  return code;
}

using cache = program_cache<program_code>;

cache &all_prepared() {
  static cache &c = *new cache;  // programs may run until the end
  return c;
}

}  // namespace

std::shared_ptr<const program_code> prepare(const program &p, bool aliased, backend::device &device) {
  static thread_local program_key key;
  key.write(p, aliased, &device);
  if (auto known = all_prepared().find(key)) {
    if (!known->program->met_again.exchange(true, std::memory_order_relaxed)) ask_for_compiled(*known->program);
    return known;
  }
  return all_prepared().add(key, load(make(p, aliased, device), device));
}

}  // namespace dpep::array
