// Generates the kernels of Fourier transforms: calls of a template of src/device/array.
#include "array/gpu/fourier_kernel.hpp"

#include "array/gpu/template_call.hpp"

namespace dpep::array::gpu {
namespace {

constexpr std::size_t column_bytes = 40;  // of a column in device/array/fourier.cpp

std::int64_t group_of(dtype t) noexcept { return t == dtype::complex64 ? 256 : 128; }

/// Each column of R elements has R / 16 + 1 elements of padding.
std::int64_t buffer_size(dtype t, std::int64_t tile) noexcept { return tile + tile / 16 + most_columns(t); }

std::size_t local_bytes_of(dtype t, std::int64_t tile) noexcept {
  return 2 * std::size_t(buffer_size(t, tile)) * size_of(t) + std::size_t(most_columns(t)) * column_bytes;
}

}  // namespace

std::int64_t most_columns(dtype t) noexcept { return group_of(t) / 2; }

std::int64_t fourier_tile(dtype t, std::size_t local_bytes) noexcept {
  constexpr std::size_t most_bytes = 48 * 1024;  // static local memory on NVIDIA GPUs
  std::int64_t tile = 8 * group_of(t);
  while (tile > 64 && local_bytes_of(t, tile) > std::min(local_bytes, most_bytes)) tile /= 2;
  return tile;
}

generated_kernel generate_fourier(const fourier_kernel &k) {
  template_call call(true);
  for (std::size_t m = 0; m < fourier_operand::count; ++m) call.memory(m);
  for (std::uint16_t s = 0; s < fourier_number::factor; ++s) call.scalar_64(s);
  call.scalar(fourier_number::factor, real_of(k.type));
  call.constant("i32", int(k.read));
  call.constant("i32", int(k.before));
  call.constant("i32", int(k.write));
  call.constant("i1", k.has_write_table);
  call.constant("i1", k.convolves);
  call.constant("i1", k.all_radices);
  call.constant("i32", group_of(k.type));
  call.constant("i32", buffer_size(k.type, k.tile));
  call.local_memory(local_bytes_of(k.type, k.tile));
  return call.finish("array_fourier", fmt::format("dpep_fourier_{}", name_of(k.type)), group_of(k.type), 1,
                     k.all_radices ? 3 : 4);
}

generated_kernel generate_untangle(dtype t) {
  template_call call(true);
  for (std::size_t m = 0; m < 3; ++m) call.memory(m);
  for (std::uint16_t s = 0; s < 4; ++s) call.scalar_64(s);
  return call.finish("array_fourier_untangle", fmt::format("dpep_fourier_untangle_{}", name_of(t)), untangle_group, 1,
                     4);
}

}  // namespace dpep::array::gpu
