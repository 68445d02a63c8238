// Running random programs, as a kernel and in the interpreter, and comparing what both leave in memory.
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

/// How a kernel is compiled.
struct way {
  std::string name;
  formed_kernel::machine machine;
  formed_kernel::optimisation how = formed_kernel::optimisation::standard;
};

/// What differs between the kernel's results, compiled so, and `expected`; or how it failed. Empty: nothing.
std::optional<std::string> difference(const program &, const way &, data, const data &expected,
                                      kernel_report *report = nullptr);

/// A smaller program that `fails` as well.
program reduced(program, const std::function<bool(const program &)> &fails);

}  // namespace dpep::test::random_program
