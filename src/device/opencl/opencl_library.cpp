// Holds the bitcode of OpenCL C's built-in functions.
#include "device/library.hpp"

namespace dpep::device_library {
namespace {

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed, in C++20

alignas(16) constexpr unsigned char linked_bitcode[] = {
#embed DPEP_OPENCL_BITCODE
};

}  // namespace

std::span<const unsigned char> opencl_bitcode() noexcept { return linked_bitcode; }

}  // namespace dpep::device_library
