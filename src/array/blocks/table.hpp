// The table of kernels of one instruction set, by operation and type.
#pragma once

#include <array>

#include <dpep/array_opcodes.hpp>

#include "array/blocks/blocks.hpp"
#include "array/blocks/distances.hpp"
#include "array/blocks/filters.hpp"
#include "array/blocks/folds.hpp"
#include "array/blocks/fourier.hpp"
#include "array/blocks/gathers.hpp"
#include "array/blocks/interpolations.hpp"
#include "array/blocks/kernels.hpp"
#include "array/blocks/partitions.hpp"
#include "array/blocks/random.hpp"
#include "array/blocks/searches.hpp"
#include "array/blocks/small_matrices.hpp"
#include "array/blocks/sparse.hpp"
#include "array/blocks/updates.hpp"

namespace dpep::array::blocks {

enum class instructions : std::uint8_t { v2, v3, v4 };
inline constexpr std::array all_instructions{instructions::v2, instructions::v3, instructions::v4};
const char *name_of(instructions) noexcept;
bool has(instructions) noexcept;  // whether the processor supports it

class kernel_table {
public:
  explicit kernel_table(instructions);
  kernel_table(const kernel_table &) = delete;

  element_function find(opcode, const signature &, form first = form::vector,
                        form second = form::vector) const noexcept;
  const reducer *find_reducer(reduction how, dtype t) const noexcept { return reducers_[index(how)][index(t)]; }
  const cast_kernels &casts() const noexcept { return *casts_; }
  const select_kernels &selects() const noexcept { return *selects_; }
  const copy_kernels &copies() const noexcept { return *copies_; }
  const distance_kernels &distances() const noexcept { return *distances_; }
  const filter_kernels &filters() const noexcept { return *filters_; }
  const fold_list &folds() const noexcept { return *folds_; }
  const update_list &updates() const noexcept { return *updates_; }
  const gather_kernels &gathers() const noexcept { return *gathers_; }
  const interpolation_kernels &interpolations() const noexcept { return *interpolations_; }
  const matrix_kernels &matrices() const noexcept { return *matrices_; }
  const partition_kernels &partitions() const noexcept { return *partitions_; }
  const memory_kernels &memory() const noexcept { return *memory_; }
  const scan_kernels &scans() const noexcept { return *scans_; }
  native_loop random(random_function f) const noexcept { return random_->functions[index(f)]; }
  const sort_kernels &sorts() const noexcept { return *sorts_; }
  const search_kernels &searches() const noexcept { return *searches_; }
  const small_matrix_kernels &small_matrices(dtype t) const noexcept {
    return small_matrices_[index(t) - index(dtype::float32)];
  }
  const sparse_kernels &sparse(dtype i) const noexcept { return sparse_[i == dtype::int64]; }
  const fourier_kernels &fourier(dtype real) const noexcept { return fourier_[real == dtype::float64]; }
  fourier_pass_function fourier_pass(dtype real) const noexcept { return fourier_passes_[real == dtype::float64]; }
  const char *name() const noexcept { return name_of(which_); }
  std::size_t vector_bytes() const noexcept { return std::size_t{16} << index(which_); }

private:
  static constexpr std::size_t index(auto x) { return static_cast<std::size_t>(x); }
  struct by_form {  // index 0: both operands are vectors; 1: the first is one element; 2: the second is
    element_function functions[3] = {};
    element_function &at(form first, form second);
  };
  struct mixed {  // operands of different types; few, so that a linear search suffices
    opcode code;
    dtype first, second;
    by_form functions;
  };
  void add(const element_list &);
  void add(const reducer_list &);

  instructions which_;
  by_form elements_[opcode_count][dtype_count];
  std::vector<mixed> mixed_;
  const reducer *reducers_[static_cast<std::size_t>(reduction::deviation) + 1][dtype_count] = {};
  const cast_kernels *casts_ = nullptr;
  const select_kernels *selects_ = nullptr;
  const copy_kernels *copies_ = nullptr;
  const distance_kernels *distances_ = nullptr;
  const filter_kernels *filters_ = nullptr;
  const fold_list *folds_ = nullptr;
  const update_list *updates_ = nullptr;
  const gather_kernels *gathers_ = nullptr;
  const interpolation_kernels *interpolations_ = nullptr;
  const matrix_kernels *matrices_ = nullptr;
  const memory_kernels *memory_ = nullptr;
  const partition_kernels *partitions_ = nullptr;
  const random_loops *random_ = nullptr;
  const scan_kernels *scans_ = nullptr;
  const sort_kernels *sorts_ = nullptr;
  const search_kernels *searches_ = nullptr;
  const small_matrix_kernels *small_matrices_ = nullptr;
  const sparse_kernels *sparse_ = nullptr;
  const fourier_kernels *fourier_ = nullptr;
  const fourier_pass_function *fourier_passes_ = nullptr;
};

}  // namespace dpep::array::blocks
