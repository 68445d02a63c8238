// User functions as operations of nodes and programs.
#pragma once

#include <string_view>

#include <dpep/array_operations.hpp>
#include <dpep/array_user_function.hpp>

namespace dpep::array {

/// The opcode of user functions. Nodes, instructions and block calls with this code refer to the function.
inline constexpr opcode user_code{255};

/// The functions of a program's instructions. A function of several instructions occurs several times.
using function_list = std::vector<ref<const user_function>>;
/// The module (bitcode or textual IR) with the definitions of the functions added.
std::vector<unsigned char> with_definitions(std::span<const unsigned char> module, const function_list &);

/// The operation's name in listings and dumps.
inline std::string_view name_of(opcode code, const user_function *function) noexcept {
  return code == user_code ? std::string_view(function->name) : info(code).name;
}

}  // namespace dpep::array
