// What notebooks show of objects: `_repr_html_`.
#pragma once

#include <string>
#include <string_view>

#include <dpep/device.hpp>
#include <dpep/queue.hpp>

namespace dpep::python {

/// The text with HTML's own characters replaced.
std::string escaped(std::string_view text);

// Tables without styles of their own, so that each notebook's apply.
std::string html_of(const platform &);
std::string html_of(const device &);
std::string html_of(const queue &);

}  // namespace dpep::python
