// Builtin functions of kernels, and the methods of their objects.
#pragma once

#include "pykernel/translate/arguments.hpp"

namespace dpep::pykernel {

// Each takes a qualified name ("math.sqrt") and returns nullopt if the name is not one of its functions.
std::optional<value> python_function(translation &, std::string_view name, const arguments &);
std::optional<value> math_function(translation &, std::string_view name, const arguments &);
std::optional<value> element_function(translation &, std::string_view name, const arguments &);
/// Whether the name is one of element_function, with one result, for a number of operands.
bool is_element_function(std::string_view name, std::size_t operands);
std::optional<value> kernel_function(translation &, std::string_view name, const arguments &);
/// numpy.zeros and the other functions that create arrays, in compiled loops: small arrays of constant shapes are
/// private memory.
/// An array of the members of a list or tuple, as in `numpy.array([x, y])`. Its arguments are not evaluated yet.
std::optional<value> array_of_members(translation &, std::string_view name, const expression &call);
std::optional<value> creation_function(translation &, std::string_view name, const arguments &);
std::optional<value> group_function(translation &, std::string_view name, const arguments &);
std::optional<value> atomic_function(translation &, std::string_view name, const arguments &);

/// Reports an error if an argument is not a number, or given by keyword.
void check_numbers(translation &, std::string_view name, const arguments &);

/// Calls a function of another language.
value call_external(translation &, const std::shared_ptr<const external_function> &, const arguments &);

/// The identity element of an operation, by its name in the group algorithms: "add", "mul", "min", …
value identity(translation &, const std::string &operation, type, const expression &at);

/// Methods of work-items, groups and sub-groups.
value item_method(translation &, const value &, const std::string &name, const arguments &);
/// Whether work-items, groups or sub-groups have a method of this name.
bool is_item_method(std::string_view method);
value atomic_method(translation &, const value &, const std::string &name, const arguments &);
value number_method(translation &, const value &, const std::string &name, const arguments &);
/// The arguments of a call of the same function with one other argument.
arguments with_argument(const arguments &, const value &);

/// Reports an error if the kernel is not launched over an NdRange.
void require_groups(const translation &, const std::string &what, const expression &at);
/// The memory order and scope from constant arguments; null pointers stand for the defaults.
memory_ordering constant_ordering(const translation &, const value *order, const value *scope, const expression &at);
void barrier(translation &, bool sub_group, const value *scope, const expression &at);

}  // namespace dpep::pykernel
