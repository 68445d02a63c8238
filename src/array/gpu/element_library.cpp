// The bitcode of device/*.cpp, where the JIT's linker finds it: an image like any program's.
#include <dpep/kernel.hpp>

namespace dpep::array::gpu {
namespace {

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed, in C++20

alignas(16) constexpr unsigned char bitcode[] = {
#embed DPEP_ARRAY_ELEMENTS
};
const device_image image(bitcode, sizeof bitcode);

}  // namespace
}  // namespace dpep::array::gpu
