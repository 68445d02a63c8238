// The random functions as element functions.
#pragma once

#include <string_view>

#include "array/base/random_function.hpp"
#include "array/operations/user_function.hpp"

namespace dpep::array {

const ref<const user_function> &element_function_of(random_function);
/// The function of streams of that name; refusal::value for others.
random_function stream_function(std::string_view name);

}  // namespace dpep::array
