// OpenCL's printf.
#pragma once

namespace llvm {
class Module;
}

namespace dpep::program_lower {

/// Replaces calls of printf by those of the JIT's __dpep_printf. Vectors in formats (%v4hlf) become their elements.
void lower_printf(llvm::Module &);

}  // namespace dpep::program_lower
