// Execution of random programs as kernels and by the interpreter, and comparison of the memory afterwards.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "spmd/random_kernel/language.hpp"
#include "spmd/run_kernel.hpp"

namespace dpep::test::random_program {

program make_program(std::uint32_t seed);
data make_data(const program &, std::uint32_t seed);
data interpreted(const program &, data);

/// The target and optimisation with which a kernel is compiled.
struct compilation {
  std::string name;
  formed_kernel::machine machine;
  formed_kernel::optimisation optimise = formed_kernel::optimisation::standard;
};

/// Returns the differences between the results of the kernel, compiled as given, and `expected`; or its error. Empty:
/// none.
std::optional<std::string> difference(const program &, const compilation &, data, const data &expected,
                                      kernel_report *report = nullptr);

/// Returns a smaller program for which `fails` holds as well.
program reduced(program, const std::function<bool(const program &)> &fails);

}  // namespace dpep::test::random_program
