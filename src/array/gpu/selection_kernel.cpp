// Generates the kernels of selections by masks, and of scatters.
#include "array/gpu/selection_kernel.hpp"

#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {
namespace {

generated_kernel generate_scatter(std::int64_t word) {
  const std::string function = fmt::format("scatter_{}", 8 * word);
  template_call m(true);
  for (const std::size_t operand : {1, 2, 3}) m.memory(operand);
  for (const std::uint16_t number : {0, 1, 2}) m.scalar_64(number);
  m.scalar_32(3);
  return m.finish("array_select_" + function, "dpep_select_" + function, selection_group, 1, 1);
}

}  // namespace

generated_kernel generate_selection(selection_step step, std::int64_t word) {
  if (step == selection_step::scatter) return generate_scatter(word);
  constexpr std::size_t local_bytes = 2 * selection_group * 4 + 2 * selection_block;  // block_memory
  constexpr const char *names[] = {"count", "positions", "extract", "place", "fill"};
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
