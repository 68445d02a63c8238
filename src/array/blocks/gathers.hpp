// The tables of gather kernels that each instruction set provides. Not in kernels.hpp, since only gathers use them.
#pragma once

#include <cstddef>

#include "array/blocks/block.hpp"

namespace dpep::array::blocks {

using gather_function = void (*)(std::size_t rows, std::size_t columns, strided to, strided offsets,
                                 strided from) noexcept;
struct gather_kernels {
  gather_function functions[5];  // by the binary logarithm of the element size
};

namespace v2 {
extern const gather_kernels gathers;
}
namespace v3 {
extern const gather_kernels gathers;
}
namespace v4 {
extern const gather_kernels gathers;
}

}  // namespace dpep::array::blocks
