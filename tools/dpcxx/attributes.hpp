// SYCL's attributes of kernels, which clang does not know.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dpcxx {

/// What `with_attributes_as_calls` looks for, wherever in a text it may be.
bool mentions_attributes(std::string_view text);

/// The source with `[[sycl::reqd_work_group_size(64)]]` and the like taken out and a call put in its place, at the
/// start of the function's body, that says the same to the JIT (<sycl/detail/required_sizes.hpp>). Lines stay where
/// they are. Directives are left alone: an attribute in a macro has its place where that is used. Nothing: there are
/// none in the text.
std::optional<std::string> with_attributes_as_calls(const std::string &source);

}  // namespace dpcxx
