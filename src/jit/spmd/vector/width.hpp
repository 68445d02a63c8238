// The number of work-items in a vector, and of vectors in an iteration.
#pragma once

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

/// The number of elements of the loop's predominant type that fill a vector register; 1: vectors are not worthwhile.
unsigned natural_lanes(const item_loop &, const llvm::LoopInfo &, const shapes &, unsigned vector_bits);

/// Whether all inner loops are sums of rows of integers, for example of quantised weights, where each work-item has a
/// row. LLVM's vectoriser loads parts of a row as vectors, where vectors of work-items would gather.
bool has_sums_of_rows(const item_loop &, const shapes &, llvm::ScalarEvolution &);

/// Whether elements of 8 or 16 bits that lanes load or store one by one, for example from tables, take more time than
/// vectors save elsewhere.
bool has_many_small_gathers(const item_loop &, const llvm::LoopInfo &, const shapes &);

/// Whether an inner loop consists mostly of gathers, such as look-ups in tables. A gather costs one load for each lane,
/// and more to combine them to a vector; a few work-items for each iteration without vectors hide the latency as well,
/// if they run in lockstep.
bool has_gather_loop(const item_loop &, const shapes &);
bool runs_in_lockstep(const shapes &);

/// How many vectors each iteration of the vector loop should process, so that dependent operations of one vector
/// overlap with those of the others.
unsigned vectors_per_iteration(const item_loop &, const shapes &);

/// Whether a vector would load elements beside those that the vector before has stored, as in a sweep that updates
/// every other element in place from its neighbours. Processors forward no parts of two stores, and nothing from masked
/// ones, so such a load waits until the store is in the cache.
bool loads_behind_stores(const item_loop &, const shapes &, llvm::ScalarEvolution &);
/// How many vectors an iteration should load before it stores the first one, so that iterations wait less often.
unsigned vectors_of_sweep(const item_loop &, const shapes &);

}  // namespace dpep::jit::spmd
