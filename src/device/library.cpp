// Holds the device library's bitcode, once for each kind of multiply-add, and GPUs' own.
#include "device/library.hpp"

namespace dpep::device_library {
namespace {

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed, in C++20

alignas(16) constexpr unsigned char fused_bitcode[] = {
#embed DPEP_DEVICE_LIBRARY_FUSED
};
alignas(16) constexpr unsigned char separate_bitcode[] = {
#embed DPEP_DEVICE_LIBRARY_SEPARATE
};

alignas(16) constexpr unsigned char gpu_only_bitcode[] = {
#embed DPEP_DEVICE_LIBRARY_GPU
};

}  // namespace

std::span<const unsigned char> bitcode(multiply_add kind) noexcept {
  if (kind == multiply_add::fused) return fused_bitcode;
  return separate_bitcode;
}

std::span<const unsigned char> gpu_bitcode() noexcept { return gpu_only_bitcode; }

}  // namespace dpep::device_library
