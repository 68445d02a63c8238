// Generates the kernels of products of matrices: calls of templates of src/device/array.
#include "array/gpu/product_kernel.hpp"

#include "array/gpu/kernel_text.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t side = 16;  // work-items of a side of a tile, as in the template

/// Laid out by product_tile of device/array/products.cpp.
std::size_t local_bytes(dtype t, const product_tile &tile) noexcept {
  const std::size_t bytes = size_of(sum_type(t)), padding = bytes >= 16 ? 1 : 16 / bytes;
  return 2 * 2 * std::size_t(tile.depth) * (std::size_t(tile.length) + padding) * bytes;
}

generated_kernel finished(kernel_text &text, const std::string &function, const std::string &arguments,
                          const std::string &parameters, int resident_groups) {
  text.call("dpep_" + function, parameters, arguments);
  text.set_resident_groups(resident_groups);
  generated_kernel kernel;
  kernel.name = "array_" + function;
  kernel.text = text.finish(kernel.name, "product of matrices");
  kernel.arguments = text.take_arguments();
  kernel.local = side * side;
  return kernel;
}

generated_kernel tile_kernel(const std::string &what, dtype t, const product_tile &tile) {
  kernel_text text(true);
  std::string arguments, parameters;
  for (std::size_t k = 0; k < product_operand::count; ++k) {
    arguments += "ptr " + text.memory(k) + ", ";
    parameters += "ptr, ";
  }
  for (std::uint16_t k = 0; k < product_scalar::count; ++k) {
    arguments += "i64 " + text.scalar(k, dtype::int64) + ", ";
    parameters += "i64, ";
  }
  arguments += "ptr " + text.local_memory(local_bytes(t, tile));
  parameters += "ptr";
  const std::string function =
      fmt::format("product_{}{}_{}", what, tile.is_large ? "large" : "small", name_of(multiplied_as(t)));
  return finished(text, function, arguments, parameters, 2);
}

}  // namespace

dtype multiplied_as(dtype t) noexcept {
  switch (t) {
  case dtype::int8:
    return dtype::uint8;
  case dtype::int16:
    return dtype::uint16;
  case dtype::int32:
    return dtype::uint32;
  case dtype::int64:
    return dtype::uint64;
  default:
    return t;
  }
}

dtype sum_type(dtype t) noexcept {
  switch (multiplied_as(t)) {
  case dtype::boolean:
  case dtype::uint8:
  case dtype::uint16:
    return dtype::uint32;
  case dtype::float16:
    return dtype::float32;
  default:
    return t;
  }
}

product_tile large_tile(dtype t) noexcept {
  const std::size_t bytes = size_of(sum_type(t));
  return {true, side * (bytes <= 4 ? 8 : 4), bytes == 8 ? 16 : 8};
}
product_tile small_tile() noexcept { return {false, side * 2, 8}; }

generated_kernel generate_product(dtype t, const product_tile &tile) { return tile_kernel("", t, tile); }
generated_kernel generate_product_part(dtype t, const product_tile &tile) { return tile_kernel("part_", t, tile); }

generated_kernel generate_product_sum(dtype t) {
  kernel_text text(true);
  std::string arguments = "ptr " + text.memory(product_operand::left) + ", ptr " + text.memory(product_operand::result);
  for (const auto k : {product_scalar::rows, product_scalar::columns, product_scalar::result_row, product_scalar::part})
    arguments += ", i64 " + text.scalar(k, dtype::int64);
  return finished(text, fmt::format("product_sum_{}", name_of(multiplied_as(t))), arguments,
                  "ptr, ptr, i64, i64, i64, i64", 4);
}

}  // namespace dpep::array::gpu
