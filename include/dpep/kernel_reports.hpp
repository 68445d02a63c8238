// The reports of all compilations of a kernel, and what it requires of its launches.
#pragma once

#include <array>
#include <vector>

#include <dpep/kernel.hpp>

namespace dpep {

/// One report for each device and launch shape that the kernel was compiled for, latest first.
DPEP_API std::vector<kernel_report> reports_of(const kernel &);

/// The sizes that a kernel requires by attributes or properties. Index 0 varies fastest. 0: none required.
struct required_sizes {
  std::array<std::size_t, 3> work_group{};
  std::size_t sub_group = 0;
  std::vector<std::uint32_t> aspects = {};    // numbers of dpep::aspect
  std::vector<std::uint64_t> constants = {};  // keys of the specialization constants that it reads
};
/// Slow: reads the kernel's code.
DPEP_API required_sizes required_sizes_of(const kernel &);

}  // namespace dpep
