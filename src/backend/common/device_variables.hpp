// Device variables: variables of the program with storage on each device, which kernels and copies access.
//
// The host's object of a variable registers itself under a key. Compiled kernels name variables by their keys and read
// the address of the storage from a cell, which the loader fills in or refers to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "backend/backend.hpp"

namespace dpep::backend {

/// The low bits of a key tell variables of one source line apart: the column. They are ignored where only one variable
/// has the other bits, since preprocessed source has other columns.
constexpr std::uint64_t variable_column_mask = 0xfff;

/// The key by which kernels refer to a specialisation of a variable template, or to a member of one of a class
/// template. All specialisations are declared at one place, and may have one type, so that their own keys can be equal.
/// A hash of the mangled name replaces the column; the highest of its bits is set, which columns hardly ever reach.
std::uint64_t key_of_specialisation(std::uint64_t key, std::string_view mangled_name) noexcept;

/// The prefix of the symbols by which compiled code reads addresses of storage; the key follows in 16 hex digits.
inline constexpr std::string_view variable_symbol_prefix = "__dpep_variable_";
std::string variable_symbol(std::uint64_t key);

/// Registers a variable of the program. `initial` must stay valid until the variable is unregistered.
void add_device_variable(std::uint64_t key, const void *initial, std::size_t bytes, std::size_t alignment);
/// The storage stays: kernels may still run.
void remove_device_variable(const void *initial) noexcept;

/// Returns the cell with the address of the variable's storage on a root device. The first call for a device allocates
/// the storage and copies the initial value into it. `user` names the kernel or function in errors. Throws errc::build
/// for a key that no variable or several have, and errc::memory_allocation.
void **device_variable_cell(device &, std::uint64_t key, std::string_view user);
/// The same for the registered variable with that initial value.
void **device_variable_cell(device &, const void *initial, std::string_view user);

}  // namespace dpep::backend
