// SYCL's kernel attributes, which clang does not support.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dpcxx {

/// Whether the text contains the name of an attribute that `replace_attributes` handles, anywhere.
bool mentions_attributes(std::string_view text);

/// Whether the text has SYCL_EXT_ONEAPI_FUNCTION_PROPERTY; `in_directives`: in the definition of a macro.
bool mentions_function_property(const std::string &text, bool in_directives);

/// What is stated behind functions with SYCL_EXT_ONEAPI_FUNCTION_PROPERTY: that they are kernels, or also their
/// descriptions in the bitcode (<sycl/detail/kernel_description.hpp>). In preprocessed text, where the macro is not
/// defined, it becomes blanks.
enum class function_statements { kernels, descriptions, descriptions_preprocessed };

/// Replaces attributes such as `[[sycl::reqd_work_group_size(64)]]` by calls with the same meaning for the JIT at the
/// start of the function's body (<sycl/detail/required_sizes.hpp>). Keeps line numbers. Does not change preprocessor
/// directives: an attribute in a macro needs its call where the macro is used. Returns nothing if the text has no such
/// attributes.
std::optional<std::string> replace_attributes(const std::string &source, function_statements);

/// Moves each `[[clang::sycl_external]]` of preprocessed text to the start of its declaration. SYCL_EXTERNAL may follow
/// `extern` and the type, where C++ has no place for attributes of functions. Returns nothing if there are none to
/// move.
std::optional<std::string> move_external_attributes(const std::string &preprocessed);

}  // namespace dpcxx
