// The work functions of stages: execute segments of a pass, the end of a pass, or a whole program.
#include "array/cpu/stage_functions.hpp"

#include <atomic>

#include "array/cpu/run_cells.hpp"
#include "array/cpu/scratch_check.hpp"

namespace dpep::array {
namespace {

pass_memory memory_of(const run_header &h, std::size_t pass, std::byte *local, std::byte *workspace) {
  const auto *bytes = reinterpret_cast<const std::byte *>(&h);
  const prepared_program &p = *h.program;
  return {local,
          bytes + h.scalars_offset,
          bytes + h.ramps_offset,
          reinterpret_cast<std::byte *const *>(&h + 1),
          p.operands,
          workspace,
          p.temporary_offsets.data(),
          p.states_offsets[pass].data()};
}

void finish_pass(const pass_code &code, const pass_memory &m) {
  const std::int64_t blocks = finishing_blocks(code);
  for (std::int64_t b = 0; b < blocks; ++b) finish_block(code, m, b);
}

void execute_passes(const run_header &h, std::size_t begin, std::size_t end, std::byte *local, std::byte *workspace) {
  for (std::size_t k = begin; k < end; ++k) {
    const pass_code &code = h.program->passes[k];
    const pass_memory m = memory_of(h, k, local, workspace);
    for (std::int64_t s = 0; s < code.plan.segments; ++s) run_segment(code, m, s);
    finish_pass(code, m);
  }
}

void execute_segments(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *local,
                      std::size_t) {
  const auto &h = *static_cast<const run_header *>(arguments);
  const prepared_program::stage &stage = h.program->stages[h.stage];
  const pass_code &code = h.program->passes[stage.pass];
  const pass_memory m = memory_of(h, stage.pass, local, h.workspace);
  for (std::size_t s = begin; s < end; ++s) run_segment(code, m, std::int64_t(s));
  if (stage.next == stage.pass) return;
  auto *const counters = reinterpret_cast<std::uint64_t *>(h.workspace + h.program->counters_offset);
  const std::uint64_t done = std::atomic_ref(counters[h.stage]).fetch_add(end - begin, std::memory_order_acq_rel);
  if (done + (end - begin) != stage.units) return;
  finish_pass(code, m);
  execute_passes(h, stage.pass + 1, stage.next, local, h.workspace);
}

void execute_finishing(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *local,
                       std::size_t) {
  const auto &h = *static_cast<const run_header *>(arguments);
  const std::uint32_t pass = h.program->stages[h.stage].pass;
  const pass_memory m = memory_of(h, pass, local, h.workspace);
  for (std::size_t b = begin; b < end; ++b) finish_block(h.program->passes[pass], m, std::int64_t(b));
}

void execute_program(const void *arguments, const geometry *, std::size_t, std::size_t, std::byte *local, std::size_t) {
  const auto &h = *static_cast<const run_header *>(arguments);
  std::byte *const workspace = local + h.program->scratch_bytes;
  if (checks_scratch()) fill_with_nan(workspace, h.program->workspace_bytes);
  execute_passes(h, 0, h.program->passes.size(), local, workspace);
}

}  // namespace

backend::work_function entry_of(prepared_program::stage::kind what) noexcept {
  switch (what) {
  case prepared_program::stage::kind::whole:
    return execute_program;
  case prepared_program::stage::kind::segments:
    return execute_segments;
  case prepared_program::stage::kind::finishing:
    return execute_finishing;
  }
  return nullptr;
}

}  // namespace dpep::array
