// A user's functions among the operations of the table.
#pragma once

#include <string_view>

#include <dpep/array_operations.hpp>
#include <dpep/array_user_function.hpp>

namespace dpep::array {

/// The code of what is no operation of the table: the node, the instruction and the call bring a function.
inline constexpr opcode user_code = static_cast<opcode>(opcode_count);

/// Each once, but for those of several instructions.
using function_list = std::vector<ref<const user_function>>;
/// A module (bitcode or textual IR) with the definitions of functions that it calls.
std::vector<unsigned char> with_definitions(std::span<const unsigned char> module, const function_list &);

/// What an operation is called in listings and dumps.
inline std::string_view name_of(opcode code, const user_function *function) noexcept {
  return code == user_code ? std::string_view(function->name) : info(code).name;
}

}  // namespace dpep::array
