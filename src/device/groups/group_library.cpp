// Registers the bitcode of group_algorithms.cpp with the JIT's linker.
#include <dpep/kernel.hpp>

namespace dpep::device_images {
namespace {

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed, in C++20

alignas(16) constexpr unsigned char bitcode[] = {
#embed DPEP_GROUP_ALGORITHMS
};
const device_image image(bitcode, sizeof bitcode);

}  // namespace
}  // namespace dpep::device_images
