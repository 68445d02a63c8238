// Accumulations along an axis on CPUs: chooses the steps of a scan and submits them.
#include "array/cpu/scan.hpp"

#include <cstring>

#include "array/cpu/scan_steps.hpp"
#include "array/cpu/step_submission.hpp"
#include "array/operations/costs.hpp"

namespace dpep::array::cpu {

void scan(accumulation how, array_object &from, array_object &to, int axis) {
  if (to.layout.size == 0) return;
  const queue &q = to.queue;
  scan_arguments t{.how = how,
                   .type = to.type,
                   .from = from.first(),
                   .to = to.first(),
                   .states = nullptr,
                   .chunks = nullptr,
                   .length = to.layout.shape[std::size_t(axis)],
                   .inner = 1,
                   .units_per_outer = 1,
                   .chunk = long_chunk,
                   .units = 0,
                   .nontemporal = double(to.layout.size) * double(size_of(to.type)) >= streamed_bytes};
  std::int64_t outer = 1;
  for (int i = 0; i < to.layout.dimensions(); ++i)
    if (i != axis) (i < axis ? outer : t.inner) *= to.layout.shape[std::size_t(i)];

  ref<storage> scratch;
  const bool interleaved =
      t.inner == 1 && how == accumulation::logsumexp && t.type != dtype::float16 && to.layout.size > lane_chunk;
  if (interleaved) t.chunk = lane_chunk;
  // with enough rows for all threads, rows are not cut, so that each is read only once
  const bool cut = interleaved || (t.inner == 1 && t.length > 2 * t.chunk && outer < 64);
  if (cut) {
    t.units_per_outer = (t.length + t.chunk - 1) / t.chunk;
    t.units = outer * t.units_per_outer;
    const std::size_t states = static_cast<std::size_t>(t.units) * max_state_bytes;
    scratch = make_object<storage>(q, to.kind, states + scan_progress::bytes(t.units));
    t.states = scratch->base();
    std::memset(t.states + states, 0, scan_progress::bytes(t.units));
    t.chunks = reinterpret_cast<scan_progress *>(t.states + states);
  } else if (t.inner >= min_untransposed_columns) {
    t.units_per_outer = (t.inner + scan_row_block - 1) / scan_row_block;
  }
  step_submission s(q);
  for (const ref<storage> &used : {from.memory(), to.memory(), scratch})
    if (used) s.uses(used);
  const auto launch = [&](scan_step_index which, std::int64_t units) {
    s.launch(scan_steps[which], int(t.how) * dtype_count + int(t.type), std::as_bytes(std::span(&t, 1)), units);
  };
  if (cut) {
    if (interleaved) {
      launch(totals_step, t.units);
      launch(carries_step, outer);
      launch(interleaved_step, (t.units + scan_lanes - 1) / scan_lanes);
    } else {
      launch(chunks_step, t.units);
    }
  } else if (t.inner == 1) {
    launch(rows_step, outer);
  } else if (t.inner >= min_untransposed_columns) {
    launch(add_rows_step, outer * t.units_per_outer);
  } else {
    launch(transposed_step, outer);
  }
}

}  // namespace dpep::array::cpu
