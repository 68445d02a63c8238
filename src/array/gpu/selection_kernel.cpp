// Generates the kernels of selections by masks, and of scatters.
#include "array/gpu/selection_kernel.hpp"

namespace dpep::array::gpu {

generated_kernel generate_selection(selection_step step, std::int64_t word) {
  constexpr std::size_t local_bytes = 2 * selection_group * 4 + 2 * selection_block;  // block_memory
  constexpr const char *names[] = {"count", "positions", "extract", "place", "fill", "scatter"};
  std::string function = names[int(step)];
  if (step >= selection_step::extract) function += "_" + std::to_string(8 * word);
  kernel_text text(true);
  std::string arguments;
  for (std::size_t k = 0; k < 4; ++k) arguments += "ptr " + text.memory(k) + ", ";
  for (std::uint16_t k = 0; k < 3; ++k) arguments += "i64 " + text.scalar(k, dtype::int64) + ", ";
  arguments += "ptr " + (step >= selection_step::fill ? "null" : text.local_memory(local_bytes));
  text.call("dpep_select_" + function, "ptr, ptr, ptr, ptr, i64, i64, i64, ptr", arguments);
  generated_kernel kernel;
  kernel.local = selection_group;
  kernel.name = "array_select_" + function;
  kernel.text = text.finish(kernel.name, "selection");
  kernel.arguments = text.take_arguments();
  return kernel;
}

}  // namespace dpep::array::gpu
