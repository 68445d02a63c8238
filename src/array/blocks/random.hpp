// The loops of the random functions that each instruction set provides.
#pragma once

#include "array/base/random_function.hpp"

namespace dpep::array::blocks {

struct random_loops {
  native_loop functions[random_function_count];
};

namespace v2 {
extern const random_loops random_numbers;
}
namespace v3 {
extern const random_loops random_numbers;
}
namespace v4 {
extern const random_loops random_numbers;
}

}  // namespace dpep::array::blocks
