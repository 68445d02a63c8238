// Throwing array::error with a formatted message.
#pragma once

#include <utility>

#include <fmt/format.h>

#include <dpep/array.hpp>

namespace dpep::array {

/// Throws array::error of that kind with the formatted message.
template <class... A> [[noreturn]] void refuse(refusal why, fmt::format_string<A...> text, A &&...values) {
  throw error(why, fmt::format(text, std::forward<A>(values)...));
}

}  // namespace dpep::array
