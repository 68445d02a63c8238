// Prepares programs: passes, compiled loops, workspace and stages.
#include "array/cpu/prepared_program.hpp"

#include <algorithm>
#include <cstring>

#include "array/cpu/pass_builder.hpp"
#include "array/cpu/run_cells.hpp"
#include "array/cpu/scheduler.hpp"
#include "array/cpu/scratch_check.hpp"
#include "array/fusion/passes.hpp"

namespace dpep::array {
namespace {

constexpr double short_nanoseconds = 25'000, tail_nanoseconds = 10'000;
constexpr double whole_nanoseconds = 12'000;  // of programs that one thread executes as a whole
constexpr std::size_t max_workspace_in_scratch = 64 * 1024;

/// The share of a pass's cells that have the shape of a variant.
double share_of(const pass_code &pass, std::size_t variant) {
  double share = 1;
  for (std::size_t k = 0; k < pass.remainder_axes.size(); ++k) {
    const double last = 1 / double(pass.plan.axes[std::size_t(pass.remainder_axes[k])].steps());
    share *= variant >> k & 1 ? last : 1 - last;
  }
  return share;
}

/// Finds and requests the compiled loops of a program that takes longer than its launch. Block kernels compute the few
/// cells of other shapes: loops that only these have would delay those of most cells.
void find_compiled_loops(prepared_program &p, backend::device &device) {
  constexpr double few = 1.0 / 8;
  for (pass_code &pass : p.passes)
    for (std::size_t variant = 0; variant < pass.variants.size(); ++variant)
      for (loop_call &f : pass.variants[variant].loop_calls) {
        std::shared_ptr<compiled_loop> loop = compiled_loop::find(f.description, device);
        if (std::ranges::find(p.loops, loop) == p.loops.end()) {
          if (variant != 0 && share_of(pass, variant) < few) continue;
          p.loops.push_back(loop);
        }
        f.loop = std::move(loop);
      }
  p.request_compilation(false);
}

/// Compiles the calls of users' functions: there are no block kernels for them, so each must be compiled before it is
/// executed.
void compile_user_functions(prepared_program &p, backend::device &device) {
  for (pass_code &pass : p.passes)
    for (cell_code &variant : pass.variants)
      for (loop_call &f : variant.user_calls) {
        if (f.description.operations.front().function->native) continue;
        f.loop = compiled_loop::find(f.description, device);
        f.loop->compile();
      }
}

// Whether merging the states of all segments takes less time than another launch.
bool finishes_quickly(const pass_code &code) {
  double nanoseconds = 0;
  for (const outer_reduction &o : code.outers) nanoseconds += double(o.results) * double(o.copies + 1);
  return nanoseconds < tail_nanoseconds;
}
bool is_quick(const pass_code &code) { return code.plan.nanoseconds < tail_nanoseconds && finishes_quickly(code); }

}  // namespace

std::shared_ptr<const prepared_program> prepare_program(const program &p, bool aliased, backend::device &device) {
  auto prepared = std::make_shared<prepared_program>();
  prepared->operands = p.memory.size();
  prepared->name = readable_name(p);
  prepared->functions = p.functions;
  for (const instruction &i : p.code)
    if (i.what == step::scalar) prepared->scalars.emplace_back(i.operand, i.type);
  const auto reserve = [&](std::int64_t bytes) {
    const auto at = std::int64_t(prepared->workspace_bytes);
    prepared->workspace_bytes += std::size_t((bytes + 63) & ~std::int64_t{63});
    return at;
  };
  for (pass &work : split(simplify(p), aliased)) {
    const pass_code &code = prepared->passes.emplace_back(make_pass_code(make_schedule(std::move(work), aliased)));
    if (checks_scratch()) check_scratch(code);
    std::vector<std::int64_t> states;
    for (std::size_t o = 0; o < code.outers.size(); ++o) {
      states.push_back(reserve(code.bases.states_of_chunk[o] * std::max<std::int64_t>(code.outers[o].copies, 1)));
      prepared->temporary_offsets.push_back(
          reserve(code.outers[o].results * std::int64_t(code.outers[o].reducer->result_bytes)));
    }
    prepared->states_offsets.push_back(std::move(states));
    prepared->scratch_bytes = std::max(prepared->scratch_bytes, scratch_bytes_of(code));
    prepared->nanoseconds += code.plan.nanoseconds;
  }
  compile_user_functions(*prepared, device);
  using stage = prepared_program::stage;
  if (prepared->nanoseconds < whole_nanoseconds && prepared->workspace_bytes <= max_workspace_in_scratch) {
    prepared->stages.push_back({stage::kind::whole, 0, 1, true});
    return prepared;
  }
  find_compiled_loops(*prepared, device);
  for (std::uint32_t k = 0; k < prepared->passes.size();) {
    const pass_code &code = prepared->passes[k];
    stage segments{stage::kind::segments, k, k, std::size_t(code.plan.segments),
                   code.plan.nanoseconds < short_nanoseconds};
    const std::int64_t blocks = finishing_blocks(code);
    std::uint32_t next = k + 1;
    if (code.plan.segments && finishes_quickly(code)) {
      while (next < prepared->passes.size() && is_quick(prepared->passes[next])) ++next;
      if (blocks)
        segments.next = next;
      else
        next = k + 1;
    }
    if (code.plan.segments) prepared->stages.push_back(segments);
    if (blocks && segments.next == k)
      prepared->stages.push_back({stage::kind::finishing, k, k, std::size_t(blocks), blocks <= 2});
    k = next;
  }
  if (prepared->workspace_bytes)
    prepared->counters_offset = reserve(std::int64_t(prepared->stages.size() * sizeof(std::uint64_t)));
  return prepared;
}

}  // namespace dpep::array
