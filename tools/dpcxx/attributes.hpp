// SYCL's attributes of kernels, which clang does not know.
#pragma once

#include <optional>
#include <string>

namespace dpcxx {

/// The source with `[[sycl::reqd_work_group_size(64)]]` and the like taken out and a call put in its place, at the
/// start of the function's body, that says the same to the JIT (<sycl/detail/required_sizes.hpp>). Lines stay where
/// they are. Nothing: there are none in it.
std::optional<std::string> with_attributes_as_calls(const std::string &source);

}  // namespace dpcxx
