// The machine: runs programs on a queue.
//
// A program is simplified (nest.hpp), cut into passes (passes.hpp), scheduled (schedule.hpp, tiles.hpp) and lowered to
// calls of block kernels (lower.hpp), once for its structure and sizes (prepared.hpp): so it runs at once, with nothing
// to compile. When it is met again, runs of its calls are compiled in the background and take over when they are ready
// (runs.hpp, fused_run.hpp). All this is for devices that run host code (CPUs); for others, kernels are generated
// (gpu/run.hpp).
#pragma once

#include "array/fusion/program.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {

/// Submits the program; short ones have run when it returns. `owners` are kept alive until it is complete. Memory that
/// is written may be read too, as long as that is the same element at the same index. Throws what the queue throws, and
/// errc::memory_allocation when there is no room for the states of a reduction.
event run(const queue &, const program &, const program_arguments &, dependencies,
          std::vector<std::shared_ptr<void>> owners = {});

/// Whether run() would have to compile something first.
bool compiles_first(const program &, const program_arguments &, const runtime::queue_object &);
/// Compiles what run() will need on a queue that compiles_first(); addresses of what it writes may be missing.
void compile_ahead(const program &, const program_arguments &, backend::device &);

}  // namespace dpep::array
