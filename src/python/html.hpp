// HTML representations for notebooks: `_repr_html_`.
#pragma once

#include <string>
#include <string_view>

#include <dpep/device.hpp>
#include <dpep/queue.hpp>

namespace dpep::python {

/// The text with &, <, > and " as HTML entities.
std::string escaped(std::string_view text);

// Tables without styles, so that the notebook's styles apply.
std::string html_of(const platform &);
std::string html_of(const device &);
std::string html_of(const queue &);

}  // namespace dpep::python
