// The arguments of calls.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// The evaluated arguments of a call.
struct arguments {
  const expression &call;
  std::string function;  // for messages
  std::vector<value> positional;
  std::vector<std::pair<std::string, value>> keywords;
  mutable std::vector<std::string_view> read_keywords = {};  // by find_argument
};

/// The argument at a position or with a keyword; null if there is none.
const value *find_argument(const arguments &, std::size_t position, std::string_view name);
const value &require_argument(const translation &, const arguments &, std::size_t position, std::string_view name);
/// Refuses keywords that no call of find_argument has looked for: the function has no such argument.
void check_keywords(const translation &, const arguments &);
void check_count(const translation &, const arguments &, std::size_t least, std::size_t most);
/// The dtype that an argument names.
dtype data_type(const translation &, const value &, const expression &at);
/// ": …", an explanation of how many parameters and arguments the kernel has, for errors about values that are a
/// work-item unexpectedly, or are not one. Empty if the number of arguments cannot be the cause.
std::string launch_hint(const translation &);

}  // namespace dpep::pykernel
