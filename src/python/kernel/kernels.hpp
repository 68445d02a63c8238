// What the files of the kernel bindings share: Python functions as kernels, and how they are launched.
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

/// What a kernel was compiled for, as words that are compared: the launch's form, then each argument's type.
using kernel_key = std::vector<std::uint64_t>;

struct specialisation {
  kernel_key key;
  std::vector<pykernel::type> arguments;  // the item, if the kernel takes one, included
  kernel compiled;
  std::shared_ptr<const pykernel::kernel_ir> ir;
};

/// The form of a launch in a key.
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

/// dpep._kernel.Function: a Python function, read when it is first compiled.
class kernel_function {
public:
  kernel_function(nb::object function, bool is_kernel, bool debug, std::uint8_t fast_math,
                  std::vector<std::vector<pykernel::type>> signatures);
  kernel_function(const kernel_function &) = delete;

  const nb::object &python() const noexcept { return function_; }
  bool is_kernel() const noexcept { return is_kernel_; }
  /// Reads the source. Raises OSError when there is none.
  const std::shared_ptr<const pykernel::callable> &source();
  /// Whether parameter 0 is the item, which the launch gives, when that many arguments are given.
  bool takes_item(std::size_t given) const noexcept;

  /// Raises unless a kernel can be launched with that many arguments, to which the item is added or not.
  void check_count(std::size_t given, bool takes_item) const;
  /// Compiles for the types of a signature.
  void compile(const launch_form &, const std::vector<pykernel::type> &);
  /// The specialisation of this key, compiled when it is missing. Call with the GIL, which compiling lets go of.
  const specialisation &find(std::span<const std::uint64_t> key,
                             const std::function<std::vector<pykernel::type>()> &types);
  /// Those that were compiled so far.
  const std::vector<std::unique_ptr<const specialisation>> &all() const noexcept { return all_; }
  const specialisation *last() const noexcept { return last_; }

private:
  nb::object function_;
  bool is_kernel_, debug_;
  std::uint8_t fast_math_;
  std::size_t parameters_ = 0, defaults_ = 0;
  bool item_by_annotation_ = false;
  std::vector<std::vector<pykernel::type>> signatures_;  // nothing else is compiled
  bool compiling_signature_ = false;
  std::shared_ptr<const pykernel::callable> source_;
  std::vector<std::unique_ptr<const specialisation>> all_;  // never dropped while the function lives
  const specialisation *last_ = nullptr;

  /// Compiles one, and adds it.
  const specialisation &make(std::span<const std::uint64_t> key, std::vector<pykernel::type>);
};

// --- function.cpp
/// DPEP_CHECK=1, asked once.
bool checks_are_on();
/// A type that a signature names: a text, a dtype, a type of the registered package.
pykernel::type signature_type(nb::handle);
/// What may be assumed of floats, by the flags' names, which are LLVM's.
std::uint8_t fast_math_of(nb::handle names);

// --- external.cpp
/// A function of another language; null when the object is none.
std::shared_ptr<const pykernel::external_function> external_function_of(PyObject *) noexcept;

// --- tree.cpp, environment.cpp
/// The function's syntax and what its names stand for.
std::shared_ptr<pykernel::callable> read_function(nb::handle function);
pykernel::entity entity_of(nb::handle object);

// --- arguments.cpp
/// The key as a signature's is: numbers of Python's as NumPy's of the same bits, arrays of any lengths.
kernel_key without_weak_numbers(std::span<const std::uint64_t> key);
/// The key of the same arrays if all could be written to.
kernel_key with_writable_arrays(kernel_key);
std::uint64_t item_word(const launch_form &);
kernel_key key_of(const launch_form &, std::span<const pykernel::type>);

// --- registry.cpp
/// The builtin that an object was registered as; null.
const std::string *builtin_name(nb::handle object);
/// What the registered resolver says that an unknown object stands for; None.
nb::object resolved(nb::handle object);
/// Raises the Python exception that stands for the error.
[[noreturn]] void raise(const pykernel::compile_error &);
[[noreturn]] void raise(const char *role, const std::string &message);
struct registered_types {
  PyTypeObject *range = nullptr, *nd_range = nullptr, *local_accessor = nullptr;
};
registered_types &registered();

// --- what the module is made of
void bind_kernel_registry(nb::module_ &);
void bind_kernel_function(nb::module_ &);
void bind_external_functions(nb::module_ &);
void bind_vectorized_function(nb::module_ &);
void bind_kernel_launch(nb::module_ &);
kernel_function *kernel_function_of(PyObject *) noexcept;  // null: it is none
void bind_kernels(nb::module_ &);

}  // namespace dpep::python
