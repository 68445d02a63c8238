// The compiler's interface: takes a Python function and its argument types, returns a kernel.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dpep/array_user_function.hpp>
#include <dpep/kernel.hpp>

#include "pykernel/syntax/entity.hpp"
#include "pykernel/translate/kernel_ir.hpp"
#include "pykernel/types/types.hpp"

namespace dpep::pykernel {

/// A loop that is compiled as a kernel of its own, whose variables return to the function that contains it.
struct loop_properties {
  /// A variable to which iterations add in any order; operation: "+", "*", "&", "|", "^", "min", "max", "and", "or".
  struct reduction {
    std::string variable, operation;
  };
  /// Each work-item accumulates in a variable of its own. Only work-item 0 starts from the value before the loop.
  std::vector<reduction> reductions{};
  /// The variables whose values each work-item or work-group stores at its end, in memory that the last argument points
  /// to.
  std::vector<std::string> outputs{};
  /// A work-item executes many iterations, so the innermost loops are vectorised and not the work-items.
  bool many_iterations = false;
  /// The work-items are vectorised all the same: the innermost loops access no memory, and each of their rounds depends
  /// on the one before.
  bool vectorises_items = false;
  /// The parameters that are arrays of one array for each work-item.
  std::vector<std::string> scratch{};
  /// Several work-items execute one iteration.
  bool shares_iterations = false;
};

/// A function and the properties of its launch that it is compiled for.
struct compile_request {
  const callable &function;
  std::vector<type> arguments;  // including the work-item's, which occupies no argument bytes
  int dimensions = 1;
  bool grouped = false;      // launched over an NdRange
  bool check = false;        // bounds checks and checks for uninitialised memory (DPEP_CHECK)
  bool single_task = false;  // launched without an index space
  bool debug = false;        // unoptimised, with debug information
  bool elementwise = false;  // a function of scalars that returns a scalar, instead of a kernel
  type result = nullptr;     // of an elementwise function: its result is converted to this type; null: not converted
  const loop_properties *loop = nullptr;
  std::vector<const callable *> callers{};  // call stack of a device function that is compiled out of line
};

/// Translates a function to the intermediate form. Throws compile_error.
DPEP_API std::shared_ptr<const kernel_ir> translate(const compile_request &);
/// Creates a kernel, which is lowered to LLVM IR only if its machine code is not in the disk cache.
DPEP_API kernel make_kernel(std::shared_ptr<const kernel_ir>);
/// Whether the environment requests code for debuggers (DPEP_GDB).
DPEP_API bool debugging_enabled() noexcept;
/// Creates an array operation from an elementwise function. It is lowered only if the machine code of the fused
/// operation that contains it is not in the disk cache.
DPEP_API ref<const array::user_function> make_user_function(kernel_ir, const std::vector<type> &arguments);
/// Lowers to LLVM bitcode.
DPEP_API std::vector<unsigned char> lower(const kernel_ir &, bool line_tables);

/// Adds the definition of an elementwise function to a module (bitcode or textual IR) that calls it.
DPEP_API std::vector<unsigned char> define_in(std::span<const unsigned char> module, const kernel_ir &,
                                              bool line_tables);

/// Declares a function that `library` (bitcode or textual IR) defines. Throws compile_error if the definition is
/// missing or has other types.
DPEP_API std::shared_ptr<const external_function>
declare_external(std::string name, type result, std::vector<type> parameters, std::vector<unsigned char> library);

/// The kernel's machine code as assembly, for each launch shape so far. If there is none, the kernel is compiled for
/// the given dimensions on the default device.
DPEP_API std::string assembly_text(const kernel &, int dimensions, bool grouped);

/// The LLVM IR as text.
DPEP_API std::string llvm_ir_text(const kernel_ir &);

/// The size of an argument in a launch: 8 bytes for each machine scalar of its type.
DPEP_API std::size_t argument_bytes(type);

}  // namespace dpep::pykernel
