// Emission of memory accesses for the active lanes.
#pragma once

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

llvm::Value *emit_load(vector_code &, llvm::LoadInst &);
void emit_store(vector_code &, llvm::StoreInst &);
llvm::Value *emit_atomic(vector_code &, llvm::AtomicRMWInst &);  // atomics.cpp

/// Gathers elements of less than 32 bits; null if the processor cannot do it (small_gathers.cpp).
llvm::Value *gather_small(vector_code &, llvm::LoadInst &);

// interleaved_access.cpp
void load_group(vector_code &, const interleave_group &);
void store_group(vector_code &, const interleave_group &);

// permuted_access.cpp
/// Emits `id ^ distance` for a uniform distance.
void emit_permuted_id(vector_code &, llvm::Instruction &);
/// Whether the lanes of the pointer permute the elements of one block of memory.
bool is_permuted_block(const vector_code &, const llvm::Value *pointer, llvm::Type *element);
llvm::Value *load_permuted(vector_code &, llvm::LoadInst &);
void store_permuted(vector_code &, llvm::StoreInst &);

/// Alignment of the access as a vector: inactive lanes may be at addresses that are aligned less than the others'.
llvm::Align lane_alignment(const llvm::Instruction &access);
void copy_metadata(llvm::Instruction &made, const llvm::Instruction &from);

}  // namespace dpep::jit::spmd
