// How array functions refuse: one line that formats the message and throws.
#pragma once

#include <utility>

#include <fmt/format.h>

#include <dpep/array.hpp>

namespace dpep::array {

template <class... A> [[noreturn]] void refuse(refusal why, fmt::format_string<A...> text, A &&...values) {
  throw error(why, fmt::format(text, std::forward<A>(values)...));
}

}  // namespace dpep::array
