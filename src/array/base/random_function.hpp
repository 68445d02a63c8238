// The random functions by name.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dpep/array_native_loop.hpp>

namespace dpep::array {

#define DPEP_RANDOM_FUNCTION(name, ...) name,
enum class random_function : std::uint8_t {
#include <dpep/array_random_functions.def>
};
#define DPEP_RANDOM_FUNCTION(...) +1
inline constexpr std::size_t random_function_count = 0
#include <dpep/array_random_functions.def>
    ;

}  // namespace dpep::array
