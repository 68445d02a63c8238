// Declarations that the files of the kernel bindings share: Python functions as kernels, their types and errors.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "pykernel/compile.hpp"
#include "pykernel/syntax/diagnostics.hpp"

#include "../array/arrays.hpp"

namespace dpep::python {

/// The identity of a specialisation: the form of the launch, then words for each argument's type.
using kernel_key = std::vector<std::uint64_t>;

/// A kernel compiled for one form of launch and one list of argument types.
struct specialisation {
  kernel_key key;
  std::vector<pykernel::type> arguments;  // including the work-item, if the kernel takes one
  kernel compiled;
  std::shared_ptr<const pykernel::kernel_ir> ir;
};

/// The form of a launch, and its word in a key.
struct launch_form {
  int dimensions = 1;
  bool grouped = false, single_task = false;
  std::uint64_t word() const noexcept {
    return std::uint64_t(dimensions) | std::uint64_t(grouped) << 8 | std::uint64_t(single_task) << 9;
  }
  static launch_form of(std::uint64_t word) noexcept {
    return {int(word & 0xFF), (word >> 8 & 1) != 0, (word >> 9 & 1) != 0};
  }
};

/// dpep._kernel.Function: a Python function, whose source is read when it is first compiled.
class kernel_function {
public:
  kernel_function(nb::object function, bool is_kernel, bool debug, std::uint8_t fast_math,
                  std::vector<std::vector<pykernel::type>> signatures);
  kernel_function(const kernel_function &) = delete;

  const nb::object &python() const noexcept { return function_; }
  bool is_kernel() const noexcept { return is_kernel_; }
  /// The function's source. Raises OSError if it cannot be found.
  const std::shared_ptr<const pykernel::callable> &source();
  /// Whether parameter 0 is the work-item, given the number of arguments of a launch.
  bool takes_item(std::size_t given);

  /// Raises if the number of arguments, without the work-item, does not match the parameters.
  void check_count(std::size_t given, bool takes_item) const;
  /// Compiles for the types of a signature.
  void compile(const launch_form &, const std::vector<pykernel::type> &);
  /// The specialisation of a key, compiled if it does not exist. Call with the GIL, which is released while compiling.
  const specialisation &find(std::span<const std::uint64_t> key,
                             const std::function<std::vector<pykernel::type>()> &types);
  /// All specialisations so far.
  const std::vector<std::unique_ptr<const specialisation>> &all() const noexcept { return all_; }
  const specialisation *last() const noexcept { return last_; }

private:
  nb::object function_;
  bool is_kernel_, debug_;
  std::uint8_t fast_math_;
  std::size_t parameters_ = 0, defaults_ = 0;
  bool item_by_annotation_ = false;
  std::optional<bool> item_by_use_;  // the code uses parameter 0 as the work-item; empty: not known yet
  std::vector<std::vector<pykernel::type>> signatures_;  // if not empty, no other types are compiled
  bool compiling_signature_ = false;
  std::shared_ptr<const pykernel::callable> source_;
  std::vector<std::unique_ptr<const specialisation>> all_;  // kept for the lifetime of the function
  const specialisation *last_ = nullptr;

  /// Raises if the code shows that the first parameter is the work-item and `types` has an argument there, or the
  /// opposite: then the launch has an argument too many or too few.
  void check_first_parameter(const pykernel::function_source &, const std::vector<pykernel::type> &types) const;
  /// Raises the error about the number of arguments of a launch.
  [[noreturn]] void refuse_count(std::size_t given, bool has_item) const;
  /// Compiles a specialisation, and adds it.
  const specialisation &make(std::span<const std::uint64_t> key, std::vector<pykernel::type>);
};

// --- function.cpp
/// Whether DPEP_CHECK requests bounds checks. Read once.
bool checks_are_on();
/// The type that a signature specifies: by its name, a dtype, or a type of the registered package.
pykernel::type signature_type(nb::handle);
/// The `fast_math` flags of a list of LLVM's names.
std::uint8_t fast_math_of(nb::handle names);

// --- external.cpp
/// The function of another language that an object holds; null if it does not hold one.
std::shared_ptr<const pykernel::external_function> external_function_of(PyObject *) noexcept;

// --- tree.cpp, environment.cpp
/// Reads a function's syntax tree, closure variables and defaults.
std::shared_ptr<pykernel::callable> read_function(nb::handle function);
/// Reads a tree in the form that `function_tree` returns, whose outer names are those of a function.
std::shared_ptr<pykernel::callable> read_loop(nb::handle function, nb::handle found);
pykernel::entity entity_of(nb::handle object);

// --- arguments.cpp
/// The key in the form of a signature's: Python's numbers as NumPy's of the same width, arrays without lengths.
kernel_key without_weak_numbers(std::span<const std::uint64_t> key);
/// The key with all arrays writable.
kernel_key with_writable_arrays(kernel_key);
std::uint64_t item_word(const launch_form &);
kernel_key key_of(const launch_form &, std::span<const pykernel::type>);

// --- registry.cpp
/// The name that an object was registered under as a builtin; null if it was not.
const std::string *builtin_name(nb::handle object);
/// The registered resolver's replacement for an unknown object; None if there is none.
nb::object resolved(nb::handle object);
/// Raises the Python exception for a compile error, or for an error role with a message.
[[noreturn]] void raise(const pykernel::compile_error &);
[[noreturn]] void raise(const char *role, const std::string &message);
struct registered_types {
  PyTypeObject *range = nullptr, *nd_range = nullptr, *local_accessor = nullptr, *reduction = nullptr;
};
registered_types &registered();

/// The name of a class of named tuples in types of kernels. The class is recorded under the name.
std::string record_named_tuple(nb::handle cls);
/// The class of named tuples that was recorded last under a name; null if there is none.
nb::handle named_tuple_class(const std::string &name);

// --- The parts of the module.
void bind_kernel_registry(nb::module_ &);
void bind_kernel_function(nb::module_ &);
void bind_external_functions(nb::module_ &);
void bind_vectorized_function(nb::module_ &);
void bind_kernel_launch(nb::module_ &);
void bind_compiled_loops(nb::module_ &);
void bind_syntax_nodes(nb::module_ &);
kernel_function *kernel_function_of(PyObject *) noexcept;  // null if the object is not one
void bind_kernels(nb::module_ &);

}  // namespace dpep::python
