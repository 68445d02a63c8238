// The compiler's interface: a Python function and its arguments' types in, a kernel out.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dpep/array_user_function.hpp>
#include <dpep/kernel.hpp>

#include "pykernel/translate/code.hpp"
#include "pykernel/syntax/entity.hpp"
#include "pykernel/types/types.hpp"

namespace dpep::pykernel {

/// What a kernel is compiled for. Argument types include the item's, which takes no bytes.
struct request {
  const callable &function;
  std::vector<type> arguments;
  int dimensions = 1;
  bool grouped = false;
  bool check = false;  // out-of-range indices are errors
  bool single_task = false;
  bool debug = false;                       // for debuggers: nothing is optimised away
  bool elementwise = false;                 // a function of numbers, which returns one, rather than a kernel
  type result = nullptr;                    // of such a function: what it returns is converted to this
  std::vector<const callable *> callers{};  // of a device function that is translated apart, from the kernel on
};

/// Translates. Throws compile_error.
DPEP_API std::shared_ptr<const code> translate(const request &);
/// The kernel of translated code: lowered only if its machine code is not in the disk cache.
DPEP_API kernel make_kernel(std::shared_ptr<const code>);
/// Whether the environment asks for code that debuggers see (DPEP_GDB).
DPEP_API bool debuggers_watch() noexcept;
/// The array operation of a function of numbers. Lowered only if the machine code of what it is used in is not in the
/// disk cache.
DPEP_API ref<const array::user_function> make_user_function(code, const std::vector<type> &arguments);
/// LLVM bitcode of it.
DPEP_API std::vector<unsigned char> lower(const code &, bool line_tables);

/// A module (bitcode or textual IR) with the definition of a function of numbers, which it calls.
DPEP_API std::vector<unsigned char> define_in(std::span<const unsigned char> module, const code &, bool line_tables);

/// A function that the library defines, as bitcode or textual IR. Throws compile_error when it does not, or for other
/// types than these.
DPEP_API std::shared_ptr<const external_function>
declare_external(std::string name, type result, std::vector<type> parameters, std::vector<unsigned char> library);

/// The machine code as text, of all forms in which the kernel was launched; if there is none yet, of one of that form.
DPEP_API std::string assembly_text(const kernel &, int dimensions, bool grouped);

/// The LLVM IR, for people.
DPEP_API std::string intermediate_text(const code &);

/// The bytes of an argument in a launch: 8 for each machine number of its type.
DPEP_API std::size_t argument_bytes(type);

}  // namespace dpep::pykernel
