// Generates the kernels of passes, and describes their launches.
#pragma once

#include <cstdint>
#include <string>

#include "array/gpu/pass_split.hpp"

namespace dpep::array::gpu {

/// The text of a kernel and its launch.
struct generated_kernel {
  std::string name, text;
  argument_block arguments;
  std::uint32_t local = 256;  // work-group size
  std::uint32_t sub_group = 1;
  std::int64_t groups = 1;
  std::size_t workspace_bytes = 0;  // without temporaries, from the offset that the generator received
  bool uses_counters = false;
};

generated_kernel generate_element_kernel(const kernel_program &, const kernel_pass &);
/// Operands that are contiguous along another axis than the result, and both axes.
struct transposed_operands {
  int result_axis, other_axis;
  std::vector<std::uint16_t> others;  // operands that are contiguous along the other axis
};
std::optional<transposed_operands> find_transposed_operands(const kernel_program &, const kernel_pass &);
generated_kernel generate_tile_kernel(const kernel_program &, const kernel_pass &, const transposed_operands &);
/// `workspace`: the offset of its part of the workspace.
generated_kernel generate_reduction_kernel(const kernel_program &, const kernel_pass &, std::size_t workspace);

// -- Shared by the generators

/// The axes of the set in order, except that `last` comes last.
std::vector<int> axes_in(const kernel_program &, axis_set, int last);
/// Sets the indices of the axes from a linear index, as NumPy's unravel_index does. The size of the last axis is
/// divided by `lanes`.
void unravel_index(kernel_text &, const kernel_program &, const std::vector<int> &axes, std::string index, int lanes,
                   iteration_point &);
/// All values that these depend on, and these, each once, inputs first.
std::vector<value_id> values_below(const kernel_program &, const std::vector<value_id> &);
/// The estimated cost of one element: nanoseconds on a CPU core.
double cost_of(const kernel_program &, const std::vector<value_id> &);
/// The estimated compile time, in milliseconds, of one copy of these values.
double compile_milliseconds_of(const kernel_program &, const std::vector<value_id> &);
/// The number of copies of code that compile within the limit: `wanted`, halved as often as necessary.
int limit_copies(int wanted, double milliseconds) noexcept;
/// The axis of the set along which most bytes are contiguous; -1 if there is none.
int contiguous_axis(const kernel_program &, axis_set among, const std::vector<value_id> &);
/// The number of adjacent elements along the axis that a work-item loads with one vector access; 1 if the layout does
/// not allow more; with random numbers of a sequence, as many as a block has. `any_length`: the axis need not be a
/// multiple of the vector.
int lanes_along(const kernel_program &, int axis, const std::vector<value_id> &, bool any_length);
bool needs_wide_indices(const kernel_program &, axis_set) noexcept;

}  // namespace dpep::array::gpu
